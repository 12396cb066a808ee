"""An indexed file: its text, and the regions of its root symbols."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from ...schema.source_regions import SourceTree
from ...schema.text_lines import TextLines, line_starts
from .source_syntax import SourceSyntax


class Root(NamedTuple):
    """First and last line of a root symbol."""

    first: int
    last: int


class IndexedFile:
    """The text of a file. The text never changes. Threads may share an instance."""

    def __init__(self, relative_path: str, text: bytes, roots: Iterable[Root]) -> None:
        """`roots` are the lines of the root symbols. A root symbol may begin on the last line of the previous root symbol."""
        self.relative_path = relative_path
        #: UTF-8. Lines end with a line feed, without a carriage return.
        self.text = text.replace(b"\r\n", b"\n")
        self._roots = sorted(roots)
        self._trees: dict[Root, SourceTree] = {}

    def roots_with(self, line: int) -> list[Root]:
        """Return the root symbols that contain a line, in order."""
        begin = end = bisect_right(self._roots, line, key=attrgetter("first"))
        while begin > 0 and self._roots[begin - 1].last >= line:
            begin -= 1
        return self._roots[begin:end]

    @cached_property
    def lines(self) -> TextLines:
        return TextLines(self.text, array("I", line_starts(self.text)))

    def tree(self, line: int, syntax: SourceSyntax) -> SourceTree | None:
        """Return the cached regions of the first root symbol that contains a line; None if there is no such symbol."""
        roots = self.roots_with(line)
        if not roots:
            return None
        if roots[0] not in self._trees:
            self._trees[roots[0]] = syntax.read(self.relative_path, self.lines.between(*roots[0]), roots[0].first)
        return self._trees[roots[0]]
