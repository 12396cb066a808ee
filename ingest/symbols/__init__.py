"""Shared parts of the lowering of every language: the symbol tree of a file, its chunks, headers and comments."""
