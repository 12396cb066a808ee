"""Lines of indexed files, as they were when they were indexed: the files on disk may have changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from .bracket_layout import LaidOutBrackets
from .source_cache import ChunkSource
from .source_syntax import SourceSyntax

Result = TypeVar("Result")
#: What opens and closes in a text, each with its line from 0.
ReadBrackets = Callable[[str], Sequence[tuple[str, int]]]


class SourceLines:
    """Lines of one file by their numbers, from 1. Only what the given chunks cover is known."""

    def __init__(
        self, chunks: Iterable[ChunkSource], read_brackets: ReadBrackets | None = None, syntax: SourceSyntax | None = None
    ) -> None:
        """With a reader of brackets, these are known as a parser sees them; with a parser, where they are in doubt."""
        #: By number; the first place stands for none.
        self._lines: list[str] = [""]
        self._read_brackets = read_brackets
        self._syntax = syntax
        #: By the first line of a chunk: its text, until its brackets are asked for.
        self._texts: dict[int, str] = {}
        self._brackets: dict[int, list[tuple[str, int]]] = {}
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
    def of_text(cls, text: str) -> SourceLines:
        """The lines of a text, from 1."""
        return cls([ChunkSource("", "", 1, text)])

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
        if self._read_brackets is not None:
            self._texts[chunk.start_line] = chunk.full_source

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

    def known_end(self, number: int) -> int:
        """The last line of the chunk that holds a line; that line where none does."""
        return max((last for first, last in self._known if first <= number <= last), default=number)

    def laid_out(self, first: int, last: int) -> LaidOutBrackets | None:
        """The brackets of lines of one chunk, where none of that is in doubt."""
        if self._read_brackets is not None:
            return None
        for (begin, end), chunk in zip(self._known, self._chunks, strict=True):
            if begin <= first and last <= end and (layout := chunk.plain_layout(self._syntax)):
                return layout.between(first - begin, last - begin, begin)
        return None

    def once(self, key: tuple[object, ...], read: Callable[[], Result]) -> Result:
        """What is read of known lines, which never change, and kept."""
        if key not in self._kept:
            self._kept[key] = read()
        kept: Result = self._kept[key]
        return kept

    @property
    def knows_brackets(self) -> bool:
        """Whether the brackets are those that a parser sees."""
        return self._read_brackets is not None

    def brackets(self, first: int, last: int) -> Iterator[tuple[str, int]]:
        """The brackets of lines `first` to `last` as the parser sees them, each with its line."""
        assert self._read_brackets is not None
        for start, text in sorted(self._texts.items()):
            if start <= last and start + text.count("\n") >= first:
                if start not in self._brackets:
                    self._brackets[start] = [(sign, start + line) for sign, line in self._read_brackets(text)]
                yield from (bracket for bracket in self._brackets[start] if first <= bracket[1] <= last)
