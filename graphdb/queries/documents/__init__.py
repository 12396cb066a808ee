"""What the graph knows of documents: what their sections say, and what they name."""
