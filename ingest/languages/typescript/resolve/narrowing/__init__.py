"""Narrowing: the type of a reference under conditions, and the type predicates of functions."""
