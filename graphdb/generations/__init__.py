"""Generations on disk: which one is live, who holds it, and whether its files are intact."""
