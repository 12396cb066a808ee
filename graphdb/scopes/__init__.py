"""Chains of filters and steps along edges as data, and their translation into one Cypher statement."""
