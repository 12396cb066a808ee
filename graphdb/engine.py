"""The graph engine: the one module that imports it, so that its maintained fork can take its place.

Everything the engine raises is turned here, once, into the errors of `schema/errors.py`.
"""

from __future__ import annotations

# The engine reads Arrow tables through `importlib.util` without importing it.
import importlib.util  # noqa: F401
import os
from pathlib import Path
from typing import Any

from kuzu import Connection, Database, PreparedStatement

from ..schema.errors import AstrolabeError, IndexCorrupt, QueryFailed, StoreError

__all__ = [
    "Connection",
    "Database",
    "PreparedStatement",
    "close",
    "connect",
    "create",
    "execute",
    "open_for_changes",
    "open_read_only",
    "prepare",
]

#: Bytes of cache and working memory. The engine's own default is four fifths of the machine's memory.
READ_POOL = 256 << 20
WRITE_POOL = 1 << 30
#: Bytes of address space reserved per open database. The default of 8 TB admits 16 open databases in a process.
ADDRESS_SPACE = 1 << 36
#: What the binding raises: its own errors as RuntimeError, those of the C++ library under their Python names.
_RAISED = (RuntimeError, ValueError, IndexError, MemoryError, OverflowError, TypeError)
#: How messages about a damaged file begin, when a query meets the damage.
_DAMAGE = ("Runtime exception: Reading past the end of the file", "IO exception: Cannot read from file", "vector::")
#: How messages begin when the engine cannot write; when it commits, the first is all it says.
_NOT_WRITTEN = ("Invalid transaction type to rollback", "IO exception: Cannot write to file")


def create(path: Path) -> Database:
    """A new, empty database file; StoreError when it cannot be made. Nothing is merged from its log before a CHECKPOINT."""
    try:
        return Database(
            path,
            buffer_pool_size=WRITE_POOL,
            max_num_threads=_threads(),
            max_db_size=ADDRESS_SPACE,
            auto_checkpoint=False,
        )
    except _RAISED as error:
        raise StoreError(f"The graph file {path} cannot be written: {error}") from error


def open_for_changes(path: Path) -> Database:
    """An existing database file, to be changed by its one writer; what is written stays in the log beside it until a CHECKPOINT.

    IndexCorrupt when it is missing or damaged.
    """
    try:
        database = Database(
            path, buffer_pool_size=WRITE_POOL, max_num_threads=_threads(), max_db_size=ADDRESS_SPACE, auto_checkpoint=False
        )
        connection = Connection(database)
        connection.execute("CALL force_checkpoint_on_close=false")
        connection.close()
    except _RAISED as error:
        raise IndexCorrupt(_damaged(path, str(error))) from error
    return database


def open_read_only(path: Path) -> Database:
    """An existing database file; any number of processes may hold it. IndexCorrupt when it is missing or damaged."""
    try:
        with path.open("rb") as file:
            if not file.read(1):  # The engine takes an empty file for an empty database.
                raise IndexCorrupt(_damaged(path, "it is empty"))
        return Database(path, buffer_pool_size=READ_POOL, max_num_threads=_threads(), max_db_size=ADDRESS_SPACE, read_only=True)
    except FileNotFoundError as error:
        raise IndexCorrupt(_damaged(path, "it is missing")) from error
    except OSError as error:
        raise StoreError(f"The graph file {path} cannot be read: {error.strerror}") from error
    except _RAISED as error:
        raise IndexCorrupt(_damaged(path, str(error))) from error


def connect(database: Database) -> Connection:
    """One line of queries; a connection serves one thread at a time."""
    return Connection(database)


def prepare(connection: Connection, statement: str) -> PreparedStatement:
    """A statement read and planned once, for this connection: two thirds of the time of a small query."""
    return PreparedStatement(connection, statement)


def execute(connection: Connection, statement: str | PreparedStatement, parameters: dict[str, Any]) -> Any:
    """The engine's result of one statement; IndexCorrupt or QueryFailed. Several statements in one text are refused."""
    try:
        result = connection.execute(statement, parameters)
    except _RAISED as error:
        raise _failure(connection, error) from error
    if isinstance(result, list):
        raise QueryFailed("A query must be a single statement.")
    return result


def close(database: Database, *connections: Connection) -> None:
    """Closes the connections, then the database."""
    for connection in connections:
        connection.close()
    database.close()


def _failure(connection: Connection, error: BaseException) -> AstrolabeError:
    message = str(error)
    if message.startswith(_DAMAGE):
        return IndexCorrupt(_damaged(_path(connection), message))
    if message.startswith(_NOT_WRITTEN):
        return StoreError(
            f"{_path(connection)} could not be written to its end: the disk may be full, or large files not allowed."
        )
    if message.startswith("Interrupted"):
        return QueryFailed("The query ran out of time. Narrow it, or raise the time limit.")
    if message.startswith("Buffer manager exception"):
        return QueryFailed("The query needs more memory than it is given. Narrow it, or return less.")
    return QueryFailed(f"The query failed: {message}")


def _path(connection: Connection) -> Path:
    return Path(connection.database.database_path)


def _damaged(path: Path, why: str) -> str:
    return f"The graph file {path} is damaged ({why})."


def _threads() -> int:
    # Queries on one repository gain nothing from more, and every open database starts its threads at once.
    return min(4, os.cpu_count() or 1)
