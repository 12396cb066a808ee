"""Declarations of the standard library, in stub files."""
