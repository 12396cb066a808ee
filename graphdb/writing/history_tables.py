"""Write a copy of a graph with the tables of the history."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...schema import ddl
from ...schema.errors import QueryFailed, StoreError
from .. import engine
from ..generations.generations import log_of
from .arrow_tables import arrow_table
from .load_plan import END, START, Load, copy_statement


class CommitRow(NamedTuple):
    """A commit and its author. `time` is in UTC, as in 2026-11-27T09:30:00Z."""

    hash: str
    author: str
    email: str
    message: str
    time: str
    issues: tuple[str, ...]
    files: int
    position: int

    @property
    def person(self) -> str:
        """Key of the author."""
        return f"{self.author} <{self.email}>"


class FileChangeRow(NamedTuple):
    """A commit changed a file; `then` is its path after the commit."""

    path: str
    hash: str
    added: int
    deleted: int
    then: str


class SymbolChangeRow(NamedTuple):
    """A commit changed lines of a symbol."""

    id: str
    hash: str


class CoChangeRow(NamedTuple):
    """Two files or symbols, by path or id, changed in the same commits. `confidence` is in thousandths."""

    path: str
    other: str
    support: int
    confidence: int


class HistoryContent(NamedTuple):
    """All rows of the tables of the history."""

    commits: list[CommitRow]
    files: list[FileChangeRow]
    symbols: list[SymbolChangeRow]
    co_changes: list[CoChangeRow]
    symbol_co_changes: list[CoChangeRow]
    #: Description of the missing part of the history, with the reason; "" if nothing is missing.
    gap: str


def write_history_graph(graph_path: Path, target: Path, content: HistoryContent) -> None:
    """Copy a graph file and its log to `target`, and add the tables of the history.

    Raises StoreError, and leaves no file, if the copy cannot be written.
    """
    try:
        shutil.copyfile(graph_path, target)
        if log_of(graph_path).is_file():
            shutil.copyfile(log_of(graph_path), log_of(target))
        _add_tables(target, content)
    except (OSError, QueryFailed) as error:
        _discard(target)
        raise StoreError(f"The graph with the history cannot be written to {target}: {error}") from error
    except BaseException:
        _discard(target)
        raise


def _add_tables(target: Path, content: HistoryContent) -> None:
    database = engine.open_for_changes(target)
    connection = engine.connect(database)
    try:
        for statement in ddl.statements(ddl.HISTORY):
            engine.execute(connection, statement, {})
        for load in _loads(content):
            if load.rows:
                engine.execute_with_rows(connection, copy_statement(load.table, load.ends), arrow_table(load))
        engine.execute(connection, "CHECKPOINT", {})
    finally:
        engine.close(database, connection)


def _discard(target: Path) -> None:
    for leftover in (target, log_of(target)):
        leftover.unlink(missing_ok=True)


def _loads(content: HistoryContent) -> list[Load]:
    commits, files, symbols, co_changes, symbol_co_changes, _ = content
    people = {commit.person: commit for commit in commits}
    return [
        _load(
            "Commit",
            (),
            commits,
            hash=_field("hash"),
            message=_field("message"),
            time=_field("time"),
            issues=_field("issues"),
            files=_field("files"),
            position=_field("position"),
        ),
        _load(
            "Author",
            (),
            list(people.values()),
            id=_field("person"),
            name=_field("author"),
            email=_field("email"),
        ),
        _load("AUTHORED", ("Author", "Commit"), commits, **{START: _field("person"), END: _field("hash")}),
        _load(
            "MODIFIED_IN",
            ("File", "Commit"),
            files,
            **{START: _field("path"), END: _field("hash")},
            added=_field("added"),
            deleted=_field("deleted"),
            path=_field("then"),
        ),
        _load(
            "MODIFIED_IN",
            ("Symbol", "Commit"),
            symbols,
            **{START: _field("id"), END: _field("hash")},
            added=lambda _: 0,
            deleted=lambda _: 0,
            path=lambda _: "",
        ),
        *(
            _load(
                "CO_CHANGES",
                (end, end),
                rows,
                **{START: _field("path"), END: _field("other")},
                support=_field("support"),
                confidence=_field("confidence"),
            )
            for end, rows in (("File", co_changes), ("Symbol", symbol_co_changes))
        ),
    ]


def _field(name: str) -> Callable[[Any], Any]:
    return lambda row: getattr(row, name)


def _load(table: str, ends: tuple[str, str] | tuple[()], rows: Sequence[Any], /, **columns: Callable[[Any], Any]) -> Load:
    return Load(ddl.tables(ddl.HISTORY)[table], ends, {column: list(map(value, rows)) for column, value in columns.items()})
