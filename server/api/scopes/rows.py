"""The rows of a scope: one record for each node."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ....graphdb.scopes.fields import TABLES
from ....graphdb.scopes.plan import Kind


class RepositoryRow(msgspec.Struct, frozen=True, rename="camel"):
    """The indexed workspace."""

    name: str
    #: Commit of HEAD at the time of indexing, or "".
    commit: str


class ModuleRow(msgspec.Struct, frozen=True, rename="camel"):
    """A folder with a manifest."""

    path: str
    name: str
    kind: str
    version: str


class FileRow(msgspec.Struct, frozen=True, rename="camel"):
    """A source file."""

    path: str
    language: str
    lines: int
    is_test: bool
    importance: int


class SymbolRow(msgspec.Struct, frozen=True, rename="camel"):
    """A declaration or a statement, with its place."""

    id: str
    name: str
    qualified_name: str
    kind: str
    path: str
    start_line: int
    end_line: int
    signature: str
    exported: bool
    importance: int


class PackageRow(msgspec.Struct, frozen=True, rename="camel"):
    """A package that a manifest names or the code imports."""

    name: str


class CommitRow(msgspec.Struct, frozen=True, rename="camel"):
    """A commit that was read from Git's history."""

    hash: str
    #: Time of authorship in UTC, as ISO 8601.
    date: str
    author: str
    email: str
    #: First line of the message.
    title: str
    #: Number of changed files.
    files: int


Row = RepositoryRow | ModuleRow | FileRow | SymbolRow | PackageRow | CommitRow
_ROWS_OF_TABLES: Mapping[str, type[Row]] = {
    "Repository": RepositoryRow,
    "Module": ModuleRow,
    "File": FileRow,
    "Symbol": SymbolRow,
    "Package": PackageRow,
}
#: Type of the rows of each kind.
ROWS: Mapping[Kind, type[Row]] = {kind: _ROWS_OF_TABLES[table] for kind, table in TABLES.items()}


def label_of(row: Row) -> str:
    """Return the label of a row in texts: a path, or a name with its place."""
    if isinstance(row, SymbolRow):
        return f"{row.qualified_name} ({row.path}:{row.start_line})"
    if isinstance(row, CommitRow):
        return f"{row.hash[:10]} {row.title}"
    return row.path if isinstance(row, FileRow) else row.name


def key_of(row: Row) -> str:
    """Return the key of a row among rows of its kind."""
    if isinstance(row, SymbolRow):
        return row.id
    if isinstance(row, CommitRow):
        return row.hash
    return row.path if isinstance(row, FileRow | ModuleRow) else row.name
