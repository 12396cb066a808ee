"""Differences between two states of a repository: files, symbols, and breakage. Both are read from Git."""
