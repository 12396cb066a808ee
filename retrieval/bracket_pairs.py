"""Which brackets of source text belong together, told by its signs alone.

There is no parser here: an excerpt is made of lines of the index. What looks like a bracket and is none, as in `<p>No :(</p>`,
is found out by the indentation that formatters give to brackets that belong together. Where the lines know their brackets, as
a parser saw them, these are taken instead, with those around types and JSX.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from .source_lines import SourceLines

#: What may hold brackets that are none (comments, text of elements, regular expressions, strings), and the brackets. A quote
#: without its pair on the line is an apostrophe in JSX text.
_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | >[^<>{}]*(?=</)
    | (?:(?<=[(,=:\[!&|?{};])|(?<=[(,=:\[!&|?{};][ ])|(?<=return[ ])) /(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/
    | '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" | [`()\[\]{}]""",
    re.VERBOSE | re.DOTALL,
)
#: What ends a template or goes on with code in it; what code in a template may hold that looks like its end.
_IN_TEMPLATE = re.compile(r"\\.|`|\$\{", re.DOTALL)
_IN_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[`{}]""", re.DOTALL)
_OPENERS = {")": "(", "]": "[", "}": "{", ">": "<", "/element": "element", "/tag": "tag"}


class Bracket(NamedTuple):
    """A bracket, and the line it stands on."""

    sign: str
    line: int
    #: Nothing but blanks stands before it, so that its indentation tells what it belongs to.
    leads: bool

    @property
    def closes(self) -> bool:
        """Whether it ends something."""
        return self.sign in _OPENERS


class Brackets(NamedTuple):
    """The brackets of some lines."""

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
        self._found = Brackets([], [], [], [])
        self._paired_at: list[int] = []
        self._unopened_at: list[int] = []
        self._unclosed_at: list[int] = []

    def up_to(self, last: int) -> Brackets:
        """The brackets as far as a line."""
        while self._next is not None and self._next.line <= last:
            self._take(self._next)
            self._next = next(self._coming, None)
        count = bisect_right(self._lines, last)
        found = self._found
        return Brackets(
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
    end = max(last, source.known_end(first))
    return source.once((_Reading, first, end), lambda: _Reading(source, first, end)).up_to(last)


def brackets_in(source: SourceLines, first: int, last: int) -> Iterator[Bracket]:
    """The brackets of some lines, in order."""
    return _brackets(source, first, last)


def is_closed_by(source: SourceLines, first: int, opening: int, last: int) -> bool:
    """Whether a line closes what some lines open, and nothing else."""
    found = brackets_of(source, first, opening)
    if found.unopened or found.unclosed:
        return False
    opened = found.left_open
    for bracket in _brackets(source, last, last):
        if not bracket.closes:
            opened.append(bracket)
            continue
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
    if opening.sign != _OPENERS[closing.sign]:
        return False
    return not closing.leads or indentation(source.line(opening.line)) == indentation(source.line(closing.line))


def _opener(opened: list[Bracket], closing: Bracket, source: SourceLines) -> int | None:
    """Place of the bracket that another closes; None for one in a text."""
    wanted = _OPENERS[closing.sign]
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
    text = "\n".join(source.between(first, last))
    line, counted, begins = first, 0, 0
    for at, end in tokens(text):
        if end == at + 1 and text[at] != ">":
            if passed := text.count("\n", counted, at):
                line += passed
                begins = text.rindex("\n", counted, at) + 1
            counted = at
            yield Bracket(text[at], line, not text[begins:at].strip())


def tokens(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each bracket, and of what may hold brackets that are none."""
    at = 0
    while match := _TOKEN.search(text, at):
        start, at = match.span()
        if text[start] == "`":
            at = _template_end(text, start)
        yield start, at


def _template_end(text: str, start: int) -> int:
    """The end of a template, of the text where it does not end in that; code in it may hold further templates."""
    inside, at = ["`"], start + 1
    while inside:
        match = (_IN_TEMPLATE if inside[-1] == "`" else _IN_CODE).search(text, at)
        if match is None:
            return len(text)
        at = match.end()
        if match[0] in ("`", "}") and (match[0] == "}" or inside[-1] == "`"):
            inside.pop()
        elif match[0] in ("`", "{", "${"):
            inside.append(match[0][-1])
    return at


def indentation(line: str) -> int:
    """Blanks before the first sign of a line."""
    return len(line) - len(line.lstrip())
