"""The facts of one file: what lowering writes and resolution reads, and the cache that keeps facts by content."""
