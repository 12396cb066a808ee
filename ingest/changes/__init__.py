"""Differences between two states of a repository: files, symbols, and breakage. Both states are read from Git."""
