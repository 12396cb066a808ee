"""Edits that keep every offset, and ways to find them by pattern.

An edit blanks a word, puts a semicolon into white space or changes a letter of a name: the tree of the edited source tells the
structure, and the original bytes at the same offsets tell the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from .mask import blank


class Edit(NamedTuple):
    """`source[start:end]` becomes `replacement`, which is as long."""

    start: int
    end: int
    replacement: bytes
    #: Name of the gap that it mends.
    gap: str = ""


class GapSource(NamedTuple):
    """What gaps are looked for in: a source and its mask."""

    data: bytes
    mask: bytes


Finder = Callable[[GapSource], Iterator[Edit]]


def apply_edits(data: bytes, edits: Collection[Edit]) -> bytes:
    """`data` with all edits made; of two that overlap the one that starts first counts."""
    if not edits:
        return data
    pieces: list[bytes] = []
    position = 0
    for start, end, replacement, _ in sorted(edits):
        if start >= position:
            pieces += (data[position:start], replacement)
            position = end
    pieces.append(data[position:])
    return b"".join(pieces)


def blanks(pattern: bytes) -> Finder:
    """Blanks the groups of each match of `pattern` in the mask."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for match in expression.finditer(source.mask):
            for start, end in match.regs[1:]:
                if start < end:
                    yield Edit(start, end, blank(source.data[start:end]))

    return find


def renames(pattern: bytes) -> Finder:
    """Changes the case of the last letter of the name in the first group, so that it is no keyword any more."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for match in expression.finditer(source.mask):
            last = match.end(1) - 1
            yield Edit(last, last + 1, source.data[last : last + 1].swapcase())

    return find


def names_beginning_with_in(following: bytes) -> Finder:
    """Changes the case of the first letter of `in` where it begins a line and the pattern `following` follows."""
    # A pattern that begins with a fixed text is searched for far faster than one that begins with a line.
    expression = re.compile(rb"in(?<!\Sin)(?=" + following + rb")")

    def find(source: GapSource) -> Iterator[Edit]:
        data, mask = source
        for match in expression.finditer(mask):
            start = match.start()
            if not mask[mask.rfind(b"\n", 0, start) + 1 : start].strip(b" \t"):
                yield Edit(start, start + 1, data[start : start + 1].swapcase())

    return find


def replaces(pattern: bytes, replacement: bytes) -> Finder:
    """Puts `replacement`, padded with spaces, in place of the first group."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for match in expression.finditer(source.mask):
            start, end = match.span(1)
            yield Edit(start, end, replacement.ljust(end - start))

    return find


def within(clause: bytes, finder_pattern: bytes) -> Finder:
    """Renames what `finder_pattern` finds inside each match of `clause`."""
    outer = re.compile(clause)
    inner = re.compile(finder_pattern)

    def find(source: GapSource) -> Iterator[Edit]:
        for place in outer.finditer(source.mask):
            for match in inner.finditer(source.mask, place.start(), place.end()):
                end = match.end(1)
                yield Edit(end - 1, end, source.data[end - 1 : end].swapcase())

    return find
