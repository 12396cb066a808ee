"""Completions while someone types a Cypher statement or a chain."""
