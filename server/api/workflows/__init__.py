"""Workflows: fixed sequences of questions to the graph, for what people do to a repository."""
