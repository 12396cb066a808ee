"""Symbols in memory, and queries about lists of them."""
