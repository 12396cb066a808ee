"""Other content for some files of a graph: rows that differ are replaced in one transaction, the rest is not touched.

What is written stays in the engine's log beside the graph file, which it reads when it opens the file. The log is never merged:
merging mixes up the lists of other edges where edges were replaced, and takes longer than all the rest. Nor does it hold more
than one transaction, or nodes that a scan removed: reading such a log, the engine loses edges of another node. So each change
is written on the graph file as it was loaded, with all changes since, and what a reader finds is counted before it is
published. Rows go in by `LOAD FROM` an Arrow table: many times faster than a list of parameters, and unlike COPY it does not
merge the log.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..schema import ddl
from ..schema.errors import IndexCorrupt, StoreError
from ..schema.records import GraphContent
from . import engine
from .arrow_tables import arrow_table
from .database import GraphDatabase
from .importance import Ranks, store_importance
from .load_plan import END, START, Load, plan_homes, plan_loads
from .loaded_rows import LoadedRows
from .row_changes import NUMBERS, edge_changes, node_changes
from .stored_part import (
    OF_FILES,
    Extent,
    Kind,
    Row,
    StoredPart,
    edge_kinds,
    key_of,
    node_columns,
    pattern,
    row_tuples,
)

if TYPE_CHECKING:
    import pyarrow

#: Nodes that are there because an edge leads to them.
SHARED_NODES = ("External", "Package", "DataFile", "UnresolvedName")
#: Where files hang: of an update, the content tells that of its own files alone.
_HOMES = (("CONTAINS", ("Repository", "File")), ("CONTAINS", ("Module", "File")))
#: Columns with the numbers of stored edges, and the edge of such a row: the engine finds it by them at once.
_NUMBERS = ("ofTable", "ofEdge")
_NUMBERED_EDGE = f"WITH internal_id({', '.join(_NUMBERS)}) AS edge"


class Part(NamedTuple):
    """Which part of the graph gets other content."""

    #: Nodes and nesting of these files are new.
    rewritten: Collection[str]
    removed: Collection[str]
    #: Edges from these files are new; those rewritten are among them.
    resolved: Collection[str]
    #: (path, module) of all files, in order, when files came or went or modules changed; else None.
    homes: Sequence[tuple[str, str | None]] | None

    @property
    def extent(self) -> Extent:
        """How far the part reaches."""
        nodes, edges = {*self.rewritten, *self.removed}, {*self.resolved, *self.removed}
        return Extent(tuple(sorted(nodes)), tuple(sorted(edges)), self.homes is not None)


class Written(NamedTuple):
    """What a change came to."""

    #: By how much the number of rows of each table changed.
    growth: dict[str, int]
    #: Tables in which a reader may find other rows than before.
    tables: frozenset[str]


class ChangingGraph:
    """A graph file as it was loaded, open for one change, which `replace` makes and commits. Close it in any case."""

    def __init__(self, graph_path: Path, known: LoadedRows, foreseen: Extent) -> None:
        """Reads already what is not `known` of the part that will probably change. Raises QueryFailed and IndexCorrupt."""
        self._database = engine.open_for_changes(graph_path)
        self._is_open = True
        self._known = known
        self._connection = engine.connect(self._database)
        try:
            engine.execute(self._connection, "BEGIN TRANSACTION", {}).close()
            known.part(self._read, foreseen)
        except BaseException:
            self.close()
            raise

    def replace(self, content: GraphContent, part: Part, ranking: Callable[[], tuple[Ranks, Ranks]]) -> Written:
        """Replaces a part by new content; `ranking` gives the new one. Raises StoreError, QueryFailed and IndexCorrupt."""
        change = _Change(self._connection, content, part, self._known.part(self._read, part.extent))
        change.run(lambda: store_importance(self._connection, *ranking()))
        return change.written()

    def _read(self, statement: str, parameters: dict[str, Any]) -> pyarrow.Table:
        return _columns(self._connection, statement, parameters)

    def close(self) -> None:
        """Closes the file, if it is open; what was not committed is forgotten."""
        if self._is_open:
            self._is_open = False
            engine.close(self._database, self._connection)


def check_counts(graph: GraphDatabase, counts: dict[str, int], tables: Iterable[str] | None = None) -> None:
    """Raises IndexCorrupt when a reader of the graph finds other numbers of rows, in all tables or in some."""
    for name in ddl.tables() if tables is None else tables:
        table = ddl.tables()[name]
        pattern = f"(n:{name})" if table.kind == "node" else f"()-[n:{name}]->()"
        [(found,)] = graph.rows(f"MATCH {pattern} RETURN count(*)")
        if found != counts.get(name, 0):
            raise IndexCorrupt(f"The graph file {graph.path} holds {found} rows of {name} instead of {counts.get(name, 0)}.")


class _Change:
    def __init__(self, connection: engine.Connection, content: GraphContent, part: Part, stored: StoredPart) -> None:
        self._connection = connection
        self._part = part
        self._stored = stored
        self._loads = loads_by_kind(content, part)
        #: Keys of shared nodes that lost an edge, by table.
        self._orphans: dict[str, set[Any]] = defaultdict(set)
        self._growth: Counter[str] = Counter()
        #: Tables of which a row was made, changed or removed.
        self._touched = {"File", "Symbol"}
        self._has_dropped = False

    def written(self) -> Written:
        """What was done. Where nodes were removed, the engine has been seen to lose edges of others."""
        return Written(dict(self._growth), frozenset(ddl.tables() if self._has_dropped else self._touched))

    def run(self, finish: Callable[[], None]) -> None:
        pending = [self._edges(kind, load) for kind, load in self._loads.items() if kind[1]]
        for table, old in self._stored.nodes.items():
            self._nodes(self._loads.get((table, ())), table, old)
        for table in SHARED_NODES:
            self._missing_nodes(self._loads.get((table, ())))
        for load in pending:
            if load.rows:
                self._create_edges(load)
        for table, keys in self._orphans.items():
            if keys:
                self._drop_orphans(table, sorted(keys))
        finish()
        self._execute("COMMIT")

    # ------------------------------------------------------------------ edges

    def _edges(self, kind: Kind, load: Load) -> Load:
        """Removes and sets edges until no more differ from those of the load than the ones that it gives: they are to be made."""
        old = self._stored.edges.get(kind, [])
        names = [START, END, *(prop.name for prop in load.table.properties)]
        new = _rows_of(load, names)
        changes = edge_changes(old, new)
        if changes.gone:
            self._drop_edges(kind, changes.gone, all_of_them=len(changes.gone) == len(old))
        for moved in changes.moved:
            self._set_edges(kind, _some(load, moved.places), [names[number] for number in moved.columns], moved.stored)
        end = kind[1][1]
        if end in SHARED_NODES:
            self._orphans[end] |= {row[1] for row in old} - {row[1] for row in new}
        return _some(load, changes.added)

    def _drop_edges(self, kind: Kind, rows: Sequence[Row], *, all_of_them: bool) -> None:
        match, parameters = pattern(kind, self._part.extent, "" if all_of_them else "id(r) = edge")
        if not all_of_them:
            match, parameters["rows"] = f"LOAD FROM $rows {_NUMBERED_EDGE} {match}", _numbers(rows)
        self._checked(f"{match} DELETE r RETURN count(*)", parameters, len(rows), kind[0])
        self._grow(kind[0], -len(rows))

    def _set_edges(self, kind: Kind, load: Load, names: list[str], stored: Sequence[Row]) -> None:
        rows, places = _numbered(load, names)
        for title, column in zip(_NUMBERS, _numbers(stored).columns, strict=True):
            rows = rows.append_column(title, column)
        values = ", ".join(f"r.{name} = {place}" for name, place in places.items())
        match, parameters = pattern(kind, self._part.extent, "id(r) = edge")
        statement = f"LOAD FROM $rows {_NUMBERED_EDGE}, {', '.join(places.values())} {match} SET {values} RETURN count(*)"
        self._checked(statement, {**parameters, "rows": rows}, load.rows, kind[0])
        self._touched.add(kind[0])

    def _create_edges(self, load: Load) -> None:
        start, end = (ddl.tables()[name] for name in load.ends)
        names = [prop.name for prop in load.table.properties]
        values = ", ".join(f"{name}: p{place}" for place, name in enumerate(names))
        rows = arrow_table(load).rename_columns(["start", "finish", *(f"p{place}" for place in range(len(names)))])
        self._checked(
            f"LOAD FROM $rows MATCH (a:{start.name}) WHERE a.{start.primary_key} = start "
            f"MATCH (b:{end.name}) WHERE b.{end.primary_key} = finish "
            f"CREATE (a)-[:{load.table.name} {{{values}}}]->(b) RETURN count(*)",
            {"rows": rows},
            load.rows,
            load.table.name,
        )
        self._grow(load.table.name, load.rows)

    def _checked(self, statement: str, parameters: dict[str, Any], rows: int, table: str) -> None:
        """Runs a statement that tells how many edges it wrote."""
        [(done,)] = self._rows(statement, parameters)
        if done != rows:
            raise StoreError(f"{rows - done} {table} edges, or nodes at their ends, do not exist.")

    # ------------------------------------------------------------------ nodes

    def _nodes(self, load: Load | None, table: str, old: dict[Any, Row]) -> None:
        """Makes nodes those of the load; the edges of those whose key stays are not touched."""
        names = node_columns(table)
        changes = node_changes(old, _rows_of(load, names) if load is not None else [])
        self._drop(table, [row[0] for row in changes.gone])
        if load is None:
            return
        if changes.added:
            self._create_nodes(_some(load, changes.added))
        for moved in changes.moved:
            self._set_nodes(_some(load, moved.places), [names[number] for number in moved.columns])

    def _missing_nodes(self, load: Load | None) -> None:
        if load is None:
            return
        key = key_of(load.table.name)
        known = {
            row[0]
            for row in self._rows(
                f"UNWIND $keys AS key MATCH (n:{load.table.name}) WHERE n.{key} = key RETURN n.{key}", {"keys": load.columns[key]}
            )
        }
        new = [place for place, name in enumerate(load.columns[key]) if name not in known]
        if new:
            self._create_nodes(_some(load, new))

    def _create_nodes(self, load: Load) -> None:
        rows, places = _numbered(load)
        values = ", ".join(f"{name}: {place}" for name, place in places.items())
        self._execute(f"LOAD FROM $rows CREATE (:{load.table.name} {{{values}}})", rows=rows)
        self._grow(load.table.name, load.rows)

    def _set_nodes(self, load: Load, names: list[str]) -> None:
        table, key = load.table.name, key_of(load.table.name)
        rows, places = _numbered(load, [key, *names])
        values = ", ".join(f"n.{name} = {places[name]}" for name in names)
        within, parameters = "", {"rows": rows}
        if table in OF_FILES:  # else the engine looks among all nodes
            within, parameters["paths"] = f" AND n.{OF_FILES[table]} IN $paths", list(self._part.extent.nodes)
        statement = f"LOAD FROM $rows MATCH (n:{table}) WHERE n.{key} = {places[key]}{within} SET {values}"
        self._execute(statement, **parameters)
        self._touched.add(table)

    def _drop_orphans(self, table: str, keys: list[Any]) -> None:
        key = key_of(table)
        used = {
            row[0]
            for row in self._rows(
                f"UNWIND $keys AS key MATCH ()-[]->(n:{table}) WHERE n.{key} = key RETURN DISTINCT n.{key}", {"keys": keys}
            )
        }
        self._drop(table, [name for name in keys if name not in used])

    def _drop(self, table: str, keys: list[Any]) -> None:
        """Removes nodes, all of whose edges are gone: one that is left is a fault of ours, and the engine says so."""
        if keys:
            key = key_of(table)
            self._execute(f"UNWIND $keys AS key MATCH (n:{table}) WHERE n.{key} = key DELETE n", keys=keys)
            self._grow(table, -len(keys))
            self._has_dropped = True

    def _grow(self, table: str, rows: int) -> None:
        self._growth[table] += rows
        self._touched.add(table)

    def _rows(self, statement: str, parameters: dict[str, Any]) -> list[Row]:
        return row_tuples(_columns(self._connection, statement, parameters).columns)

    def _execute(self, statement: str, **parameters: Any) -> None:
        engine.execute(self._connection, statement, parameters).close()


def _columns(connection: engine.Connection, statement: str, parameters: dict[str, Any]) -> pyarrow.Table:
    """What a statement gives, as columns."""
    result = engine.execute(connection, statement, parameters)
    try:
        return result.get_as_arrow(0)
    finally:
        result.close()


def loads_by_kind(content: GraphContent, part: Part) -> dict[Kind, Load]:
    """All loads by table and ends, for edges also those without rows: what is there in their place has to go."""
    loads: dict[Kind, Load] = {}
    for name, ends in edge_kinds(homes=part.homes is not None):
        table = ddl.tables()[name]
        columns: dict[str, list[Any]] = {START: [], END: [], **{prop.name: [] for prop in table.properties}}
        loads[name, ends] = Load(table, (ends[0], ends[1]), columns)
    planned = [load for load in plan_loads(content) if (load.table.name, load.ends) not in _HOMES]
    for load in [*planned, *(plan_homes(part.homes) if part.homes is not None else ())]:
        if not load.ends or (load.table.name, load.ends) in loads:
            loads[load.table.name, load.ends] = load
    return loads


def _rows_of(load: Load, names: Sequence[str]) -> list[Row]:
    columns: Iterable[Iterable[Any]] = (
        [tuple(value) if type(value) is list else value for value in load.columns[name]] for name in names
    )
    return list(zip(*columns, strict=True))


def _some(load: Load, places: Sequence[int]) -> Load:
    return Load(load.table, load.ends, {name: [column[place] for place in places] for name, column in load.columns.items()})


def _numbered(load: Load, names: Collection[str] | None = None) -> tuple[pyarrow.Table, dict[str, str]]:
    """Properties, or some of them, as an Arrow table under `p0`, `p1` ..., for names may be keywords; and these by name."""
    wanted = [prop.name for prop in load.table.properties] if names is None else names
    rows = arrow_table(load, wanted)
    places = {name: f"p{place}" for place, name in enumerate(rows.column_names)}
    return rows.rename_columns(list(places.values())), places


def _numbers(rows: Sequence[Row]) -> pyarrow.Table:
    """The numbers that the engine knows stored edges by."""
    import pyarrow

    pairs = zip(*(row[-NUMBERS:] for row in rows), strict=True)
    return pyarrow.Table.from_arrays([pyarrow.array(numbers, pyarrow.int64()) for numbers in pairs], names=list(_NUMBERS))
