"""The shell of a declaration: the lines that open and close it around one of the symbols inside.

The header of a class runs up to the brace of its body, over several lines if need be; the shell of a call such as
`const x = useMemo(() => { … }, [a])` closes with the rest of that call.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..graphdb.symbol_table import SymbolPlace
from .source_lines import SourceLines
from .structure import CALLABLE_KINDS, MEMBER_KINDS

#: Lines in which the body of a class has begun; what stands behind them cannot change where.
_LONGEST_HEADER = 60

#: What may hold brackets that are none (comments, regular expressions, strings), and the brackets. A quote without its pair on
#: the line is an apostrophe in JSX text.
_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/
    | (?:(?<=[(,=:\[!&|?{};])|(?<=[(,=:\[!&|?{};][ ])|(?<=return[ ])) /(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/
    | '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" | `(?:[^`\\]|\\.)*` | [()\[\]{}]""",
    re.VERBOSE | re.DOTALL,
)
#: Beginnings of lines that go on with what stands above them, or that are attributes of an element.
_CONTINUATION = re.compile(r"\s*(?:[.?:,|&+*/%=)\]]|[\w-]+=(?![=>]))")
#: Beginnings of lines in an element of JSX, its attributes or its children; and of those that end it, or its first tag.
_ELEMENT_PART = re.compile(r"""\s*(?:\{|[\w:-]+=(?:[{"']|$))""")
_ELEMENT_END = re.compile(r"\s*(?:/>|</|>)")
#: Lines in which the end of an element is looked for.
_LONGEST_ELEMENT = 3000
#: Those of them whose line means nothing without the one above.
_GOES_ON = re.compile(r"\s*[.?:|&+*%=](?!\.\.)")
#: Beginnings of lines that stand in an object; "default" belongs to a switch.
_PROPERTY = re.compile(r"""\s*(?!default\b)(?:[\w$]+|'[^']*'|"[^"]*"|\[[^\]]+\])\s*:\s""")
#: The brace that ends a line opens the body of a function.
_FUNCTION_BODY = re.compile(r"(?:=>|\))\s*\{\s*$")
#: Kinds that stand in an object or a class, and nowhere else.
_MEMBERS = frozenset(("method", "getter", "setter", "property"))
#: The end of a line whose bracket may hold nothing: that of a call, but not the parentheses around a value.
_OPENS_BODY = re.compile(r"(?:[{\[]|[\w$>)\]]\()\s*$")
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Shell:
    """Line ranges, both ends included."""

    opening: tuple[int, int]
    closing: tuple[int, int]


def shell_of(source: SourceLines, outer: SymbolPlace, inner: SymbolPlace) -> Shell | None:
    """The shell of a symbol around one of those in it; doc comments of the outer symbol are left out.

    None when the inner one cannot stand in it by itself, because they share a line or because it is part of an expression,
    as a callback or a method of a nested object is: then the outer symbol is shown whole.
    """
    first, last = outer.declaration_line, outer.end_line
    looked_at = inner.start_line - 1
    if outer.kind in MEMBER_KINDS:
        looked_at = min(looked_at, first + _LONGEST_HEADER)
    elif _CONTINUATION.match(source.line(inner.declaration_line)):
        return None
    in_object = inner.kind in _MEMBERS or _PROPERTY.match(source.line(inner.declaration_line)) is not None
    if in_object and outer.kind in CALLABLE_KINDS:
        return None
    brackets = _open_brackets(source, first, looked_at)
    body = next((place for place, (bracket, _) in enumerate(brackets) if bracket == "{"), None)
    if body is None or (outer.kind not in MEMBER_KINDS and any(bracket != "{" for bracket, _ in brackets[body:])):
        return None
    brace = brackets[body][1]
    # Of an object within an object, the outer braces alone would be another object.
    if in_object and outer.kind not in MEMBER_KINDS and len(brackets) > body + 1:
        return None
    if inner.kind in _MEMBERS and _FUNCTION_BODY.search(source.line(brace)):
        return None
    # The body is the last thing in a class or function; behind an object there may be more.
    ends_with_body = outer.kind in MEMBER_KINDS | CALLABLE_KINDS and source.line(last).lstrip().startswith("}")
    closing = last if ends_with_body else _matching_line(source, brace, last)
    return Shell((first, brace), (closing, last)) if closing > brace else None


def _open_brackets(source: SourceLines, first: int, last: int) -> list[tuple[str, int]]:
    """Brackets that open in some lines and do not close in them, outermost first."""
    open_brackets: list[tuple[str, int]] = []
    for bracket, line in _brackets(source, first, last):
        if bracket not in _PAIRS:
            open_brackets.append((bracket, line))
        elif open_brackets and open_brackets[-1][0] == _PAIRS[bracket]:
            open_brackets.pop()
    return open_brackets


