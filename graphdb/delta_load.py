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
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..schema import ddl
from ..schema.errors import IndexCorrupt, StoreError
from ..schema.records import GraphContent
from . import engine
from .arrow_tables import arrow_table
from .importance import Ranking, rank, store_importance
from .load_plan import END, START, Load, plan_homes, plan_loads

if TYPE_CHECKING:
    import pyarrow

#: Nodes that are there because an edge leads to them.
SHARED_NODES = ("External", "Package", "UnresolvedName")
#: Nodes that belong to a file, and the property that names it.
_OF_FILES = {"File": "relativePath", "Symbol": "relativePath"}
#: Where files hang: of an update, the content tells that of its own files alone.
_HOMES = (("CONTAINS", ("Repository", "File")), ("CONTAINS", ("Module", "File")))
#: Edges that belong to the file at their end.
_BY_END = frozenset(("PASSED_IN",))
#: Follows from all edges, and is computed when they are there.
_DERIVED = "importance"

Row = tuple[Any, ...]


class Part(NamedTuple):
    """Which part of the graph gets other content."""

    #: Nodes and nesting of these files are new.
    rewritten: Collection[str]
    removed: Collection[str]
    #: Edges from these files are new; those rewritten are among them.
    resolved: Collection[str]
    #: (path, module) of all files, in order, when files came or went or modules changed; else None.
    homes: Sequence[tuple[str, str | None]] | None


class _Asked(NamedTuple):
    """Where edges are looked for."""

    #: Kind of the node that they begin at.
    start: str
    #: Whether they belong to the file of the node that they end at.
    by_end: bool
    #: The files that they belong to; empty where they belong to none.
    paths: tuple[str, ...]


def replace_part(graph_path: Path, content: GraphContent, part: Part, stored: Ranking) -> dict[str, int]:
    """Replaces a part of a graph, whose ranking is given, by new content; by how much the number of rows of each table changed.

    Raises StoreError, and IndexCorrupt when the graph cannot be read.
    """
    ranking = rank(stored.uses.updated(content, {*part.rewritten, *part.removed}, {*part.resolved, *part.removed}))
    database = engine.open_for_changes(graph_path)
    connection = engine.connect(database)
    try:
        change = _Change(connection, content, part)
        change.run(lambda: store_importance(connection, ranking, stored))
    finally:
        engine.close(database, connection)
    return dict(change.growth)


def check_counts(graph_path: Path, counts: dict[str, int]) -> None:
    """Raises IndexCorrupt when a reader of the graph finds other numbers of rows."""
    database = engine.open_read_only(graph_path)
    connection = engine.connect(database)
    try:
        for name, table in ddl.tables().items():
            pattern = f"(n:{name})" if table.kind == "node" else f"()-[n:{name}]->()"
            result = engine.execute(connection, f"MATCH {pattern} RETURN count(*)", {})
            [found] = result.get_next()
            result.close()
            if found != counts.get(name, 0):
                raise IndexCorrupt(f"The graph file {graph_path} holds {found} rows of {name} instead of {counts.get(name, 0)}.")
    finally:
        engine.close(database, connection)


