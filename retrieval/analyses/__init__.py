"""Structural analyses: the answers of a language service about a symbol or a file, as frozen records read from the graph."""
