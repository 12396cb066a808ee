"""Kùzu: generations, bulk load, the library of Cypher queries."""
