"""What may come next while someone types a Cypher statement or a chain."""
