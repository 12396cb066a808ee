"""Reduce statements that declare several variables to the used variables.

The shown part begins with the keyword of the statement and ends with its last variable.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...schema.records import SymbolRef
from ..source.regions import body_of, declarators_of
from ..source.source_lines import SourceLines
from .excerpt import STATEMENT, Stub

#: First and last line.
Lines = tuple[int, int]


def unused_variables(statement: SymbolRef, used: Iterable[Lines], source: SourceLines) -> list[Stub]:
    """Return the lines to omit from a statement that declares several variables; none for other statements.

    The first and the last variable remain, because they begin and end the statement. If such a variable is an unused function, a
    mark replaces the body.
    """
    used = list(used)
    found = declarators_of(source, statement.declaration_line, statement.end_line)
    parts = found.parts if found else ()
    left_out: list[Stub] = []
    for place, part in enumerate(parts):
        if any(start <= part.last and part.first <= end for start, end in used):
            continue
        if 0 < place < len(parts) - 1:
            left_out.append(Stub.of_nothing(statement, part.first, part.last))
        elif part.regions and (body := body_of(source, part.first, part.regions[-1].last)) and len(body.inner) > 1:
            left_out.append(Stub.of_lines(statement, body.inner[0], body.inner[-1]))
    return left_out


def unused_beside(symbol: SymbolRef, captured: Iterable[Lines], statement: SymbolRef, source: SourceLines) -> list[Stub]:
    """Return the lines to omit from a statement around a symbol: all variables except the symbol and the variables that it uses.

    `captured` are the lines of declarations that the symbol uses. The result is empty if `statement` is a symbol.
    """
    if statement.kind != STATEMENT:
        return []
    around = (statement.start_line, statement.end_line)
    used = [span for span in captured if is_within(span, around)]
    return unused_variables(statement, [(symbol.start_line, symbol.end_line), *used], source)


def declares_several(source: SourceLines, first: int, last: int) -> bool:
    """Return whether a range of lines is a statement that declares variables on several lines."""
    return declarators_of(source, first, last) is not None


def is_within(inner: Lines, outer: Lines) -> bool:
    """Return whether one range of lines is inside another, larger range."""
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]
