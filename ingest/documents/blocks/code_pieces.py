"""Code that is put together from parts of blocks and from code around them, so that each part keeps its place in the document."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Final

#: A line of code, the line of the document (0 for a line that the document does not have), and the columns by which the line is
#: moved to the left.
CodeLine = tuple[str, int, int]


class CodePieces:
    """Lines of code that are written piece by piece."""

    def __init__(self) -> None:
        self._lines: list[CodeLine] = []
        self._parts: list[str] = []
        self._length = 0
        self._number = 0
        self._indent = 0

    def add(self, code: str) -> None:
        """Append code that the document does not have. It stays in the current line."""
        first, *others = code.split("\n")
        self._append(first)
        for each in others:
            self._end_line()
            self._append(each)

    def take(self, block: PlacedText, start: int, end: int) -> None:
        """Append a part of a block, each line at its column."""
        if start >= end:
            return
        number, column = block.place(start)
        first, *others = block.text[start:end].split("\n")
        if self._length and (self._number != number or self._length > column):
            self._end_line()
        self._number, self._indent = number, block.indent
        self._append(" " * (column - self._length))
        self._append(first)
        for line, each in enumerate(others, number + 1):
            self._end_line()
            self._number, self._indent = line, block.indent
            self._append(each)

    def lines(self) -> list[CodeLine]:
        """Return all lines."""
        self._end_line()
        return self._lines

    def _append(self, code: str) -> None:
        self._parts.append(code)
        self._length += len(code)

    def _end_line(self) -> None:
        self._lines.append(("".join(self._parts), self._number, self._indent))
        self._parts, self._length, self._number, self._indent = [], 0, 0, 0


class PlacedText:
    """The text of a block with the places of its characters in the document."""

    def __init__(self, text: str, line: int, indent: int) -> None:
        """`line` is the line of the document in which the text begins, and `indent` the number of columns that were removed."""
        self.text: Final = text
        self.indent: Final = indent
        self._line = line
        self._starts = [0, *accumulate(len(each) + 1 for each in text.split("\n"))]

    def place(self, at: int) -> tuple[int, int]:
        """Return the line of the document and the column in the text, from 0, of an offset."""
        number = bisect_right(self._starts, at) - 1
        return self._line + number, at - self._starts[number]
