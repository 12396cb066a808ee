"""Symbols too large to be shown for the sake of a part: the head, the part with the brackets around it, and marks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import msgspec

from ...schema.records import SymbolRef
from ..source.brackets import before_text, body_line, with_brackets
from ..source.indented_source import outlined
from ..source.source_lines import SourceLines
from .excerpt import ShownSymbol, Stub, shown_lines

#: Characters of a line that a mark would not shorten.
_SHORT = 12


def parts_of(outer: SymbolRef, shown: Iterable[ShownSymbol]) -> Iterator[SymbolRef]:
    """Of what is shown, the lines that lie in a symbol; of what is collapsed, those that open it."""
    for item in shown:
        place = item.symbol
        if outer.start_line <= place.start_line and place.end_line <= outer.end_line:
            opening = msgspec.structs.replace(place, start_line=place.declaration_line)
            lines = shown_lines(opening, item.stubs)
            yield from (msgspec.structs.replace(opening, start_line=first, end_line=last) for first, last in lines)


def lines_between(outer: SymbolRef, inner: Iterable[SymbolRef], source: SourceLines) -> Iterator[Stub]:
    """The lines of a symbol that its head and the shown parts leave out, brackets around these aside."""
    shown = {line for part in inner for line in range(part.start_line, part.end_line + 1)}
    head = body_line(source, outer.declaration_line, outer.end_line) or outer.declaration_line
    shown.update(range(outer.declaration_line, head + 1), [outer.end_line])
    yield from _gaps(outer, with_brackets(source, outer.declaration_line, outer.end_line, shown), head, source)


def shortened(item: ShownSymbol, last: int, source: SourceLines) -> ShownSymbol:
    """A symbol that is too long even alone: its lines up to one, what closes the brackets that these open, and marks."""
    symbol = item.symbol
    if outlined(symbol.relative_path):
        kept = [stub for stub in item.stubs if stub.symbol.end_line <= last]
        end = replace(Stub.of_lines(symbol, last + 1, symbol.end_line), is_end=True)
        return replace(item, stubs=[*kept, end])
    kept = [stub for stub in item.stubs if stub.symbol.end_line <= last]
    last = min([last, *(stub.first_line - 1 for stub in item.stubs if stub.first_line <= last < stub.symbol.end_line)])
    last = before_text(source, symbol.declaration_line, last, symbol.end_line)
    lines = with_brackets(source, symbol.declaration_line, symbol.end_line, range(symbol.start_line, last + 1))
    # Lines above may have been added in between, where one goes on with them.
    first, *others = [*_gaps(symbol, lines, last, source), Stub.of_lines(symbol, last + 1, last)]
    return replace(item, stubs=[*kept, replace(first, is_end=True), *others[:-1]]) if others else item


def bare_head(symbol: SymbolRef, source: SourceLines) -> list[Stub]:
    """What is left out of a declaration of which the first and the last line are shown, and the brackets that open in them."""
    lines = with_brackets(source, symbol.declaration_line, symbol.end_line, {symbol.declaration_line, symbol.end_line})
    return list(_gaps(symbol, lines, symbol.declaration_line, source))


def _gaps(outer: SymbolRef, shown: Collection[int], after: int, source: SourceLines) -> Iterator[Stub]:
    """What the lines of a symbol behind one leave out of it; single lines that are no longer than a mark are left out nowhere."""
    at = after + 1
    for line in [*sorted(line for line in shown if line > after), outer.end_line + 1]:
        if line - at > 1 or (line - at == 1 and len(source.line(at).strip()) > _SHORT):
            yield Stub.of_lines(outer, at, line - 1)
        at = line + 1
