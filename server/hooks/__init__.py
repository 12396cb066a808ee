"""Git hooks that keep the index up to date and check staged files."""
