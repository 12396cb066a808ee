"""Lists in markups that are read line by line: reStructuredText and AsciiDoc."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .sections import Item

_CHECKBOX: Final = re.compile(r"\[(?P<mark>[ xX*])\][ \t]+")
_LEAD: Final = re.compile(r"(?P<marks>\*\*|``?|\*)(?P<text>[^*`]+)(?P=marks)")

#: Maximum depth of nested lists.
_MAX_DEPTH: Final = 40
#: Number of characters of an item's text after which other lines are left out.
_MAX_TEXT: Final = 2_000


class Marker(NamedTuple):
    """The mark at the beginning of an item of a list."""

    #: Identifies the list of the item among its enclosing lists, by the level or the mark.
    level: object
    #: Number of the item; 0 for an item without a number, -1 for automatic numbering after the previous item.
    number: int
    #: Offset of the text in the line.
    text_at: int


@dataclass(slots=True)
class ListReader:
    """Reads the items of a document, line by line. `marker_of` returns the marker at the beginning of an item.

    A list may begin where a paragraph may begin: after a blank line, or after an item. `ends_at` takes the marker of an open item
    and a line without a marker, and returns whether the item ends before the line.
    """

    marker_of: Callable[[str], Marker | None]
    ends_at: Callable[[Marker, str], bool]
    items: list[Item] = field(default_factory=list)
    _open: list[tuple[Marker, Item]] = field(default_factory=list)
    _is_paragraph: bool = False
    _after_blank: bool = True
    _last_line: int = 0

    def line(self, number: int, text: str) -> None:
        """Read a line outside of blocks of code."""
        if not text.strip():
            self._is_paragraph, self._after_blank = False, True
            return
        marker = self.marker_of(text)
        if marker is not None and (self._open or not self._is_paragraph):
            self._begin(marker, number, text)
        else:
            if self._after_blank:
                self._close(text)
            self._continue(text)
        self._last_line = number
        self._after_blank = False

    def block(self, text: str, last_line: int) -> None:
        """Skip a block of code or a table, given its first line and the number of its last line."""
        if self._after_blank:
            self._close(text)
        self._last_line = last_line
        self._is_paragraph = self._after_blank = False

    def end(self) -> None:
        """End all lists before a heading or the end of the document."""
        self._shorten(0)
        self._is_paragraph = False

    def _begin(self, marker: Marker, number: int, text: str) -> None:
        levels = [each.level for each, _ in self._open]
        before = 0
        if marker.level in levels:
            at = levels.index(marker.level)
            before = self._open[at][1].number
            self._shorten(at)
        else:
            self._close(text)
            self._shorten(_MAX_DEPTH)
        written = text[marker.text_at :].strip()
        box = _CHECKBOX.match(written)
        written = written[box.end() :] if box is not None else written
        lead = _LEAD.match(written)
        item = Item(
            number,
            number,
            _plain(written),
            None if box is None else box["mark"] != " ",
            len(self._open),
            before + 1 if marker.number < 0 else marker.number,
            lead["text"] if lead is not None else "",
        )
        self.items.append(item)
        self._open.append((marker, item))
        self._is_paragraph = True

    def _close(self, text: str) -> None:
        """End the open items to which a line does not belong."""
        kept = len(self._open)
        while kept and self.ends_at(self._open[kept - 1][0], text):
            kept -= 1
        self._shorten(kept)

    def _shorten(self, kept: int) -> None:
        for _, item in self._open[kept:]:
            item.end_line = max(item.line, self._last_line)
        del self._open[kept:]

    def _continue(self, text: str) -> None:
        """Add a line to the text of the open item if the line continues its first paragraph."""
        if self._open and self._is_paragraph:
            item = self._open[-1][1]
            item.text = f"{item.text} {_plain(text.strip())}" if len(item.text) < _MAX_TEXT else item.text
        else:
            self._is_paragraph = not self._open


def _plain(text: str) -> str:
    return _LEAD.sub(lambda found: found["text"], text)
