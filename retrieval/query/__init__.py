"""Parse queries, symbol paths, and filters by path and language."""
