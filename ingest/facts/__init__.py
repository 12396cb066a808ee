"""The facts of one file: the output of lowering and the input of resolution; and the cache that keeps facts by content."""