def _matching_line(source: SourceLines, brace_line: int, last: int) -> int:
    """Line where the last brace that opens in a line closes; the last line if none does."""
    depth = 0
    for bracket, line in _brackets(source, brace_line, last):
        if bracket == "{":
            depth += 1
        elif bracket == "}":
            # `} else {` closes another block before it opens the one in question.
            depth = max(depth - 1, 0) if line == brace_line else depth - 1
            if depth == 0 and line > brace_line:
                return line
    return last


def _brackets(source: SourceLines, first: int, last: int) -> list[tuple[str, int]]:
    """Brackets with their lines, those in strings and comments left out."""
    text = "\n".join(source.between(first, last))
    found = []
    line, counted = first, 0
    for match in _TOKEN.finditer(text):
        if len(match[0]) == 1:
            line += text.count("\n", counted, match.start())
            counted = match.start()
            found.append((match[0], line))
    return found


def body_line(source: SourceLines, first: int, last: int) -> int | None:
    """The line behind whose last brace the body of a function begins and goes on; None where there is none such."""
    for line in range(first, min(last, first + _LONGEST_HEADER)):
        if source.line(line).rstrip().endswith("{"):
            opened = _open_brackets(source, first, line)
            if len(opened) == 1 and opened[0][1] == line:
                return line
    return None


def head_line(source: SourceLines, first: int, last: int) -> int | None:
    """The line that ends the head of a declaration: behind it only the last line is needed to close all brackets.

    The body is what the last brackets outside of all others hold. None where they open amid a line, or end before the last,
    as in a union of types or a long condition.
    """
    depth, opening = 0, first
    for bracket, line in _brackets(source, first, last):
        if depth == 0:
            opening = line
        depth += -1 if bracket in _PAIRS else 1
    opens_body = _OPENS_BODY.search(source.line(opening)) is not None
    return opening if opens_body and _is_balanced([*source.between(first, opening), source.line(last)]) else None


def with_brackets(source: SourceLines, first: int, last: int, shown: Collection[int]) -> set[int]:
    """Some lines with those whose brackets open around them, or close what they open; and what a line goes on with."""
    pairs = []
    open_brackets: list[tuple[str, int]] = []
    for bracket, line in _brackets(source, first, last):
        if bracket not in _PAIRS:
            open_brackets.append((bracket, line))
        elif open_brackets and open_brackets[-1][0] == _PAIRS[bracket]:
            pairs.append((open_brackets.pop()[1], line))
    pairs = [pair for pair in pairs if pair[0] < pair[1]]
    found = set(shown)
    # Of the brackets around lines in the middle, those that open before and close behind belong to them.
    found.update(
        line for pair in pairs if any(pair[0] < inner < pair[1] for inner in shown if first < inner < last) for line in pair
    )
    while more := _lines_that_belong(source, pairs, found, first):
        found |= more
    return found


def _lines_that_belong(source: SourceLines, pairs: Iterable[tuple[int, int]], found: set[int], first: int) -> set[int]:
    other_ends = {line for pair in pairs if (pair[0] in found) != (pair[1] in found) for line in pair}
    begun = {line - 1 for line in found if line > first and _GOES_ON.match(source.line(line))}
    tags = {
        tag for line in found if line > first and _ELEMENT_PART.match(source.line(line)) for tag in _tags(source, line, first)
    }
    return (other_ends | begun | tags) - found


def _tags(source: SourceLines, part: int, first: int) -> Iterable[int]:
    """The lines of the element around a line that open and close it, told by their indentation as formatters write it."""
    indentation = _indentation(source.line(part))
    for line in range(part - 1, first, -1):
        text = source.line(line)
        if text.strip() and _indentation(text) < indentation:
            if not text.lstrip().startswith("<"):
                return
            yield line
            for below in range(part, part + _LONGEST_ELEMENT):
                text = source.line(below)
                if _indentation(text) == _indentation(source.line(line)) and _ELEMENT_END.match(text):
                    yield below
                    if not text.lstrip().startswith(">"):
                        return
            return


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_balanced(lines: list[str]) -> bool:
    text = SourceLines.of_text("\n".join(lines))
    return not _open_brackets(text, 1, len(lines))


def is_closed(source: SourceLines, first: int, last: int) -> bool:
    """Whether some lines close all brackets that they open, and no others."""
    depth = 0
    for bracket, _ in _brackets(source, first, last):
        depth += -1 if bracket in _PAIRS else 1
        if depth < 0:
            return False
    return depth == 0


def balanced_end(source: SourceLines, first: int, furthest: int) -> int | None:
    """The line up to which all brackets that open from a line on are closed; None when that lies behind `furthest`."""
    depth, last = 0, first
    for bracket, line in _brackets(source, first, furthest):
        if depth == 0 and line > last:
            return last
        depth += -1 if bracket in _PAIRS else 1
        last = line
    return last if depth == 0 else None
