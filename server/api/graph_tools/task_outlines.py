"""Outlines of the files of a task, with the lines of the declarations that match the task or are near a match."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from ....graphdb.database import GraphDatabase
from ....graphdb.symbols.symbol_table import symbols_of
from ....retrieval.ranking.ranking import Ranked
from ....retrieval.text.tokens import shortened
from ....schema.records import Symbol
from ....schema.symbol_kinds import CALLABLE_KINDS, MEMBER_KINDS, STATEMENTS
from .records import Entry

#: Maximum number of search results in the outlines.
_RANKED = 150
#: Number of search results that come before other declarations.
_FIRST = 40
#: Number of best files whose functions and types are all listed.
_WHOLE_FILES = 4
#: Maximum number of declarations of a file.
_DECLARATIONS = 30
#: Maximum length of the signature of a declaration, in characters.
_SIGNATURE = 48
#: Maximum length of the lines of one entry, in characters.
_ENTRY = 400


def task_outlines(
    graph: GraphDatabase, ranked: Sequence[Ranked], shown: Collection[str], besides: Collection[str]
) -> tuple[Entry, ...]:
    """Return the files of search results, the best first. Tests, the files `besides` and the symbols `shown` are left out.

    The best results come first, then all functions and types of the best files, and then the other results.
    """
    table = symbols_of(graph)
    rows = [result.chunk for result in ranked]
    rows = [row for row in rows if not row.is_test and row.relative_path not in besides][:_RANKED]
    symbols = table.symbols(row.id for row in rows)
    found = [symbols[row.id] for row in rows if row.id in symbols]
    lines_of_best: dict[str, int] = {}
    for symbol in found:
        lines_of_best.setdefault(symbol.relative_path, symbol.start_line)
    best = list(lines_of_best)[:_WHOLE_FILES]
    members = _members(graph, best, lines_of_best)
    told = set(shown)
    entries: list[Entry] = []
    for part in (found[:_FIRST], [symbol for path in best for symbol in members.get(path, ())], found[_FIRST:]):
        new = {symbol.id: symbol for symbol in part if symbol.id not in told}
        told.update(new)
        entries += _by_file(new.values())
    return tuple(entries)


def declared_in(graph: GraphDatabase, paths: Sequence[str]) -> tuple[Entry, ...]:
    """Return files with all their functions and types. A file with many declarations has several entries."""
    members = _members(graph, paths, {})
    return tuple(_by_file(symbol for path in paths for symbol in members.get(path, ())))


def _by_file(symbols: Iterable[Symbol]) -> Iterator[Entry]:
    """Yield the files of some symbols, in the order of their first symbols, with the lines of the symbols."""
    files: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        files.setdefault(symbol.relative_path, []).append(symbol)
    for path, declared in files.items():
        for part in _parts([_line(symbol) for symbol in sorted(declared, key=lambda one: one.start_line)]):
            yield Entry(path, "file", details=part)


def _members(graph: GraphDatabase, paths: Sequence[str], near: Mapping[str, int]) -> dict[str, list[Symbol]]:
    """Return the functions and types of some files, by line. Of a file with many declarations, only declarations around the line
    `near` are returned.
    """
    table = symbols_of(graph)
    declared = [ref for ref in table.in_files(paths) if ref.depth <= 1 and ref.kind in CALLABLE_KINDS | MEMBER_KINDS]
    kept: list[str] = []
    for path, refs in groupby(declared, key=lambda ref: ref.relative_path):
        line = near.get(path, 0)
        kept += [ref.id for ref in sorted(refs, key=lambda ref: abs(ref.start_line - line))[:_DECLARATIONS]]
    found: dict[str, list[Symbol]] = {}
    for symbol in sorted(table.symbols(kept).values(), key=lambda one: one.start_line):
        found.setdefault(symbol.relative_path, []).append(symbol)
    return found


def _line(symbol: Symbol) -> str:
    """`private async getPath(error: Error): string` in line 127 -> `127 getPath(error: Error): string`."""
    text = " ".join(symbol.signature.split())
    named = re.search(rf"(?<![\w$]){re.escape(symbol.name)}(?![\w$])", text)
    if symbol.kind in STATEMENTS or named is None:
        text = symbol.name
    else:
        text = f"{symbol.kind} {text[named.start() :]}" if symbol.kind in MEMBER_KINDS else text[named.start() :]
    return f"{symbol.start_line} {shortened(text, _SIGNATURE)}"


def _parts(lines: Sequence[str]) -> Iterator[tuple[str, ...]]:
    part: list[str] = []
    length = 0
    for line in lines:
        if part and length + len(line) > _ENTRY:
            yield tuple(part)
            part, length = [], 0
        part.append(line)
        length += len(line)
    if part:
        yield tuple(part)
