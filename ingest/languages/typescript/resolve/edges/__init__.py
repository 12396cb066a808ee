"""Turn resolved facts into edges: calls, references, imports, exports, heritage, type flow, checks and callbacks."""
