"""The edges of the tables of databases. A changed migration changes the edges of few tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Final, NamedTuple

from ....schema.edges import ColumnEdge, ForeignKeyEdge, IndexEdge, SchemaEvent
from ....schema.graph_content import GraphContent
from .database import Database
from .databases import Databases, Schema, SymbolIds
from .recorded_database import RecordedDatabase
from .tables import Column, Constraint, Event, Key, Place, Table


class _State(NamedTuple):
    """What foreign keys and statements see of a table."""

    key: Key
    #: Whether the table is not dropped.
    is_present: bool
    columns: Mapping[str, Place]


class TableEdges:
    """The edges of all tables, by the path of the file in which they begin, and the ids of the symbols of tables."""

    def __init__(self, databases: Databases, symbol_id: SymbolIds) -> None:
        self._databases = databases
        #: Ids of the symbols that declare tables, columns and constraints.
        self.ids: Final[dict[Place, str]] = {}
        self.made: Final[dict[str, GraphContent]] = {}
        self._seen: set[tuple[str, ...]] = set()
        #: The files in which edges of each table begin, and the reverse, by number; the state of each table. All are empty if
        #: the edges cannot change table by table.
        self._files: dict[Table, frozenset[int]] = {}
        self._tables: dict[int, set[Table]] = defaultdict(set)
        self._states: dict[Table, _State] = {}
        #: Numbers of the files whose edges are made; None for all.
        self._only: Set[int] | None = None
        for schema in databases.every:
            for table, places in _places(schema.database):
                self._know(schema.database, table, places, symbol_id)
        for schema in databases.every:
            self._schema(schema)
        if databases.only_migrations is None:
            self._files, self._tables, self._states = {}, {}, {}

    def follow(self, databases: Databases, symbol_id: SymbolIds) -> tuple[Set[str], Set[str]] | None:
        """Replace the edges that differ after a change of migrations.

        Returns the files whose edges may differ, and the lower-case names of the tables that may differ. The result is None if
        all edges must be made again. `databases` have followed from the databases of these edges.
        """
        old, new = self._databases.only_migrations, databases.only_migrations
        touched = new.database.touched if new is not None and isinstance(new.database, RecordedDatabase) else None
        if old is None or new is None or old.database is not new.database or touched is None or not self._files:
            return None
        self._databases = databases
        files: set[int] = set()
        differing: dict[Key, set[str]] = defaultdict(set)
        before = {table: self._states.pop(table, None) for table in touched}
        for table in touched:
            for number in self._files.pop(table, ()):
                files.add(number)
                self._tables[number].discard(table)
        for table, places in _places(new.database, touched):
            self._know(new.database, table, places, symbol_id)
        for table in touched:
            files |= self._files.get(table, frozenset())
            _compare(before[table], self._states.get(table), differing)
        for table in new.database.tables.values():
            if any(_refers_to(key, differing) for key in table.constraints.values()):
                files |= self._files[table]
        for number in files:
            self.made.pop(databases.paths[number], None)
        self._seen, self._only = set(), files
        self._schema(new, {table for number in files for table in self._tables[number]})
        names = {state.key[1] for state in before.values() if state is not None}
        return {databases.paths[number] for number in files}, names | {table.name.lower() for table in touched}

    def _know(self, database: Database, table: Table, places: Collection[Place], symbol_id: SymbolIds) -> None:
        """Keep the ids of some places of a table."""
        for place in places:
            self.ids[place] = symbol_id(self._databases.paths[place.file], place.symbol)
        files = frozenset([place.file for place in places])
        self._files[table] = files | self._files.get(table, frozenset())
        for number in files:
            self._tables[number].add(table)
        columns = {name: column.place for name, column in table.columns.items()}
        self._states[table] = _State(table.key, database.tables.get(table.key) is table, columns)

    def of(self, path: str) -> GraphContent:
        """Return the edges of a file, to which edges can be added."""
        found = self.made.get(path)
        if found is None:
            found = self.made[path] = empty_edges()
        return found

    def is_new(self, *key: str) -> bool:
        """Return whether an edge is new. Databases with common files may yield the same edge."""
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _of(self, place: Place) -> GraphContent:
        return self.of(self._databases.paths[place.file])

    def _schema(self, schema: Schema, chosen: Set[Table] | None = None) -> None:
        """Make the edges of all tables of a database, or of the chosen tables."""
        database = schema.database
        every = [table for table in database.tables.values() if chosen is None or table in chosen]
        dropped = [table for table in database.dropped_tables if chosen is None or table in chosen]
        for table in [*every, *dropped]:
            self._events(table.place, table.name, table.events)
            for position, column in enumerate(table.columns.values()):
                self._column(table, column, position)
                if column.place != table.place:
                    self._events(column.place, column.name, column.events)
        for table, column in database.dropped_columns:
            if chosen is None or table in chosen:
                self._column(table, column, -1)
                self._events(column.place, column.name, column.events)
        for table in every:
            for constraint in [*table.constraints.values(), *table.indexes.values()]:
                if constraint.kind == "foreign key":
                    self._foreign_key(table, constraint, database)
                    if schema.dialect == "mysql" and not _is_indexed(table, constraint):
                        self._index(table, constraint)
                else:
                    self._index(table, constraint)

    def _is_wanted(self, place: Place) -> bool:
        return self._only is None or place.file in self._only

    def _column(self, table: Table, column: Column, position: int) -> None:
        if not self._is_wanted(column.place):
            return
        start, end = self.ids[column.place], self.ids[table.place]
        if self.is_new("column", start, end, column.name):
            self._of(column.place).columns.append(
                ColumnEdge(start, end, column.name, column.type, column.nullable, column.default, position, column.comment)
            )

    def _events(self, place: Place, name: str, events: Sequence[Event]) -> None:
        if not self._is_wanted(place):
            return
        start = self.ids[place]
        for position, event in enumerate(events):
            path = self._databases.paths[event.file]
            if self.is_new("event", start, path, event.kind, str(event.line)):
                self._of(place).schema_events.append(SchemaEvent(start, path, event.kind, name, event.line, position))

    def _foreign_key(self, table: Table, constraint: Constraint, database: Database) -> None:
        target = database.tables.get(constraint.target) if constraint.target is not None else None
        if target is None:
            return
        for position, (own, other) in enumerate(zip(constraint.columns, constraint.target_columns, strict=False)):
            column, referred = table.columns.get(own.lower()), target.columns.get(other.lower())
            if column is None or referred is None or not self._is_wanted(column.place):
                continue
            start, end = self.ids[column.place], self.ids[referred.place]
            if self.is_new("key", start, end, constraint.name):
                rules = (constraint.on_delete, constraint.on_update)
                edge = ForeignKeyEdge(start, end, constraint.name, position, *rules, constraint.line)
                self._of(column.place).foreign_keys.append(edge)

    def _index(self, table: Table, constraint: Constraint) -> None:
        if constraint.kind not in ("index", "primary key", "unique", "foreign key"):
            return
        kind = "index" if constraint.kind == "foreign key" else constraint.kind
        for position, name in enumerate(constraint.columns):
            column = table.columns.get(name.lower())
            if column is None:
                continue
            place = constraint.place if constraint.has_symbol else column.place
            if not self._is_wanted(place):
                continue
            start, end = self.ids[place], self.ids[column.place]
            if self.is_new("index", start, end, constraint.name):
                self._of(place).indexes.append(IndexEdge(start, end, constraint.name, kind, position, constraint.is_unique))


def _is_indexed(table: Table, key: Constraint) -> bool:
    """Return whether an index of a table begins with the first column of a foreign key. If none does, MySQL makes one."""
    first = [column.lower() for column in key.columns[:1]]
    return any(
        [column.lower() for column in each.columns[:1]] == first
        for each in (*table.constraints.values(), *table.indexes.values())
        if each.kind in ("index", "primary key", "unique")
    )


def _places(database: Database, chosen: Set[Table] | None = None) -> Iterator[tuple[Table, list[Place]]]:
    """Yield the symbols of all present and former objects of a database, or of the chosen tables, each with its table."""
    for table in (*database.tables.values(), *database.dropped_tables):
        if chosen is None or table in chosen:
            held = [each.place for each in (*table.constraints.values(), *table.indexes.values()) if each.has_symbol]
            yield table, [table.place, *(column.place for column in table.columns.values()), *held]
    for table, column in database.dropped_columns:
        if chosen is None or table in chosen:
            yield table, [table.place, column.place]


def _compare(before: _State | None, after: _State | None, differing: dict[Key, set[str]]) -> None:
    """Add the columns to which a foreign key may lead otherwise than before, by the key of the table."""
    old = before.columns if before is not None else {}
    new = after.columns if after is not None else {}
    keys = {state.key for state in (before, after) if state is not None and state.is_present}
    is_same = before is not None and after is not None and (before.key, before.is_present) == (after.key, after.is_present)
    for key in keys:
        differing[key] |= {name for name in {*old, *new} if not is_same or old.get(name) != new.get(name)}


def _refers_to(key: Constraint, columns: Mapping[Key, Set[str]]) -> bool:
    """Return whether a key refers to some columns of a table."""
    differing = columns.get(key.target) if key.target is not None else None
    return differing is not None and any(name.lower() in differing for name in key.target_columns)


def empty_edges() -> GraphContent:
    return GraphContent(
        columns=[],
        foreign_keys=[],
        indexes=[],
        data_uses=[],
        unresolved_data_uses=[],
        data_mappings=[],
        schema_events=[],
    )
