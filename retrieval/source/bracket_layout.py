"""Which brackets of a whole text belong together, where none is in doubt: told of any of its lines without reading it again.

What signs and indentation leave in doubt, a parser can tell.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property

from .bracket_tokens import Bracket, indentation, text_brackets

_SIGNS = "([{)]}"


class BracketLayout:
    """The brackets of a text as arrays of numbers: they are kept as long as its source is."""

    def __init__(self, text: str, known: Iterable[tuple[str, int]] | None = None) -> None:
        """With all signs that nest in the text, each with its line from 0, they are the brackets among those."""
        #: Whether each closes the last that opened, and none is left; those that signs alone tell have the same indentation too.
        self.is_plain = True
        #: By place in the text: line from 0, sign and whether it leads, place of the other one, place of the innermost open one.
        self._lines, self._codes = array("i"), bytearray()
        self._other, self._around = array("i"), array("i")
        self._read(text, None if known is None else _as_brackets(text, known))

    def _read(self, text: str, known: Iterable[Bracket] | None) -> None:
        depths = [indentation(line) for line in text.split("\n")] if known is None else []
        opened: list[int] = []
        for place, (sign, line, leads) in enumerate(text_brackets(text, 0) if known is None else known):
            self._lines.append(line)
            if (code := _SIGNS.find(sign)) < 0:
                self.is_plain = False
                return
            self._codes.append(code * 2 + leads)
            self._other.append(-1)
            if code < 3:
                opened.append(place)
            else:
                start = opened.pop() if opened else -1
                if start < 0 or self._codes[start] // 2 != code - 3:
                    self.is_plain = False
                    return
                if leads and depths and depths[self._lines[start]] != depths[line]:
                    self.is_plain = False
                    return
                self._other[start], self._other[place] = place, start
            self._around.append(opened[-1] if opened else -1)
        self.is_plain = not opened

    def between(self, first: int, last: int, shift: int) -> LaidOutBrackets:
        """Those of some lines from 0, told with their lines shifted."""
        return LaidOutBrackets(self, bisect_left(self._lines, first), bisect_right(self._lines, last), shift)

    def bracket(self, place: int, shift: int) -> Bracket:
        """A bracket by its place."""
        code, leads = divmod(self._codes[place], 2)
        return Bracket(_SIGNS[code], self._lines[place] + shift, bool(leads))

    def other(self, place: int) -> int:
        """The place of the bracket that belongs to one."""
        return self._other[place]

    def open_behind(self, place: int) -> int:
        """The place of the innermost bracket that is open behind one; -1 for none."""
        return self._around[place]

    def open_around(self, place: int) -> int:
        """The place of the innermost bracket that is open around one that opens; -1 for none."""
        return self._around[place - 1] if place > 0 else -1

    def others(self, begin: int, end: int) -> array[int]:
        """The places of those that belong to some brackets."""
        return self._other[begin:end]


class LaidOutBrackets:
    """The brackets of some lines of a text, worked out as far as they are asked for."""

    def __init__(self, layout: BracketLayout, begin: int, end: int, shift: int) -> None:
        self._layout = layout
        self._begin = begin
        self._end = end
        self._shift = shift
        #: Nothing in such a text looks like a bracket and is none.
        self.unclosed: list[Bracket] = []

    def __iter__(self) -> Iterator[Bracket]:
        """Each of them, in order."""
        return map(self._bracket, range(self._begin, self._end))

    @cached_property
    def pairs(self) -> list[tuple[Bracket, Bracket]]:
        """Opening and closing bracket, in the order of the closing ones."""
        begin = self._begin
        return [
            (self._bracket(other), self._bracket(place))
            for place, other in enumerate(self._layout.others(begin, self._end), begin)
            if begin <= other < place
        ]

    @cached_property
    def left_open(self) -> list[Bracket]:
        """Those that close in none of the lines, outermost first."""
        place = self._layout.open_behind(self._end - 1) if self._end > self._begin else -1
        found = []
        while place >= self._begin:
            found.append(self._bracket(place))
            place = self._layout.open_around(place)
        return found[::-1]

    @cached_property
    def unopened(self) -> list[Bracket]:
        """Those that open in none of the lines."""
        begin = self._begin
        others = enumerate(self._layout.others(begin, self._end), begin)
        return [self._bracket(place) for place, other in others if other < begin]

    @property
    def is_balanced(self) -> bool:
        """Whether all that opens closes, and nothing else does."""
        others = self._layout.others(self._begin, self._end)
        return not others or (min(others) >= self._begin and max(others) < self._end)

    @property
    def last_pair(self) -> tuple[Bracket, Bracket] | None:
        """The pair that closes last."""
        for place in range(self._end - 1, self._begin - 1, -1):
            if self._begin <= self._layout.other(place) < place:
                return self._bracket(self._layout.other(place)), self._bracket(place)
        return None

    def ends_of(self, line: int) -> list[int]:
        """The lines on which the braces close that open on a line."""
        found = self._layout.between(line - self._shift, line - self._shift, self._shift)
        ends = []
        for place in range(max(found._begin, self._begin), min(found._end, self._end)):
            other = self._layout.other(place)
            if place < other < self._end and self._bracket(place).sign == "{":
                ends.append(self._bracket(other).line)
        return ends

    def _bracket(self, place: int) -> Bracket:
        return self._layout.bracket(place, self._shift)


def _as_brackets(text: str, known: Iterable[tuple[str, int]]) -> Iterator[Bracket]:
    """The brackets among the signs that nest in a text."""
    lines = text.split("\n")
    before = -1
    for sign, line in known:
        if len(sign) == 1 and sign in _SIGNS:
            yield Bracket(sign, line, line > before and lines[line].lstrip().startswith(sign))
            before = line
