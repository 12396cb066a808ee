"""Read the stored rows of some files before new rows replace them: the nodes and edges of all tables, in few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...schema import ddl

if TYPE_CHECKING:
    import pyarrow

    #: Runs a statement with parameters and returns the rows as columns. Raises QueryFailed and IndexCorrupt.
    Read = Callable[[str, dict[str, Any]], pyarrow.Table]

#: Tables of nodes that belong to a file, and the property with its path.
OF_FILES = {"File": "relativePath", "Symbol": "relativePath"}
#: The property that is computed from all edges, after all edges are written.
DERIVED = "importance"
#: Tables of edges that belong to the file of the node at which they end.
_BY_END = frozenset(("HAS_METHOD", "PASSED_IN"))
#: Table of edges that belong to the nodes of a file, because they do not depend on name resolution.
NESTING = "CONTAINS"
#: Tables of nodes that belong to no file.
_OF_NO_FILE = ("Repository", "Module")

Row = tuple[Any, ...]
#: A table of edges, and the tables of nodes at their ends.
Kind = tuple[str, tuple[str, ...]]


class Extent(NamedTuple):
    """The files whose nodes and edges belong to a part of the graph."""

    #: Files whose nodes belong to the part, sorted.
    nodes: tuple[str, ...]
    #: Files whose edges belong to the part, sorted; the files in `nodes` are among them.
    edges: tuple[str, ...]
    #: Whether the part contains the modules, and the edges from modules and the repository to all files.
    homes: bool


class StoredPart(NamedTuple):
    """The stored rows of a part."""

    #: Rows by table and key. A row has the key and the properties, without the derived property.
    nodes: dict[str, dict[Any, Row]]
    #: Rows by kind. A row has the keys of both ends, the properties, and the two numbers of the engine's internal id.
    edges: dict[Kind, list[Row]]


class OwnedRows(NamedTuple):
    """Rows of one table. `owners` has the path of the file of each row; None if the rows belong to no file."""

    kind: Kind
    rows: list[Row]
    owners: list[str] | None


class EdgeGroup(NamedTuple):
    """Edges that one query reads: they begin at nodes of one table, and belong to some files."""

    #: Table of the nodes at which the edges begin.
    start: str
    #: Whether the edges belong to the file of the node at their end.
    by_end: bool
    #: The files to which the edges belong; None if they belong to no file.
    paths: tuple[str, ...] | None


def edge_kinds(*, homes: bool) -> list[Kind]:
    """Return the kinds of edges in a part; with `homes`, also the kinds that begin at modules or the repository."""
    kinds = [(table.name, ends) for table in ddl.tables().values() for ends in table.connections]
    return [(name, ends) for name, ends in kinds if homes or ends[0] not in _OF_NO_FILE]


def node_columns(table: str) -> list[str]:
    """Return the columns of a table of nodes: the key, and the properties without the derived property."""
    key = key_of(table)
    return [key, *(prop.name for prop in ddl.tables()[table].properties if prop.name not in (key, DERIVED))]


def key_of(table: str) -> str:
    """Return the primary key of a table of nodes."""
    key = ddl.tables()[table].primary_key
    assert key is not None
    return key


def pattern(group: EdgeGroup, tables: Iterable[str], condition: str = "") -> tuple[str, dict[str, Any]]:
    """Return a Cypher clause that matches the edges `(a)-[r]->(b)` of a group that meet a condition, and the parameters of the
    clause.
    """
    match = f"MATCH (a:{group.start})-[r:{'|'.join(sorted(tables))}]->(b)"
    conditions = [condition] if condition else []
    if group.paths is not None:
        conditions.append(f"{_owner(group)} IN $paths")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"{match}{where}", {"paths": list(group.paths)} if group.paths is not None else {}


def read_edges(read: Read, nodes: tuple[str, ...], edges: tuple[str, ...]) -> Iterator[OwnedRows]:
    """Yield the edges of files, by kind: containment for the files `nodes`, all other kinds for the files `edges`.

    One query reads all tables whose edges begin at the same table of nodes: separate queries take five times as long.
    """
    extent = Extent(nodes, edges, False)
    kinds_by_group: dict[EdgeGroup, list[Kind]] = defaultdict(list)
    for kind in edge_kinds(homes=False):
        kinds_by_group[edge_group_of(kind, extent)].append(kind)
    for group, kinds in kinds_by_group.items():
        if group.paths:
            yield from _read_edges(read, group, kinds)


def read_outer_edges(read: Read) -> Iterator[OwnedRows]:
    """Yield the edges that begin at nodes without a file, by kind. These edges include the edges to all files."""
    kinds_by_start: dict[str, list[Kind]] = defaultdict(list)
    for kind in edge_kinds(homes=True):
        if kind[1][0] in _OF_NO_FILE:
            kinds_by_start[kind[1][0]].append(kind)
    for start, kinds in kinds_by_start.items():
        yield from _read_edges(read, EdgeGroup(start, False, None), kinds)


def outer_nodes(*, homes: bool) -> tuple[str, ...]:
    """Return the tables of nodes that belong to no file, with modules or without."""
    return _OF_NO_FILE if homes else _OF_NO_FILE[:1]


def read_outer_nodes(read: Read, *, homes: bool) -> Iterator[OwnedRows]:
    """Yield the nodes of a part that belong to no file, by table."""
    for table in outer_nodes(homes=homes):
        yield _owned_nodes(table, [read(f"MATCH (n:{table}) RETURN {_listed(table)}", {})])


def read_nodes(read: Read, files: tuple[str, ...]) -> Iterator[OwnedRows]:
    """Yield files and their symbols, by table."""
    if not files:
        return
    paths = {"paths": list(files)}
    yield _owned_nodes("File", [read(f"MATCH (n:File) WHERE n.relativePath IN $paths RETURN {_listed('File')}", paths)])
    # The query follows edges from files. With a condition on the symbol's own path, it would read all columns of all symbols.
    around = ("(o:File)", "(o:Symbol)")
    statements = [f"MATCH {o}-[:{NESTING}]->(n:Symbol) WHERE o.relativePath IN $paths RETURN {_listed('Symbol')}" for o in around]
    yield _owned_nodes("Symbol", [read(statement, paths) for statement in statements])


def _owned_nodes(table: str, found: Sequence[pyarrow.Table]) -> OwnedRows:
    rows = [row for part in found for row in row_tuples(part.columns)]
    if table not in OF_FILES:
        return OwnedRows((table, ()), rows, None)
    position = node_columns(table).index(OF_FILES[table])
    return OwnedRows((table, ()), rows, [row[position] for row in rows])


def _listed(table: str) -> str:
    return ", ".join(f"n.{name}" for name in node_columns(table))


def _read_edges(read: Read, group: EdgeGroup, kinds: list[Kind]) -> Iterator[OwnedRows]:
    tables = {name: ddl.tables()[name] for name, _ in kinds}
    keys = sorted({key_of(ends[-1]) for _, ends in kinds})
    names = sorted({prop.name for table in tables.values() for prop in table.properties})
    columns = ["label(r)", "label(b)", f"a.{key_of(group.start)}", *(f"b.{name}" for name in keys)]
    columns += [*(f"r.{name}" for name in names), "id(r)"]
    match, parameters = pattern(group, tables)
    owner = f", {_owner(group)} AS owner" if group.paths is not None else ""
    rows = read(f"{match} RETURN {', '.join(columns)}{owner}", parameters).combine_chunks()
    at = {name: number for number, name in enumerate(names, 3 + len(keys))}
    identity = 3 + len(keys) + len(names)
    for table, end, own in _by_labels(rows):
        wanted = [2, 3 + keys.index(key_of(end)), *(at[prop.name] for prop in tables[table].properties)]
        numbers = rows.column(identity).take(own).combine_chunks()
        values = [rows.column(number).take(own) for number in wanted]
        found = row_tuples([*values, numbers.field("table"), numbers.field("offset")])
        owners = rows.column(rows.num_columns - 1).take(own).to_pylist() if owner else None
        yield OwnedRows((table, (group.start, end)), found, owners)


def edge_group_of(kind: Kind, extent: Extent) -> EdgeGroup:
    """Return the group of the edges of a kind in a part."""
    name, (start, end) = kind
    by_end = name in _BY_END
    if (end if by_end else start) not in OF_FILES:
        return EdgeGroup(start, by_end, None)
    return EdgeGroup(start, by_end, extent.nodes if name == NESTING else extent.edges)


def _owner(group: EdgeGroup) -> str:
    """Return a Cypher expression for the file to which an edge belongs."""
    owner, node = ("Symbol", "b") if group.by_end else (group.start, "a")
    return f"{node}.{OF_FILES[owner]}"


def row_tuples(columns: Iterable[Any]) -> list[Row]:
    """Return the rows of Arrow columns, with lists as tuples."""
    values = [column.to_pylist() for column in columns]
    return list(zip(*([tuple(v) if type(v) is list else v for v in column] for column in values), strict=True))


def _by_labels(rows: pyarrow.Table) -> Iterator[tuple[str, str, Any]]:
    """Yield each pair of labels in the first two columns with the indices of its rows."""
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
