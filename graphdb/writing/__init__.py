"""Writing a graph: bulk load, incremental update, and rewriting without a log."""
