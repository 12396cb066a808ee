"""Brackets of source text, told by its signs alone: which belong together, where a body begins, and what closes some lines.

There is no parser here: an excerpt is made of lines of the index. What looks like a bracket and is none, as in `<p>No :(</p>`,
is found out by the indentation that formatters give to brackets that belong together. Where the lines know their brackets, as
a parser saw them, these are taken instead, with those around types and JSX.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from .source_lines import SourceLines

#: Lines in which the body of a function has begun.
_LONGEST_HEADER = 60
#: Lines in which the end of an element is looked for.
_LONGEST_ELEMENT = 3000

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
#: Beginnings of lines in an element of JSX, its attributes or its children; and of those that end it, or its first tag.
_ELEMENT_PART = re.compile(r"""\s*(?:\{|<[\w>]|[\w:-]+=(?:[{"']|$))""")
_ELEMENT_END = re.compile(r"\s*(?:/>|</|>)")
#: Beginnings of lines that mean nothing without the one above.
_GOES_ON = re.compile(
    r"\s*(?:[.?:|&+*%=](?!\.\.) | >\s*=(?!>) | (?:else|catch|finally|extends|implements|satisfies)\b(?!\s*[:=(,?]))", re.VERBOSE
)
#: Ends of lines, comments aside, that mean nothing without the one below.
_UNFINISHED = re.compile(r"^(?!\s*(?://|\*|/\*)).*(?:=>|[^=!]=|&&|\|\||\?\??|\breturn)\s*$")
#: The end of a line whose bracket may hold nothing: that of a call, but not the parentheses around a value.
_OPENS_BODY = re.compile(r"(?:[{\[]|[\w$>)\]]\()\s*$")
_ENDS_BODY = re.compile(r"\s*\}")
_OPENERS = {")": "(", "]": "[", "}": "{", ">": "<", "/element": "element", "/tag": "tag"}


class Bracket(NamedTuple):
    """A bracket, and the line it stands on."""

    sign: str
    line: int
    #: Nothing but blanks stands before it, so that its indentation tells what it belongs to.
    leads: bool


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


def brackets_of(source: SourceLines, first: int, last: int) -> Brackets:
    """Which brackets of some lines belong together."""
    return _paired(_brackets(source, first, last), source)


def _paired(brackets: Iterable[Bracket], source: SourceLines) -> Brackets:
    found = Brackets([], [], [], [])
    for bracket in brackets:
        if bracket.sign not in _OPENERS:
            found.left_open.append(bracket)
        elif (place := _opener(found.left_open, bracket, source)) is None:
            found.unopened.append(bracket)
        else:
            # What was open within is no bracket, but a part of a text.
            found.pairs.append((found.left_open[place], bracket))
            found.unclosed.extend(found.left_open[place + 1 :])
            del found.left_open[place:]
    return found


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
    depth = _indentation(source.line(closing.line))
    aligned = [place for place in places if _indentation(source.line(opened[place].line)) == depth]
    return aligned[-1] if aligned else places[-1]


def _brackets(source: SourceLines, first: int, last: int) -> Iterator[Bracket]:
    """Brackets in order, those in strings and comments left out."""
    if source.knows_brackets:
        yield from (Bracket(sign, line, False) for sign, line in source.brackets(first, last))
        return
    text = "\n".join(source.between(first, last))
    line, counted, begins = first, 0, 0
    for at, end in _tokens(text):
        if end == at + 1 and text[at] != ">":
            if passed := text.count("\n", counted, at):
                line += passed
                begins = text.rindex("\n", counted, at) + 1
            counted = at
            yield Bracket(text[at], line, not text[begins:at].strip())


def _tokens(text: str) -> Iterator[tuple[int, int]]:
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


def matching_line(source: SourceLines, brace_line: int, last: int) -> int:
    """Line where the first brace that opens in a line, and stays open behind it, closes; the last line if none does."""
    pairs = brackets_of(source, brace_line, last).pairs
    closing = [end.line for start, end in pairs if start.sign == "{" and start.line == brace_line < end.line]
    return max(closing, default=last)


def body_line(source: SourceLines, first: int, last: int) -> int | None:
    """The line behind whose last brace the body of a function begins and goes on; None where there is none such.

    The lines up to there and the last one are valid source by themselves: `it("works", () => {` and `});`.
    """
    for line in range(first, min(last, first + _LONGEST_HEADER)):
        if source.line(line).rstrip().endswith("{"):
            left_open = brackets_of(source, first, line).left_open
            if left_open and left_open[-1] == Bracket("{", line, left_open[-1].leads) and _closes(source, first, line, last):
                return line
    return None


def head_line(source: SourceLines, first: int, last: int) -> int | None:
    """The line that ends the head of a declaration: behind it only the last line is needed to close all brackets.

    The body is what the last brackets outside of all others hold. None where they open amid a line, or end before the last,
    as in a union of types or a long condition.
    """
    pairs = brackets_of(source, first, last).pairs
    # What closes last lies in no other brackets.
    opening = pairs[-1][0].line if pairs else first
    return opening if _OPENS_BODY.search(source.line(opening)) and _closes(source, first, opening, last) else None


def widest_body(source: SourceLines, first: int, last: int) -> tuple[int, int] | None:
    """The lines with the braces of what takes most lines of a declaration, wherever it stands in that; None for nothing such."""
    bodies = [
        (opening.line, closing.line)
        for opening, closing in brackets_of(source, first, last).pairs
        if opening.sign == "{"
        and source.line(opening.line).rstrip().endswith("{")
        and _ENDS_BODY.match(source.line(closing.line))
    ]
    return max(bodies, key=lambda lines: lines[1] - lines[0], default=None)


def _closes(source: SourceLines, first: int, opening: int, last: int) -> bool:
    """Whether a line closes what the lines of a head open."""
    if source.knows_brackets:
        return _paired([*_brackets(source, first, opening), *_brackets(source, last, last)], source).is_balanced
    lines = SourceLines.of_text("\n".join([*source.between(first, opening), source.line(last)]))
    return brackets_of(lines, 1, opening - first + 2).is_balanced


def is_closed(source: SourceLines, first: int, last: int) -> bool:
    """Whether some lines close all brackets that they open, and no others."""
    return brackets_of(source, first, last).is_balanced


def balanced_end(source: SourceLines, first: int, furthest: int) -> int | None:
    """The line up to which all brackets that open from a line on are closed; None when that lies behind `furthest`."""
    depth, last = 0, first
    for bracket in _brackets(source, first, furthest):
        if depth == 0 and bracket.line > last:
            return last
        depth += -1 if bracket.sign in _OPENERS else 1
        last = bracket.line
    return last if depth == 0 else None


def closed_end(source: SourceLines, first: int, last: int) -> int:
    """The last line up to `last` at which nothing is open that opened from a line on; one before `first` where there is none."""
    found = brackets_of(source, first, last)
    open_ranges = [(start.line, end.line) for start, end in found.pairs if start.line < end.line]
    open_ranges += [(bracket.line, last + 1) for bracket in found.left_open]
    end = last
    for start, closing in sorted(open_ranges, key=lambda lines: -lines[1]):
        if start <= end < closing:
            end = start - 1
    return end


def is_unfinished(line: str) -> bool:
    """Whether a line means nothing without the one below: `return () =>`."""
    return _UNFINISHED.match(line) is not None


def with_brackets(source: SourceLines, first: int, last: int, shown: Collection[int]) -> set[int]:
    """Some lines with those whose brackets open around them, or close what they open; and what a line goes on with."""
    paired = [(start, end) for start, end in brackets_of(source, first, last).pairs if start.line < end.line]
    pairs = [(start.line, end.line) for start, end in paired]
    # A list of types has no lines to spare.
    types = [range(start.line, end.line + 1) for start, end in paired if start.sign == "<"]
    found = set(shown)
    # Of the brackets around lines in the middle, those that open before and close behind belong to them.
    found.update(
        line for pair in pairs if any(pair[0] < inner < pair[1] for inner in shown if first < inner < last) for line in pair
    )
    text = _lines_of_text(source, first, last)
    while more := (_other_ends(pairs, found) | _lines_that_belong(source, found - text - {first}, first)) - found:
        found |= more
        found.update(line for lines in types if lines[0] in found for line in lines)
    return found


def _other_ends(pairs: Iterable[tuple[int, int]], found: set[int]) -> set[int]:
    return {line for pair in pairs if (pair[0] in found) != (pair[1] in found) for line in pair}


def _lines_of_text(source: SourceLines, first: int, last: int) -> set[int]:
    """The lines that begin within a template or a comment: what looks like code there is none."""
    text = "\n".join(source.between(first, last))
    found: set[int] = set()
    for start, end in _tokens(text):
        if text[start] in "`/" and (lines := text.count("\n", start, end)):
            begins = first + text.count("\n", 0, start)
            found.update(range(begins + 1, begins + lines + 1))
    return found


def _lines_that_belong(source: SourceLines, found: set[int], first: int) -> set[int]:
    begun = {line - 1 for line in found if _GOES_ON.match(source.line(line)) or is_unfinished(source.line(line - 1))}
    return begun | {tag for line in found if _ELEMENT_PART.match(source.line(line)) for tag in _tags(source, line, first)}


def _tags(source: SourceLines, part: int, first: int) -> Iterable[int]:
    """The lines of the element around a line that open and close it, told by their indentation as formatters write it."""
    limit, begins = _indentation(source.line(part)), "<>"
    for line in range(part - 1, first, -1):
        text = source.line(line)
        depth = _indentation(text)
        if not text.strip() or depth >= limit:
            continue
        if text.lstrip()[0] not in begins:
            return
        yield line
        if text.lstrip()[0] == "<":
            yield from _end_tags(source, part, depth)
            return
        # The first tag ends here, and begins further up at the same depth.
        limit, begins = depth + 1, "<"


def _end_tags(source: SourceLines, part: int, depth: int) -> Iterable[int]:
    for below in range(part, part + _LONGEST_ELEMENT):
        text = source.line(below)
        if text.strip() and _indentation(text) == depth and _ELEMENT_END.match(text):
            yield below
            if not text.lstrip().startswith(">"):
                return


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())
