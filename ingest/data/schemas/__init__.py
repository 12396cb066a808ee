"""Schemas of databases: the state after all migrations, and the edges of the graph that follow from it."""
