"""Builds the facts of files that are read without a grammar, and symbols for the lines that no declaration covers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ...schema.records import Problem
from .api import ApiFacts
from .cells import int_cells
from .data import DataFacts
from .model import ChunkFact, FileFacts, SymbolFact

#: Maximum number of characters: of a name, and of a piece of text for the embedding model.
MAX_NAME: Final = 80
_MAX_PIECE: Final = 128_000
_NO_CHILDREN: Final[Mapping[int, Sequence[int]]] = {}


def symbol_of_lines(text: str, starts: Sequence[int], first: int, last: int, comments: tuple[str, ...]) -> SymbolFact | None:
    """Return the symbol of a run of lines, or None if all are blank.

    `starts` are the offsets of the lines in the text, and `comments` are the signs that begin comments.
    """
    while first <= last and not line_of(text, starts, first).strip():
        first += 1
    while last >= first and not line_of(text, starts, last).strip():
        last -= 1
    if first > last:
        return None
    head = line_of(text, starts, first).strip()
    name = head.strip("-/*# \t")[:MAX_NAME] or head[:MAX_NAME]
    kind = "comment" if head.startswith(comments) else "expression"
    return SymbolFact(name, kind, -1, 0, first, last, first, first, "", "", [], False, True)


def symbols_of_gaps(
    text: str, starts: Sequence[int], symbols: Sequence[SymbolFact], comments: tuple[str, ...]
) -> list[SymbolFact]:
    """Return a symbol for each run of lines that no root symbol covers, without blank runs.

    `starts` are the offsets of the lines in the text, and `comments` are the signs that begin comments.
    """
    runs = _uncovered_runs(symbols, len(starts))
    found = (symbol_of_lines(text, starts, first, last, comments) for first, last in runs)
    return [symbol for symbol in found if symbol is not None]


def renumbered(symbols: Sequence[SymbolFact], order: Sequence[int]) -> tuple[list[SymbolFact], dict[int, int]]:
    """Return the symbols in a new order, with renumbered parents, and map old numbers to new numbers."""
    numbers = {old: new for new, old in enumerate(order)}
    found = [symbols[place] for place in order]
    for symbol in found:
        symbol.parent = numbers.get(symbol.parent, -1)
    return found, numbers


def renumbered_by_roots(symbols: Sequence[SymbolFact]) -> tuple[list[SymbolFact], dict[int, int]]:
    """Return the symbols in the order of their root symbols in the source, as `renumbered` does.

    A root symbol precedes its members, which have no members themselves.
    """
    roots = [symbols[each.parent].start_line if each.parent >= 0 else each.start_line for each in symbols]
    return renumbered(symbols, sorted(range(len(symbols)), key=lambda place: (roots[place], symbols[place].depth, place)))


def facts_of_symbols(
    language: str,
    line_starts: list[int],
    text: str,
    starts: Sequence[int],
    symbols: list[SymbolFact],
    problems: list[Problem],
    *,
    data: DataFacts | None = None,
    api: ApiFacts | None = None,
    children: Mapping[int, Sequence[int]] = _NO_CHILDREN,
) -> FileFacts:
    """Return the facts of a file of which only these symbols are known, with a chunk for each symbol that search can return.

    `line_starts` are the offsets of the lines in the bytes of the file, and `starts` the offsets in the text. `children` is as in
    `chunks_of_symbols`.
    """
    return FileFacts(
        language=language,
        lines=len(line_starts),
        line_starts=int_cells(line_starts),
        symbols=symbols,
        chunks=chunks_of_symbols(text, starts, symbols, children),
        problems=problems,
        is_module=True,
        data=data,
        api=api,
    )


def line_offsets(text: str, lines: int | None = None) -> list[int]:
    """Return the offset of each of the first `lines` lines of a text; by default of all lines, and of an empty one at the end."""
    return [0, *(match.end() for match in re.finditer("\n", text))][:lines]


def _uncovered_runs(symbols: Sequence[SymbolFact], lines: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each run of lines that no root symbol covers, in a text of `lines` lines."""
    line = 1
    for symbol in sorted((symbol for symbol in symbols if symbol.depth == 0), key=lambda symbol: symbol.start_line):
        if line < symbol.start_line:
            yield line, symbol.start_line - 1
        line = max(line, symbol.end_line + 1)
    if line <= lines:
        yield line, lines


def line_of(text: str, starts: Sequence[int], line: int) -> str:
    """Return the text of a line, counted from 1."""
    return text[starts[line - 1] : starts[line] if line < len(starts) else len(text)]


def chunks_of_symbols(
    text: str, starts: Sequence[int], symbols: Sequence[SymbolFact], children: Mapping[int, Sequence[int]] = _NO_CHILDREN
) -> list[ChunkFact]:
    """Return the chunks of all symbols that search can return. `children` has the numbers of the chunks inside a symbol."""
    return [
        _chunk(text, starts, symbols, number, children.get(number, ()))
        for number, symbol in enumerate(symbols)
        if symbol.is_chunk
    ]


def _chunk(text: str, starts: Sequence[int], symbols: Sequence[SymbolFact], number: int, children: Sequence[int]) -> ChunkFact:
    """Return the chunk of the symbol with a number: its lines, in which nested chunks are signatures.

    `children` has the numbers of the nested chunks in the order of their lines; no line belongs to two nested chunks.
    """
    symbol = symbols[number]
    embedded = None
    length = (starts[symbol.end_line] if symbol.end_line < len(starts) else len(text)) - starts[symbol.start_line - 1]
    if children:
        parts: list[str] = []
        line = symbol.start_line
        for child in (symbols[each] for each in children):
            parts += (line_of(text, starts, each) for each in range(line, child.start_line))
            first = line_of(text, starts, child.start_line)
            parts.append(f"{first[: len(first) - len(first.lstrip())]}{child.signature.rstrip('; ')};\n")
            line = child.end_line + 1
        parts += (line_of(text, starts, each) for each in range(line, symbol.end_line + 1))
        embedded = "".join(parts).rstrip("\r\n")
        length = len(embedded)
    return ChunkFact(number, symbol.parent, embedded, [], list(range(_MAX_PIECE, length, _MAX_PIECE)))
