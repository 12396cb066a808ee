"""The shell of a declaration: the lines that open and close it around one of the symbols inside.

The header of a class runs up to the brace of its body, over several lines if need be; the shell of a call such as
`const x = useMemo(() => { … }, [a])` closes with the rest of that call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..graphdb.answer_queries import SymbolPlace
from .source_lines import SourceLines
from .structure import CALLABLE_KINDS, MEMBER_KINDS

#: Lines in which the body of a class has begun; what stands behind them cannot change where.
_LONGEST_HEADER = 60

#: What may hold brackets that are none, and the brackets. A quote without its pair on the line is an apostrophe in JSX text.
_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" | `(?:[^`\\]|\\.)*` | [()\[\]{}]""",
    re.VERBOSE | re.DOTALL,
)
#: Beginnings of lines that go on with what stands above them, or that are attributes of an element.
_CONTINUATION = re.compile(r"\s*(?:[.?:,|&+*/%=)\]]|[\w-]+=(?![=>]))")
#: Beginnings of lines that stand in an object; "default" belongs to a switch.
_PROPERTY = re.compile(r"""\s*(?!default\b)(?:[\w$]+|'[^']*'|"[^"]*"|\[[^\]]+\])\s*:\s""")
#: The brace that ends a line opens the body of a function.
_FUNCTION_BODY = re.compile(r"(?:=>|\))\s*\{\s*$")
#: Kinds that stand in an object or a class, and nowhere else.
_MEMBERS = frozenset(("method", "getter", "setter", "property"))
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


def is_closed(source: SourceLines, first: int, last: int) -> bool:
    """Whether some lines close all brackets that they open."""
    return not _open_brackets(source, first, last)


def balanced_end(source: SourceLines, first: int, furthest: int) -> int | None:
    """The line up to which all brackets that open from a line on are closed; None when that lies behind `furthest`."""
    depth, last = 0, first
    for bracket, line in _brackets(source, first, furthest):
        if depth == 0 and line > last:
            return last
        depth += -1 if bracket in _PAIRS else 1
        last = line
    return last if depth == 0 else None
