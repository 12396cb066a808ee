"""What models of object mappers say of a database, in the terms of changes that make its tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...facts.data import Action, ObjectName, SchemaChange


class MappedChange(NamedTuple):
    """A change, and the file that declares it."""

    path: str
    change: SchemaChange


class MappedSchema(NamedTuple):
    """A database as the models of an object mapper declare it."""

    #: Name of the object mapper.
    framework: str
    #: The folder that all files are in.
    folder: str
    #: In an order in which tables exist before something refers to them.
    changes: Sequence[MappedChange]


class MappedChanges:
    """Collects the changes of a database: tables and columns first, then keys and indexes, then foreign keys."""

    def __init__(self) -> None:
        self._tables: list[MappedChange] = []
        self._keys: list[MappedChange] = []
        self._foreign_keys: list[MappedChange] = []

    def all(self) -> Iterator[MappedChange]:
        """Yield the changes in an order in which each finds what it refers to."""
        yield from self._tables
        yield from self._keys
        yield from self._foreign_keys

    def create(self, path: str, kind: str, name: ObjectName, symbol: int, line: int) -> None:
        """Create a table, a view or an enum."""
        self._tables.append(MappedChange(path, SchemaChange(Action.CREATE, kind, name, symbol, line)))

    def add_column(self, path: str, change: SchemaChange) -> None:
        """Add a column to a table that was created before."""
        self._tables.append(MappedChange(path, change))

    def add_key(self, path: str, change: SchemaChange) -> None:
        """Add a primary or unique key, or an index."""
        self._keys.append(MappedChange(path, change))

    def add_foreign_key(self, path: str, change: SchemaChange) -> None:
        """Add a foreign key."""
        self._foreign_keys.append(MappedChange(path, change))
