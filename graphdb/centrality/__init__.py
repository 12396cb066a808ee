"""How much of a repository rests on each symbol and file: the reference graph and PageRank over it."""
