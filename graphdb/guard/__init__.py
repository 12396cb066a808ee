"""Admission of Cypher statements from outside."""
