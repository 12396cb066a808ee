"""Make the edges of data: of all tables of a repository, and of the code that uses them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from ....schema.edges import ColumnEdge, DataMapping, DataUse, ForeignKeyEdge, IndexEdge, SchemaEvent
from ....schema.graph_content import GraphContent
from ...facts.data import DataFacts, ModelQuery, ObjectName, Query, TableUse
from .database import Column, Constraint, Database, Event, Key, Place, Table, key_of
from .mapped import MappedSchema
from .migrations import FileSet, file_sets
from .model_names import common_parts
from .model_uses import MappedTables, ModelUses

#: Returns the id of a symbol of a file.
SymbolIds = Callable[[str, int], str]
#: Smallest share of the tables of a schema file that migrations also make, if the file shows the same database.
_MIRROR_SHARE: Final = 0.5


class Schema(NamedTuple):
    """A database of the repository."""

    files: FileSet
    database: Database
    #: Name of the object mapper whose models declare it; sql for files of SQL.
    framework: str = "sql"
    #: The models that declare it; None for files of SQL.
    mapped: MappedSchema | None = None


def read_schemas(facts: Mapping[str, DataFacts]) -> list[Schema]:
    """Return the databases that the files of a repository make, those with migrations first."""
    numbers = {path: number for number, path in enumerate(sorted(facts))}
    found = []
    for files in file_sets(path for path, data in facts.items() if data.changes):
        database = Database()
        for path in files.paths:
            for change in facts[path].changes:
                if not change.is_down:
                    database.apply(change, numbers[path])
        if database.tables or database.dropped_tables:
            found.append(Schema(files, database))
    found.sort(key=lambda schema: (not schema.files.is_migrations, schema.files.folder))
    return found


def read_mapped(facts: Mapping[str, DataFacts], mapped: Sequence[MappedSchema]) -> list[Schema]:
    """Return the databases that models declare."""
    numbers = {path: number for number, path in enumerate(sorted(facts))}
    found = []
    for each in mapped:
        database = Database()
        for path, change in each.changes:
            database.apply(change, numbers[path])
        if database.tables:
            files = FileSet(each.folder, tuple(sorted({path for path, _ in each.changes})), each.is_migrations)
            found.append(Schema(files, database, each.framework, each))
    return found


def data_edges(
    facts: Mapping[str, DataFacts],
    symbol_id: SymbolIds,
    mapped: Sequence[MappedSchema] = (),
    model_queries: Mapping[str, Sequence[ModelQuery]] = {},
) -> dict[str, GraphContent]:
    """Return the edges of data by the path of the file that they begin in.

    `mapped` has the databases of models, and `model_queries` what code does with the models, by path.
    """
    return _DataEdges(facts, symbol_id, mapped, model_queries).made()


class _DataEdges:
    def __init__(
        self,
        facts: Mapping[str, DataFacts],
        symbol_id: SymbolIds,
        mapped: Sequence[MappedSchema],
        model_queries: Mapping[str, Sequence[ModelQuery]],
    ) -> None:
        self._facts = facts
        self._model_queries = model_queries
        #: The schema of migrations that has the tables of a schema of models or of a schema file, by the identity of the latter.
        self._originals: dict[int, Schema] = {}
        self._paths = sorted(facts)
        self._symbol_id = symbol_id
        self._schemas = [*read_schemas(facts), *read_mapped(facts, mapped)]
        self._made: dict[str, GraphContent] = defaultdict(GraphContent)
        self._seen: set[tuple[str, ...]] = set()
        #: Schemas that have a table, by its name in lower case.
        self._by_name: dict[str, list[tuple[Schema, Table]]] = defaultdict(list)

    def made(self) -> dict[str, GraphContent]:
        every = self._schemas
        for schema in every:
            self._schema(schema)
        self._mirrors()
        for schema in self._schemas:
            for table in schema.database.tables.values():
                self._by_name[table.name.lower()].append((schema, table))
        models = ModelUses([tables for schema in every if (tables := self._mapped_tables(schema)) is not None], self._symbol_id)
        for path in sorted({*self._paths, *self._model_queries}):
            self._uses(path, models)
        return dict(self._made)

    def _mapped_tables(self, schema: Schema) -> MappedTables | None:
        original = self._originals.get(id(schema))
        others = original.database.tables if original is not None else {}
        return MappedTables(schema.mapped, {**schema.database.tables, **others}) if schema.mapped is not None else None

    def _of(self, place: Place) -> GraphContent:
        path = self._paths[place.file]
        found = self._made.get(path)
        if found is None:
            found = self._made[path] = _empty()
        return found

    def _id(self, place: Place) -> str:
        return self._symbol_id(self._paths[place.file], place.symbol)

    def _is_new(self, *key: str) -> bool:
        """Return whether an edge is not made yet: several databases may share files."""
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    # ------------------------------------------------------------------ schemas

    def _schema(self, schema: Schema) -> None:
        database = schema.database
        for table in [*database.tables.values(), *database.dropped_tables]:
            self._events(table.place, table.name, table.events)
            for position, column in enumerate(table.columns.values()):
                self._column(table, column, position)
                if column.place != table.place:
                    self._events(column.place, column.name, column.events)
        for table, column in database.dropped_columns:
            self._column(table, column, -1)
            self._events(column.place, column.name, column.events)
        for table in database.tables.values():
            for constraint in [*table.constraints.values(), *table.indexes.values()]:
                if constraint.kind == "foreign key":
                    self._foreign_key(table, constraint, database)
                else:
                    self._index(table, constraint)

    def _column(self, table: Table, column: Column, position: int) -> None:
        start, end = self._id(column.place), self._id(table.place)
        if self._is_new("column", start, end, column.name):
            self._of(column.place).columns.append(
                ColumnEdge(start, end, column.name, column.type, column.nullable, column.default, position, column.comment)
            )

    def _events(self, place: Place, name: str, events: Sequence[Event]) -> None:
        start = self._id(place)
        for position, event in enumerate(events):
            path = self._paths[event.file]
            if self._is_new("event", start, path, event.kind, str(event.line)):
                self._of(place).schema_events.append(SchemaEvent(start, path, event.kind, name, event.line, position))

    def _foreign_key(self, table: Table, constraint: Constraint, database: Database) -> None:
        target = database.tables.get(constraint.target) if constraint.target is not None else None
        if target is None:
            return
        for position, (own, other) in enumerate(zip(constraint.columns, constraint.target_columns, strict=False)):
            column, referred = table.columns.get(own.lower()), target.columns.get(other.lower())
            if column is None or referred is None:
                continue
            start, end = self._id(column.place), self._id(referred.place)
            if self._is_new("key", start, end, constraint.name):
                rules = (constraint.on_delete, constraint.on_update)
                edge = ForeignKeyEdge(start, end, constraint.name, position, *rules, constraint.line)
                self._of(column.place).foreign_keys.append(edge)

    def _index(self, table: Table, constraint: Constraint) -> None:
        if constraint.kind not in ("index", "primary key", "unique"):
            return
        for position, name in enumerate(constraint.columns):
            column = table.columns.get(name.lower())
            if column is None:
                continue
            place = constraint.place if constraint.has_symbol else column.place
            start, end = self._id(place), self._id(column.place)
            if self._is_new("index", start, end, constraint.name):
                self._of(place).indexes.append(
                    IndexEdge(start, end, constraint.name, constraint.kind, position, constraint.is_unique)
                )

    def _mirrors(self) -> None:
        """Join the tables of models and schema files with those of the migrations of the same database, and forget the former."""
        kept = []
        for schema in self._schemas:
            original = None if schema.files.is_migrations else self._original(schema)
            if original is None:
                kept.append(schema)
                continue
            self._originals[id(schema)] = original
            for key, table in schema.database.tables.items():
                other = original.database.tables.get(key)
                if other is None:
                    continue
                self._map(table.place, other.place, schema.framework)
                for name, column in table.columns.items():
                    if (same := other.columns.get(name)) is not None:
                        self._map(column.place, same.place, schema.framework)
        self._schemas = kept

    def _original(self, schema: Schema) -> Schema | None:
        own = schema.database.tables.keys()
        best, share = None, _MIRROR_SHARE
        for other in self._schemas:
            if other.files.is_migrations and own:
                common = len(own & other.database.tables.keys()) / len(own)
                if common > share:
                    best, share = other, common
        return best

    def _map(self, place: Place, other: Place, framework: str) -> None:
        start, end = self._id(place), self._id(other)
        if self._is_new("map", start, end):
            self._of(place).data_mappings.append(DataMapping(start, end, framework, "name"))

    # ------------------------------------------------------------------ uses

    def _uses(self, path: str, models: ModelUses) -> None:
        merged: dict[tuple[str, str, bool, str, str], set[int]] = defaultdict(set)
        for query in self._facts[path].queries if path in self._facts else ():
            start = self._symbol_id(path, query.symbol)
            for target, modifies in self._targets(path, query):
                merged[start, self._id(target), modifies, query.statement, query.evidence].add(query.line)
        for built in self._model_queries.get(path, ()):
            for target, modifies in models.targets(path, built):
                merged[built.symbol, self._id(target), modifies, built.statement, built.evidence].add(built.line)
        if not merged:
            return
        content = self._made.get(path)
        if content is None:
            content = self._made[path] = _empty()
        content.data_uses.extend(
            DataUse(start, end, modifies, statement, tuple(sorted(lines)), evidence)
            for (start, end, modifies, statement, evidence), lines in merged.items()
            if start != end
        )

    def _targets(self, path: str, query: Query) -> list[tuple[Place, bool]]:
        """Return the tables and columns that a query uses, each with whether it modifies them."""
        known = [(use, table) for use in query.uses if (table := self._table(path, query, use.name)) is not None]
        # A text in code may be no SQL at all; it is one if the database has all of its tables.
        if query.evidence == "string" and len(known) < len(query.uses):
            return []
        found: list[tuple[Place, bool]] = []
        for use, table in known:
            if not use.of_condition:
                found.append((table.place, use.modifies))
            found += [(column.place, use.modifies) for column in self._columns(use, table, known) if column.place != table.place]
        return list(dict.fromkeys(found))

    def _columns(self, use: TableUse, table: Table, known: Sequence[tuple[TableUse, Table]]) -> list[Column]:
        sure = [column for name in use.columns if (column := table.columns.get(name.lower())) is not None]
        for name in use.unqualified:
            having = {other.name for _, other in known if name.lower() in other.columns}
            if having == {table.name}:
                sure.append(table.columns[name.lower()])
        return sure

    def _table(self, path: str, query: Query, name: ObjectName) -> Table | None:
        key: Key = key_of(name)
        candidates = [
            (schema, table) for schema, table in self._by_name.get(key[1], ()) if not key[0] or table.schema in ("", key[0])
        ]
        if not candidates:
            return None
        best = max(candidates, key=lambda each: (common_parts(each[0].files.folder, path), each[0].files.is_migrations))
        return best[1]


def _empty() -> GraphContent:
    return GraphContent(columns=[], foreign_keys=[], indexes=[], data_uses=[], data_mappings=[], schema_events=[])
