"""What the checks need to know of a project beyond its index."""
