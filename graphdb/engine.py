"""The graph engine: Kùzu, or its maintained fork Ladybug. No other module imports these packages.

The caller of `create` chooses the engine of a new graph file. The engine that wrote an existing file opens the file; the first
bytes of the file name this engine. This module converts every exception of an engine to an error of `schema/errors.py`.
"""

from __future__ import annotations

# The engine uses `importlib.util` when it reads Arrow tables, but does not import it.
import importlib.util
import os
import sys
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..schema.errors import AstrolabeError, IndexCorrupt, QueryFailed, StoreError, UsageError

if TYPE_CHECKING:
    import pyarrow
    from kuzu import Connection as Connection
    from kuzu import Database as Database
    from kuzu import PreparedStatement as PreparedStatement

KUZU = "kuzu"
LADYBUG = "ladybug"
#: The compiled module of each package.
_COMPILED = {KUZU: "kuzu._kuzu", LADYBUG: "ladybug._lbug"}
#: The first bytes of the files that each engine writes.
_MAGIC = {b"KUZU": KUZU, b"LBUG": LADYBUG}
#: Keys of nodes, relationships and paths: Ladybug writes them in capitals, and Kùzu in lower case.
_KEYS = {name.upper(): name for name in ("_id", "_label", "_src", "_dst", "_nodes", "_rels")}
#: Held while a package is loaded.
_loading = Lock()

#: Least bytes of cache and working memory of a reader. The engine's own default is 80 % of the machine's memory.
READ_POOL = 256 << 20
#: Bytes of cache and working memory of a reader for each byte of the graph. Joins over all 970,180 symbols of a graph of 485 MB
#: need more than 256 MB. A reader only takes the memory that its queries use.
_POOL_PER_BYTE = 4
#: Largest share of the machine's memory for the cache and working memory of a reader, unless `READ_POOL` is larger.
_MEMORY_SHARE = 0.25
#: Bytes of cache and working memory of a writer.
WRITE_POOL = 1 << 30
#: Bytes of address space reserved per open database. With the default of 8 TB, a process could open only 16 databases.
ADDRESS_SPACE = 1 << 36
#: Exceptions of the Python binding: RuntimeError for its own errors, and the Python equivalents of C++ exceptions.
_RAISED = (RuntimeError, ValueError, IndexError, MemoryError, OverflowError, TypeError)
#: Beginnings of the engine's messages about a damaged file.
_DAMAGE = ("Runtime exception: Reading past the end of the file", "IO exception: Cannot read from file", "vector::")
#: Beginnings of the engine's messages about a failed write. A failed commit has only the first of these messages.
_NOT_WRITTEN = ("Invalid transaction type to rollback", "IO exception: Cannot write to file")


def check_installed(name: str) -> None:
    """Raise UsageError if the package of an engine is not installed. The package is not loaded."""
    if importlib.util.find_spec(name) is None:
        raise UsageError(f'The graph engine "{name}" is not installed. Run: pip install "astrolabe-code[{name}]"')


def written_by(path: Path) -> str:
    """Return the name of the engine that wrote a graph file. Raises IndexCorrupt, or StoreError when it cannot be read."""
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except FileNotFoundError as error:
        raise IndexCorrupt(_damaged(path, "it is missing")) from error
    except OSError as error:
        raise StoreError(f"The graph file {path} cannot be read: {error.strerror}") from error
    if magic not in _MAGIC:  # Kùzu opens an empty file as an empty database.
        raise IndexCorrupt(_damaged(path, "it does not begin as a graph file does" if magic else "it is empty"))
    return _MAGIC[magic]


def create(path: Path, name: str) -> Database:
    """Create an empty database file with the named engine. The database's log is not merged before a CHECKPOINT.

    Raises StoreError when the file cannot be written, and UsageError when the engine cannot be loaded.
    """
    try:
        database: Database = _load(name).Database(
            path,
            buffer_pool_size=WRITE_POOL,
            max_num_threads=_threads(),
            max_db_size=ADDRESS_SPACE,
            auto_checkpoint=False,
        )
    except _RAISED as error:
        raise StoreError(f"The graph file {path} cannot be written: {error}") from error
    return database


def open_for_changes(path: Path) -> Database:
    """Open an existing database file for writing. Only one process may do this at a time.

    Changes stay in the log beside the file until a CHECKPOINT.

    Raises IndexCorrupt if the file is missing or damaged.
    """
    package = _load(written_by(path))
    try:
        database: Database = package.Database(
            path, buffer_pool_size=WRITE_POOL, max_num_threads=_threads(), max_db_size=ADDRESS_SPACE, auto_checkpoint=False
        )
        connection = connect(database)
        connection.execute("CALL force_checkpoint_on_close=false")
        connection.close()
    except _RAISED as error:
        raise IndexCorrupt(_damaged(path, str(error))) from error
    return database


