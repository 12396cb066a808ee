"""The library of Cypher queries, one module for each subject."""
