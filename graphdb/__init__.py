"""The graph database Kùzu: generations on disk, bulk load, and the library of Cypher queries."""