def open_read_only(path: Path, pool: int | None = None) -> Database:
    """Open an existing database file, as any number of processes may. Raises IndexCorrupt if it is missing or damaged.

    `pool` is the number of bytes of cache and working memory; None selects a number by the size of the file.
    """
    package = _load(written_by(path))
    try:
        database: Database = package.Database(
            path,
            buffer_pool_size=pool or read_pool(path.stat().st_size, _machine_memory()),
            max_num_threads=_threads(),
            max_db_size=ADDRESS_SPACE,
            read_only=True,
        )
    except _RAISED as error:
        raise IndexCorrupt(_damaged(path, str(error))) from error
    return database


def read_pool(graph_bytes: int, machine_bytes: int) -> int:
    """Return the bytes of cache and working memory of a reader, for the size of the graph and of the machine's memory."""
    return max(READ_POOL, min(graph_bytes * _POOL_PER_BYTE, int(machine_bytes * _MEMORY_SHARE)))


def connect(database: Database) -> Connection:
    """Return a new connection, which one thread at a time may use."""
    connection: Connection = _package_of(database).Connection(database)
    return connection


def prepare(connection: Connection, statement: str, parameters: dict[str, Any] | None = None) -> PreparedStatement:
    """Parse and plan a statement once for this connection. Planning is two thirds of the time of a small query."""
    prepared: PreparedStatement = _package_of(connection).PreparedStatement(connection, statement, parameters)
    return prepared


def execute(connection: Connection, statement: str | PreparedStatement, parameters: dict[str, Any]) -> Any:
    """Return the engine's result of a single statement. Raises IndexCorrupt or QueryFailed."""
    try:
        if parameters and isinstance(statement, str):
            # Otherwise an open connection of Ladybug keeps the statement and the Arrow tables in its parameters.
            statement = prepare(connection, statement, parameters)
        result = connection.execute(statement, parameters)
    except _RAISED as error:
        raise _failure(connection, error) from error
    if isinstance(result, list):
        raise QueryFailed("A query must be a single statement.")
    return result


def execute_with_rows(connection: Connection, statement: str, rows: pyarrow.Table) -> Any:
    """Return the engine's result of a single statement that reads the Arrow table `rows`: `COPY File FROM rows`.

    Kùzu finds the table by the name of this variable, and releases it after the statement. A table in a parameter would stay in
    memory until the connection is closed. Raises IndexCorrupt or QueryFailed.
    """
    return execute(connection, statement, {})


def with_kuzu_keys(value: Any) -> Any:
    """Return a result value with the keys of Kùzu in its nodes, relationships and paths."""
    return _renamed(value) if _COMPILED[LADYBUG] in sys.modules else value


def close(database: Database, *connections: Connection) -> None:
    """Close the connections, then the database."""
    for connection in connections:
        connection.close()
    database.close()


def _load(name: str) -> Any:
    """Return the package of an engine.

    Raises UsageError if the package is not installed or cannot be loaded, or if this process has loaded the other engine. Both
    engines register the same names, and loading both would end the process.
    """
    check_installed(name)
    with _loading:
        for other, compiled in _COMPILED.items():
            if other != name and compiled in sys.modules:
                raise UsageError(
                    f"The graph engine {name} cannot be loaded in this process, which has loaded {other}. Use another process."
                )
        try:
            if name == KUZU:
                import kuzu

                return kuzu
            import ladybug

            # The package itself would make the module's symbols visible to all libraries that are loaded later.
            import ladybug._lbug

            return ladybug
        except ImportError as error:
            hint = " Ladybug needs the libraries of OpenSSL 3 on this machine." if name == LADYBUG else ""
            raise UsageError(f'The graph engine "{name}" cannot be loaded: {error}.{hint}') from error


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    if not isinstance(value, dict):
        return value
    is_record = "_LABEL" in value or "_NODES" in value
    return {_KEYS.get(key, key) if is_record else key: _renamed(item) for key, item in value.items()}


def _package_of(value: Database | Connection) -> Any:
    return sys.modules[type(value).__module__.partition(".")[0]]


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


def _machine_memory() -> int:
    """Return the bytes of the machine's memory; 0 if the system does not report them, as on Windows."""
    if "SC_PHYS_PAGES" not in getattr(os, "sysconf_names", {}):
        return 0
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _threads() -> int:
    # More threads do not make queries on a single repository faster, and an open database starts all its threads at once.
    return min(4, os.cpu_count() or 1)
