"""The shell of a declaration: the lines that open and close it around one of the symbols inside.

The header of a class runs up to the brace of its body, over several lines if need be; the shell of a call such as
`const x = useMemo(() => { … }, [a])` closes with the rest of that call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...schema.records import SymbolRef
from ...schema.symbol_kinds import CALLABLE_KINDS, MEMBER_KINDS
from ..source.bracket_pairs import brackets_of
from ..source.brackets import is_unfinished, matching_line
from ..source.indented_source import frame_of, outlined
from ..source.source_lines import SourceLines

#: Lines in which the body of a class has begun; what stands behind them cannot change where.
_MAX_HEADER_LENGTH = 60
#: Beginnings of lines that go on with what stands above them, or that are attributes of an element.
_CONTINUATION = re.compile(r"\s*(?:[.?:,|&+*/%=)\]]|[\w-]+=(?![=>])|(?:case\b.*|default\s*):\s*\w)")
#: Beginnings of lines that stand in an object; "default" belongs to a switch.
_PROPERTY = re.compile(r"""\s*(?!default\b)(?:[\w$]+|'[^']*'|"[^"]*"|\[[^\]]+\])\s*:\s""")
#: The brace that ends a line opens the body of a function.
_FUNCTION_BODY = re.compile(r"(?:=>|\))\s*\{\s*$")
#: What stands behind a block of a statement that has another.
_NEXT_BLOCK = re.compile(r"(?:else|catch|finally)\b")
#: Kinds that stand in an object or a class, and nowhere else.
_MEMBERS = frozenset(("method", "getter", "setter", "property"))


@dataclass(frozen=True, slots=True)
class Shell:
    """Line ranges, both ends included."""

    #: In source order: what stands between is left out.
    opening: tuple[tuple[int, int], ...]
    #: None where no line closes it.
    closing: tuple[int, int] | None


def shell_of(source: SourceLines, outer: SymbolRef, inner: SymbolRef) -> Shell | None:
    """The shell of a symbol around one of those in it; doc comments of the outer symbol are left out.

    None when the inner one cannot stand in it by itself, because they share a line or because it is part of an expression,
    as a callback or a method of a nested object is: then the outer symbol is shown whole.
    """
    if language := outlined(outer.relative_path):
        frame = frame_of(language, source, outer, inner)
        return Shell((frame.opening,), frame.closing) if frame else None
    first, last = outer.declaration_line, outer.end_line
    looked_at = inner.start_line - 1
    if (
        outer.kind in CALLABLE_KINDS
        and inner.kind == "class"
        and inner.end_line == last
        and is_unfinished(source.line(looked_at))
    ):
        # `(Base) =>`, and the class is all that it returns.
        return Shell(((statement_line(source, outer), looked_at),), (last, last))
    if outer.kind in MEMBER_KINDS:
        looked_at = min(looked_at, first + _MAX_HEADER_LENGTH)
    elif _CONTINUATION.match(source.line(inner.declaration_line)):
        return None
    in_object = inner.kind in _MEMBERS or _PROPERTY.match(source.line(inner.declaration_line)) is not None
    # A namespace has functions and no methods: these belong to an object in it.
    if in_object and (outer.kind in CALLABLE_KINDS or outer.kind == "namespace"):
        return None
    brackets = brackets_of(source, first, looked_at).left_open
    if outer.kind in MEMBER_KINDS and brackets and brackets[0].sign != "{":
        # What a class extends goes on for longer than that.
        brackets = brackets_of(source, first, inner.start_line - 1).left_open
    if outer.kind == "class" and _is_in_decorator(source, inner):
        return None
    body = next((place for place, bracket in enumerate(brackets) if bracket.sign == "{"), None)
    if body is None or (outer.kind not in MEMBER_KINDS and any(bracket.sign != "{" for bracket in brackets[body:])):
        return None
    # In what a class extends: a call that is given functions, perhaps.
    if outer.kind in MEMBER_KINDS and body > 0:
        return None
    brace = brackets[body].line
    # Of an object within an object, the outer braces alone would be another object.
    if in_object and outer.kind not in MEMBER_KINDS and len(brackets) > body + 1:
        return None
    if inner.kind in _MEMBERS and outer.kind not in MEMBER_KINDS and _FUNCTION_BODY.search(source.line(brace)):
        return None
    # The body is the last thing in a class or function; behind an object there may be more.
    ends_with_body = outer.kind in MEMBER_KINDS | CALLABLE_KINDS and source.line(last).lstrip().startswith("}")
    closing = last if ends_with_body else matching_line(source, first, brace, last)
    if closing <= brace:
        return None
    return Shell(tuple(_without_earlier_blocks(source, statement_line(source, outer), brace)), (closing, last))


def _is_in_decorator(source: SourceLines, inner: SymbolRef) -> bool:
    """Whether what lies in a class is a function that a decorator on one line is given."""
    is_decorator = source.line(inner.declaration_line).lstrip().startswith("@")
    return is_decorator and inner.end_line == inner.declaration_line and inner.kind in CALLABLE_KINDS


def _without_earlier_blocks(source: SourceLines, first: int, brace: int) -> Iterator[tuple[int, int]]:
    """Some lines up to the brace of a block, without the blocks before it: of `try { … } catch (e) {` two lines remain."""
    found = brackets_of(source, first, brace)
    at = first
    is_another = _leads_to_another(source, brace) or _leads_to_another(source, brace - 1)
    if is_another and found.left_open and found.left_open[0].line == brace:
        for opening, closing in sorted(found.pairs, key=lambda pair: pair[0].line):
            is_block = opening.sign == "{" and closing.leads and _leads_to_another(source, closing.line)
            if is_block and at <= opening.line < closing.line - 1:
                yield at, opening.line
                at = closing.line
    yield at, brace


def _leads_to_another(source: SourceLines, end: int) -> bool:
    """Whether a block that ends on a line is one of several of a statement, and not the last."""
    line = source.line(end).lstrip()
    return line.startswith("}") and _NEXT_BLOCK.match(line[1:].lstrip() or source.line(end + 1).lstrip()) is not None


def statement_line(source: SourceLines, symbol: SymbolRef) -> int:
    """The declaration line, or where the lines above it begin that mean nothing without it: `return () =>`."""
    first = symbol.declaration_line
    if outlined(symbol.relative_path):
        return first
    if symbol.depth > 0 and source.line(first).lstrip().startswith("`"):
        first = _template_line(source, first)
    while symbol.depth > 0 and symbol.kind in CALLABLE_KINDS and first > 1 and is_unfinished(source.line(first - 1)):
        first -= 1
        if source.line(first).lstrip().startswith(")"):
            first = _opening_line(source, first)
    return first


def _template_line(source: SourceLines, last: int) -> int:
    """Where the template begins that ends at the beginning of a line; the line itself where that is far above."""
    lines = range(last - 1, max(last - _MAX_HEADER_LENGTH, 0), -1)
    return next((line for line in lines if source.line(line).count("`") % 2), last)


def _opening_line(source: SourceLines, last: int) -> int:
    """Where the parentheses begin that close at the beginning of a line; the line itself where that is far above."""
    starts = range(last - 1, max(last - _MAX_HEADER_LENGTH, 0), -1)
    return next((first for first in starts if brackets_of(source, first, last).is_balanced), last)