class _Change:
    def __init__(self, connection: engine.Connection, content: GraphContent, part: Part) -> None:
        self._connection = connection
        self._part = part
        self._gone = sorted({*part.rewritten, *part.removed})
        self._resolved = sorted({*part.resolved, *part.removed})
        self._loads = _by_ends(content, part)
        #: Keys of shared nodes that lost an edge, by table.
        self._orphans: dict[str, set[Any]] = defaultdict(set)
        self.growth: Counter[str] = Counter()

    def run(self, finish: Callable[[], None]) -> None:
        self._execute("BEGIN TRANSACTION")
        old = self._old_edges()
        pending = [(load, self._cleared(load, old[load.table.name, load.ends])) for load in self._loads.values() if load.ends]
        for table in ("Repository", "Module"):
            if self._part.homes is not None or table == "Repository":
                self._nodes(self._loads.get((table, ())), table, "")
        for table, owner in _OF_FILES.items():
            self._nodes(self._loads.get((table, ())), table, f"n.{owner} IN $paths")
        for table in SHARED_NODES:
            self._missing_nodes(self._loads.get((table, ())))
        for load, needed in pending:
            if needed:
                self._create_edges(load)
        for table, keys in self._orphans.items():
            self._drop_orphans(table, sorted(keys))
        finish()
        self._execute("COMMIT")

    # ------------------------------------------------------------------ edges

    def _old_edges(self) -> dict[tuple[str, tuple[str, ...]], list[Row]]:
        """The edges in whose place the loads come, by table and ends: keys of both ends, then properties.

        All tables whose edges begin at one kind of node are asked for together: by themselves they take five times as long.
        """
        asked: dict[_Asked, list[Load]] = defaultdict(list)
        for load in self._loads.values():
            if load.ends:
                asked[self._asked(load)].append(load)
        found: dict[tuple[str, tuple[str, ...]], list[Row]] = defaultdict(list)
        for place, loads in asked.items():
            tables = {load.table.name: load.table for load in loads}
            keys = sorted({_key_of(load.ends[-1]) for load in loads})
            names = sorted({prop.name for table in tables.values() for prop in table.properties})
            columns = ["label(r)", "label(b)", f"a.{_key_of(place.start)}", *(f"b.{name}" for name in keys)]
            columns += [f"r.{name}" for name in names]
            match, parameters = self._matching(place, tables, "")
            rows = self._columns(f"{match} RETURN {', '.join(columns)}", parameters).combine_chunks()
            at = {name: number for number, name in enumerate(names, 3 + len(keys))}
            for kind, end, own in _by_labels(rows):
                wanted = [2, 3 + keys.index(_key_of(end)), *(at[prop.name] for prop in tables[kind].properties)]
                found[kind, (place.start, end)] = _tuples([rows.column(number).take(own) for number in wanted])
        return found

    def _asked(self, load: Load) -> _Asked:
        start, end = load.ends or ("", "")
        by_end = load.table.name in _BY_END
        if (end if by_end else start) not in _OF_FILES:
            return _Asked(start, by_end, ())
        return _Asked(start, by_end, tuple(self._gone if load.table.name == "CONTAINS" else self._resolved))

    def _matching(self, place: _Asked, tables: Iterable[str], end: str) -> tuple[str, dict[str, Any]]:
        """The pattern of the edges of some tables in a place, with its parameters."""
        match = f"MATCH (a:{place.start})-[r:{'|'.join(tables)}]->(b{f':{end}' if end else ''})"
        owner = end or "Symbol" if place.by_end else place.start
        if owner not in _OF_FILES:
            return match, {}
        return f"{match} WHERE {'b' if place.by_end else 'a'}.{_OF_FILES[owner]} IN $paths", {"paths": list(place.paths)}

    def _cleared(self, load: Load, old: list[Row]) -> bool:
        """Removes the old edges whose place a load takes, unless they are the same; whether the load is to be written."""
        new = _rows_of(load, [START, END, *(prop.name for prop in load.table.properties)])
        if Counter(old) == Counter(new):
            return False
        end = (load.ends or ("", ""))[1]
        if old:
            match, parameters = self._matching(self._asked(load), [load.table.name], end)
            self._execute(f"{match} DELETE r", **parameters)
            self.growth[load.table.name] -= len(old)
        if end in SHARED_NODES:
            self._orphans[end] |= {row[1] for row in old} - {row[1] for row in new}
        return bool(new)

    def _create_edges(self, load: Load) -> None:
        start, end = (ddl.tables()[name] for name in load.ends)
        names = [prop.name for prop in load.table.properties]
        values = ", ".join(f"{name}: p{place}" for place, name in enumerate(names))
        rows = arrow_table(load).rename_columns(["start", "finish", *(f"p{place}" for place in range(len(names)))])
        [(made,)] = self._rows(
            f"LOAD FROM $rows MATCH (a:{start.name}) WHERE a.{start.primary_key} = start "
            f"MATCH (b:{end.name}) WHERE b.{end.primary_key} = finish "
            f"CREATE (a)-[:{load.table.name} {{{values}}}]->(b) RETURN count(*)",
            {"rows": rows},
        )
        if made != load.rows:
            raise StoreError(f"{load.rows - made} {load.table.name} edges have an end that does not exist.")
        self.growth[load.table.name] += load.rows

    # ------------------------------------------------------------------ nodes

    def _nodes(self, load: Load | None, table: str, condition: str) -> None:
        """Makes the nodes under a condition those of the load, whose edges stay as they are where the key stays."""
        key = ddl.tables()[table].primary_key
        assert key is not None
        names = [key, *(prop.name for prop in ddl.tables()[table].properties if prop.name not in (key, _DERIVED))]
        where = f" WHERE {condition}" if condition else ""
        parameters: dict[str, Any] = {"paths": self._gone} if condition else {}
        columns = ", ".join(f"n.{name}" for name in names)
        old = {row[0]: row for row in self._rows(f"MATCH (n:{table}){where} RETURN {columns}", parameters)}
        new = {row[0]: row for row in _rows_of(load, names)} if load is not None else {}
        self._drop(table, [name for name in old if name not in new])
        if load is None:
            return
        added = [place for place, name in enumerate(load.columns[key]) if name not in old]
        changed = [place for place, name in enumerate(load.columns[key]) if name in old and old[name] != new[name]]
        if added:
            self._create_nodes(_some(load, added))
        if changed:
            self._set_nodes(_some(load, changed))

    def _missing_nodes(self, load: Load | None) -> None:
        if load is None:
            return
        key = load.table.primary_key
        assert key is not None
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
        names, rows = _numbered(load)
        values = ", ".join(f"{name}: p{place}" for place, name in enumerate(names))
        self._execute(f"LOAD FROM $rows CREATE (:{load.table.name} {{{values}}})", rows=rows)
        self.growth[load.table.name] += load.rows

    def _set_nodes(self, load: Load) -> None:
        names, rows = _numbered(load)
        key = load.table.primary_key
        places = {name: f"p{place}" for place, name in enumerate(names)}
        values = ", ".join(f"n.{name} = {place}" for name, place in places.items() if name not in (key, _DERIVED))
        self._execute(f"LOAD FROM $rows MATCH (n:{load.table.name}) WHERE n.{key} = {places[str(key)]} SET {values}", rows=rows)

    def _drop_orphans(self, table: str, keys: list[Any]) -> None:
        key = ddl.tables()[table].primary_key
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
            key = ddl.tables()[table].primary_key
            self._execute(f"UNWIND $keys AS key MATCH (n:{table}) WHERE n.{key} = key DELETE n", keys=keys)
            self.growth[table] -= len(keys)

    def _rows(self, statement: str, parameters: dict[str, Any]) -> list[Row]:
        return _tuples(self._columns(statement, parameters).columns)

    def _columns(self, statement: str, parameters: dict[str, Any]) -> pyarrow.Table:
        result = engine.execute(self._connection, statement, parameters)
        try:
            return result.get_as_arrow(0)
        finally:
            result.close()

    def _execute(self, statement: str, **parameters: Any) -> None:
        engine.execute(self._connection, statement, parameters).close()


