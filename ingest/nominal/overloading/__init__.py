"""Languages whose types are written and whose methods are overloaded: names, members, and the choice of a method."""
