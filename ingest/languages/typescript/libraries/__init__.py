"""Declarations of libraries whose types decide the types in templates, for workspaces in which they are not installed.

We wrote them, and they only have the types that such expressions need.
"""
