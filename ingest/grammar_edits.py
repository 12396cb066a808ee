"""Edits that keep every offset, and ways to find them by pattern.

An edit blanks a word, puts a semicolon into white space or changes a letter of a name: the tree of the edited source tells the
structure, and the original bytes at the same offsets tell the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from .grammar_mask import blank


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
    """Blanks the first group of each match of `pattern` in the mask."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for match in expression.finditer(source.mask):
            start, end = match.span(1)
            yield Edit(start, end, blank(source.data[start:end]))

    return find


def renames(pattern: bytes) -> Finder:
    """Changes the case of the last letter of the name in the first group, so that it is no keyword any more."""
    return _swaps_case(pattern, lambda match: match.end(1) - 1)


def capitals(pattern: bytes) -> Finder:
    """Changes the case of the first letter of the first group."""
    return _swaps_case(pattern, lambda match: match.start(1))


def _swaps_case(pattern: bytes, place_of: Callable[[re.Match[bytes]], int]) -> Finder:
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for match in expression.finditer(source.mask):
            place = place_of(match)
            yield Edit(place, place + 1, source.data[place : place + 1].swapcase())

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
