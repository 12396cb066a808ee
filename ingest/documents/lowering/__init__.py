"""The facts of a document: its sections, steps and diagrams become symbols."""
