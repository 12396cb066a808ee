"""A file as it was indexed: its text, and what nests in each of its root symbols."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from ...schema.source_regions import SourceTree
from .source_syntax import SourceSyntax


class Root(NamedTuple):
    """First and last line of a root symbol."""

    first: int
    last: int


class SourceFile:
    """The text of a file, which never changes. Safe to share between threads."""

    def __init__(self, relative_path: str, text: str, roots: Iterable[Root]) -> None:
        """`roots` are the lines of each root symbol: of two, at most the last and the first line is the same."""
        self.relative_path = relative_path
        #: Its lines end with a line feed alone.
        self.text = text.replace("\r\n", "\n")
        self.roots = sorted(roots)
        self._trees: dict[Root, SourceTree] = {}

    def roots_with(self, line: int) -> list[Root]:
        """Return the root symbols that hold a line, in order."""
        begin = end = bisect_right(self.roots, line, key=attrgetter("first"))
        while begin > 0 and self.roots[begin - 1].last >= line:
            begin -= 1
        return self.roots[begin:end]

    def between(self, first: int, last: int) -> str:
        """Return the text of lines `first` to `last`, without the end of the last."""
        return "\n".join(self.text.split("\n")[first - 1 : last])

    def tree(self, line: int, syntax: SourceSyntax) -> SourceTree | None:
        """Return what nests in the root symbol that holds a line, read once and kept; None if no symbol holds it."""
        roots = self.roots_with(line)
        if not roots:
            return None
        if roots[0] not in self._trees:
            self._trees[roots[0]] = syntax.read(self.relative_path, self.between(*roots[0]), roots[0].first)
        return self._trees[roots[0]]
