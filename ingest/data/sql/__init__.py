"""SQL as text: tokens, statements, definitions, and the tables and columns that statements use."""
