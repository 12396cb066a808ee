"""Schemas of databases: the state after all migrations, and the resulting edges of the graph."""
