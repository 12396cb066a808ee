"""What expressions hold: the models, rows, queries and connections of object mappers."""
