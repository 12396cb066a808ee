"""Edits that keep every offset, and ways to find them by pattern.

An edit blanks a word, puts a semicolon into white space or changes a letter of a name: the tree of the edited source tells the
structure, and the original bytes at the same offsets tell the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

from .mask import blank

#: Bytes of a run of blanks that are kept at its beginning and at its end where patterns are looked for.
_KEPT_BLANKS: Final = 32
_LONG_BLANKS: Final = re.compile(rb"\s{%d,}" % (2 * _KEPT_BLANKS + 1))


class Edit(NamedTuple):
    """`source[start:end]` becomes `replacement`, which is as long."""

    start: int
    end: int
    replacement: bytes
    #: Name of the gap that it mends.
    gap: str = ""


class GapSource:
    """What gaps are looked for in: a source and its mask."""

    def __init__(self, data: bytes, mask: bytes) -> None:
        self.data = data
        self.mask = mask

    def matches(self, expression: re.Pattern[bytes]) -> Iterator[list[tuple[int, int]]]:
        """Find a pattern in the mask, in which a long run of blanks counts as a short one.

        Each item has the spans of a match and of its groups in the mask, (-1, -1) for a group that matched nothing.
        A masked comment or the text between two JSDoc types is one run of blanks: a pattern with `\\s*` that may begin at each of
        its lines would read the rest of the run each time.
        """
        for found in expression.finditer(self._squeezed):
            yield [self._span(start, end) for start, end in found.regs]

    def matches_within(self, outer: re.Pattern[bytes], inner: re.Pattern[bytes]) -> Iterator[list[tuple[int, int]]]:
        """Find a pattern like `matches` inside each match of another."""
        for place in outer.finditer(self._squeezed):
            for found in inner.finditer(self._squeezed, place.start(), place.end()):
                yield [self._span(start, end) for start, end in found.regs]

    @cached_property
    def _long_blanks(self) -> list[re.Match[bytes]]:
        return list(_LONG_BLANKS.finditer(self.mask))

    @cached_property
    def _squeezed(self) -> bytes:
        pieces: list[bytes] = []
        position = 0
        for run in self._long_blanks:
            first, last = run.start() + _KEPT_BLANKS, run.end() - _KEPT_BLANKS
            # A run that breaks the line still does.
            kept = self.mask[position : first - 1] + (b"\n" if b"\n" in self.mask[first - 1 : last] else b" ")
            pieces.append(kept)
            position = last
        pieces.append(self.mask[position:])
        return b"".join(pieces)

    @cached_property
    def _cuts(self) -> tuple[list[int], list[int]]:
        """Where the squeezed mask leaves something out, and how much it has left out up to there."""
        sizes = [run.end() - run.start() - 2 * _KEPT_BLANKS for run in self._long_blanks]
        left_out = list(accumulate(sizes, initial=0))
        cuts = [run.start() + _KEPT_BLANKS - before for run, before in zip(self._long_blanks, left_out, strict=False)]
        return cuts, left_out

    def _span(self, start: int, end: int) -> tuple[int, int]:
        cuts, left_out = self._cuts
        if start < 0 or not cuts:
            return start, end
        first = start + left_out[bisect_right(cuts, start)]
        return first, first if end == start else end + left_out[bisect_right(cuts, end - 1)]


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
        for _, *groups in source.matches(expression):
            for start, end in groups:
                if start < end:
                    yield Edit(start, end, blank(source.data[start:end]))

    return find


def renames(pattern: bytes) -> Finder:
    """Changes the case of the last letter of the name in the first group, so that it is no keyword any more."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for _, (_, end), *_ in source.matches(expression):
            yield Edit(end - 1, end, source.data[end - 1 : end].swapcase())

    return find


def names_beginning_with_in(following: bytes) -> Finder:
    """Changes the case of the first letter of `in` where it begins a line and the pattern `following` follows."""
    # A pattern that begins with a fixed text is searched for far faster than one that begins with a line.
    expression = re.compile(rb"in(?<!\Sin)(?=" + following + rb")")

    def find(source: GapSource) -> Iterator[Edit]:
        data, mask = source.data, source.mask
        for (start, _), *_ in source.matches(expression):
            if not mask[mask.rfind(b"\n", 0, start) + 1 : start].strip(b" \t"):
                yield Edit(start, start + 1, data[start : start + 1].swapcase())

    return find


def replaces(pattern: bytes, replacement: bytes) -> Finder:
    """Puts `replacement`, padded with spaces, in place of the first group."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for _, (start, end), *_ in source.matches(expression):
            yield Edit(start, end, replacement.ljust(end - start))

    return find


def within(clause: bytes, finder_pattern: bytes) -> Finder:
    """Renames what `finder_pattern` finds inside each match of `clause`."""
    outer = re.compile(clause)
    inner = re.compile(finder_pattern)

    def find(source: GapSource) -> Iterator[Edit]:
        for _, (_, end), *_ in source.matches_within(outer, inner):
            yield Edit(end - 1, end, source.data[end - 1 : end].swapcase())

    return find
