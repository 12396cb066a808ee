"""Facts about a project that are not in its index, for the checks."""
