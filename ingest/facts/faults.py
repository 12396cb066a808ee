"""Faults of Astrolabe itself while it resolves a file: the file lacks the edges that need the answer, and the index is made."""

from __future__ import annotations


def fault_in(path: str, fault: Exception) -> str:
    """Return the text of a fault in the resolution of a file."""
    return f"{path}: {type(fault).__name__}: {fault}"
