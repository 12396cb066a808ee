"""Completions of unfinished Cypher statements and chains."""
