"""Facts about a project beyond its index, for the checks."""
