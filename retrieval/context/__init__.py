"""The graph around results, from which the connection graph at the beginning of an answer is written."""
