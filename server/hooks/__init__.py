"""Git hooks that keep the index up to date and check commits before they are made."""
