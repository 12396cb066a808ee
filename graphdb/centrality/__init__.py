"""How much of a repository depends on each symbol and file: the reference graph and PageRank over it."""
