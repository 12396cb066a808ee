"""Lines of indexed files, as they were when they were indexed: the files on disk may have changed since."""

from __future__ import annotations

from collections.abc import Iterable

from .source_cache import ChunkSource


class SourceLines:
    """Lines of one file by their numbers, from 1. Only what the given chunks cover is known."""

    def __init__(self, chunks: Iterable[ChunkSource]) -> None:
        #: By number; the first place stands for none.
        self._lines: list[str] = [""]
        for chunk in chunks:
            self.add(chunk)

    @classmethod
    def of_text(cls, text: str) -> SourceLines:
        """The lines of a text, from 1."""
        lines = cls(())
        lines._lines += text.split("\n")
        return lines

    def add(self, chunk: ChunkSource) -> None:
        """The lines of one more chunk of the file."""
        added = chunk.full_source.split("\n")
        if "\r" in chunk.full_source:
            added = [line.removesuffix("\r") for line in added]
        end = chunk.start_line + len(added)
        self._lines += [""] * (end - len(self._lines))
        self._lines[chunk.start_line : end] = added

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
