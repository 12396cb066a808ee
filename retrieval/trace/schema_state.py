"""Describe the tables and columns that a symbol declares or maps to, as they are after all migrations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from ...graphdb.database import GraphDatabase
from ...graphdb.symbols.database_names import names_in_database
from ...graphdb.symbols.id_batches import rows_for_ids
from .records import TracedChange, TracedColumn, TracedKey, TracedTable

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


def tables_of(graph: GraphDatabase, ids: Collection[str]) -> list[TracedTable]:
    """Return the state of the tables and columns among symbols, or of those to which models among the symbols map.

    A column comes with the keys that contain it; a table comes with its columns and all keys. Other symbols are left out.
    """
    # A class maps to its table, and to columns that no attribute declares.
    mapped = sorted(rows_for_ids(graph, _MAPPED, ids))
    models = {model for model, _ in mapped}
    wanted = list(dict.fromkeys([*(id for id in ids if id not in models), *(target for _, target in mapped)]))
    tables = {row[0] for row in rows_for_ids(graph, _OF_TABLES, wanted)}
    columns = {row[2]: row[0] for row in rows_for_ids(graph, _COLUMNS, wanted)}
    homes = {id: table for id, table in columns.items() if table not in tables} | {table: table for table in tables}
    if not homes:
        return []
    state = _State(graph, sorted(_Column(*row) for row in rows_for_ids(graph, _OF_TABLES, set(homes.values()))))
    changes = defaultdict[str, list[TracedChange]](list)
    for id, _, kind, path, line in sorted(rows_for_ids(graph, _CHANGES, homes)):
        changes[id].append(TracedChange(kind, path, line))
    return [state.described(homes[id], None if id in tables else id, changes[id]) for id in wanted if id in homes]


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
        self._names = names_in_database(graph, {*homes.values(), *targets})
        #: Names of columns by id. A symbol that stands for several columns gives no name.
        self._column_names: dict[str, str] = {}
        for column in columns:
            self._column_names[column.id] = "" if column.id in self._column_names else column.name

    def described(self, table: str, column: str | None, changes: Sequence[TracedChange]) -> TracedTable:
        """Return the state of a table, or of one of its columns."""
        columns = [
            each for each in self._columns if each.table == table and (each.id == column if column else each.position >= 0)
        ]
        return TracedTable(
            self._names.get(table, ""),
            "column" if column else "table",
            tuple(TracedColumn(each.name, each.type, each.nullable, each.default, each.comment) for each in columns),
            tuple(self._described_keys(table, column)),
            tuple(changes),
        )

    def _described_keys(self, table: str, column: str | None) -> Iterator[TracedKey]:
        for (home, name), parts in sorted(self._keys.items(), key=lambda key: _PLACES.get(key[1][0].kind, len(_PLACES))):
            if home != table or (column is not None and all(each.column != column for each in parts)):
                continue
            names = tuple(filter(None, (self._column_names[each.column] for each in parts)))
            targets = tuple(self._names.get(each.target, "") for each in parts if each.target)
            yield TracedKey(parts[0].kind, name, names, targets, parts[0].on_delete, parts[0].on_update)
