"""Languages: one folder each, with everything that holds for that language alone."""
