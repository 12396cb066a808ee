"""SQL as text: its tokens, its statements, what they define, and which tables and columns they use."""
