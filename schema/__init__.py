"""The vocabulary: node and edge kinds, and the records that pass between layers."""
