"""The rules of each object mapper and query builder."""
