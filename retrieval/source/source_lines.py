"""Read lines of files from the index. The files on disk may have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from ...schema.import_clauses import ImportClause
from ...schema.source_regions import Region, Role, SourceTree
from .indexed_file import IndexedFile, Root
from .source_syntax import SourceSyntax

Result = TypeVar("Result")
#: Region tree of a line outside every symbol.
_NO_TREE = SourceTree(Region(Role.FIXED, 0, 0, is_closed=True, parts=()), bodiless=";", empty_statement="")


class SourceLines:
    """The lines of one file by number, from 1, and the regions of its syntax tree."""

    def __init__(self, file: IndexedFile, syntax: SourceSyntax) -> None:
        self._file = file
        self._syntax = syntax
        #: Values that `once` caches.
        self._kept: dict[tuple[object, ...], Any] = {}

    @classmethod
    def of_text(cls, text: str, path: str, syntax: SourceSyntax) -> SourceLines:
        """Return the lines of a text. The text is parsed as one symbol."""
        return cls(IndexedFile(path, text.encode("utf-8", "surrogatepass"), [Root(1, text.count("\n") + 1)]), syntax)

    def line(self, number: int) -> str:
        """Return a line without its line end; "" if the file has no such line."""
        return self._file.lines.between(number, number) if number > 0 else ""

    def between(self, first: int, last: int) -> list[str]:
        """Return lines `first` to `last`, both inclusive."""
        lines = self._file.lines.between(first, last).split("\n")[: max(last + 1 - first, 0)]
        return lines + [""] * (last + 1 - first - len(lines))

    def characters(self, first: int, last: int) -> int:
        """Return the number of characters of lines `first` to `last`, including line ends."""
        return sum(map(len, self.between(first, last))) + last + 1 - first

    def tree(self, number: int) -> SourceTree:
        """Return the region tree of the root symbol that contains a line."""
        return self._file.tree(number, self._syntax) or _NO_TREE

    def share_root(self, number: int, others: Iterable[int]) -> bool:
        """Return whether a root symbol contains both a line and any of the other lines."""
        roots = self._file.roots_with(number)
        return any(root.first <= other <= root.last for root in roots for other in others)

    def imports(self, first: int, last: int) -> Sequence[ImportClause]:
        """Return the import statements, and the statements that assign `require(…)`, on lines `first` to `last`."""
        return self._syntax.imports(self._file.relative_path, "\n".join(self.between(first, last)))

    def once(self, key: tuple[object, ...], read: Callable[[], Result]) -> Result:
        """Return the cached result of `read` for a key."""
        if key not in self._kept:
            self._kept[key] = read()
        kept: Result = self._kept[key]
        return kept
