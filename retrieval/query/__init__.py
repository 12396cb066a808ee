"""What a request asks for: the words of a query, symbol paths, path and language filters."""
