"""Where bodies begin, what closes some lines, and which lines belong to others: by brackets, and by how lines begin and end."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from .bracket_pairs import Bracket, brackets_in, brackets_of, indentation, is_closed_by, tokens
from .source_lines import SourceLines

#: Lines in which the body of a function has begun.
_LONGEST_HEADER = 60
#: Lines in which the end of an element is looked for.
_LONGEST_ELEMENT = 3000

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


def matching_line(source: SourceLines, first: int, brace_line: int, last: int) -> int:
    """Line where the first brace that opens in a line among some, and stays open behind it, closes; the last if none does."""

    def read() -> int:
        pairs = brackets_of(source, first, last).pairs
        closing = [end.line for start, end in pairs if start.line == brace_line < end.line and start.sign == "{"]
        return max(closing, default=last)

    return source.once((matching_line, first, brace_line, last), read)


def body_line(source: SourceLines, first: int, last: int) -> int | None:
    """The line behind whose last brace the body of a function begins and goes on; None where there is none such.

    The lines up to there and the last one are valid source by themselves: `it("works", () => {` and `});`.
    """
    for line in range(first, min(last, first + _LONGEST_HEADER)):
        if source.line(line).rstrip().endswith("{"):
            left_open = brackets_of(source, first, line).left_open
            if left_open and left_open[-1] == Bracket("{", line, left_open[-1].leads) and is_closed_by(source, first, line, last):
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
    return opening if _OPENS_BODY.search(source.line(opening)) and is_closed_by(source, first, opening, last) else None


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


def is_closed(source: SourceLines, first: int, last: int) -> bool:
    """Whether some lines close all brackets that they open, and no others."""
    return brackets_of(source, first, last).is_balanced


def balanced_end(source: SourceLines, first: int, furthest: int) -> int | None:
    """The line up to which all brackets that open from a line on are closed; None when that lies behind `furthest`."""
    depth, last = 0, first
    for bracket in brackets_in(source, first, furthest):
        if depth == 0 and bracket.line > last:
            return last
        depth += -1 if bracket.closes else 1
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
    for start, end in tokens(text):
        if text[start] in "`/" and (lines := text.count("\n", start, end)):
            begins = first + text.count("\n", 0, start)
            found.update(range(begins + 1, begins + lines + 1))
    return found


def _lines_that_belong(source: SourceLines, found: set[int], first: int) -> set[int]:
    begun = {line - 1 for line in found if _GOES_ON.match(source.line(line)) or is_unfinished(source.line(line - 1))}
    return begun | {tag for line in found if _ELEMENT_PART.match(source.line(line)) for tag in _tags(source, line, first)}


def _tags(source: SourceLines, part: int, first: int) -> Iterable[int]:
    """The lines of the element around a line that open and close it, told by their indentation as formatters write it."""
    limit, begins = indentation(source.line(part)), "<>"
    for line in range(part - 1, first, -1):
        text = source.line(line)
        depth = indentation(text)
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
        if text.strip() and indentation(text) == depth and _ELEMENT_END.match(text):
            yield below
            if not text.lstrip().startswith(">"):
                return
