"""Slice ranges of the source.

In code compiled by mypyc, a slice of bytes whose end precedes its start fails, where Python returns b"".
"""

from __future__ import annotations


def between(data: bytes, start: int, end: int) -> bytes:
    """Return the bytes between two offsets, or b"" if these are not in order, as in broken code."""
    return data[start:end] if 0 <= start <= end else b""


def decoded(data: bytes, start: int, end: int) -> str:
    """Return the text between two offsets, with the rules of `between`."""
    return data[start:end].decode("utf-8", "replace") if 0 <= start <= end else ""
