"""Scopes: chains of filters and steps over the graph, in Python and as text. A chain is translated into one Cypher statement."""
