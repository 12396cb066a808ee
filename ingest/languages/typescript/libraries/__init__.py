"""Declarations of libraries whose types decide what templates mean, for workspaces in which they are not installed.

They are written by us and hold only what such expressions need.
"""
