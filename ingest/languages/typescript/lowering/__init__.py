"""Lower a syntax tree to the facts of its file. Nothing after this package sees a tree."""
