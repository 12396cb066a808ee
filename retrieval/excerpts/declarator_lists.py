"""Statements that declare several variables, of which an excerpt shows those that are used.

No line of such a statement stands alone: what is shown of it begins with its keyword and ends with its last variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...schema.records import SymbolRef
from ..source.bracket_pairs import brackets_of
from ..source.bracket_tokens import without_comments
from ..source.brackets import body_line, lines_of_text
from ..source.source_lines import SourceLines
from .excerpt import STATEMENT, Stub

_KEYWORD = re.compile(r"\s*(?:const|let|var)\b")

#: First and last line.
Lines = tuple[int, int]


def unused_variables(statement: SymbolRef, used: Iterable[Lines], source: SourceLines) -> list[Stub]:
    """What is left out of a statement that declares several variables where some lines of it are used; [] for another statement.

    The first and the last variable remain, for they begin and end it; of a function there a mark takes the place of the body.
    """
    used = list(used)
    parts = _variables(source, statement.declaration_line, statement.end_line)
    left_out: list[Stub] = []
    for place, (first, last) in enumerate(parts):
        if any(start <= last and first <= end for start, end in used):
            continue
        if 0 < place < len(parts) - 1:
            left_out.append(Stub.of_nothing(statement, first, last))
        elif (opening := body_line(source, first, last)) is not None and last - opening > 2:
            left_out.append(Stub.of_lines(statement, opening + 1, last - 1))
    return left_out


def unused_beside(symbol: SymbolRef, captured: Iterable[Lines], statement: SymbolRef, source: SourceLines) -> list[Stub]:
    """What is left out of a statement around a symbol that declares several variables: those that it is none of and does not use.

    Nothing where something else stands around it. `captured` are the lines that declare what the symbol uses.
    """
    if statement.kind != STATEMENT:
        return []
    around = (statement.start_line, statement.end_line)
    used = [span for span in captured if is_within(span, around)]
    return unused_variables(statement, [(symbol.start_line, symbol.end_line), *used], source)


def declares_several(source: SourceLines, first: int, last: int) -> bool:
    """Whether some lines are a statement that declares several variables on different lines."""
    return len(_variables(source, first, last)) > 1


def is_within(inner: Lines, outer: Lines) -> bool:
    """Whether some lines are part of others."""
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _variables(source: SourceLines, first: int, last: int) -> Sequence[Lines]:
    """The lines of each variable, or of several that share lines, with the comments above; empty for what is no such statement.

    Where the keyword stands alone, it counts as one; blank lines belong to what is above.
    """
    if not _KEYWORD.match(source.line(first)) or last == first:
        return ()
    return source.once((_variables, first, last), lambda: list(_parted(source, first, last)))


def _parted(source: SourceLines, first: int, last: int) -> Iterator[Lines]:
    found = brackets_of(source, first, last)
    if not found.is_balanced:
        return
    inner = {line for start, end in found.pairs for line in range(start.line, end.line)}
    inner.update(line - 1 for line in lines_of_text(source, first, last))
    code = without_comments(source.between(first, last))
    begun, is_complete = first, False
    for line, text in enumerate(code, first):
        # A blank line ends nothing; a comment begins what is below it.
        is_beginning = bool(source.line(line).strip()) and (is_complete or (text.startswith(",") and line - 1 not in inner))
        if is_beginning and line > begun:
            yield begun, line - 1
            begun = line
        if text or is_beginning:
            is_complete = line not in inner and (text.endswith(",") or (line == first and _KEYWORD.fullmatch(text) is not None))
    yield begun, last
