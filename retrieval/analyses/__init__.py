"""Structural analyses: what a language service knows of a symbol or a file, as frozen records read from the graph."""
