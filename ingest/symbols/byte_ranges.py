"""Ranges of the source. Compiled by mypyc, a slice of bytes whose end lies before its start fails, where Python gives nothing."""

from __future__ import annotations


def between(data: bytes, start: int, end: int) -> bytes:
    """The bytes between two offsets; none where these are not two places in order, as may be in broken code."""
    return data[start:end] if 0 <= start <= end else b""


def decoded(data: bytes, start: int, end: int) -> str:
    """The text between two offsets, as `between` gives it."""
    return data[start:end].decode("utf-8", "replace") if 0 <= start <= end else ""
