"""Structural analyses: what a language service knows about a symbol or a file, as frozen records that are read from the graph."""
