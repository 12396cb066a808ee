"""Look up symbols by exact name, and suggest others if nothing has the name or path."""
