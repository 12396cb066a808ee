"""Declarations of libraries whose types decide the types in templates, for workspaces in which they are not installed.

We wrote these declarations. They contain only the types that expressions in templates need.
"""
