"""Models of object mappers in Python: the declarations of their classes, and the resulting tables."""
