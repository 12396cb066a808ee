"""Elide lines of a large symbol: keep the head, the shown parts and the brackets around them, and mark the gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import msgspec

from ...schema.records import SymbolRef
from ..source.regions import beginning, kept_lines
from ..source.source_lines import SourceLines
from .excerpt import ShownSymbol, Stub, gaps, shown_lines


def parts_of(outer: SymbolRef, shown: Iterable[ShownSymbol]) -> Iterator[SymbolRef]:
    """Yield the shown line ranges inside `outer`; a collapsed symbol yields only the lines before its first mark."""
    for item in shown:
        place = item.symbol
        if outer.start_line <= place.start_line and place.end_line <= outer.end_line:
            opening = msgspec.structs.replace(place, start_line=place.declaration_line)
            lines = shown_lines(opening, item.stubs)
            yield from (msgspec.structs.replace(opening, start_line=first, end_line=last) for first, last in lines)


def lines_between(outer: SymbolRef, inner: Iterable[SymbolRef], source: SourceLines) -> Iterator[Stub]:
    """Yield stubs for the lines of a symbol outside of its head and the shown parts; brackets around these parts stay."""
    shown = {line for part in inner for line in range(part.start_line, part.end_line + 1)}
    yield from gaps(outer, kept_lines(source, outer.declaration_line, outer.end_line, shown), source)


def shortened(item: ShownSymbol, last: int, source: SourceLines) -> ShownSymbol:
    """Return a symbol that is shown only up to the line `last`, with its closing brackets and marks for omitted lines."""
    symbol = item.symbol
    kept = [stub for stub in item.stubs if stub.symbol.end_line <= last]
    last = min([last, *(stub.first_line - 1 for stub in item.stubs if stub.first_line <= last < stub.symbol.end_line)])
    lines = beginning(source, symbol.declaration_line, symbol.end_line, last)
    first, *others = [*gaps(symbol, lines, source), Stub.of_lines(symbol, last + 1, last)]
    return replace(item, stubs=[*kept, replace(first, is_end=True), *others[:-1]]) if others else item


def bare_head(symbol: SymbolRef, source: SourceLines) -> list[Stub]:
    """Return the lines to omit from a declaration of which only the first and last lines with their brackets are shown."""
    return list(gaps(symbol, kept_lines(source, symbol.declaration_line, symbol.end_line, ()), source))
