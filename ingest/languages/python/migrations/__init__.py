"""Migrations in Python: their changes to the schema of a database, and the order in which they run."""
