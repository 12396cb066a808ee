"""Lookup by exact name, and suggestions where nothing has the name or path."""
