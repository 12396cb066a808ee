"""Structural analyses: answers about a symbol or a file, as a language service gives them, in frozen records."""
