"""Faults of Astrolabe itself while it resolves a file: the file lacks the edges that need the answer, and the index is made."""

from __future__ import annotations

from typing import Final

#: Exceptions that only a mistake in Astrolabe raises, unlike those of files, stores and memory.
FAULTS: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RuntimeError, TypeError, ValueError)


def fault_in(path: str, fault: Exception) -> str:
    """Return the text of a fault in the resolution of a file, or of all files of a kind."""
    return f"{path}: {type(fault).__name__}: {fault}"
