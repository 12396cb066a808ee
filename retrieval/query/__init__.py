"""Parse requests: the words of a query, symbol paths, and filters by path and language."""
