"""The grammars of mermaid, each a module."""
