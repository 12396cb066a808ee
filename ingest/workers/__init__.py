"""Parsing and resolution in several processes."""
