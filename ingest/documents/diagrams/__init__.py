"""Diagrams as records: mermaid, PlantUML and Graphviz dot."""
