"""A published graph that is open for reading. Any thread can run queries, with parameters, a time limit and a row limit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import lru_cache, wraps
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from ..schema.ddl import Table
from ..schema.errors import QueryFailed, StoreError
from . import engine
from .guard.cypher_tokens import parameter_names
from .query_result import QueryResult, plain_value

if TYPE_CHECKING:
    import pyarrow

Value = TypeVar("Value")

#: The engine's name of a column `label(edge)`, which lists the tables of the graph.
_LABEL_OF = re.compile(r"LABEL\((\w+)\._ID,\[[^\]]*\]\)")
#: Number of statements that a connection keeps prepared.
_MAX_PREPARED = 500
#: Number of nodes of a table that a query scans in the time of a look-up of one primary key.
NODES_PER_LOOKUP = 2_000
#: Seconds during which `stop_queries` repeats the interruption of running queries.
_PATIENCE = 2.0


def shared(read: Callable[[GraphDatabase], Value]) -> Callable[[GraphDatabase], Value]:
    """Cache the results of a query function, one for each graph, with `GraphDatabase.once`.

    All callers share the result, and must not change it.
    """

    @wraps(read)
    def asked(database: GraphDatabase) -> Value:
        return database.once(read)

    return asked


@lru_cache(maxsize=_MAX_PREPARED)
def _names_in(statement: str) -> frozenset[str]:
    """Return the names of the parameters in a statement from the query library."""
    return frozenset(parameter_names(statement))


class _PooledConnection:
    """A connection of the pool, with its prepared statements of the query library."""

    def __init__(self, connection: engine.Connection) -> None:
        self.connection = connection
        self._prepared: dict[str, engine.PreparedStatement] = {}

    def prepared(self, statement: str) -> engine.PreparedStatement:
        """Return the prepared statement. A full cache is cleared."""
        if statement not in self._prepared:
            if len(self._prepared) >= _MAX_PREPARED:
                self._prepared.clear()
            self._prepared[statement] = engine.prepare(self.connection, statement)
        return self._prepared[statement]


class GraphDatabase:
    """An open graph file, which never changes. Threads may share it: each query has its own connection.

    An open file takes 63 MB of memory, of which each table of nodes takes 5 MB. An idle process frees this memory with
    `suspend`.
    """

    def __init__(self, path: Path, database: engine.Database) -> None:
        self.path = path
        #: The open file; None after `suspend`, until the next query.
        self._database: engine.Database | None = database
        self._lock = Lock()
        self._idle: list[_PooledConnection] = []
        self._busy = 0
        #: Connections that run a query with a time limit.
        self._limited: set[_PooledConnection] = set()
        #: Connections with a time limit whose query was stopped.
        self._stopped: set[_PooledConnection] = set()
        self._closed = False
        #: Internal offsets of nodes by table and primary key. They never change in a published graph.
        self._offsets: dict[str, dict[str, int]] = {}
        self._counts: dict[str, int] = {}
        self._finders: dict[str, Callable[[Collection[str]], list[int]]] = {}
        self._known: dict[Callable[[GraphDatabase], Any], Any] = {}
        self._ways: dict[Callable[[GraphDatabase], Any], Callable[[GraphDatabase], Any]] = {}
        #: Reads the table of symbols; None means from the graph. Set it without loading the table's module, which needs numpy.
        self.symbol_reader: Callable[[GraphDatabase], Any] | None = None

    @classmethod
    def open(cls, graph_path: Path) -> GraphDatabase:
        """Open a graph file read-only. Raises IndexCorrupt if it is missing or damaged."""
        return cls(graph_path, engine.open_read_only(graph_path))

    def query(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        max_rows: int | None = None,
    ) -> QueryResult:
        """Run one statement. `timeout` is in seconds; with `max_rows`, `QueryResult.truncated` says whether rows are missing.

        The statement is not checked: pass a statement from outside to `check_read_only` first. Raises QueryFailed and
        IndexCorrupt.
        """
        return self._queried(statement, parameters, timeout, lambda result: _collect(result, max_rows))

    def query_columns(self, statement: str, parameters: Mapping[str, Any], *, timeout: float | None = None) -> pyarrow.Table:
        """Run one statement as `query` does, and return its rows as columns."""
        columns: pyarrow.Table = self._queried(statement, parameters, timeout, lambda result: result.get_as_arrow(0))
        return columns

    def _queried(
        self, statement: str, parameters: Mapping[str, Any] | None, timeout: float | None, read: Callable[[Any], Value]
    ) -> Value:
        bound = dict(parameters or {})
        # In the engine, a condition on a parameter without a value is always true.
        if "$" in statement and (unbound := parameter_names(statement) - bound.keys()):
            raise QueryFailed(f"The query has no value for ${min(unbound)}.")
        with self._connection_from_pool() as pooled:
            pooled.connection.set_query_timeout(int(timeout * 1000) if timeout else 0)
            with self._stoppable(pooled) if timeout else nullcontext():
                result = engine.execute(pooled.connection, statement, bound)
                try:
                    return read(result)
                finally:
                    result.close()

    def stop_queries(self) -> int:
        """Stop all queries with a time limit that other threads run, so that their calls raise QueryFailed.

        Returns the number of stopped queries.
        """
        with self._lock:
            asked = set(self._limited)
            self._stopped |= asked
        deadline = monotonic() + _PATIENCE
        while monotonic() < deadline:
            with self._lock:
                running = asked & self._stopped
                for pooled in running:
                    pooled.connection.interrupt()
            if not running:
                break
            sleep(0.01)  # The engine ignores an interruption that arrives before it has planned the query.
        return len(asked)

    @contextmanager
    def _stoppable(self, pooled: _PooledConnection) -> Iterator[None]:
        """Let `stop_queries` stop the query of a connection.

        Raises QueryFailed if the query was stopped; the connection is then not used again.
        """
        with self._lock:
            self._limited.add(pooled)
        failure: QueryFailed | None = None
        try:
            yield
        except QueryFailed as error:
            failure = error
        finally:
            with self._lock:
                self._limited.discard(pooled)
                was_stopped = pooled in self._stopped
                self._stopped.discard(pooled)
        if was_stopped:
            raise QueryFailed("The query was stopped.") from failure
        if failure is not None:
            raise failure

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of a statement of the query library.

        Lists are converted to tuples, because records are immutable.
        """
        with self._prepared_result(statement, parameters) as result:
            rows = _collect(result, None).rows
        return [tuple([tuple(value) if type(value) is list else value for value in row]) for row in rows]

    def columns(self, statement: str, parameters: Mapping[str, Any] | None = None) -> pyarrow.Table:
        """Return the rows of a statement of the query library as columns.

        For thousands of rows, `columns` is ten times as fast as `rows`.
        """
        with self._prepared_result(statement, parameters) as result:
            return result.get_as_arrow(0)

    def once(self, read: Callable[[GraphDatabase], Value]) -> Value:
        """Return the value that a function reads from the graph.

        The value is cached, and callers must not change it. Use `once` for values that many answers need in full, such as all
        imports. If two threads call `once` at the same time, both may read the value.
        """
        if read not in self._known:
            self._known[read] = self._ways.pop(read, read)(self)
        return self._known[read]  # type: ignore[no-any-return]

    def read_by(self, read: Callable[[GraphDatabase], Value], way: Callable[[GraphDatabase], Value]) -> None:
        """Make `once(read)` use the function `way`, for example to derive the value from an earlier generation."""
        self._ways[read] = way

    def known(self, read: Callable[[GraphDatabase], Value]) -> Value | None:
        """Return the value of `once(read)` if it was read already, else None."""
        return self._known.get(read)

    def node_offsets(self, table: Table, keys: Collection[str]) -> list[int]:
        """Return the internal offsets of the nodes with these primary keys, in any order. Keys without a node are left out."""
        if table.name in self._finders:
            return self._finders[table.name](keys)
        known = self._offsets.setdefault(table.name, {})
        new = [key for key in keys if key not in known]
        if len(new) <= max(1, self.node_count(table.name) // NODES_PER_LOOKUP):
            statement = f"MATCH (n:{table.name}) WHERE n.{table.primary_key} = $key RETURN n.{table.primary_key}, offset(id(n))"
            for one in new:
                known.update(self.rows(statement, {"key": one}))
        else:
            key = table.primary_key
            statement = f"UNWIND $keys AS given MATCH (n:{table.name}) WHERE n.{key} = given RETURN n.{key}, offset(id(n))"
            known.update(self.rows(statement, {"keys": new}))
        return [known[key] for key in keys if key in known]

    def node_count(self, table: str) -> int:
        """Return the number of nodes of a table. The engine knows the number without reading the nodes."""
        if table not in self._counts:
            self._counts[table] = self.rows(f"MATCH (n:{table}) RETURN count(*)")[0][0]
        return self._counts[table]

    def find_offsets_by(self, table: str, find: Callable[[Collection[str]], list[int]]) -> None:
        """Let `node_offsets` look up the nodes of a table with a function instead of a query."""
        self._finders[table] = find

    def knows_offsets(self, table: Table) -> bool:
        """Return whether the internal offsets of a table are known without a query."""
        return table.name in self._finders

    def suspend(self) -> None:
        """Close the file until the next query opens it again, which takes 40 ms. Does nothing while a query runs."""
        with self._lock:
            if self._busy == 0:
                self._shut()

    def forget(self) -> None:
        """Drop the values of `once`. Call it in a process that no longer queries this graph."""
        for known in (self._known, self._ways, self._finders):  # all three keep the graph alive
            known.clear()
        self.symbol_reader = None

    def close(self) -> None:
        """Close the graph now, or after the last query that still runs in another thread."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            last = self._busy == 0
        self.forget()
        if last:
            self._shut()

    def __enter__(self) -> GraphDatabase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _prepared_result(self, statement: str, parameters: Mapping[str, Any] | None) -> Iterator[Any]:
        bound = dict(parameters or {})
        if "$" in statement and (unbound := _names_in(statement) - bound.keys()):
            raise QueryFailed(f"The query has no value for ${min(unbound)}.")
        with self._connection_from_pool() as pooled:
            pooled.connection.set_query_timeout(0)
            result = engine.execute(pooled.connection, pooled.prepared(statement), bound)
            try:
                yield result
            finally:
                result.close()

    @contextmanager
    def _connection_from_pool(self) -> Iterator[_PooledConnection]:
        with self._lock:
            if self._closed:
                raise StoreError(f"The graph {self.path} is closed.")
            if self._database is None:
                self._database = engine.open_read_only(self.path)
            pooled = self._idle.pop() if self._idle else _PooledConnection(engine.connect(self._database))
            self._busy += 1
        usable = False
        try:
            yield pooled
            usable = True
        finally:
            # An interrupted connection sometimes interrupts later queries, too, so a connection is not used again after a
            # failure.
            if not usable:
                pooled.connection.close()
            self._give_back(pooled if usable else None)

    def _give_back(self, pooled: _PooledConnection | None) -> None:
        with self._lock:
            self._busy -= 1
            if pooled is not None:
                self._idle.append(pooled)
            last = self._closed and self._busy == 0
        if last:
            self._shut()

    def _shut(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            engine.close(database, *(pooled.connection for pooled in self._idle))
        self._idle.clear()


def _collect(result: Any, max_rows: int | None) -> QueryResult:
    types = tuple(result.get_column_data_types())
    total = result.get_num_tuples()
    wanted = total if max_rows is None else min(total, max_rows)
    special = [position for position, kind in enumerate(types) if not _is_plain(kind)]
    rows: list[tuple[Any, ...]] = []
    for _ in range(wanted):
        row = result.get_next()
        for position in special:
            row[position] = plain_value(engine.with_kuzu_keys(row[position]), types[position])
        rows.append(tuple(row))
    names = tuple(_LABEL_OF.sub(r"LABEL(\1)", name) for name in result.get_column_names())
    return QueryResult(names, rows, types, total)


def _is_plain(kind: str) -> bool:
    return kind.removesuffix("[]") in ("STRING", "INT64", "INT32", "BOOL", "DOUBLE")
