"""Displays of notebooks: highlighted code, pictures of graphs, and a progress bar while an index is built."""
