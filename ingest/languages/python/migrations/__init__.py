"""Migrations in Python: what their calls change in the schema of a database, and the order in which they run."""
