"""Results of iteration, the content of containers, and the members of enums."""
