"""Lines of indexed files, as they were when they were indexed: the files on disk may have changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from ...schema.import_clauses import ImportClause
from ...schema.source_regions import Region, Role, SourceTree
from .source_cache import ChunkSource
from .source_syntax import SourceSyntax

Result = TypeVar("Result")
#: Of lines that are not known.
_NO_TREE = SourceTree(Region(Role.FIXED, 0, 0, is_closed=True, parts=()), bodiless=";", empty_statement="")


class SourceLines:
    """Lines of one file by their numbers, from 1, and what nests in them. Only what the given chunks cover is known."""

    def __init__(self, chunks: Iterable[ChunkSource], syntax: SourceSyntax) -> None:
        #: By number; the first place stands for none.
        self._lines: list[str] = [""]
        self._syntax = syntax
        #: What `once` keeps.
        self._kept: dict[tuple[object, ...], Any] = {}
        #: First lines of the chunks.
        self._begun: set[int] = set()
        #: First and last line of what is known.
        self._known: list[tuple[int, int]] = []
        self._chunks: list[ChunkSource] = []
        for chunk in chunks:
            self.add(chunk)

    @classmethod
    def of_text(cls, text: str, path: str, syntax: SourceSyntax) -> SourceLines:
        """The lines of the text of a file, from 1."""
        return cls([ChunkSource("", path, 1, text)], syntax)

    def add(self, chunk: ChunkSource) -> None:
        """The lines of one more chunk of the file; nothing where they are known."""
        if chunk.start_line in self._begun:
            return
        self._begun.add(chunk.start_line)
        added = chunk.full_source.split("\n")
        if "\r" in chunk.full_source:
            added = [line.removesuffix("\r") for line in added]
        end = chunk.start_line + len(added)
        self._lines += [""] * (end - len(self._lines))
        self._lines[chunk.start_line : end] = added
        self._known.append((chunk.start_line, end - 1))
        self._chunks.append(chunk)

    def line(self, number: int) -> str:
        """One line, without its end; "" for a blank or unknown one."""
        return self._lines[number] if 0 < number < len(self._lines) else ""

    def between(self, first: int, last: int) -> list[str]:
        """Lines `first` to `last`, both included."""
        lines = self._lines[first : last + 1]
        return lines + [""] * (last + 1 - first - len(lines))

    def characters(self, first: int, last: int) -> int:
        """Length of lines `first` to `last` with their ends."""
        return sum(map(len, self._lines[first : last + 1])) + last + 1 - first

    def tree(self, number: int) -> SourceTree:
        """What nests in the chunk that holds a line."""
        for (first, last), chunk in zip(self._known, self._chunks, strict=True):
            if first <= number <= last:
                return chunk.tree(self._syntax)
        return _NO_TREE

    def imports(self, first: int, last: int) -> Sequence[ImportClause]:
        """The import statements on lines `first` to `last`, and the variables there that `require` fills."""
        return self._syntax.imports(self._chunks[0].relative_path, "\n".join(self.between(first, last))) if self._chunks else ()

    def once(self, key: tuple[object, ...], read: Callable[[], Result]) -> Result:
        """What is read of known lines, which never change, and kept."""
        if key not in self._kept:
            self._kept[key] = read()
        kept: Result = self._kept[key]
        return kept
