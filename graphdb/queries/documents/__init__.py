"""Documents in the graph: the content of their sections, and the symbols that they name."""
