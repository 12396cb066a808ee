"""Read the graph around the targets of an answer, for its connection graph and its excerpts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import msgspec

from ...graphdb.queries.answers import ExternalCall, SymbolEdge, dependencies, external_calls
from ...graphdb.queries.members import outside_methods
from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.languages import is_partly_resolved_path
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import MEMBER_KINDS

Edge = TypeVar("Edge", SymbolEdge, ExternalCall)

#: Labels of edges from the head of a class. Other uses by the symbols around a member, such as a function, are left out.
_HEAD_LABELS = frozenset(("EXTENDS", "IMPLEMENTS"))
#: Roles of edges from the head of a class.
_HEAD_ROLES = frozenset(("heritage", "decorator", "binding"))


@dataclass(frozen=True, slots=True)
class Neighbors:
    """Targets of an answer, best first, with the symbols in and around them."""

    targets: tuple[SymbolRef, ...]
    #: Each target and the symbols nested in it, in source order, by the id of the target.
    nested: Mapping[str, Sequence[SymbolRef]]
    #: For each target and each symbol nested in a target, the innermost target that is or contains the symbol, by id.
    innermost_targets: Mapping[str, str]
    #: The symbols around each target, and around each used symbol of the target's file, outermost first.
    enclosing: Mapping[str, Sequence[SymbolRef]]
    #: The methods that are declared outside of a target, which is a type, by the id of the target.
    methods: Mapping[str, Sequence[SymbolRef]]
    #: Edges from each target and all symbols nested in it, with their lines. Uses by a callback count for its enclosing symbol.
    edges: Mapping[str, Sequence[SymbolEdge]]
    #: Edges from the symbols around each target, including edges that begin outside of the target.
    outer_edges: Mapping[str, Sequence[SymbolEdge]]
    #: Edges from the heads of the classes around each target: heritage and decorators.
    heads: Mapping[str, Sequence[SymbolEdge]]
    #: For each target that is a property: edges from other symbols on the lines of the property.
    beside: Mapping[str, Sequence[SymbolEdge]]
    #: Calls of externals from each target and all symbols nested in it, with their lines.
    externals: Mapping[str, Sequence[ExternalCall]]

    def around(self, symbol: SymbolRef) -> Sequence[SymbolRef]:
        """Return the symbols that enclose a symbol, outermost first."""
        return self.enclosing.get(symbol.id, ())

    def root(self, symbol: SymbolRef) -> SymbolRef:
        """Return the symbol of depth 0 that is or contains a symbol."""
        around = self.around(symbol)
        return around[0] if around else symbol

    def restricted(self, ids: Collection[str]) -> Neighbors:
        """Return the same neighbors for fewer targets.

        Nested symbols of a removed target then belong to the target that contains them.
        """
        targets = tuple(target for target in self.targets if target.id in ids)
        return replace(self, targets=targets, innermost_targets=_innermost_targets(targets, self.nested))


def read_neighbors(table: SymbolTable, targets: Sequence[SymbolRef]) -> Neighbors:
    nested, enclosing = table.nested(ids_of(targets)), table.enclosing(ids_of(targets))
    neighbours = _neighbours(table, targets, enclosing)
    within = ids_of(symbol for symbols in (*nested.values(), *neighbours.values()) for symbol in symbols)
    around = ids_of(outer for outers in enclosing.values() for outer in outers)
    found = dependencies(table, around | within)
    outer = {target.id: enclosing.get(target.id, []) for target in targets}
    outer_edges = _by_target(outer, found)
    edges = _with_lines_in_targets(targets, _by_target(nested, found), outer_edges)
    calls_out = external_calls(table, around | within)
    externals = _with_lines_in_targets(targets, _by_target(nested, calls_out), _by_target(outer, calls_out))
    heads = [edge for edge in found if edge.id in around and _is_in_a_head(edge)]
    return Neighbors(
        targets=tuple(targets),
        nested=nested,
        innermost_targets=_innermost_targets(targets, nested),
        enclosing={**table.enclosing(ids_of(_used_within(targets, nested, edges, heads))), **enclosing},
        methods=outside_methods(table, _ids_of_types(targets)),
        edges=edges,
        outer_edges=outer_edges,
        heads=_by_target(outer, heads),
        beside={
            target.id: list(edges_within(_by_target(neighbours, found)[target.id], target.id, target.start_line, target.end_line))
            for target in targets
            if target.id in neighbours
        },
        externals=externals,
    )


def _neighbours(
    table: SymbolTable, targets: Sequence[SymbolRef], enclosing: Mapping[str, Sequence[SymbolRef]]
) -> dict[str, list[SymbolRef]]:
    """Return for each property the symbols that share its lines: other members of the class of the property, or the constructor
    whose parameter declares the property. Symbols nested in them are included.
    """
    fields = {target.id: target for target in targets if target.kind == "property" and target.id in enclosing}
    members = table.children(enclosing[id][-1].id for id in fields)
    found = {}
    for id, field in fields.items():
        near = [
            member
            for member in members[enclosing[id][-1].id]
            if member.id != id and member.start_line <= field.end_line and field.start_line <= member.end_line
        ]
        if near:
            found[id] = [inner for symbols in table.nested(ids_of(near)).values() for inner in symbols]
    return found


def ids_of(symbols: Iterable[SymbolRef]) -> set[str]:
    return {symbol.id for symbol in symbols}


def _ids_of_types(targets: Iterable[SymbolRef]) -> Iterator[str]:
    """Yield the ids of types that may have methods outside of their declarations."""
    for target in targets:
        if target.kind in MEMBER_KINDS and is_partly_resolved_path(target.relative_path):
            yield target.id


def _innermost_targets(targets: Sequence[SymbolRef], nested: Mapping[str, Sequence[SymbolRef]]) -> dict[str, str]:
    innermost_targets: dict[str, str] = {}
    for target in sorted(targets, key=lambda target: target.depth):
        innermost_targets.update((symbol.id, target.id) for symbol in nested[target.id])
    return innermost_targets


def edges_within(edges: Iterable[Edge], id: str, first: int, last: int) -> Iterable[Edge]:
    """Return the edges that have a use in a range of lines. The returned edges begin at the symbol `id`."""
    for edge in edges:
        for line, column in zip(edge.lines, edge.columns, strict=True):
            if first <= line <= last:
                yield msgspec.structs.replace(edge, id=id, line=line, column=column)
                break


def _with_lines_in_targets(
    targets: Sequence[SymbolRef], own: Mapping[str, Sequence[Edge]], outer: Mapping[str, Sequence[Edge]]
) -> dict[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for target in targets:
        inside = list(edges_within(outer[target.id], target.id, target.start_line, target.end_line))
        inside += own[target.id]
        found[target.id] = sorted(inside, key=lambda edge: (edge.line, edge.column))
    return found


def _by_target(nested: Mapping[str, Sequence[SymbolRef]], edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    by_source: dict[str, list[Edge]] = {}
    for edge in edges:
        by_source.setdefault(edge.id, []).append(edge)
    return {
        id: sorted((edge for symbol in symbols for edge in by_source.get(symbol.id, ())), key=lambda edge: edge.line)
        for id, symbols in nested.items()
    }


def _is_in_a_head(edge: SymbolEdge) -> bool:
    return edge.label in _HEAD_LABELS or edge.role in _HEAD_ROLES


def _used_within(
    targets: Sequence[SymbolRef],
    nested: Mapping[str, Sequence[SymbolRef]],
    edges: Mapping[str, Sequence[SymbolEdge]],
    heads: Sequence[SymbolEdge],
) -> Iterable[SymbolRef]:
    """Yield the nested symbols that a target uses in its own file, outside of the target. Uses by the heads of the classes around
    targets count as well.
    """
    for target in targets:
        own = {symbol.id for symbol in nested[target.id]}
        for edge in (*edges[target.id], *heads):
            used = edge.target
            if used.relative_path == target.relative_path and used.depth > 0 and used.id not in own:
                yield used
