"""Hops of the traversal: from some symbols to all that they call, are called by, extend, are extended by or affect."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from .database import GraphDatabase
from .traversal import Hop, Link, Offsets, linked

#: Kinds whose nested symbols are part of what they run. What a class holds runs only when it is called itself.
_RUNNING = frozenset(
    ("function", "method", "constructor", "getter", "setter", "component", "const", "variable", "property", "expression")
)
#: What runs when a class is constructed, besides its own initialisers.
_CONSTRUCTING = frozenset(("constructor", "property"))
_CALL = "r.lines, r.columns, r.form, r.evidence"


def calls_out(graph: GraphDatabase, whole: Container[int] = ()) -> Hop:
    """From symbols to what they call, and without cost to what is nested in them.

    Of a class that something constructs, only the constructor and the fields run; of the symbols `whole`, all that they hold.
    """

    def hop(offsets: Offsets) -> Iterable[Link]:
        rows = linked(graph, "-[r:CALLS|CONTAINS]->", offsets, f"{_CALL}, o.kind")
        found = [_call(row) if row[2] == "CALLS" else _link(row, cost=0) for row in rows if _runs(row, whole)]
        return sorted(found, key=_by_site)

    return hop


def calls_in(graph: GraphDatabase) -> Hop:
    """From symbols to their callers. One that nobody calls, but that is nested in a function, leads to that function."""

    def hop(offsets: Offsets) -> Iterable[Link]:
        found = [_call(row) for row in linked(graph, "<-[r:CALLS]-", offsets, _CALL)]
        called = {link.source for link in found if link.source != link.target}
        around = linked(graph, "<-[r:CONTAINS]-", [offset for offset in offsets if offset not in called])
        found += [_link(row, form="closure", evidence="scope") for row in around if row[3].kind in _RUNNING]
        return sorted(found, key=_by_place)

    return hop


def types_up(graph: GraphDatabase) -> Hop:
    """From classes and interfaces to what they extend and implement inside the repository."""
    return _heritage(graph, "-[r:EXTENDS|IMPLEMENTS]->")


def types_down(graph: GraphDatabase) -> Hop:
    """From classes and interfaces to those that extend and implement them."""
    return _heritage(graph, "<-[r:EXTENDS|IMPLEMENTS]-")


def _heritage(graph: GraphDatabase, pattern: str) -> Hop:
    def hop(offsets: Offsets) -> Iterable[Link]:
        found = [_link(row, lines=(row[4],)) for row in linked(graph, pattern, offsets, "r.line")]
        return sorted(found, key=lambda link: (link.label, *_by_place(link)))

    return hop


def _runs(row: tuple[Any, ...], whole: Container[int]) -> bool:
    source, _, label, symbol, *_, kind = row
    if label == "CALLS" or source in whole or kind in _RUNNING:
        return True
    return kind == "class" and symbol.kind in _CONSTRUCTING


def _call(row: tuple[Any, ...]) -> Link:
    source, target, label, symbol, lines, columns, form, evidence, *_ = row
    return Link(source, target, label, symbol, "", lines, columns, form, evidence)


def _link(row: tuple[Any, ...], lines: tuple[int, ...] = (), form: str = "", evidence: str = "", cost: int = 1) -> Link:
    source, target, label, symbol, *_ = row
    return Link(source, target, label, symbol, "", lines, (), form, evidence, cost)


def _by_site(link: Link) -> tuple[Any, ...]:
    return link.lines[:1], link.columns[:1], link.symbol.relative_path, link.symbol.start_line, link.symbol.id, link.form


def _by_place(link: Link) -> tuple[Any, ...]:
    return link.symbol.relative_path, link.symbol.start_line, link.symbol.id, link.lines, link.form
