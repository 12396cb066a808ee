"""Find the declarations that a target uses in its own file. The excerpt of the target shows these declarations, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...graphdb.queries.answers import SymbolEdge, root_types
from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.records import SymbolRef
from ...schema.symbol_kinds import CALLABLE_KINDS, MEMBER_KINDS, TYPE_KINDS
from ..context.neighbors import Neighbors, edges_within, ids_of
from ..source.regions import body_line
from ..source.source_lines import SourceLines
from .excerpt import Stub, shown_lines

#: Edges that begin in a signature.
_SIGNATURE_LABELS = frozenset(("PARAM_TYPE", "RETURN_TYPE", "FIELD_TYPE"))
#: Kinds of declarations that are shown whole with a target that refers to them.
CONTEXT_KINDS = frozenset(("const", "variable", "type", "interface", "enum", "enumMember", "property"))
_DECLARING_KINDS = CONTEXT_KINDS | CALLABLE_KINDS | MEMBER_KINDS


def used_declarations(
    neighbors: Neighbors, target: SymbolRef, whole: SymbolRef, stubs: Sequence[Stub] | None, source: SourceLines
) -> list[SymbolRef]:
    """Return the declarations of the target's file that the target, the heads of its enclosing classes, or `whole` use.

    `whole` is the symbol that is shown for the target, and `stubs` are its collapsed parts; None if only parts of `whole` are
    shown.
    """
    own = {symbol.id for symbol in neighbors.nested[target.id]}
    around = {symbol.id for symbol in neighbors.around(target)}
    hidden = _needed_by_hidden_lines(neighbors, target, stubs, source) if stubs else set()
    edges = [*neighbors.edges[target.id], *neighbors.heads[target.id], *neighbors.beside.get(target.id, ())]
    if whole.id != target.id and stubs is not None:
        for first, last in shown_lines(whole, [stub for stub in stubs if stub.leaves_no_mark]):
            edges += edges_within(neighbors.outer_edges[target.id], whole.id, first, last)
    found: dict[str, SymbolRef] = {}
    for edge in edges:
        used = edge.target
        is_declared_here = used.relative_path == target.relative_path and used.kind in _DECLARING_KINDS
        # Variables that `require` fills are shown like imports. Edges of type flow may be inferred; written types also have
        # edges of references.
        is_written = edge.role != "binding" and edge.label not in _SIGNATURE_LABELS
        if is_declared_here and is_written and used.id not in own | around | hidden:
            found[used.id] = used
    return list(found.values())


def with_enclosing(table: SymbolTable, neighbors: Neighbors, used_by: Mapping[str, list[SymbolRef]]) -> Neighbors:
    """Return the neighbors with the enclosing symbols of all used symbols."""
    used = [place for places in used_by.values() for place in places if place.depth > 0]
    missing = ids_of(place for place in used if place.id not in neighbors.enclosing)
    return replace(neighbors, enclosing={**table.enclosing(missing), **neighbors.enclosing})


def add_merged_types(table: SymbolTable, neighbors: Neighbors, used_by: Mapping[str, list[SymbolRef]]) -> None:
    """Add used types that share their name with a value. The edge of a use as a type points to the value."""
    named: dict[str, dict[tuple[str, str], None]] = {}
    for target in neighbors.targets:
        for edge in (*neighbors.edges[target.id], *neighbors.heads[target.id]):
            used = edge.target
            if used.relative_path == target.relative_path and used.kind not in TYPE_KINDS and _is_type_use(edge):
                named.setdefault(target.id, {})[used.relative_path, used.qualified_name] = None
    paths = {path for names in named.values() for path, _ in names}
    types = {(place.relative_path, place.qualified_name): place for place in root_types(table, paths)}
    for id, names in named.items():
        known = {symbol.id for symbol in (*used_by[id], *neighbors.nested[id])}
        used_by[id] += [types[name] for name in names if name in types and types[name].id not in known]


def _is_type_use(edge: SymbolEdge) -> bool:
    return edge.role in ("type", "heritage")


def _needed_by_hidden_lines(neighbors: Neighbors, target: SymbolRef, stubs: Sequence[Stub], source: SourceLines) -> set[str]:
    """Return the ids of the declarations that only the collapsed lines of a target use."""
    collapsed = [_hidden_lines(stub.symbol, source) for stub in stubs]
    hidden: set[str] = set()
    shown: set[str] = set()
    for edge in (*neighbors.edges[target.id], *neighbors.heads[target.id]):
        if edge.label not in _SIGNATURE_LABELS:
            in_bodies = all(any(line in body for body in collapsed) for line in edge.lines or (edge.line,))
            (hidden if in_bodies else shown).add(edge.target.id)
    return hidden - shown


def _hidden_lines(body: SymbolRef, source: SourceLines) -> range:
    """Return the lines of a declaration after the line that opens its body."""
    return range((body_line(source, body.declaration_line, body.end_line) or body.declaration_line) + 1, body.end_line + 1)
