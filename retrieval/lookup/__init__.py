"""Look up symbols by exact name, and suggest similar names if no symbol has the name."""
