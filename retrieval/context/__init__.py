"""The graph around results: the connection graph that opens an answer."""
