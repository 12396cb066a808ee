"""Compares extraction as it is compiled with the same extraction as Python, over real files and broken ones."""
