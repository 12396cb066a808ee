"""Edge expanders of the traversal: from symbols to callees, callers, base types, derived types and dependents."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

from ...schema.symbol_kinds import PASSING_ON
from ..database import GraphDatabase
from ..symbols.symbol_table import symbols_of
from .overrides import overrides
from .walk import Hop, Link, Offsets, linked

#: Kinds that run the symbols nested in them. Members of a class run only when code calls them.
_RUNNING = frozenset(
    ("function", "method", "constructor", "getter", "setter", "component", "const", "variable", "property", "expression")
)
#: Kinds of members that run when a class is constructed.
_CONSTRUCTING = frozenset(("constructor", "property"))
#: Kinds of members that run when code reads or writes them.
_ACCESSORS = frozenset(("getter", "setter"))
_CALL = "r.lines, r.columns, r.form, r.evidence, r.variant"

_DEPENDENCE = "CALLS|WIRED|REFERENCES|EXTENDS|IMPLEMENTS|OVERRIDES|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE"
#: Tables of edges from data to the data that it depends on, and from code to the data that it uses.
_DATA_DEPENDENCE = "READS|MODIFIES|FOREIGN_KEY|MAPS_TO"
#: Role of the edges of each table that has no property `role`.
_ROLES = {
    "CALLS": "call",
    "EXTENDS": "heritage",
    "IMPLEMENTS": "heritage",
    "OVERRIDES": "override",
    "PARAM_TYPE": "type",
    "RETURN_TYPE": "type",
    "FIELD_TYPE": "type",
    "READS": "read",
    "MODIFIES": "write",
    "FOREIGN_KEY": "foreign key",
    "MAPS_TO": "mapping",
}
#: Roles in which code runs or reads a member, so that an override may run instead.
_RUNS = frozenset(("call", "read", "write", "jsx"))


class CallsOut:
    """Expands symbols to the symbols that they call and, without cost, to nested symbols that run with them.

    With a class, only its constructor and its fields run. With a symbol in `whole`, all nested symbols run.
    """

    def __init__(self, graph: GraphDatabase, whole: Container[int] = ()) -> None:
        self._graph = graph
        self._whole = whole
        #: Links by symbol. One query reads the links of a symbol and of all symbols nested in it.
        self._known: dict[int, list[Link]] = {}

    def __call__(self, offsets: Offsets) -> Iterable[Link]:
        nested = self._nested(offset for offset in offsets if offset not in self._known)
        for source, target, label, *call in linked(self._graph, "-[r:CALLS]->", nested, _CALL):
            nested[source].append(Link(source, target, label, "", *call))
        for link in wired(self._graph, "-[r:WIRED]->", nested):
            nested[link.source].append(link)
        self._known.update(nested)
        return [link for offset in offsets for link in self._known[offset]]

    def _nested(self, offsets: Iterable[int]) -> dict[int, list[Link]]:
        """Return the symbols and the nested code that runs with them, each with links to its children that run."""
        table = symbols_of(self._graph)
        found: dict[int, list[Link]] = {}
        frontier = list(offsets)
        while frontier:
            within: list[int] = []
            for source, outer in zip(frontier, table.kinds_at(frontier), strict=True):
                inner = table.children_at(source)
                running = [at for at, kind in zip(inner, table.kinds_at(inner), strict=True) if self._runs(source, outer, kind)]
                found[source] = [Link(source, target, "CONTAINS", cost=0) for target in running]
                within += running
            frontier = [offset for offset in within if offset not in found and offset not in self._known]
        return found

    def _runs(self, source: int, outer: str, inner: str) -> bool:
        return source in self._whole or outer in _RUNNING or (outer == "class" and inner in _CONSTRUCTING)


def calls_in(graph: GraphDatabase, values: Container[int] = (), *, indirect: bool = False) -> Hop:
    """Return an expander from symbols to their callers.

    A nested symbol without callers has the enclosing function as its caller. Symbols in `values` have no such caller, because a
    function does not run variables and types inside it. With `indirect`, decorated declarations are callers of the decorator,
    readers and writers are callers of accessors, and callers of an overridden member are callers of the override, which they may
    run. Links to callers of an overridden member have the evidence `dispatch`.
    """

    def hop(offsets: Offsets) -> Iterable[Link]:
        found = [
            Link(source, target, label, "", *call)
            for source, target, label, *call in linked(graph, "<-[r:CALLS]-", offsets, _CALL)
        ]
        found += wired(graph, "<-[r:WIRED]-", offsets)
        if indirect:
            found += _decorations(graph, offsets, found)
            found += _accesses(graph, offsets)
            found += _dispatched_calls(graph, offsets, found)
        called = {link.source for link in found if link.source != link.target}
        held = [(source, outer) for source, outer in holders(graph, offsets) if source not in called and source not in values]
        return found + [Link(source, outer, "CONTAINS", form="closure", evidence="scope") for source, outer in held]

    return hop


def wired(graph: GraphDatabase, pattern: str, offsets: Offsets) -> list[Link]:
    """Return links along edges WIRED: from code to the symbols that a framework runs for the code, or in the other direction, as
    `pattern` states. The form of each link is `wired`, and its evidence is the framework.
    """
    return [
        Link(source, target, label, role, (line,), (column,), "wired", framework)
        for source, target, label, role, framework, line, column in linked(
            graph, pattern, offsets, "r.role, r.framework, r.line, r.startColumn"
        )
    ]


def _decorations(graph: GraphDatabase, offsets: Offsets, calls: Iterable[Link]) -> list[Link]:
    """Return links from decorators without a call (`@sealed`, but not `@sealed()`) to the declarations that they decorate."""
    is_known = {(link.source, link.target) for link in calls}
    return [
        Link(source, target, label, "", lines, columns, "decorator", "scope")
        for source, target, label, role, lines, columns in linked(
            graph, "<-[r:REFERENCES]-", offsets, "r.role, r.lines, r.columns"
        )
        if role == "decorator" and (source, target) not in is_known
    ]


def _accesses(graph: GraphDatabase, offsets: Offsets) -> list[Link]:
    """Return links to the readers of some getters and the writers of some setters."""
    known = list(offsets)
    accessors = {at: kind for at, kind in zip(known, symbols_of(graph).kinds_at(known), strict=True) if kind in _ACCESSORS}
    rows = linked(graph, "<-[r:REFERENCES]-", accessors, "r.role, r.lines, r.columns") if accessors else []
    return [
        Link(source, target, label, "", lines, columns, "access", "type")
        for source, target, label, role, lines, columns in rows
        if (role == "write") == (accessors[source] == "setter") and role in ("read", "write", "call")
    ]


def _dispatched_calls(graph: GraphDatabase, offsets: Offsets, direct: Iterable[Link]) -> list[Link]:
    """Return links from some symbols to the callers of the members that these symbols override."""
    known = overrides(graph)
    above = {offset: known.above(offset) for offset in offsets if offset in known.bases}
    calls: dict[int, list[tuple[Any, ...]]] = {}
    for base, caller, *call in linked(graph, "<-[r:CALLS]-", {base for found in above.values() for base in found}, _CALL):
        calls.setdefault(base, []).append((caller, *call))
    is_known = {(link.source, link.target) for link in direct}
    return [
        Link(offset, caller, label, "", lines, columns, form, "dispatch")
        for offset, found in above.items()
        for base in found
        for caller, label, lines, columns, form, *_ in calls.get(base, ())
        if form != "super" and (offset, caller) not in is_known
    ]


def holders(graph: GraphDatabase, offsets: Offsets) -> list[tuple[int, int]]:
    """Return (symbol, enclosing callable) for every symbol nested directly in a callable."""
    table = symbols_of(graph)
    known = list(offsets)
    pairs = [(offset, outer) for offset, outer in zip(known, table.parents_at(known), strict=True) if outer >= 0]
    kinds = table.kinds_at([outer for _, outer in pairs])
    return [pair for pair, kind in zip(pairs, kinds, strict=True) if kind in _RUNNING]


def _affected_holders(graph: GraphDatabase, offsets: Offsets) -> list[tuple[int, int]]:
    """Return (symbol, enclosing callable) for every symbol whose change changes its callable.

    What a component of a template offers to others, such as its props, is left out: those who pass a prop depend on it, and those
    who only render the component do not.
    """
    table = symbols_of(graph)
    pairs = holders(graph, offsets)
    offered = table.exported_at([offset for offset, _ in pairs])
    kinds = table.kinds_at([outer for _, outer in pairs])
    return [
        pair for pair, is_offered, kind in zip(pairs, offered, kinds, strict=True) if not (is_offered and kind == "component")
    ]


def types_up(graph: GraphDatabase) -> Hop:
    """Return an expander from types to the types of the repository that they extend and implement."""
    return lambda offsets: _heritage(linked(graph, "-[r:EXTENDS|IMPLEMENTS]->", offsets, "r.line"))


def types_down(graph: GraphDatabase) -> Hop:
    """Return an expander from types to the types that extend and implement them."""
    return lambda offsets: _heritage(linked(graph, "<-[r:EXTENDS|IMPLEMENTS]-", offsets, "r.line"))


def _heritage(rows: Iterable[tuple[Any, ...]]) -> Iterable[Link]:
    found = [Link(source, target, label, "heritage", (line,)) for source, target, label, line in rows]
    return sorted(found, key=lambda link: link.label)


class Dependants:
    """Expands symbols to the symbols that a change of them may affect. An instance keeps state for one walk.

    Two steps have no cost: from a symbol to the function that contains it, except for the props and other exported members of
    components, and from a member to the base members that it
    overrides, over all levels. A caller of a base member may run the override and is affected. Other users of the base member
    are not.
    """

    def __init__(self, graph: GraphDatabase) -> None:
        self._graph = graph
        #: Base members that the walk reached only because a call of a base member may run an override.
        self.stand_ins: set[int] = set()
        self._reached: set[int] = set()
        #: Base members of all members, read once instead of once per round.
        self._bases = overrides(graph).bases
        #: Links by symbol. One query also reads the links of symbols that the walk reaches without cost.
        self._known: dict[int, list[Link]] = {}

    def __call__(self, offsets: Offsets) -> Iterable[Link]:
        self._reached.update(offset for offset in offsets if offset not in self.stand_ins)
        self._look_up(offsets)
        affected = [link for offset in offsets for link in self._known[offset]]
        found = [link for link in affected if link.source not in self.stand_ins or link.role in _RUNS]
        self._reached.update(link.target for link in found)
        stand_ins = [
            Link(source, target, "OVERRIDES", "dispatch", cost=0) for source in offsets for target in self._bases.get(source, ())
        ]
        self.stand_ins.update(link.target for link in stand_ins if link.target not in self._reached)
        return found + stand_ins

    def _look_up(self, offsets: Offsets) -> None:
        new: dict[int, list[Link]] = {}
        frontier = [offset for offset in offsets if offset not in self._known]
        while frontier:
            new.update((offset, []) for offset in frontier)
            around = _affected_holders(self._graph, frontier)
            for source, outer in around:
                new[source].append(Link(source, outer, "CONTAINS", "holds", cost=0))
            further = [outer for _, outer in around] + [base for offset in frontier for base in self._bases.get(offset, ())]
            frontier = [offset for offset in dict.fromkeys(further) if offset not in new and offset not in self._known]
        rows = linked(self._graph, f"<-[r:{_DEPENDENCE}|{_DATA_DEPENDENCE}]-", new, "r.role, r.lines, r.line")
        kinds = symbols_of(self._graph).kinds_at([row[1] for row in rows])
        for (source, target, label, role, lines, line), kind in zip(rows, kinds, strict=True):
            # The walk ends at an import statement: users of an imported name have their own edges to the imported symbol.
            leads_on = kind not in PASSING_ON
            new[source].append(
                Link(source, target, label, role or _ROLES[label], lines or ((line,) if line else ()), leads_on=leads_on)
            )
        self._known.update(new)
