"""Chainable queries: a chain of filters and steps along edges as data, and the one Cypher statement that it becomes."""