def _by_ends(content: GraphContent, part: Part) -> dict[tuple[str, tuple[str, ...]], Load]:
    """All loads by table and ends, also those without rows: what is there in their place has to go."""
    loads: dict[tuple[str, tuple[str, ...]], Load] = {}
    for table in ddl.tables().values():
        for ends in table.connections:
            if part.homes is None and ends[0] in ("Repository", "Module"):
                continue
            columns: dict[str, list[Any]] = {START: [], END: [], **{prop.name: [] for prop in table.properties}}
            loads[(table.name, ends)] = Load(table, ends, columns)
    planned = [load for load in plan_loads(content) if (load.table.name, load.ends) not in _HOMES]
    for load in [*planned, *(plan_homes(part.homes) if part.homes is not None else ())]:
        if not load.ends or (load.table.name, load.ends) in loads:
            loads[(load.table.name, load.ends)] = load
    return loads


def _key_of(table: str) -> str:
    key = ddl.tables()[table].primary_key
    assert key is not None
    return key


def _by_labels(rows: pyarrow.Table) -> Iterator[tuple[str, str, Any]]:
    """The pairs of labels in the first two columns, each with the places of its rows."""
    import numpy as np

    if not rows.num_rows:
        return
    codes, names = [], []
    for number in (0, 1):
        labels = rows.column(number).combine_chunks().dictionary_encode()
        codes.append(labels.indices.to_numpy(zero_copy_only=False).astype(np.int64))
        names.append(labels.dictionary.to_pylist())
    both = codes[0] * len(names[1]) + codes[1]
    for pair in np.unique(both).tolist():
        yield names[0][pair // len(names[1])], names[1][pair % len(names[1])], np.flatnonzero(both == pair)


def _tuples(columns: Iterable[Any]) -> list[Row]:
    """The rows of Arrow columns, lists in them as tuples."""
    values = [column.to_pylist() for column in columns]
    return list(zip(*([tuple(v) if type(v) is list else v for v in column] for column in values), strict=True))


def _rows_of(load: Load, names: Sequence[str]) -> list[Row]:
    columns: Iterable[Iterable[Any]] = (
        [tuple(value) if type(value) is list else value for value in load.columns[name]] for name in names
    )
    return list(zip(*columns, strict=True))


def _some(load: Load, places: Sequence[int]) -> Load:
    return Load(load.table, load.ends, {name: [column[place] for place in places] for name, column in load.columns.items()})


def _numbered(load: Load) -> tuple[list[str], Any]:
    """The names of the properties, and their columns as an Arrow table under `p0`, `p1` ..., for names may be keywords."""
    rows = arrow_table(load)
    return list(rows.column_names), rows.rename_columns([f"p{place}" for place in range(rows.num_columns)])
