"""Models of object mappers in Python: the declarations of the model classes, and the resulting tables."""
