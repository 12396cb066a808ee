"""The edges of the symbols in an answer, in a fixed number of queries.

An answer may have hundreds of symbols. Queries use internal offsets. Names and texts come from the symbol table, because a query
that returns a text property reads the texts of all symbols.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np

from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.symbol_table import SymbolTable

#: Number of files whose import uses are cached.
_MAX_KNOWN_FILES = 500
#: Maximum depth of nesting that is followed; recursion in the engine needs a bound.
MAX_NESTING_DEPTH = 30


class SymbolEdge(msgspec.Struct, frozen=True, gc=False):
    """An edge from a requested symbol to another symbol."""

    #: Id of the requested symbol.
    id: str
    #: Table of the edge: CALLS, WIRED, REFERENCES, EXTENDS, IMPLEMENTS, PARAM_TYPE, RETURN_TYPE or FIELD_TYPE.
    label: str
    #: Role of a reference, else "".
    role: str
    #: Local names of a reference.
    names: tuple[str, ...]
    #: Name of the parameter for PARAM_TYPE.
    parameter: str
    #: Position of the parameter for PARAM_TYPE.
    position: int
    #: Line and column of the first use, or 0 if the edge has none.
    line: int
    column: int
    target: SymbolRef
    #: Lines and columns of every use, in order; empty if the edge has none.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


class ImportUse(msgspec.Struct, frozen=True, gc=False):
    """A use of a name that an import statement or a `require` of the same file binds."""

    #: The local name that is used.
    name: str
    statement: SymbolRef


class _KnownUses:
    """Cached import uses of files of one graph, by path."""

    def __init__(self, graph: GraphDatabase) -> None:
        """Create an empty cache for a graph."""
        self.by_path: dict[str, ImportUses] = {}

    def keep(self, read: Mapping[str, ImportUses]) -> None:
        """Cache the uses of some files.

        A full cache is cleared first, and concurrent calls may lose entries.
        """
        if len(self.by_path) > _MAX_KNOWN_FILES:
            self.by_path = {}
        self.by_path.update(read)


def take_over_import_uses(later: GraphDatabase, earlier: GraphDatabase, besides: Collection[str]) -> None:
    """Reuse the import uses that were read from an earlier graph. The files `besides`, whose nodes or edges differ, are left
    out.
    """
    read = earlier.known(_KnownUses)
    if read is None:
        return
    others = {path: uses for path, uses in read.by_path.items() if path not in besides}

    def known(graph: GraphDatabase) -> _KnownUses:
        uses = _KnownUses(graph)
        uses.keep(others)
        return uses

    later.read_by(_KnownUses, known)


class ExternalCall(msgspec.Struct, frozen=True, gc=False):
    """A call from a symbol to a declaration outside of the repository."""

    id: str
    package: str
    name: str
    #: Line and column of the first site.
    line: int
    column: int
    #: Lines and columns of every site, in order.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


class ImportUses:
    """The uses of imported names in a file, by line."""

    def __init__(self, uses: Iterable[tuple[int, ImportUse]] = ()) -> None:
        """`uses` are pairs of a line and a use, in any order."""
        found = sorted(uses, key=itemgetter(0))
        self._lines = [line for line, _ in found]
        self._uses = [use for _, use in found]

    def between(self, first: int, last: int) -> Sequence[ImportUse]:
        """Return the uses on lines `first` to `last`, both inclusive."""
        return self._uses[bisect_left(self._lines, first) : bisect_right(self._lines, last)]


_DEPENDENCIES = "CALLS|WIRED|REFERENCES|EXTENDS|IMPLEMENTS|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE"
_AMONG = "offset(id(s)) IN $offsets"


def dependencies(table: SymbolTable, ids: Iterable[str]) -> list[SymbolEdge]:
    """Return the edges from some symbols to the symbols that they call, refer to, extend, implement or name in their types, by
    line.

    References from the keys of an object literal are left out, because the literal's type declares the keys.
    """
    statement = f"""
        MATCH (s:Symbol)-[e:{_DEPENDENCIES}]->(o:Symbol) WHERE {_AMONG}
        RETURN offset(id(s)), offset(id(o)), label(e), e.role, e.names, e.name, e.position, e.lines, e.columns, e.line"""
    rows = _rows_among(table, statement, ids)
    sources, targets = table.ids_at([row[0] for row in rows]), table.refs_at([row[1] for row in rows])
    edges = [_edge(id, target, row) for id, target, row in zip(sources, targets, rows, strict=True)]
    owners = table.enclosing(edge.target.id for edge in edges if edge.role == "write")
    return sorted((edge for edge in edges if not _is_key(edge, owners)), key=_source_order)


def _is_key(edge: SymbolEdge, owners: Mapping[str, Sequence[SymbolRef]]) -> bool:
    """Return whether an edge is a write to a member of a type.

    Nearly all such writes are keys in an object literal.
    """
    around = owners.get(edge.target.id, ()) if edge.role == "write" else ()
    return any(outer.kind in ("interface", "type") for outer in around)


def _source_order(edge: SymbolEdge) -> tuple[int, int, int, str, int]:
    return edge.line, edge.column, edge.position, edge.target.relative_path, edge.target.start_line


def _edge(id: str, target: SymbolRef, row: tuple[Any, ...]) -> SymbolEdge:
    _, _, label, role, names, parameter, position, lines, columns, line = row
    first, column = (lines[0], columns[0]) if lines else (line or 0, 0)
    return SymbolEdge(
        id, label, role or "", names or (), parameter or "", position or 0, first, column, target, lines or (), columns or ()
    )


def _rows_among(table: SymbolTable, statement: str, ids: Iterable[str]) -> list[tuple[Any, ...]]:
    offsets = table.offsets(ids)
    return table.graph.rows(statement, {"offsets": offsets}) if offsets else []


def import_uses(table: SymbolTable, paths: Iterable[str]) -> dict[str, ImportUses]:
    """Return the uses of imported names in some files, by path."""
    statement = """
        MATCH (s:Symbol)-[r:REFERENCES]->(i:Symbol) WHERE s.relativePath IN $paths AND r.role = 'binding'
        RETURN r.names[1], r.lines, offset(id(i))"""
    wanted = list(paths)
    # Uses are cached, because agents request the same files repeatedly.
    known = table.graph.once(_KnownUses)
    found = {path: uses for path in wanted if (uses := known.by_path.get(path)) is not None}
    rows = table.graph.rows(statement, {"paths": missing}) if (missing := [path for path in wanted if path not in found]) else []
    places = table.refs_at([row[2] for row in rows])
    # `const { a, b } = require("x")` declares symbols inside the symbol of the statement.
    around = table.enclosing(place.id for place in places if place.depth > 0)
    uses_of: dict[str, list[tuple[int, ImportUse]]] = {path: [] for path in missing}
    for (name, lines, _), place in zip(rows, places, strict=True):
        use = ImportUse(name, around[place.id][0] if place.id in around else place)
        uses_of[use.statement.relative_path] += [(line, use) for line in lines]
    new = {path: ImportUses(uses) for path, uses in uses_of.items()}
    known.keep(new)
    return found | new


def root_types(table: SymbolTable, paths: Iterable[str]) -> list[SymbolRef]:
    """Return the top-level types of some files. If a type and a value have the same name, edges lead to the value."""
    return [symbol for symbol in table.in_files(paths) if not symbol.depth and symbol.kind in ("type", "interface")]


def external_calls(table: SymbolTable, ids: Iterable[str]) -> list[ExternalCall]:
    """Return the calls from some symbols to declarations outside of the repository, by line."""
    statement = f"""
        MATCH (s:Symbol)-[e:CALLS_EXTERNAL]->(x:External) WHERE {_AMONG}
        RETURN offset(id(s)), x.package, x.name, e.lines, e.columns"""
    rows = _rows_among(table, statement, ids)
    sources = table.ids_at([row[0] for row in rows])
    calls = [
        ExternalCall(id, package, name, lines[0], columns[0], lines, columns)
        for id, (_, package, name, lines, columns) in zip(sources, rows, strict=True)
    ]
    return sorted(calls, key=lambda call: (call.line, call.column, call.package, call.name))


def referring_files(table: SymbolTable, ids: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths of the files that depend on each symbol, by id.

    The file of the symbol is included if it depends on the symbol.
    """
    offsets = table.offsets(ids)
    if not offsets:
        return {}
    statement = f"MATCH (o:Symbol)-[:{_DEPENDENCIES}]->(s:Symbol) WHERE {_AMONG} RETURN offset(id(s)), offset(id(o))"
    # A hub has tens of thousands of references, so the references are not converted to Python numbers.
    targets, sources = (column.to_numpy() for column in table.graph.columns(statement, {"offsets": offsets}).columns)
    referred = np.unique(targets)
    return {id: table.paths_at(sources[targets == target]) for id, target in zip(table.ids_at(referred), referred, strict=True)}


def exported_as(graph: GraphDatabase, name: str, path: str | None) -> list[str]:
    """Return the ids of the symbols that are exported under this name ("default" for a default export), by one file or by any
    file.
    """
    statement = """
        MATCH (f:File)-[e:EXPORTS]->(s:Symbol) WHERE e.name = $name AND ($path = '' OR f.relativePath = $path)
        RETURN DISTINCT s.id, s.relativePath, s.startLine ORDER BY s.relativePath, s.startLine"""
    return [row[0] for row in graph.rows(statement, {"name": name, "path": path or ""})]
