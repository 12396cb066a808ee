"""What lies around the symbols of an answer, in a handful of queries whatever their number.

The symbols of an answer and all that is nested in them may be hundreds. They are named by the offsets of their nodes, which one
query tells along with the symbols: comparing numbers spares the engine from comparing every symbol with every id. Each text that
a query reads of a symbol costs a scan of that property over all symbols, so records hold no more than answers need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ..schema import ddl
from .database import GraphDatabase
from .id_batches import rows_for_ids
from .symbol_queries import SymbolDetails, property_list

#: Deepest nesting that is followed; recursion in the engine needs a bound.
DEEPEST_NESTING = 30


class SymbolPlace(msgspec.Struct, frozen=True, gc=False):
    """Where a symbol is and what it is called; fields as in `graph.cypher`."""

    id: str
    qualified_name: str
    kind: str
    relative_path: str
    depth: int
    start_line: int
    end_line: int
    declaration_line: int


class SymbolEdge(msgspec.Struct, frozen=True, gc=False):
    """An edge from a symbol to another."""

    #: The symbol that was asked about.
    id: str
    #: Table of the edge: CALLS, REFERENCES, EXTENDS, IMPLEMENTS, PARAM_TYPE, RETURN_TYPE or FIELD_TYPE.
    label: str
    #: Of a reference, else "".
    role: str
    #: Local names used, of a reference.
    names: tuple[str, ...]
    #: The parameter's name, of PARAM_TYPE.
    parameter: str
    #: The parameter's place, of PARAM_TYPE.
    position: int
    #: Line and column of the first use, or 0 where the edge has none.
    line: int
    column: int
    target: SymbolPlace
    #: Of every use, in order; empty where the edge has none.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


class ImportUse(msgspec.Struct, frozen=True, gc=False):
    """A use of what an import statement, or the statement of a `require`, of the same file binds."""

    #: The local name that is used.
    name: str
    statement: SymbolPlace


class ExternalCall(msgspec.Struct, frozen=True, gc=False):
    """A call from a symbol to something outside the repository."""

    id: str
    package: str
    name: str
    #: Of the first site.
    line: int
    column: int
    #: Of every site, in order.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


#: Uses by line.
ImportUses = Mapping[int, Sequence[ImportUse]]
#: Path of each symbol by its id: queries narrow by path before they compare ids.
Places = Mapping[str, str]

_DEPENDENCIES = "CALLS|REFERENCES|EXTENDS|IMPLEMENTS|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE"
_AMONG = "offset(id(s)) IN $offsets"
_SYMBOLS = ddl.tables()["Symbol"]


def place_of(details: SymbolDetails) -> SymbolPlace:
    """The place in all properties of a symbol."""
    return SymbolPlace(*(getattr(details, field) for field in SymbolPlace.__struct_fields__))


def _place(values: Iterable[Any]) -> SymbolPlace:
    return SymbolPlace(*values)


def _among(graph: GraphDatabase, places: Places) -> dict[str, list[int]]:
    return {"offsets": graph.node_offsets(_SYMBOLS, places)}


def nested_symbols(graph: GraphDatabase, places: Places) -> list[tuple[str, SymbolPlace]]:
    """Each symbol with itself and all that is nested in it, as (outer id, inner symbol), in source order."""
    if not places:
        return []
    statement = f"""
        MATCH (s:Symbol)-[:CONTAINS*0..{DEEPEST_NESTING}]->(n:Symbol) WHERE {_AMONG}
        RETURN s.id, offset(id(n)), {property_list(SymbolPlace, "n")}"""
    rows = graph.rows(statement, _among(graph, places))
    graph.remember_offsets(_SYMBOLS, {row[2]: row[1] for row in rows})
    found = [(row[0], _place(row[2:])) for row in rows]
    return sorted(found, key=lambda item: (item[1].relative_path, item[1].start_line, item[1].depth))


def enclosing_symbols(graph: GraphDatabase, places: Places) -> dict[str, list[SymbolPlace]]:
    """The symbols around each symbol, outermost first; symbols of depth 0 are left out."""
    if not places:
        return {}
    statement = f"""
        MATCH (o:Symbol)-[:CONTAINS*1..{DEEPEST_NESTING}]->(s:Symbol) WHERE {_AMONG}
        RETURN s.id, {property_list(SymbolPlace, "o")} ORDER BY o.depth"""
    around: dict[str, list[SymbolPlace]] = {}
    for row in graph.rows(statement, _among(graph, places)):
        around.setdefault(row[0], []).append(_place(row[1:]))
    return around


def dependencies(graph: GraphDatabase, places: Places) -> list[SymbolEdge]:
    """Edges to the symbols that some symbols call, refer to, extend, implement or name in their types, by line."""
    if not places:
        return []
    statement = f"""
        MATCH (s:Symbol)-[e:{_DEPENDENCIES}]->(o:Symbol) WHERE {_AMONG}
        RETURN s.id, label(e), e.role, e.names, e.name, e.position, e.lines, e.columns, e.line,
            {property_list(SymbolPlace, "o")}"""
    return sorted((_edge(row) for row in graph.rows(statement, _among(graph, places))), key=_source_order)


def _source_order(edge: SymbolEdge) -> tuple[int, int, int, str, int]:
    return edge.line, edge.column, edge.position, edge.target.relative_path, edge.target.start_line


def _edge(row: tuple[Any, ...]) -> SymbolEdge:
    id, label, role, names, parameter, position, lines, columns, line, *target = row
    first, column = (lines[0], columns[0]) if lines else (line or 0, 0)
    place = _place(target)
    return SymbolEdge(
        id, label, role or "", names or (), parameter or "", position or 0, first, column, place, lines or (), columns or ()
    )


def import_uses(graph: GraphDatabase, paths: Iterable[str]) -> dict[str, ImportUses]:
    """By path, where the statements of some files that bring something from elsewhere are used in them."""
    statement = f"""
        MATCH (s:Symbol)-[r:REFERENCES]->(i:Symbol)
        WHERE s.relativePath IN $paths AND r.role = 'binding' AND i.relativePath = s.relativePath
        RETURN r.names[1], r.lines, {property_list(SymbolPlace, "i")}"""
    rows = [(name, lines, _place(place)) for name, lines, *place in graph.rows(statement, {"paths": list(paths)})]
    # `const { a, b } = require("x")` declares symbols within that of the statement.
    around = enclosing_symbols(graph, {place.id: place.relative_path for *_, place in rows if place.depth > 0})
    found: dict[str, dict[int, list[ImportUse]]] = {}
    for name, lines, place in rows:
        use = ImportUse(name, around[place.id][0] if place.id in around else place)
        by_line = found.setdefault(use.statement.relative_path, {})
        for line in lines:
            by_line.setdefault(line, []).append(use)
    return dict(found)


def root_types(graph: GraphDatabase, paths: Iterable[str]) -> list[SymbolPlace]:
    """The types at the root of some files: they may share their names with values, which edges prefer."""
    statement = f"""
        MATCH (f:File)-[:CONTAINS]->(t:Symbol) WHERE f.relativePath IN $ids AND t.kind IN ['type', 'interface']
        RETURN {property_list(SymbolPlace, "t")}"""
    return [_place(row) for row in rows_for_ids(graph, statement, paths)]


def external_calls(graph: GraphDatabase, places: Places) -> list[ExternalCall]:
    """What some symbols call outside the repository, by line."""
    if not places:
        return []
    statement = f"""
        MATCH (s:Symbol)-[e:CALLS_EXTERNAL]->(x:External) WHERE {_AMONG}
        RETURN s.id, x.package, x.name, e.lines, e.columns"""
    rows = graph.rows(statement, _among(graph, places))
    calls = [ExternalCall(id, package, name, lines[0], columns[0], lines, columns) for id, package, name, lines, columns in rows]
    return sorted(calls, key=lambda call: (call.line, call.column, call.package, call.name))


def referring_files(graph: GraphDatabase, places: Places) -> dict[str, tuple[str, ...]]:
    """Paths of the files that call, refer to, extend, implement or name in types each symbol; its own when it does."""
    if not places:
        return {}
    statement = f"""
        MATCH (o:Symbol)-[e:{_DEPENDENCIES}]->(s:Symbol) WHERE {_AMONG}
        RETURN s.id, collect(DISTINCT o.relativePath)"""
    return dict(graph.rows(statement, _among(graph, places)))


def exported_as(graph: GraphDatabase, name: str, path: str | None) -> list[str]:
    """Ids of the symbols that files offer under this name ("default" for a default export), of one file or of any."""
    statement = """
        MATCH (f:File)-[e:EXPORTS]->(s:Symbol) WHERE e.name = $name AND ($path = '' OR f.relativePath = $path)
        RETURN DISTINCT s.id, s.relativePath, s.startLine ORDER BY s.relativePath, s.startLine"""
    return [row[0] for row in graph.rows(statement, {"name": name, "path": path or ""})]
