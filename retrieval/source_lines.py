"""Lines of indexed files, as they were when they were indexed: the files on disk may have changed since."""

from __future__ import annotations

from collections.abc import Iterable

from .source_cache import ChunkSource


class SourceLines:
    """Lines of one file by their numbers, from 1. Only what the given chunks cover is known."""

    def __init__(self, chunks: Iterable[ChunkSource]) -> None:
        self._lines: dict[int, str] = {}
        for chunk in chunks:
            self.add(chunk)

    @classmethod
    def of_text(cls, text: str) -> SourceLines:
        """The lines of a text, from 1."""
        lines = cls(())
        lines._lines = dict(enumerate(text.split("\n"), 1))
        return lines

    def add(self, chunk: ChunkSource) -> None:
        """The lines of one more chunk of the file."""
        for number, line in enumerate(chunk.full_source.split("\n"), chunk.start_line):
            self._lines[number] = line.removesuffix("\r")

    def line(self, number: int) -> str:
        """One line, without its end; "" for a blank or unknown one."""
        return self._lines.get(number, "")

    def between(self, first: int, last: int) -> list[str]:
        """Lines `first` to `last`, both included."""
        return [self.line(number) for number in range(first, last + 1)]

    def characters(self, first: int, last: int) -> int:
        """Length of lines `first` to `last` with their ends."""
        return sum(len(self.line(number)) + 1 for number in range(first, last + 1))
