"""Parse and resolve in several processes."""
