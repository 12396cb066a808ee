"""Keep the indexed texts of all files in memory, with line feeds as line ends."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

#: The only characters outside of ASCII that equal ASCII letters in another case, in UTF-8: the long s and the kelvin sign.
_CASES_OF_ASCII = re.compile("\u017f|\u212a".encode())

Value = TypeVar("Value")


class FileText(NamedTuple):
    """The text of a file as UTF-8, with line feeds as line ends."""

    path: str
    text: bytes

    @classmethod
    def of_stored(cls, path: str, text: bytes) -> FileText:
        """Return the text of a file from its stored form, in which lines may end with carriage return and line feed."""
        return cls(path, text.replace(b"\r\n", b"\n"))


class IndexedTexts(Mapping[str, FileText]):
    """The texts of files by path, in order of path. Instances never change, so threads may share them.

    All texts are in one block, so that one search covers many files.
    """

    def __init__(self, files: Iterable[FileText]) -> None:
        """`files` must be in order of path."""
        paths, parts, lengths = [], [], []
        for path, text in files:
            paths.append(path)
            lengths.append(len(text))
            parts.append(_ended(text))
        self.paths: list[str] = paths
        #: The texts of all files. Each text ends with a line feed, unless it is empty.
        self.block = b"".join(parts)
        #: Offset in the block at which the text of each file begins, and finally the length of the block.
        self.starts = [0, *accumulate(map(len, parts))]
        self._lengths = lengths
        self._numbers = dict(zip(paths, range(len(paths)), strict=True))
        self._line_ends: dict[int, NDArray[np.int64]] = {}
        self._known: dict[Callable[[IndexedTexts], object], object] = {}

    def once(self, read: Callable[[IndexedTexts], Value]) -> Value:
        """Return the cached value that a function computes from all texts. Callers must not change the value."""
        if read not in self._known:
            self._known[read] = read(self)
        return self._known[read]  # type: ignore[return-value]

    @cached_property
    def lower_case(self) -> bytes:
        """The block with its ASCII letters in lower case."""
        return self.block.lower()

    @cached_property
    def cases_of_ascii(self) -> list[int]:
        """Offsets of the characters outside of ASCII that equal ASCII letters in another case."""
        return [found.start() for found in _CASES_OF_ASCII.finditer(self.block)]

    def number_of(self, path: str) -> int | None:
        """Return the number of a file in the order of paths, from 0."""
        return self._numbers.get(path)

    def number_at(self, offset: int) -> int:
        """Return the number of the file that contains an offset of the block."""
        return bisect_right(self.starts, offset) - 1

    def numbered(self, number: int) -> FileText:
        start = self.starts[number]
        return FileText(self.paths[number], self.block[start : start + self._lengths[number]])

    def lower_case_lines(self, path: str, first: int, last: int) -> bytes:
        """Return lines `first` to `last` of a file, with ASCII letters in lower case; no lines for an unknown file."""
        number = self._numbers.get(path)
        if number is None:
            return b""
        begin, end = self.starts[number], self.starts[number + 1]
        ends = self._line_ends.get(number)
        if ends is None:
            ends = np.flatnonzero(np.frombuffer(self.block, np.uint8, end - begin, begin) == ord("\n"))
            self._line_ends[number] = ends
        if first > len(ends):
            return b""
        start = begin + int(ends[first - 2]) + 1 if first > 1 else begin
        return self.lower_case[start : begin + int(ends[last - 1]) if last <= len(ends) else end]

    def replaced(self, gone: Collection[str], added: Iterable[FileText]) -> IndexedTexts:
        """Return the texts without the files `gone`, and with the files `added`."""
        new = {file.path: file for file in added}
        kept = self._numbers.keys() - set(gone)
        if kept | new.keys() == self._numbers.keys():
            return self._with_other_texts(new)
        return IndexedTexts(new[path] if path in new else self[path] for path in sorted(kept | new.keys()))

    def _with_other_texts(self, new: Mapping[str, FileText]) -> IndexedTexts:
        """Return the texts of the same files, some of which have another text. Copies the block once."""
        texts = {self._numbers[path]: file.text for path, file in new.items()}
        ended = {number: _ended(texts[number]) for number in sorted(texts)}
        made = IndexedTexts.__new__(IndexedTexts)
        made.paths, made._numbers, made._known = self.paths, self._numbers, {}
        made._lengths = self._lengths.copy()
        sizes = np.diff(np.array(self.starts, np.int64))
        for number, text in ended.items():
            made._lengths[number] = len(texts[number])
            sizes[number] = len(text)
        made.starts = [0, *np.cumsum(sizes).tolist()]
        made.block = self._spliced(self.block, ended)
        made._line_ends = {number: ends for number, ends in self._line_ends.items() if number not in ended}
        if "lower_case" in self.__dict__:
            made.lower_case = self._spliced(self.lower_case, {number: text.lower() for number, text in ended.items()})
        return made

    def _spliced(self, block: bytes, texts: Mapping[int, bytes]) -> bytes:
        """Return a block of these files in which some have another text; `texts` is in ascending order of the files' numbers."""
        view, parts, at = memoryview(block), list[bytes | memoryview](), 0
        for number, text in texts.items():
            parts += (view[at : self.starts[number]], text)
            at = self.starts[number + 1]
        return b"".join([*parts, view[at:]])

    def __getitem__(self, path: str) -> FileText:
        return self.numbered(self._numbers[path])

    def __contains__(self, path: object) -> bool:
        return path in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def _ended(text: bytes) -> bytes:
    """Return a text with a line feed at its end, unless it is empty."""
    return text if not text or text.endswith(b"\n") else text + b"\n"
