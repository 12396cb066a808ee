"""Generations on disk: which generation is live, which processes hold a generation, and whether its files are intact."""
