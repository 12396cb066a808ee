"""Describe the tables and columns that a symbol declares or maps to, as they are after all migrations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.symbols.database_names import table_names
from ...graphdb.symbols.id_batches import rows_for_ids

_MAPPED: Final = "MATCH (m:Symbol)-[:MAPS_TO]->(t:Symbol) WHERE m.id IN $ids RETURN m.id, t.id"
_OF_TABLES: Final = """
    MATCH (c:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE t.id IN $ids
    RETURN t.id, o.position, c.id, o.name, o.type, o.nullable, o.defaultValue, o.comment"""
_COLUMNS: Final = """
    MATCH (c:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE c.id IN $ids
    RETURN t.id, o.position, c.id, o.name, o.type, o.nullable, o.defaultValue, o.comment"""
_KEYS: Final = """
    MATCH (k:Symbol)-[i:INDEXES]->(c:Symbol) WHERE c.id IN $ids
    RETURN i.name, i.position, c.id, CASE WHEN i.isUnique AND i.kind = 'index' THEN 'unique index' ELSE i.kind END"""
_REFERENCES: Final = """
    MATCH (c:Symbol)-[f:FOREIGN_KEY]->(t:Symbol) WHERE c.id IN $ids
    RETURN f.name, f.position, c.id, 'foreign key', t.id, f.onDelete, f.onUpdate"""
_CHANGES: Final = """
    MATCH (s:Symbol)-[e:CHANGED_IN]->(f:File) WHERE s.id IN $ids RETURN s.id, e.position, e.kind, f.relativePath, e.line"""

#: Places of kinds of keys among the keys that are shown.
_PLACES: Final = {"primary key": 0, "unique": 1, "foreign key": 2, "unique index": 3, "index": 4}


class ColumnState(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A column, with its type and its default as written."""

    name: str
    type: str = ""
    nullable: bool = False
    default: str = ""
    comment: str = ""

    def __str__(self) -> str:
        """Return the column as in a statement that creates it, with its comment behind a colon."""
        default = f" default {self.default}" if self.default else ""
        comment = f": {self.comment}" if self.comment else ""
        return f"{self.name} {self.type}".rstrip() + ("" if self.nullable else " not null") + default + comment


class KeyState(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A key or an index. `columns` lacks columns that no symbol of their own declares."""

    #: primary key, unique, index, unique index or foreign key.
    kind: str
    name: str
    columns: tuple[str, ...] = ()
    #: Columns or the table that a foreign key refers to.
    references: tuple[str, ...] = ()
    on_delete: str = ""
    on_update: str = ""


class SchemaChange(msgspec.Struct, frozen=True, rename="camel"):
    """A place where a migration creates, alters, renames or drops a table or a column."""

    kind: str
    file: str
    line: int


class TableState(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The state of a table after all migrations, or of one of its columns, and the changes that led to it, in their order."""

    #: Name of the table in the database.
    table: str
    #: table or column: what is described.
    kind: str
    columns: tuple[ColumnState, ...] = ()
    keys: tuple[KeyState, ...] = ()
    changes: tuple[SchemaChange, ...] = ()


class _Column(NamedTuple):
    table: str
    #: Position from 0; -1 for a dropped column.
    position: int
    #: Id of the symbol that declares the column. It is the table for columns that the declaration of the table implies.
    id: str
    name: str
    type: str
    nullable: bool
    default: str
    comment: str


class _KeyColumn(NamedTuple):
    """A column of a key or an index."""

    key: str
    position: int
    column: str
    kind: str
    #: Id of the column that a foreign key refers to, or of its table; else "".
    target: str = ""
    on_delete: str = ""
    on_update: str = ""


def tables_of(graph: GraphDatabase, ids: Collection[str]) -> list[TableState]:
    """Return the state of the tables and columns among symbols, or of those to which models among the symbols map.

    A class maps to its table, and to columns that no attribute declares. Columns of a table that is among them are left out.
    """
    mapped = sorted(rows_for_ids(graph, _MAPPED, ids))
    models = {model for model, _ in mapped}
    wanted = dict.fromkeys([*(id for id in ids if id not in models), *(target for _, target in mapped)])
    homes = {row[2]: row[0] for row in rows_for_ids(graph, _COLUMNS, wanted)}
    return list(states_by_id(graph, [id for id in wanted if homes.get(id) in (None, id) or homes[id] not in wanted]).values())


def states_by_id(graph: GraphDatabase, ids: Collection[str]) -> dict[str, TableState]:
    """Return the state of each table and column among symbols. Other symbols are left out.

    A column comes with the keys that contain it; a table comes with its columns and all keys.
    """
    tables = {row[0] for row in rows_for_ids(graph, _OF_TABLES, ids)}
    homes = {row[2]: row[0] for row in rows_for_ids(graph, _COLUMNS, ids)} | {table: table for table in tables}
    if not homes:
        return {}
    state = _State(graph, sorted(_Column(*row) for row in rows_for_ids(graph, _OF_TABLES, set(homes.values()))))
    changes = defaultdict[str, list[SchemaChange]](list)
    for id, _, kind, path, line in sorted(rows_for_ids(graph, _CHANGES, homes)):
        changes[id].append(SchemaChange(kind, path, line))
    return {id: state.described(homes[id], None if id in tables else id, changes[id]) for id in ids if id in homes}


class _State:
    """Columns and keys of some tables."""

    def __init__(self, graph: GraphDatabase, columns: Sequence[_Column]) -> None:
        self._columns = columns
        self._keys = defaultdict[tuple[str, str], list[_KeyColumn]](list)
        homes = {each.id: each.table for each in columns}
        rows = [row for query in (_KEYS, _REFERENCES) for row in rows_for_ids(graph, query, homes)]
        for each in sorted(_KeyColumn(*row) for row in rows):
            self._keys[homes[each.column], each.key].append(each)
        targets = {each.target for key in self._keys.values() for each in key if each.target}
        referred = {row[2]: row for row in rows_for_ids(graph, _COLUMNS, targets) if row[2] != row[0]}
        #: Names of tables and of columns that foreign keys refer to, by id.
        self._names = table_names(graph, {*homes.values(), *targets, *(row[0] for row in referred.values())})
        self._names |= {id: f"{self._names[table]}.{name}" for id, (table, _, _, name, *_) in referred.items()}
        #: Names of columns by id. A symbol that stands for several columns gives no name.
        self._column_names: dict[str, str] = {}
        for column in columns:
            self._column_names[column.id] = "" if column.id in self._column_names else column.name

    def described(self, table: str, column: str | None, changes: Sequence[SchemaChange]) -> TableState:
        """Return the state of a table, or of one of its columns."""
        columns = [
            each for each in self._columns if each.table == table and (each.id == column if column else each.position >= 0)
        ]
        return TableState(
            self._names.get(table, ""),
            "column" if column else "table",
            tuple(ColumnState(each.name, each.type, each.nullable, each.default, each.comment) for each in columns),
            tuple(self._described_keys(table, column)),
            tuple(changes),
        )

    def _described_keys(self, table: str, column: str | None) -> Iterator[KeyState]:
        for (home, name), parts in sorted(self._keys.items(), key=lambda key: _PLACES.get(key[1][0].kind, len(_PLACES))):
            if home != table or (column is not None and all(each.column != column for each in parts)):
                continue
            names = tuple(filter(None, (self._column_names[each.column] for each in parts)))
            targets = tuple(self._names.get(each.target, "") for each in parts if each.target)
            yield KeyState(parts[0].kind, name, names, targets, parts[0].on_delete, parts[0].on_update)
