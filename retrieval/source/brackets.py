"""Where bodies begin, what closes some lines, and which lines belong to others: by brackets, and by how lines begin and end."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable

from .bracket_pairs import brackets_in, brackets_of, is_closed_by
from .bracket_tokens import Bracket, indentation, tokens
from .source_lines import SourceLines

#: Lines in which the body of a function has begun.
_MAX_HEADER_LENGTH = 60
#: Lines in which the end of an element is looked for.
_MAX_ELEMENT_LENGTH = 3000

#: Beginnings of lines in an element of JSX, its attributes or its children; and of those that end it, or its first tag.
_ELEMENT_PART = re.compile(r"""\s*(?:\{|<[\w>]|[\w:-]+=(?:[{"']|$))""")
_ELEMENT_END = re.compile(r"\s*(?:/>|</|>)")
#: Beginnings of lines that mean nothing without the one above.
_GOES_ON = re.compile(
    r"\s*(?:[.?:|&+*%=](?!\.\.) | >\s*=(?!>) | (?:else|catch|finally|extends|implements|satisfies)\b(?!\s*[:=(,?]))", re.VERBOSE
)
#: Ends of lines, comments aside, that mean nothing without the one below.
_UNFINISHED = re.compile(r"^(?!\s*(?://|\*|/\*)).*(?:=>|[^=!]=|&&|\|\||\?\??|\breturn)\s*$")
#: What ends a branch of a condition, behind which the other one must come.
_ENDS_BRANCH = re.compile(r"\s*[)\]}].*:\s*$")
#: The end of a line whose bracket may hold nothing: that of a call, but not the parentheses around a value.
_OPENS_BODY = re.compile(r"(?:[{\[]|[\w$>)\]]\()\s*$")
#: The line of a parenthesis behind which the body of a function or of a statement with a condition begins.
_ENDS_PARAMETERS = re.compile(r"\s*[}\]]*\)\s*(?:[:{]|=>)")
_ENDS_BODY = re.compile(r"\s*\}")


def matching_line(source: SourceLines, first: int, brace_line: int, last: int) -> int:
    """Line where the first brace that opens in a line among some, and stays open behind it, closes; the last if none does."""

    def read() -> int:
        ends = brackets_of(source, first, last).ends_of(brace_line)
        return max((line for line in ends if line > brace_line), default=last)

    return source.once((matching_line, first, brace_line, last), read)


def body_line(source: SourceLines, first: int, last: int) -> int | None:
    """The line behind whose last brace the body of a function begins and goes on; None where there is none such.

    The lines up to there and the last one are valid source by themselves: `it("works", () => {` and `});`.
    """
    return source.once((body_line, first, last), lambda: _body_line(source, first, last))


def _body_line(source: SourceLines, first: int, last: int) -> int | None:
    for line in range(first, min(last, first + _MAX_HEADER_LENGTH)):
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
    # What closes last lies in no other brackets.
    pair = brackets_of(source, first, last).last_pair
    opening = pair[0].line if pair else first
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
    # A list of types or parameters has no lines to spare.
    lists = [
        range(start.line, end.line + 1)
        for start, end in paired
        if start.sign == "<" or (start.sign == "(" and _ENDS_PARAMETERS.match(source.line(end.line)))
    ]
    found = set(shown)
    # Of the brackets around lines in the middle, those that open before and close behind belong to them.
    middle = sorted(line for line in found if first < line < last)
    found.update(line for pair in pairs if bisect_right(middle, pair[0]) < bisect_left(middle, pair[1]) for line in pair)
    text = lines_of_text(source, first, last)
    while more := (_other_ends(pairs, found) | _lines_that_belong(source, found - text - {first}, first, last)) - found:
        found |= more
        found.update(line for lines in lists if lines[0] in found for line in lines)
    return found


def _other_ends(pairs: Iterable[tuple[int, int]], found: set[int]) -> set[int]:
    return {line for pair in pairs if (pair[0] in found) != (pair[1] in found) for line in pair}


def before_text(source: SourceLines, first: int, last: int, end: int) -> int:
    """A line among some up to `end`, or the last before it behind which neither a template nor a comment goes on."""
    text = lines_of_text(source, first, end)
    while last > first and last + 1 in text:
        last -= 1
    return last


def lines_of_text(source: SourceLines, first: int, last: int) -> set[int]:
    """The lines that begin within a template or a comment: what looks like code there is none."""

    def read() -> set[int]:
        text = "\n".join(source.between(first, last))
        found: set[int] = set()
        line, counted = first, 0
        for start, end in tokens(text):
            if text[start] in "`/" and (lines := text.count("\n", start, end)):
                line += text.count("\n", counted, start)
                counted = start
                found.update(range(line + 1, line + lines + 1))
        return found

    return source.once((lines_of_text, first, last), read)


def _lines_that_belong(source: SourceLines, found: set[int], first: int, last: int) -> set[int]:
    begun = {line - 1 for line in found if _GOES_ON.match(source.line(line)) or is_unfinished(source.line(line - 1))}
    begun |= {line + 1 for line in found if line < last and _ENDS_BRANCH.match(source.line(line))}
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
    for below in range(part, part + _MAX_ELEMENT_LENGTH):
        text = source.line(below)
        if text.strip() and indentation(text) == depth and _ELEMENT_END.match(text):
            yield below
            if not text.lstrip().startswith(">"):
                return
