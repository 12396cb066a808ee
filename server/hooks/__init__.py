"""Git hooks that keep the index up to date and check what is about to be committed."""
