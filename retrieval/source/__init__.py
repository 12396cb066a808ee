"""Indexed source text and its structure, for excerpts."""
