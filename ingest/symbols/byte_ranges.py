"""Slice and blank ranges of the source.

A slice of bytes whose end precedes its start is b"" in Python, but an error in code compiled by mypyc.
"""

from __future__ import annotations

from typing import Final

NO_LINE_ENDS: Final = bytes(range(256)).replace(b"\n", b"").replace(b"\r", b"")
TO_SPACES: Final = bytes.maketrans(NO_LINE_ENDS, b" " * len(NO_LINE_ENDS))


def between(data: bytes, start: int, end: int) -> bytes:
    """Return the bytes between two offsets, or b"" if the end precedes the start, as in broken code."""
    return data[start:end] if 0 <= start <= end else b""


def decoded(data: bytes, start: int, end: int) -> str:
    """Return the decoded text between two offsets; "" if the end precedes the start."""
    return data[start:end].decode("utf-8", "replace") if 0 <= start <= end else ""


def blank(text: bytes) -> bytes:
    """Return spaces in place of a text; line ends stay."""
    return text.translate(TO_SPACES)
