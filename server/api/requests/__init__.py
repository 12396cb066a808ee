"""Requests to the index of a workspace, and their answers for Python and for programs."""
