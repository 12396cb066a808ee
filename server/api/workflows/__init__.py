"""Workflows: fixed sequences of questions to the graph, for common tasks."""
