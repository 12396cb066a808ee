"""The lines of a text, by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


class TextLines:
    """The lines of a text in UTF-8, counted from 1. They end with a line feed, before which a carriage return may stand."""

    def __init__(self, text: bytes, starts: Sequence[int] | None = None) -> None:
        """`starts`, where they are known, has the offset of each line, and last the length of the text."""
        self._text = text
        self._starts = line_starts(text) if starts is None else starts

    def between(self, first: int, last: int) -> str:
        """Return lines `first` to `last` without the line ends behind them."""
        return self._text[self._starts[first - 1] : self._starts[last]].decode("utf-8", "replace").rstrip("\r\n")


def line_starts(text: bytes) -> list[int]:
    """Return the offset of each line of a text, and last its length. What follows the last line feed is a line."""
    # `splitlines` is the fastest of the ways to do this. It would split at a carriage return alone, of which no text has one.
    starts = list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))
    return [*starts, len(text)] if not text or text.endswith(b"\n") else starts
