"""Indexed source text and its structure, from which excerpts are written."""
