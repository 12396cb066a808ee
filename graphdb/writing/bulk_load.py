"""Write a whole graph to a new file. COPY from Arrow tables is hundreds of times as fast as a statement for each row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...schema import ddl
from ...schema.errors import QueryFailed, StoreError
from ...schema.graph_content import GraphContent
from ...schema.process.allocator import return_free_memory
from .. import engine
from ..centrality.pagerank import rank, store_importance
from ..centrality.reference_graph import UsesBuilder
from ..generations.generations import ranking_of, symbols_beside
from ..generations.sparse_file import release_zeros
from ..symbols.symbol_columns import SymbolColumns
from .arrow_tables import arrow_table
from .load_plan import END, START, Load, copy_statement, plan_loads

if TYPE_CHECKING:
    import pyarrow


class GraphFile:
    """A new graph file that is loaded part by part. Nodes may come long before the edges between them.

    Copy each table of edges in one part. A second COPY into the table reads the rows of the first COPY, so six parts take five
    times as long.
    """

    def __init__(self, graph_path: Path, engine_name: str = engine.KUZU) -> None:
        """Create the file with empty tables.

        Raises StoreError if the file exists or cannot be written, and UsageError if the engine cannot be loaded.
        """
        if graph_path.exists():
            raise StoreError(f"The graph file {graph_path} exists already.")
        self._path = graph_path
        self._keys: dict[str, set[Any]] = {name: set() for name in ddl.tables()}
        self._counts = dict.fromkeys(ddl.tables(), 0)
        self._uses = UsesBuilder()
        self._database = engine.create(graph_path, engine_name)
        self._connection = engine.connect(self._database)
        self._closed = False
        # All rows are in one transaction. Otherwise other connections could read the tables, and each COPY would use a slower
        # path.
        self._execute("BEGIN TRANSACTION")
        for statement in ddl.statements():
            self._execute(statement)

    def copy(self, table: ddl.Table, ends: tuple[str, ...], rows: pyarrow.Table) -> None:
        """Copy rows. The keys of a relationship's `ends` are the first columns; other columns follow in the order of the schema.

        Raises StoreError.
        """
        try:
            self._copy(copy_statement(table, ends), rows.combine_chunks())
        except QueryFailed as error:
            raise StoreError(f"Rows of {table.name} cannot be copied: {error}") from error
        self._uses.add_columns(table.name, ends, rows)
        self._counts[table.name] += rows.num_rows

    def load(self, part: GraphContent) -> None:
        """Copy a part of the content.

        Raises StoreError for duplicate keys, for edges without nodes, and for rows that the engine rejects.
        """
        loads = plan_loads(part)
        self._check(loads)
        self._uses.add(part)
        while loads:
            load = loads.pop(0)  # the columns of a load are freed as soon as they are copied
            self._copy(copy_statement(load.table, load.ends), arrow_table(load))
            self._counts[load.table.name] += load.rows

    def close(self) -> dict[str, int]:
        """Complete the file: compute the importance of files and symbols, merge the log, and write the files beside it.

        Returns the number of rows by table.
        """
        ranking = rank(self._uses.uses())
        self._keys.clear()
        self._uses = UsesBuilder()
        store_importance(self._connection, *ranking.unstored())
        self._execute("COMMIT")
        # Closing would also merge the log into the file, but ignore errors such as a full disk.
        self._execute("CHECKPOINT")
        return_free_memory()  # before all symbols are read
        symbols = SymbolColumns.read(self._columns)
        self._close()
        try:
            symbols.write(symbols_beside(self._path))
            release_zeros(self._path)
            ranking.write(ranking_of(self._path))
        except OSError as error:
            raise StoreError(f"The graph file {self._path}, or a file beside it, cannot be written: {error.strerror}") from error
        return self._counts

    def discard(self) -> None:
        """Close and remove the file."""
        self._close()
        beside = ranking_of(self._path), symbols_beside(self._path)
        for leftover in (*self._path.parent.glob(f"{self._path.name}*"), *beside):
            leftover.unlink(missing_ok=True)

    def _execute(self, statement: str) -> None:
        engine.execute(self._connection, statement, {})

    def _copy(self, statement: str, rows: pyarrow.Table) -> None:
        engine.execute_with_rows(self._connection, statement, rows)

    def _columns(self, statement: str, parameters: dict[str, Any]) -> pyarrow.Table:
        result = engine.execute(self._connection, statement, parameters)
        try:
            return result.get_as_arrow(0)
        finally:
            result.close()

    def _close(self) -> None:
        if not self._closed:
            self._closed = True
            engine.close(self._database, self._connection)

    def _check(self, loads: list[Load]) -> None:
        # The engine reports these errors only after some rows are written, and its message names the wrong key.
        for load in loads:
            if load.table.primary_key is not None:
                self._add_keys(load, load.table.primary_key)
        for load in loads:
            for end, table in zip((START, END), load.ends, strict=False):
                column, keys = load.columns[end], self._keys[table]
                if not keys.issuperset(column):
                    raise StoreError(_dangling(load, end, table, set(column) - keys))

    def _add_keys(self, load: Load, primary_key: str) -> None:
        keys, known = _unique_keys(load, primary_key), self._keys[load.table.name]
        twice = keys & known
        if twice:
            raise StoreError(f"The content holds 2 {load.table.name} nodes with the {primary_key} {min(twice, key=str)!r}.")
        known |= keys


def _unique_keys(load: Load, primary_key: str) -> set[Any]:
    column = load.columns[primary_key]
    keys = set(column)
    if len(keys) < len(column):
        key, times = Counter(column).most_common(1)[0]
        raise StoreError(f"The content holds {times} {load.table.name} nodes with the {primary_key} {key!r}.")
    return keys


def _dangling(load: Load, end: str, table: str, missing: set[Any]) -> str:
    key = min(missing, key=str)
    row = load.columns[end].index(key)
    start, target = load.columns[START][row], load.columns[END][row]
    return (
        f"{len(missing)} {table} nodes that {load.table.name} edges lead {end} do not exist: "
        f"the edge from {start!r} to {target!r} has no {key!r}."
    )
