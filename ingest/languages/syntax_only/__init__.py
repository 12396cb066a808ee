"""Outlines of files whose code is not resolved: declarations with their places, names, signatures and doc comments.

What a language declares, and how, is said by a query of its grammar (`queries/NAME.scm`); `reading` makes the facts of it.
"""
