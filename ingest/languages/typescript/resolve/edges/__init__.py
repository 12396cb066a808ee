"""Edges out of resolved facts: calls, references, imports, exports, heritage, type flow, checks and callbacks."""
