"""Models of object mappers in Python: what their classes declare, and the tables that follow."""
