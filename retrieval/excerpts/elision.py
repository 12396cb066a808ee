"""Symbols too large to be shown for the sake of a part: the head, the part with the brackets around it, and marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import msgspec

from ...schema.records import SymbolRef
from ..source.regions import beginning, kept_lines
from ..source.source_lines import SourceLines
from .excerpt import ShownSymbol, Stub, gaps, shown_lines


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
    yield from gaps(outer, kept_lines(source, outer.declaration_line, outer.end_line, shown), source)


def shortened(item: ShownSymbol, last: int, source: SourceLines) -> ShownSymbol:
    """A symbol that is too long even alone: its lines up to one, what closes the brackets that these open, and marks."""
    symbol = item.symbol
    kept = [stub for stub in item.stubs if stub.symbol.end_line <= last]
    last = min([last, *(stub.first_line - 1 for stub in item.stubs if stub.first_line <= last < stub.symbol.end_line)])
    lines = beginning(source, symbol.declaration_line, symbol.end_line, last)
    first, *others = [*gaps(symbol, lines, source), Stub.of_lines(symbol, last + 1, last)]
    return replace(item, stubs=[*kept, replace(first, is_end=True), *others[:-1]]) if others else item


def bare_head(symbol: SymbolRef, source: SourceLines) -> list[Stub]:
    """What is left out of a declaration of which the first and the last line are shown, and the brackets that open in them."""
    return list(gaps(symbol, kept_lines(source, symbol.declaration_line, symbol.end_line, ()), source))
