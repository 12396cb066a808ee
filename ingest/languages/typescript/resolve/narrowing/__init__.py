"""Narrowing: the type of a reference under the conditions that hold there, and the type predicates of functions."""
