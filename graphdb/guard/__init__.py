"""The check of users' Cypher statements."""
