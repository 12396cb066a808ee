"""What a graph holds of some files, before other content takes its place: nodes and edges of all tables, in few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..schema import ddl
from . import engine

if TYPE_CHECKING:
    import pyarrow

#: Nodes that belong to a file, and the property that names it.
OF_FILES = {"File": "relativePath", "Symbol": "relativePath"}
#: Follows from all edges, and is computed when they are there.
DERIVED = "importance"
#: Edges that belong to the file at their end.
_BY_END = frozenset(("PASSED_IN",))
#: Edges that belong to the nodes of a file, however its names are resolved.
_NESTING = "CONTAINS"
#: Nodes that belong to no file.
_OF_NO_FILE = ("Repository", "Module")

Row = tuple[Any, ...]
#: A table of edges, and the kinds of nodes at their ends.
Kind = tuple[str, tuple[str, ...]]


class Extent(NamedTuple):
    """How far a part reaches."""

    #: Files whose nodes it holds, sorted.
    nodes: tuple[str, ...]
    #: Files whose edges it holds, sorted; the others are among them.
    edges: tuple[str, ...]
    #: Whether it holds modules, and where all files hang.
    homes: bool


class StoredPart(NamedTuple):
    """The rows of a part."""

    #: By table and key: key and properties, without what is derived.
    nodes: dict[str, dict[Any, Row]]
    #: By kind: keys of both ends, and properties.
    edges: dict[Kind, list[Row]]


class Place(NamedTuple):
    """Where edges are looked for."""

    #: Kind of the node that they begin at.
    start: str
    #: Whether they belong to the file of the node that they end at.
    by_end: bool
    #: The files that they belong to; None where they belong to none.
    paths: tuple[str, ...] | None


def edge_kinds(*, homes: bool) -> list[Kind]:
    """The kinds of edges in a part."""
    kinds = [(table.name, ends) for table in ddl.tables().values() for ends in table.connections]
    return [(name, ends) for name, ends in kinds if homes or ends[0] not in _OF_NO_FILE]


def node_columns(table: str) -> list[str]:
    """The key of a table of nodes, and its properties but those that are derived."""
    key = key_of(table)
    return [key, *(prop.name for prop in ddl.tables()[table].properties if prop.name not in (key, DERIVED))]


def key_of(table: str) -> str:
    """The primary key of a table of nodes."""
    key = ddl.tables()[table].primary_key
    assert key is not None
    return key


def pattern(kind: Kind, extent: Extent) -> tuple[str, dict[str, Any]]:
    """A Cypher pattern of the edges of a kind in a part, `(a)-[r]->(b)`, with its parameters."""
    return _matching(place_of(kind, extent), [kind[0]], kind[1][1])


def read_stored(connection: engine.Connection, extent: Extent) -> StoredPart:
    """The rows of a part. Raises QueryFailed and IndexCorrupt.

    All tables whose edges begin at one kind of node are asked for together: by themselves they take five times as long.
    """
    asked: dict[Place, list[Kind]] = defaultdict(list)
    for kind in edge_kinds(homes=extent.homes):
        asked[place_of(kind, extent)].append(kind)
    edges: dict[Kind, list[Row]] = defaultdict(list)
    for place, kinds in asked.items():
        edges.update(_read_edges(connection, place, kinds))
    tables = ("Repository", *(("Module",) if extent.homes else ()), *OF_FILES)
    return StoredPart({table: _read_nodes(connection, table, extent) for table in tables}, edges)


def _read_edges(connection: engine.Connection, place: Place, kinds: list[Kind]) -> Iterator[tuple[Kind, list[Row]]]:
    tables = {name: ddl.tables()[name] for name, _ in kinds}
    keys = sorted({key_of(ends[-1]) for _, ends in kinds})
    names = sorted({prop.name for table in tables.values() for prop in table.properties})
    columns = ["label(r)", "label(b)", f"a.{key_of(place.start)}", *(f"b.{name}" for name in keys)]
    columns += [f"r.{name}" for name in names]
    match, parameters = _matching(place, tables, "")
    rows = read_columns(connection, f"{match} RETURN {', '.join(columns)}", parameters).combine_chunks()
    at = {name: number for number, name in enumerate(names, 3 + len(keys))}
    for table, end, own in _by_labels(rows):
        wanted = [2, 3 + keys.index(key_of(end)), *(at[prop.name] for prop in tables[table].properties)]
        yield (table, (place.start, end)), row_tuples([rows.column(number).take(own) for number in wanted])


def _read_nodes(connection: engine.Connection, table: str, extent: Extent) -> dict[Any, Row]:
    where, parameters = "", {}
    if table in OF_FILES:
        where, parameters = f" WHERE n.{OF_FILES[table]} IN $paths", {"paths": list(extent.nodes)}
    columns = ", ".join(f"n.{name}" for name in node_columns(table))
    rows = row_tuples(read_columns(connection, f"MATCH (n:{table}){where} RETURN {columns}", parameters).columns)
    return {row[0]: row for row in rows}


def place_of(kind: Kind, extent: Extent) -> Place:
    """Which edges of a kind are in a part."""
    name, (start, end) = kind
    by_end = name in _BY_END
    if (end if by_end else start) not in OF_FILES:
        return Place(start, by_end, None)
    return Place(start, by_end, extent.nodes if name == _NESTING else extent.edges)


def _matching(place: Place, tables: Iterable[str], end: str) -> tuple[str, dict[str, Any]]:
    """The pattern of the edges of some tables in a place, to nodes of one kind or of any."""
    match = f"MATCH (a:{place.start})-[r:{'|'.join(tables)}]->(b{f':{end}' if end else ''})"
    if place.paths is None:
        return match, {}
    owner, node = (end or "Symbol", "b") if place.by_end else (place.start, "a")
    return f"{match} WHERE {node}.{OF_FILES[owner]} IN $paths", {"paths": list(place.paths)}


def read_columns(connection: engine.Connection, statement: str, parameters: dict[str, Any]) -> pyarrow.Table:
    """What a statement gives, as columns."""
    result = engine.execute(connection, statement, parameters)
    try:
        return result.get_as_arrow(0)
    finally:
        result.close()


def row_tuples(columns: Iterable[Any]) -> list[Row]:
    """The rows of Arrow columns, lists in them as tuples."""
    values = [column.to_pylist() for column in columns]
    return list(zip(*([tuple(v) if type(v) is list else v for v in column] for column in values), strict=True))


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
