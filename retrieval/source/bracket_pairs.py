"""Which brackets of source text belong together, told by its signs alone.

There is no parser here: an excerpt is made of lines of the index. What looks like a bracket and is none, as in `<p>No :(</p>`,
is found out by the indentation that formatters give to brackets that belong together. Where the lines know their brackets, as
a parser saw them, these are taken instead, with those around types and JSX. A text in which nothing is in doubt is read once and
laid out (`bracket_layout`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from .bracket_tokens import OPENERS, Bracket, indentation, text_brackets
from .source_lines import SourceLines


class Brackets(Protocol):
    """The brackets of some lines."""

    @property
    def pairs(self) -> list[tuple[Bracket, Bracket]]:
        """Opening and closing bracket, in the order of the closing ones."""

    @property
    def left_open(self) -> list[Bracket]:
        """Those that close in none of the lines, outermost first."""

    @property
    def unopened(self) -> list[Bracket]:
        """Those that open in none of the lines."""

    @property
    def unclosed(self) -> list[Bracket]:
        """Those that open within a pair and close nowhere in it."""

    @property
    def is_balanced(self) -> bool:
        """Whether all that opens closes, and nothing else does."""

    @property
    def last_pair(self) -> tuple[Bracket, Bracket] | None:
        """The pair that closes last."""

    def ends_of(self, line: int) -> list[int]:
        """The lines on which the braces close that open on a line."""


class PairedBrackets(NamedTuple):
    """Those of lines in which some may be none."""

    #: Opening and closing bracket, in the order of the closing ones.
    pairs: list[tuple[Bracket, Bracket]]
    #: Those that close in none of the lines, outermost first.
    left_open: list[Bracket]
    #: Those that open in none of the lines.
    unopened: list[Bracket]
    #: Those that open within a pair and close nowhere in it.
    unclosed: list[Bracket]

    @property
    def is_balanced(self) -> bool:
        """Whether all that opens closes, and nothing else does."""
        return not (self.left_open or self.unopened or self.unclosed)

    @property
    def last_pair(self) -> tuple[Bracket, Bracket] | None:
        """The pair that closes last."""
        return self.pairs[-1] if self.pairs else None

    def ends_of(self, line: int) -> list[int]:
        """The lines on which the braces close that open on a line."""
        return [end.line for start, end in self.pairs if start.line == line and start.sign == "{"]


class _Open(NamedTuple):
    """A bracket that is open, and those around it."""

    bracket: Bracket
    around: _Open | None


class _Reading:
    """The brackets from a line on, read as far as they were asked for: excerpts ask for more and for fewer of the same lines."""

    def __init__(self, source: SourceLines, first: int, last: int) -> None:
        self._source = source
        self._coming = _brackets(source, first, last)
        self._next = next(self._coming, None)
        self._open: _Open | None = None
        #: Lines of the brackets that were read, and what was open behind each.
        self._lines: list[int] = []
        self._open_behind: list[_Open | None] = []
        #: As those of `Brackets`; and after how many brackets each came.
        self._found = PairedBrackets([], [], [], [])
        self._paired_at: list[int] = []
        self._unopened_at: list[int] = []
        self._unclosed_at: list[int] = []

    def up_to(self, last: int) -> PairedBrackets:
        """The brackets as far as a line."""
        while self._next is not None and self._next.line <= last:
            self._take(self._next)
            self._next = next(self._coming, None)
        count = bisect_right(self._lines, last)
        found = self._found
        return PairedBrackets(
            found.pairs[: bisect_right(self._paired_at, count)],
            _unwound(self._open_behind[count - 1] if count else None),
            found.unopened[: bisect_right(self._unopened_at, count)],
            found.unclosed[: bisect_right(self._unclosed_at, count)],
        )

    def _take(self, bracket: Bracket) -> None:
        self._lines.append(bracket.line)
        if not bracket.closes:
            self._open = _Open(bracket, self._open)
        elif self._open is not None and _is_plain(self._open.bracket, bracket, self._source):
            self._paired(self._open, bracket)
        else:
            self._close(bracket)
        self._open_behind.append(self._open)

    def _paired(self, opened: _Open, bracket: Bracket) -> None:
        self._found.pairs.append((opened.bracket, bracket))
        self._paired_at.append(len(self._lines))
        self._open = opened.around

    def _close(self, bracket: Bracket) -> None:
        opened = _unwound(self._open)
        place = _opener(opened, bracket, self._source)
        if place is None:
            self._found.unopened.append(bracket)
            self._unopened_at.append(len(self._lines))
            return
        # What was open within is no bracket, but a part of a text.
        within = opened[place + 1 :]
        self._found.unclosed.extend(within)
        self._unclosed_at.extend([len(self._lines)] * len(within))
        for _ in within:
            assert self._open is not None
            self._open = self._open.around
        assert self._open is not None
        self._paired(self._open, bracket)


def brackets_of(source: SourceLines, first: int, last: int) -> Brackets:
    """Which brackets of some lines belong together."""
    if laid_out := source.laid_out(first, last):
        return laid_out
    end = max(last, source.known_end(first))
    return source.once((_Reading, first, end), lambda: _Reading(source, first, end)).up_to(last)


def brackets_in(source: SourceLines, first: int, last: int) -> Iterator[Bracket]:
    """The brackets of some lines, in order, as far as it is known what they are part of."""
    laid_out = source.laid_out(first, min(last, source.known_end(first)))
    return iter(laid_out) if laid_out is not None else _brackets(source, first, last)


def is_closed_by(source: SourceLines, first: int, opening: int, last: int) -> bool:
    """Whether a line closes what some lines open, and nothing else."""
    found = brackets_of(source, first, opening)
    if found.unopened or found.unclosed:
        return False
    opened = list(found.left_open)
    laid_out = source.laid_out(last, last)
    for bracket in laid_out if laid_out is not None else _brackets(source, last, last):
        if not bracket.closes:
            opened.append(bracket)
            continue
        if laid_out is not None:
            place = len(opened) - 1 if opened and opened[-1].sign == OPENERS[bracket.sign] else None
        else:
            place = _opener(opened, bracket, source)
        if place is None or place < len(opened) - 1:
            return False
        opened.pop()
    return not opened


def _unwound(opened: _Open | None) -> list[Bracket]:
    """What is open, outermost first."""
    found: list[Bracket] = []
    while opened is not None:
        found.append(opened.bracket)
        opened = opened.around
    return found[::-1]


def _is_plain(opening: Bracket, closing: Bracket, source: SourceLines) -> bool:
    """Whether a bracket surely closes the last that opened."""
    if opening.sign != OPENERS[closing.sign]:
        return False
    return not closing.leads or indentation(source.line(opening.line)) == indentation(source.line(closing.line))


def _opener(opened: list[Bracket], closing: Bracket, source: SourceLines) -> int | None:
    """Place of the bracket that another closes; None for one in a text."""
    wanted = OPENERS[closing.sign]
    if opened and opened[-1].sign == wanted and not closing.leads:
        return len(opened) - 1
    places = [place for place, bracket in enumerate(opened) if bracket.sign == wanted]
    if not places:
        return None
    if not closing.leads:
        return places[-1] if opened[places[-1]].line == closing.line else None
    depth = indentation(source.line(closing.line))
    aligned = [place for place in places if indentation(source.line(opened[place].line)) == depth]
    return aligned[-1] if aligned else places[-1]


def _brackets(source: SourceLines, first: int, last: int) -> Iterator[Bracket]:
    """Brackets in order, those in strings and comments left out."""
    if source.knows_brackets:
        yield from (Bracket(sign, line, False) for sign, line in source.brackets(first, last))
        return
    yield from text_brackets("\n".join(source.between(first, last)), first)
