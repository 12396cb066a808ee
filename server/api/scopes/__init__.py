"""Scopes: chains of filters and steps over the graph, in Python and as text, each of which becomes one Cypher statement."""
