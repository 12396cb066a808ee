"""Turns the bytes of source files into facts, and facts into resolved edges. Code here uses no database."""
