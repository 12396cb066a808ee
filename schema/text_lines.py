"""The lines of a text by number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


class TextLines:
    """The lines of a text in UTF-8, from 1. Lines end with LF or CRLF."""

    def __init__(self, text: bytes, starts: Sequence[int] | None = None) -> None:
        """`starts`, if known, contains the offset of each line in bytes, and then the length of the text."""
        self._text = text
        self._starts = line_starts(text) if starts is None else starts

    def between(self, first: int, last: int) -> str:
        """Return lines `first` to `last`, without the line end of the last line."""
        return self.encoded(first, last).decode("utf-8", "replace")

    def encoded(self, first: int, last: int) -> bytes:
        """Return lines `first` to `last` as UTF-8, without the line end of the last line. Missing lines are empty."""
        end = len(self._starts) - 1
        return self._text[self._starts[min(first - 1, end)] : self._starts[min(last, end)]].rstrip(b"\r\n")


def line_starts(text: bytes) -> list[int]:
    """Return the offset of each line of a text, and then the length of the text. The text after the last line feed is a line."""
    # `splitlines` is the fastest function for lines. It also splits at a carriage return without a line feed, which texts do
    # not contain.
    starts = list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
    return [*starts, len(text)] if not text or text.endswith(b"\n") else starts
