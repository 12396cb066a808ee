"""Displays of notebooks: highlighted code, pictures of graphs, and a bar while an index is made."""
