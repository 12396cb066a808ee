"""Lowering: a syntax tree becomes the facts of its file. Nothing after this package sees a tree."""
