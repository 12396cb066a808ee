"""What lies around the symbols of an answer, in a handful of queries whatever their number.

The symbols of an answer and all that is nested in them may be hundreds. Queries name them by the offsets of their nodes, and
return offsets: the table of symbols knows what is there, and each text of a symbol would cost a scan over all.
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

#: Files whose uses of imports are kept.
_MAX_KNOWN_FILES = 500
#: Deepest nesting that is followed; recursion in the engine needs a bound.
MAX_NESTING_DEPTH = 30


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
    target: SymbolRef
    #: Of every use, in order; empty where the edge has none.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


class ImportUse(msgspec.Struct, frozen=True, gc=False):
    """A use of what an import statement, or the statement of a `require`, of the same file binds."""

    #: The local name that is used.
    name: str
    statement: SymbolRef


class _KnownUses:
    """By path, the uses that were read of some files of one graph."""

    def __init__(self, graph: GraphDatabase) -> None:
        """Nothing is read of the graph yet."""
        self.by_path: dict[str, ImportUses] = {}

    def keep(self, read: Mapping[str, ImportUses]) -> None:
        """Keeps the uses of a few hundred files. Threads that meet here lose an entry at most."""
        if len(self.by_path) > _MAX_KNOWN_FILES:
            self.by_path = {}
        self.by_path.update(read)


def take_over_import_uses(later: GraphDatabase, earlier: GraphDatabase, besides: Collection[str]) -> None:
    """Has a graph know the uses of imports that were read of an earlier one, but in files with other nodes or edges."""
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


class ImportUses:
    """Where what a file brings from elsewhere is used in it."""

    def __init__(self, uses: Iterable[tuple[int, ImportUse]] = ()) -> None:
        """Uses with their lines, in any order."""
        found = sorted(uses, key=itemgetter(0))
        self._lines = [line for line, _ in found]
        self._uses = [use for _, use in found]

    def between(self, first: int, last: int) -> Sequence[ImportUse]:
        """The uses on lines `first` to `last`, both included."""
        return self._uses[bisect_left(self._lines, first) : bisect_right(self._lines, last)]


_DEPENDENCIES = "CALLS|REFERENCES|EXTENDS|IMPLEMENTS|PARAM_TYPE|RETURN_TYPE|FIELD_TYPE"
_AMONG = "offset(id(s)) IN $offsets"


def dependencies(table: SymbolTable, ids: Iterable[str]) -> list[SymbolEdge]:
    """Edges to the symbols that some symbols call, refer to, extend, implement or name in their types, by line.

    What the keys of a literal stand for is left out: it is told by the type of the literal.
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
    """Whether a member of a type is written: nearly always by a literal of that type."""
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
    """By path, where the statements of some files that bring something from elsewhere are used in them."""
    statement = """
        MATCH (s:Symbol)-[r:REFERENCES]->(i:Symbol) WHERE s.relativePath IN $paths AND r.role = 'binding'
        RETURN r.names[1], r.lines, offset(id(i))"""
    wanted = list(paths)
    # Agents ask about the same files again and again.
    known = table.graph.once(_KnownUses)
    found = {path: uses for path in wanted if (uses := known.by_path.get(path)) is not None}
    rows = table.graph.rows(statement, {"paths": missing}) if (missing := [path for path in wanted if path not in found]) else []
    places = table.refs_at([row[2] for row in rows])
    # `const { a, b } = require("x")` declares symbols within that of the statement.
    around = table.enclosing(place.id for place in places if place.depth > 0)
    uses_of: dict[str, list[tuple[int, ImportUse]]] = {path: [] for path in missing}
    for (name, lines, _), place in zip(rows, places, strict=True):
        use = ImportUse(name, around[place.id][0] if place.id in around else place)
        uses_of[use.statement.relative_path] += [(line, use) for line in lines]
    new = {path: ImportUses(uses) for path, uses in uses_of.items()}
    known.keep(new)
    return found | new


def root_types(table: SymbolTable, paths: Iterable[str]) -> list[SymbolRef]:
    """The types at the root of some files: they may share their names with values, which edges prefer."""
    return [symbol for symbol in table.in_files(paths) if not symbol.depth and symbol.kind in ("type", "interface")]


def external_calls(table: SymbolTable, ids: Iterable[str]) -> list[ExternalCall]:
    """What some symbols call outside the repository, by line."""
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
    """Paths of the files that call, refer to, extend, implement or name in types each symbol; its own when it does."""
    offsets = table.offsets(ids)
    if not offsets:
        return {}
    statement = f"MATCH (o:Symbol)-[:{_DEPENDENCIES}]->(s:Symbol) WHERE {_AMONG} RETURN offset(id(s)), offset(id(o))"
    # A hub has tens of thousands of references, which need not become Python's numbers.
    targets, sources = (column.to_numpy() for column in table.graph.columns(statement, {"offsets": offsets}).columns)
    referred = np.unique(targets)
    return {id: table.paths_at(sources[targets == target]) for id, target in zip(table.ids_at(referred), referred, strict=True)}


def exported_as(graph: GraphDatabase, name: str, path: str | None) -> list[str]:
    """Ids of the symbols that files offer under this name ("default" for a default export), of one file or of any."""
    statement = """
        MATCH (f:File)-[e:EXPORTS]->(s:Symbol) WHERE e.name = $name AND ($path = '' OR f.relativePath = $path)
        RETURN DISTINCT s.id, s.relativePath, s.startLine ORDER BY s.relativePath, s.startLine"""
    return [row[0] for row in graph.rows(statement, {"name": name, "path": path or ""})]
