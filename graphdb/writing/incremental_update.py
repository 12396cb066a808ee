"""Replace the content of some files in a graph: one transaction writes only the rows that differ.

The written rows stay in the engine's log beside the graph file; the engine reads the log when it opens the file. The log is never
merged: after edges were replaced, a merge damages the lists of other edges. A merge also takes longer than all other steps
together. If a log contains several transactions, or the removal of nodes that a scan found, the engine loses edges of other
nodes. So each change is applied to the loaded graph file, together with all earlier changes. Before a change is published, the
rows that a reader finds are counted. Rows are inserted by `LOAD FROM` an Arrow table. This is many times as fast as a list of
parameters and, unlike COPY, does not merge the log. Stored edges are found by the engine's internal ids, which stay valid as long
as the file exists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...schema import ddl
from ...schema.errors import IndexCorrupt, StoreError
from ...schema.graph_content import GraphContent
from .. import engine
from ..centrality.pagerank import Ranks, store_importance
from ..database import GraphDatabase
from .arrow_tables import arrow_table
from .base_rows import (
    OF_FILES,
    EdgeGroup,
    Extent,
    Kind,
    Row,
    StoredPart,
    edge_group_of,
    edge_kinds,
    key_of,
    node_columns,
    pattern,
    row_tuples,
)
from .load_plan import END, START, Load, plan_homes, plan_loads
from .row_cache import LoadedRows
from .row_diff import ENDS, NUMBERS, edge_changes, node_changes

if TYPE_CHECKING:
    import pyarrow

#: Tables of nodes that exist only while an edge ends at them.
SHARED_NODES = ("External", "Package", "DataFile", "UnresolvedName", "UnresolvedSpecifier")
#: Kinds of edges to files. The content of an update contains only the edges to its own files.
_HOMES = (("CONTAINS", ("Repository", "File")), ("CONTAINS", ("Module", "File")))
#: Columns with the internal ids of stored edges.
_NUMBERS = ("ofTable", "ofEdge")
#: The Cypher expression that finds an edge by its internal id.
_NUMBERED_EDGE = f"WITH internal_id({', '.join(_NUMBERS)}) AS edge"
#: With more tables than this number, one query counts the rows of all tables.
_MANY_TABLES = 12


class Part(NamedTuple):
    """The part of the graph that is replaced."""

    #: Files with new nodes and new nesting.
    rewritten: Collection[str]
    removed: Collection[str]
    #: Files with new edges, including the files with new nodes.
    resolved: Collection[str]
    #: (path, module) of all files, in order, if files were added or removed or if modules changed; otherwise None.
    homes: Sequence[tuple[str, str | None]] | None

    @property
    def extent(self) -> Extent:
        nodes, edges = {*self.rewritten, *self.removed}, {*self.resolved, *self.removed}
        return Extent(tuple(sorted(nodes)), tuple(sorted(edges)), self.homes is not None)


class Written(NamedTuple):
    """The result of a change."""

    #: Change of the number of rows, by table.
    growth: dict[str, int]
    #: Tables whose rows may differ from before.
    tables: frozenset[str]
    #: Files of the part whose edges differ from the edges in the graph file.
    files: frozenset[str]


class ChangingGraph:
    """A loaded graph file that is opened for one change.

    `replace` makes and commits the change, and the caller must close the file.
    """

    def __init__(self, graph_path: Path, known: LoadedRows) -> None:
        """Rows in `known` are not read again. Raises QueryFailed and IndexCorrupt."""
        self._database = engine.open_for_changes(graph_path)
        self._is_open = True
        self._known = known
        self._connection = engine.connect(self._database)
        try:
            engine.execute(self._connection, "BEGIN TRANSACTION", {}).close()
        except BaseException:
            self.close()
            raise

    def foresee(self, extent: Extent) -> None:
        """Read, before a change is known, the rows of a part that will probably change. Raises QueryFailed and IndexCorrupt."""
        self._known.part(self._read, extent)

    def replace(
        self, content: GraphContent, part: Part, home: Callable[[str], str], ranking: Callable[[], tuple[Ranks, Ranks]]
    ) -> Written:
        """Replace a part by new content, and store the new ranking. Raises StoreError, QueryFailed and IndexCorrupt.

        `home` returns the path of a symbol of the graph file.
        """
        change = _Change(self._connection, content, part, self._known.part(self._read, part.extent))
        change.run(lambda: store_importance(self._connection, *ranking()))
        own = {symbol.id: symbol.relative_path for symbol in content.symbols}
        return change.written(lambda symbol_id: own.get(symbol_id) or home(symbol_id))

    def _read(self, statement: str, parameters: dict[str, Any]) -> pyarrow.Table:
        return _columns(self._connection, statement, parameters)

    def close(self) -> None:
        """Close the file if it is open, and discard uncommitted changes."""
        if self._is_open:
            self._is_open = False
            engine.close(self._database, self._connection)


def check_counts(graph: GraphDatabase, counts: dict[str, int], tables: Collection[str]) -> None:
    """Raise IndexCorrupt if a reader of the graph finds a number of rows that differs from `counts` in one of the tables."""
    found = _counts(graph) if len(tables) > _MANY_TABLES else {name: _count(graph, name) for name in tables}
    for name in tables:
        if found.get(name, 0) != counts.get(name, 0):
            message = f"The graph file {graph.path} holds {found.get(name, 0)} rows of {name} instead of {counts.get(name, 0)}."
            raise IndexCorrupt(message)


def _counts(graph: GraphDatabase) -> dict[str, int]:
    """Return the number of rows of all non-empty tables. One query takes half the time of a query per table."""
    return dict(row for pattern in ("(n)", "()-[n]->()") for row in graph.rows(f"MATCH {pattern} RETURN label(n), count(*)"))


def _count(graph: GraphDatabase, name: str) -> int:
    pattern = f"(n:{name})" if ddl.tables()[name].kind == "node" else f"()-[n:{name}]->()"
    [(found,)] = graph.rows(f"MATCH {pattern} RETURN count(*)")
    return int(found)


class _Change:
    def __init__(self, connection: engine.Connection, content: GraphContent, part: Part, stored: StoredPart) -> None:
        self._connection = connection
        self._part = part
        self._stored = stored
        self._loads = loads_by_kind(content, part)
        self._edges = {
            kind: edge_changes(stored.edges.get(kind, ()), _edge_rows(load)) for kind, load in self._loads.items() if kind[1]
        }
        self._growth: Counter[str] = Counter()
        #: Tables with rows that were inserted, changed or removed.
        self._touched = {"File", "Symbol"}
        self._has_dropped = False

    def written(self, home: Callable[[str], str]) -> Written:
        """Return the changed tables and files; `home` returns the path of a symbol.

        If nodes were removed, these are all tables, because the engine then sometimes loses edges of other nodes.
        """
        tables = frozenset(ddl.tables() if self._has_dropped else self._touched)
        return Written(dict(self._growth), tables, self._changed_files(home))

    def _changed_files(self, home: Callable[[str], str]) -> frozenset[str]:
        """Return the files with edges that were removed, inserted or changed."""
        found: set[str] = set()
        for kind, changes in self._edges.items():
            group = edge_group_of(kind, self._part.extent)
            if group.paths is None:
                continue
            place, column = (1, END) if group.by_end else (0, START)
            keys = {row[place] for row in (*changes.gone, *(row for moved in changes.moved for row in moved.stored))}
            keys.update(self._loads[kind].columns[column][position] for position in changes.added)
            found.update(keys if kind[1][place] == "File" else map(home, keys))
        return frozenset(found)

    def run(self, finish: Callable[[], None]) -> None:
        self._drop_edges()
        self._set_edges()
        for table, old in self._stored.nodes.items():
            self._nodes(self._loads.get((table, ())), table, old)
        pending = {kind: _rows_at(self._loads[kind], changes.added) for kind, changes in self._edges.items() if changes.added}
        for table in SHARED_NODES:
            if shared := self._loads.get((table, ())):
                self._missing_nodes(
                    shared, {end for kind in pending if kind[1][1] == table for end in pending[kind].columns[END]}
                )
        for load in pending.values():
            self._create_edges(load)
        for table in SHARED_NODES:
            if lost := {row[1] for kind, changes in self._edges.items() if kind[1][1] == table for row in changes.gone}:
                self._drop_orphans(table, sorted(lost))
        finish()
        self._execute("COMMIT")

    # ------------------------------------------------------------------ edges

    def _drop_edges(self) -> None:
        """Remove outdated edges, with one query for each group of edges."""
        gone: dict[EdgeGroup, dict[Kind, list[Row]]] = defaultdict(dict)
        for kind, changes in self._edges.items():
            if changes.gone:
                gone[edge_group_of(kind, self._part.extent)][kind] = changes.gone
        for group, found in gone.items():
            tables = {kind[0] for kind in found}
            match, parameters = pattern(group, tables, "id(r) = edge")
            rows = [row for rows in found.values() for row in rows]
            statement = f"LOAD FROM $rows {_NUMBERED_EDGE} {match} DELETE r RETURN count(*)"
            self._checked(statement, {**parameters, "rows": _numbers(rows)}, len(rows), tables)
            for kind, of_kind in found.items():
                self._grow(kind[0], -len(of_kind))

    def _set_edges(self) -> None:
        """Set the properties that differ. One query updates all tables of a group whose properties have the same types."""
        import pyarrow

        moved: dict[tuple[EdgeGroup, tuple[tuple[str, str], ...]], list[tuple[str, pyarrow.Table]]] = defaultdict(list)
        for kind, changes in self._edges.items():
            load, edge_group = self._loads[kind], edge_group_of(kind, self._part.extent)
            for group in changes.moved:
                properties = [load.table.properties[number - ENDS] for number in group.columns]
                rows = _numbered(_rows_at(load, group.positions), [prop.name for prop in properties])
                for title, column in zip(_NUMBERS, _numbers(group.stored).columns, strict=True):
                    rows = rows.append_column(title, column)
                moved[edge_group, tuple((prop.name, prop.type) for prop in properties)].append((kind[0], rows))
        for (edge_group, typed), parts in moved.items():
            tables, rows = {table for table, _ in parts}, pyarrow.concat_tables([rows for _, rows in parts])
            names = [f"p{number}" for number in range(len(typed))]
            values = ", ".join(f"r.{name} = {new}" for (name, _), new in zip(typed, names, strict=True))
            match, parameters = pattern(edge_group, tables, "id(r) = edge")
            statement = f"LOAD FROM $rows {_NUMBERED_EDGE}, {', '.join(names)} {match} SET {values} RETURN count(*)"
            self._checked(statement, {**parameters, "rows": rows}, rows.num_rows, tables)
            self._touched |= tables

    def _create_edges(self, load: Load) -> None:
        start, end = (ddl.tables()[name] for name in load.ends)
        names = [prop.name for prop in load.table.properties]
        values = ", ".join(f"{name}: p{position}" for position, name in enumerate(names))
        rows = arrow_table(load).rename_columns(["start", "finish", *(f"p{position}" for position in range(len(names)))])
        self._checked(
            f"LOAD FROM $rows MATCH (a:{start.name}) WHERE a.{start.primary_key} = start "
            f"MATCH (b:{end.name}) WHERE b.{end.primary_key} = finish "
            f"CREATE (a)-[:{load.table.name} {{{values}}}]->(b) RETURN count(*)",
            {"rows": rows},
            load.rows,
            {load.table.name},
        )
        self._grow(load.table.name, load.rows)

    def _checked(self, statement: str, parameters: dict[str, Any], rows: int, tables: Iterable[str]) -> None:
        """Run a statement that returns the number of edges it wrote. Raises StoreError if it is not `rows`."""
        [(done,)] = self._rows(statement, parameters)
        if done != rows:
            raise StoreError(f"{rows - done} edges of {', '.join(sorted(tables))}, or nodes at their ends, do not exist.")

    # ------------------------------------------------------------------ nodes

    def _nodes(self, load: Load | None, table: str, old: dict[Any, Row]) -> None:
        """Replace the nodes of a table by the nodes of the load. If the key of a node stays, its edges are not changed."""
        names = node_columns(table)
        changes = node_changes(old, _rows_of(load, names) if load is not None else [])
        self._drop(table, [row[0] for row in changes.gone])
        if load is None:
            return
        if changes.added:
            self._create_nodes(_rows_at(load, changes.added))
        for moved in changes.moved:
            self._set_nodes(_rows_at(load, moved.positions), [names[number] for number in moved.columns])

    def _missing_nodes(self, load: Load, wanted: Collection[Any]) -> None:
        """Create the nodes of a load that do not exist yet and at which new edges end."""
        if not wanted:
            return
        table, key = load.table.name, key_of(load.table.name)
        statement = f"UNWIND $keys AS key MATCH (n:{table}) WHERE n.{key} = key RETURN n.{key}"
        known = {row[0] for row in self._rows(statement, {"keys": sorted(wanted)})}
        new = [position for position, name in enumerate(load.columns[key]) if name in wanted and name not in known]
        if new:
            self._create_nodes(_rows_at(load, new))

    def _create_nodes(self, load: Load) -> None:
        names = [prop.name for prop in load.table.properties]
        values = ", ".join(f"{name}: p{position}" for position, name in enumerate(names))
        self._execute(f"LOAD FROM $rows CREATE (:{load.table.name} {{{values}}})", rows=_numbered(load, names))
        self._grow(load.table.name, load.rows)

    def _set_nodes(self, load: Load, names: list[str]) -> None:
        table, key = load.table.name, key_of(load.table.name)
        values = ", ".join(f"n.{name} = p{position}" for position, name in enumerate(names, 1))
        within, parameters = "", {"rows": _numbered(load, [key, *names])}
        if table in OF_FILES:  # without a label, the engine searches all nodes
            within, parameters["paths"] = f" AND n.{OF_FILES[table]} IN $paths", list(self._part.extent.nodes)
        self._execute(f"LOAD FROM $rows MATCH (n:{table}) WHERE n.{key} = p0{within} SET {values}", **parameters)
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
        """Remove nodes without edges.

        If a node still has an edge, which is a defect of this module, the engine reports an error.
        """
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
    """Return the result of a statement as columns."""
    result = engine.execute(connection, statement, parameters)
    try:
        return result.get_as_arrow(0)
    finally:
        result.close()


def loads_by_kind(content: GraphContent, part: Part) -> dict[Kind, Load]:
    """Return the loads by table and ends. Kinds of edges without new rows have empty loads, so that old rows are removed."""
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


def _edge_rows(load: Load) -> list[Row]:
    return _rows_of(load, [START, END, *(prop.name for prop in load.table.properties)])


def _rows_at(load: Load, positions: Sequence[int]) -> Load:
    return Load(load.table, load.ends, {name: [column[each] for each in positions] for name, column in load.columns.items()})


def _numbered(load: Load, names: Sequence[str]) -> pyarrow.Table:
    """Return some properties as columns `p0`, `p1` ..., because their names may be keywords."""
    return arrow_table(load, names).select(list(names)).rename_columns([f"p{position}" for position in range(len(names))])


def _numbers(rows: Sequence[Row]) -> pyarrow.Table:
    """Return the internal ids of stored edges as columns."""
    import pyarrow

    pairs = zip(*(row[-NUMBERS:] for row in rows), strict=True)
    return pyarrow.Table.from_arrays([pyarrow.array(numbers, pyarrow.int64()) for numbers in pairs], names=list(_NUMBERS))
