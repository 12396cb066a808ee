"""Facts of one file: what lowering writes, what resolution reads, and the cache that keeps them by content."""
