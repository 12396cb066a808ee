"""Source bytes to facts to resolved edges. Knows no database."""
