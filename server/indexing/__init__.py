"""Builds and refreshes indexes: when, in which process, and how the files are written."""
