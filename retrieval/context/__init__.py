"""What the graph knows around results: the connection graph that opens an answer."""
