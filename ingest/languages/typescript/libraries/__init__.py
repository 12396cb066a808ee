"""Our own declarations of libraries for templates, for workspaces in which the libraries are not installed.

They contain only the types that expressions in templates need.
"""
