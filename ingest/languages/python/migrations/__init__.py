"""Migrations in Python: the changes of their calls to the schema of a database, and the order in which they run."""
