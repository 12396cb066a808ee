"""Write a graph to a new file: content for some files is new, and all other rows are copied from the last graph as columns.

A change in place would have a large log, and a load of all content would require the resolution of all files. Copied rows never
become Python objects, and the new file has no log.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...schema import ddl
from ...schema.graph_content import GraphContent
from .. import engine
from ..database import GraphDatabase
from .arrow_tables import arrow_table
from .base_rows import DERIVED, OF_FILES, Kind, edge_group_of, key_of
from .bulk_load import GraphFile
from .incremental_update import SHARED_NODES, Part, loads_by_kind
from .load_plan import END, START

if TYPE_CHECKING:
    import pyarrow

#: Column with the file that a row belongs to.
_OWNER = "owner"


def renew_graph(base: Path, graph_path: Path, content: GraphContent, part: Part) -> dict[str, int]:
    """Write the graph of `base`, with a part replaced, to a new file. Returns the number of rows by table.

    The engine that wrote `base` writes the new file.

    Raises StoreError, QueryFailed, and IndexCorrupt if the last graph cannot be read. After an error, the process should end: the
    file stays open and incomplete, because the engine cannot close a file on a full disk.
    """
    with GraphDatabase.open(base) as last:
        tables = _Renewal(last, content, part).tables()
    file = GraphFile(graph_path, engine.written_by(base))
    while tables:
        (name, ends), rows = tables.pop(0)  # the columns of a table are freed as soon as they are copied
        file.copy(ddl.tables()[name], ends, rows)
    return file.close()


class _Renewal:
    def __init__(self, last: GraphDatabase, content: GraphContent, part: Part) -> None:
        self._last = last
        self._extent = part.extent
        self._loads = loads_by_kind(content, part)

    def tables(self) -> list[tuple[Kind, pyarrow.Table]]:
        """Return all tables with rows, nodes before edges."""
        edges = {kind: self._joined(kind, self._kept_edges(kind)) for kind in _edge_kinds()}
        nodes = {
            (name, ()): self._joined((name, ()), self._kept_nodes(name, edges))
            for name, table in ddl.tables().items()
            if table.kind == "node"
        }
        return [(kind, rows) for kind, rows in (*nodes.items(), *edges.items()) if rows.num_rows]

    def _joined(self, kind: Kind, kept: pyarrow.Table) -> pyarrow.Table:
        """Return the kept rows and the new rows, without shared nodes that exist already."""
        import pyarrow
        from pyarrow import compute

        load = self._loads.get(kind)
        if load is None or not load.rows:
            return kept
        new = arrow_table(load)
        if kind[0] in SHARED_NODES:
            known = compute.is_in(new[key_of(kind[0])], value_set=kept[key_of(kind[0])])  # type: ignore[attr-defined]
            new = new.filter(compute.invert(known))  # type: ignore[attr-defined]
        return pyarrow.concat_tables([kept.cast(new.schema), new])

    def _read(self, pattern: str, columns: list[str]) -> pyarrow.Table:
        # Unique names: the engine rejects a query that returns a column twice.
        named = ", ".join(f"{column} AS c{position}" for position, column in enumerate(columns))
        return self._last.columns(f"MATCH {pattern} RETURN {named}")

    def _kept_edges(self, kind: Kind) -> pyarrow.Table:
        name, (start, end) = kind
        group = edge_group_of(kind, self._extent)
        names = [prop.name for prop in ddl.tables()[name].properties]
        columns = [f"a.{key_of(start)}", f"b.{key_of(end)}", *(f"r.{prop}" for prop in names)]
        titles = [START, END, *names]
        if group.paths is not None:
            owner, node = (end, "b") if group.by_end else (start, "a")
            columns.append(f"{node}.{OF_FILES[owner]}")
            titles.append(_OWNER)
        rows = self._read(f"(a:{start})-[r:{name}]->(b:{end})", columns).rename_columns(titles)
        if group.paths is not None:
            return _without_rows_of(rows, _OWNER, group.paths).drop_columns([_OWNER])
        return rows.slice(0, 0) if self._extent.homes else rows

    def _kept_nodes(self, name: str, edges: dict[Kind, pyarrow.Table]) -> pyarrow.Table:
        names = [prop.name for prop in ddl.tables()[name].properties]
        rows = self._read(f"(n:{name})", [f"n.{prop}" for prop in names]).rename_columns(names)
        if name in OF_FILES:
            return _unranked(_without_rows_of(rows, OF_FILES[name], self._extent.nodes))
        if name in SHARED_NODES:
            return _used(rows, key_of(name), [table[END] for (_, ends), table in edges.items() if ends[1] == name])
        return rows.slice(0, 0) if (name, ()) in self._loads else rows


def _edge_kinds() -> list[Kind]:
    return [(table.name, ends) for table in ddl.tables().values() for ends in table.connections]


def _without_rows_of(rows: pyarrow.Table, column: str, paths: tuple[str, ...]) -> pyarrow.Table:
    import pyarrow
    from pyarrow import compute

    gone = compute.is_in(rows[column], value_set=pyarrow.array(paths, pyarrow.string()))  # type: ignore[attr-defined]
    return rows.filter(compute.invert(gone))  # type: ignore[attr-defined]


def _used(rows: pyarrow.Table, key: str, ends: list[pyarrow.ChunkedArray]) -> pyarrow.Table:
    import pyarrow
    from pyarrow import compute

    used = pyarrow.chunked_array([chunk for end in ends for chunk in end.chunks], pyarrow.string())
    return rows.filter(compute.is_in(rows[key], value_set=used))  # type: ignore[attr-defined]


def _unranked(rows: pyarrow.Table) -> pyarrow.Table:
    """Reset the importance, which is computed after all edges are written."""
    import pyarrow

    position = rows.column_names.index(DERIVED)
    return rows.set_column(position, DERIVED, pyarrow.nulls(rows.num_rows, pyarrow.int64()).fill_null(0))
