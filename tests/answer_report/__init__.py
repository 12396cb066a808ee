"""Checks the rules of excerpts, on answers about random symbols of real repositories."""
