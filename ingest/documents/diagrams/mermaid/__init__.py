"""The grammars of mermaid. Each grammar is a module."""
