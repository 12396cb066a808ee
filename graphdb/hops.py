"""Hops of the traversal: from some symbols to all that they call, are called by, extend, are extended by or affect."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from .database import GraphDatabase
from .traversal import Hop, Link, Offsets, bases, linked

#: Kinds whose nested symbols are part of what they run. What a class holds runs only when it is called itself.
_RUNNING = frozenset(
    ("function", "method", "constructor", "getter", "setter", "component", "const", "variable", "property", "expression")
)
#: What runs when a class is constructed, besides its own initialisers.
_CONSTRUCTING = frozenset(("constructor", "property"))
#: What uses an import statement uses what it imports, to which it has an edge of its own.
_STATEMENTS = frozenset(("import", "re-export", "export"))
_CALL = "r.lines, r.columns, r.form, r.evidence"

_DEPENDENCE = "CALLS|REFERENCES|EXTENDS|IMPLEMENTS|OVERRIDES|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE"
#: What a dependence without a role of its own is called.
_ROLES = {
    "CALLS": "call",
    "EXTENDS": "heritage",
    "IMPLEMENTS": "heritage",
    "OVERRIDES": "override",
    "PARAM_TYPE": "type",
    "RETURN_TYPE": "type",
    "FIELD_TYPE": "type",
}
#: Roles in which a member is run or read, whichever override of it that reaches.
_RUNS = frozenset(("call", "read", "write", "jsx"))


def calls_out(graph: GraphDatabase, whole: Container[int] = ()) -> Hop:
    """From symbols to what they call, and without cost to what is nested in them.

    Of a class that something constructs, only the constructor and the fields run; of the symbols `whole`, all that they hold.
    """

    def runs(source: int, outer: str, inner: str) -> bool:
        return source in whole or outer in _RUNNING or (outer == "class" and inner in _CONSTRUCTING)

    def hop(offsets: Offsets) -> Iterable[Link]:
        for source, target, label, *call, outer, inner in linked(
            graph, "-[r:CALLS|CONTAINS]->", offsets, f"{_CALL}, o.kind, s.kind"
        ):
            if label == "CALLS":
                yield Link(source, target, label, "", *call)
            elif runs(source, outer, inner):
                yield Link(source, target, label, cost=0)

    return hop


def calls_in(graph: GraphDatabase) -> Hop:
    """From symbols to their callers. One that nobody calls, but that is nested in a function, leads to that function."""

    def hop(offsets: Offsets) -> Iterable[Link]:
        rows = linked(graph, "<-[r:CALLS|CONTAINS]-", offsets, f"{_CALL}, s.kind")
        called = {source for source, target, label, *_ in rows if label == "CALLS" and source != target}
        for source, target, label, *call, outer in rows:
            if label == "CALLS":
                yield Link(source, target, label, "", *call)
            elif source not in called and outer in _RUNNING:
                yield Link(source, target, label, form="closure", evidence="scope")

    return hop


def types_up(graph: GraphDatabase) -> Hop:
    """From classes and interfaces to what they extend and implement inside the repository."""
    return lambda offsets: _heritage(linked(graph, "-[r:EXTENDS|IMPLEMENTS]->", offsets, "r.line"))


def types_down(graph: GraphDatabase) -> Hop:
    """From classes and interfaces to those that extend and implement them."""
    return lambda offsets: _heritage(linked(graph, "<-[r:EXTENDS|IMPLEMENTS]-", offsets, "r.line"))


def _heritage(rows: Iterable[tuple[Any, ...]]) -> Iterable[Link]:
    found = [Link(source, target, label, "heritage", (line,)) for source, target, label, line in rows]
    return sorted(found, key=lambda link: link.label)


class Dependants:
    """From symbols to all that a change of them may affect. Called like every hop; it keeps state for one walk.

    Without cost it leads from a symbol to the function that holds it, and from a member to the base member that it overrides:
    who calls that may run it, and nothing else follows from there.
    """

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        #: Base members that were reached as what may be called instead of a member, and in no other way.
        self.stand_ins: set[int] = set()
        self._reached: set[int] = set()
        #: Of all members: one question instead of one for each round of a walk.
        self._bases = graph.once(bases)

    def __call__(self, offsets: Offsets) -> Iterable[Link]:
        self._reached.update(offset for offset in offsets if offset not in self.stand_ins)
        found = [link for link in self._affected(offsets) if link.source not in self.stand_ins or link.role in _RUNS]
        self._reached.update(link.target for link in found)
        stand_ins = [
            Link(source, target, "OVERRIDES", "dispatch", cost=0)
            for source in offsets
            if source not in self.stand_ins
            for target in self._bases.get(source, ())
        ]
        self.stand_ins.update(link.target for link in stand_ins if link.target not in self._reached)
        return found + stand_ins

    def _affected(self, offsets: Offsets) -> Iterable[Link]:
        rows = linked(self._graph, f"<-[r:{_DEPENDENCE}|CONTAINS]-", offsets, "r.role, r.lines, r.line, s.kind")
        for source, target, label, role, lines, line, kind in rows:
            if label == "CONTAINS":
                if kind in _RUNNING:
                    yield Link(source, target, label, "holds", cost=0)
            else:
                leads_on = kind not in _STATEMENTS
                yield Link(source, target, label, role or _ROLES[label], lines or ((line,) if line else ()), leads_on=leads_on)
