"""Edits that keep every offset, and finders that make them from patterns.

An edit blanks a word, replaces white space by a semicolon, or changes a letter of a name. The tree of the edited source
has the structure, and the original bytes at the same offsets have the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

from ....symbols.byte_ranges import blank
from .brackets import ClosingBrackets

#: Number of bytes that the squeezed mask keeps at each end of a long run of white space.
_KEPT_BLANKS: Final = 32
_LONG_BLANKS: Final = re.compile(rb"\s{%d,}" % (2 * _KEPT_BLANKS + 1))


class Edit(NamedTuple):
    """`source[start:end]` becomes `replacement`, which has the same length."""

    start: int
    end: int
    replacement: bytes
    #: Name of the gap that it repairs.
    gap: str = ""


class GapSource:
    """The source in which gaps are searched, and its mask."""

    def __init__(self, data: bytes, mask: bytes) -> None:
        self.data = data
        self.mask = mask
        self._brackets = ClosingBrackets(mask)

    def closing(self, opening: int) -> int:
        """Return the offset after the bracket that closes the bracket at `opening`, which may be `<`; -1 if there is
        none nearby.
        """
        return self._brackets.end(opening)

    def matches(self, expression: re.Pattern[bytes]) -> Iterator[list[tuple[int, int]]]:
        r"""Yield the spans of the matches of a pattern in the mask, and of their groups; (-1, -1) for a group without a match.

        The pattern searches a squeezed mask, in which long runs of white space are short. A masked comment, or the text between
        two JSDoc types, is such a run. A pattern with `\s*` that may begin at each line of a run would read the whole run each
        time.
        """
        for found in expression.finditer(self._squeezed):
            yield [self._span(start, end) for start, end in found.regs]

    def matches_within(self, outer: re.Pattern[bytes], inner: re.Pattern[bytes]) -> Iterator[list[tuple[int, int]]]:
        """Yield the matches of a pattern, as `matches` does, inside each match of another pattern."""
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
            # The shortened run keeps a line end.
            kept = self.mask[position : first - 1] + (b"\n" if b"\n" in self.mask[first - 1 : last] else b" ")
            pieces.append(kept)
            position = last
        pieces.append(self.mask[position:])
        return b"".join(pieces)

    @cached_property
    def _cuts(self) -> tuple[list[int], list[int]]:
        """Return the offsets in the squeezed mask where bytes were left out, and the number of bytes left out up to
        each offset.
        """
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
    """Return `data` with all edits applied. If two edits overlap, the edit that starts first counts."""
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
    """Return a finder that blanks the groups of each match of `pattern` in the mask."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for _, *groups in source.matches(expression):
            for start, end in groups:
                if start < end:
                    yield Edit(start, end, blank(source.data[start:end]))

    return find


def renames(pattern: bytes) -> Finder:
    """Return a finder that changes the case of the last letter of the first group, so that it is not a keyword any more."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for _, (_, end), *_ in source.matches(expression):
            yield Edit(end - 1, end, source.data[end - 1 : end].swapcase())

    return find


def names_beginning_with_in(following: bytes) -> Finder:
    """Return a finder that changes the case of `i` in an `in` that begins a line and is followed by `following`."""
    # The search for a pattern that begins with a fixed text is far faster than for a pattern that begins with a line.
    expression = re.compile(rb"in(?<!\Sin)(?=" + following + rb")")

    def find(source: GapSource) -> Iterator[Edit]:
        data, mask = source.data, source.mask
        for (start, _), *_ in source.matches(expression):
            if not mask[mask.rfind(b"\n", 0, start) + 1 : start].strip(b" \t"):
                yield Edit(start, start + 1, data[start : start + 1].swapcase())

    return find


def replaces(pattern: bytes, replacement: bytes) -> Finder:
    """Return a finder that replaces the first group by `replacement`, padded with spaces."""
    expression = re.compile(pattern, re.MULTILINE)

    def find(source: GapSource) -> Iterator[Edit]:
        for _, (start, end), *_ in source.matches(expression):
            yield Edit(start, end, replacement.ljust(end - start))

    return find


def within(clause: bytes, finder_pattern: bytes) -> Finder:
    """Return a finder that renames the matches of `finder_pattern` inside each match of `clause`."""
    outer = re.compile(clause)
    inner = re.compile(finder_pattern)

    def find(source: GapSource) -> Iterator[Edit]:
        for _, (_, end), *_ in source.matches_within(outer, inner):
            yield Edit(end - 1, end, source.data[end - 1 : end].swapcase())

    return find
