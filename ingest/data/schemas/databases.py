"""The databases of a repository, and the tables and columns that statements use in them."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import msgspec

from ....schema.paths import common_parts
from ...facts.data import (
    CONSTANT_QUERY,
    NAMED_QUERY,
    PLACEHOLDER,
    ROUTINE_NAME,
    TABLE_NAME,
    UNQUALIFIED,
    Action,
    DataFacts,
    Fragment,
    ModelQuery,
    ModelUse,
    ObjectName,
    Query,
    RunFile,
    SchemaChange,
    TableUse,
    WrittenQuery,
)
from ..sql.dialects import common_dialect
from .code_databases import code_beside_files, code_databases
from .database import Database
from .file_data import is_of_file, run_name
from .mapped import MappedSchema
from .migrations import FileSet, file_sets
from .model_uses import MappedTables, ModelUses, Target
from .recorded_database import RecordedDatabase, Step
from .tables import Column, Key, Place, Table, is_copy, key_of

#: Returns the id of a symbol of a file.
SymbolIds = Callable[[str, int], str]
#: Matches a capital letter inside a name.
_HUMP: Final = re.compile(r"(?<!^)([A-Z])")
_WORDS: Final = re.compile(r"[a-z]+\d?")
#: Schemas with tables of the database system itself, such as `mysql.user`.
_OF_SYSTEMS: Final = frozenset(("information_schema", "mysql", "performance_schema", "pg_catalog", "sys"))
#: Minimum share of the tables of a schema file that migrations create, if the file and the migrations define the same database.
_MIRROR_SHARE: Final = 0.5


class Schema(NamedTuple):
    """A database of the repository."""

    files: FileSet
    database: Database
    #: Name of the object mapper whose models declare the database; "sql" for SQL files, "code" for strings of code.
    framework: str = "sql"
    #: The models that declare the database; None for SQL files and strings.
    mapped: MappedSchema | None = None
    #: The dialect of SQL that the files show; "" if they show none.
    dialect: str = ""


def file_numbers(paths: Iterable[str]) -> dict[str, int]:
    """Return a number for each file, by path."""
    return {path: number for number, path in enumerate(sorted(paths))}


def read_schemas(
    facts: Mapping[str, DataFacts],
    numbers: Mapping[str, int] | None = None,
    earlier: Sequence[Schema] = (),
    mapped: Sequence[MappedSchema] = (),
) -> list[Schema]:
    """Return the databases that the files of a repository declare, first the databases with migrations.

    `numbers` has the numbers of the files. `earlier` are the databases before a change. They are altered in place if they have
    the same files before the first changed one. The files that migrations among `mapped` include are parts of these.
    """
    numbers = numbers if numbers is not None else file_numbers(facts)
    found = []
    beside = code_beside_files(facts)
    known = {schema.files.folder: schema.database for schema in earlier if isinstance(schema.database, RecordedDatabase)}
    included = {path for schema in mapped if schema.is_migrations for path, _ in schema.changes}
    defining = (path for path, data in facts.items() if data.changes or path in beside)
    for files in file_sets(path for path in defining if path not in included):
        dialect = _dialect(facts, files)
        steps = [Step(numbers[path], _changes(facts[path], path in beside)) for path in files.paths]
        database: Database
        if files.is_migrations:
            database = RecordedDatabase.after(steps, dialect, known.pop(files.folder, None))
        else:
            database = Database(dialect)
            steps.sort(
                key=lambda step: not _only_drops(step.changes)
            )  # `drop.sql` beside `tables.sql` is run before it, or alone
            for number, changes in steps:
                for change in changes:
                    if not change.is_down:
                        database.apply(change, number)
        if database.tables or database.dropped_tables:
            found.append(Schema(files, database, dialect=dialect))
    found.sort(key=lambda schema: (not schema.files.is_migrations, schema.files.folder))
    return found


def _only_drops(changes: Sequence[SchemaChange]) -> bool:
    return bool(changes) and all(change.action == Action.DROP for change in changes)


def _changes(facts: DataFacts, is_code: bool) -> Sequence[SchemaChange]:
    embedded = facts.embedded if is_code else None
    return embedded.changes if embedded is not None else facts.changes


def read_mapped(
    facts: Mapping[str, DataFacts], mapped: Sequence[MappedSchema], numbers: Mapping[str, int] | None = None
) -> list[Schema]:
    """Return the databases that models declare. `numbers` has the numbers of the files."""
    numbers = numbers if numbers is not None else file_numbers(facts)
    found = []
    for each in mapped:
        database = Database()
        for path, change in each.changes:
            database.apply(change, numbers[path])
        if database.tables:
            files = FileSet(each.folder, tuple(sorted({path for path, _ in each.changes})), each.is_migrations)
            found.append(Schema(files, database, each.framework, each, _dialect(facts, files)))
    return found


def read_code(
    facts: Mapping[str, DataFacts], others: Sequence[Schema], numbers: Mapping[str, int] | None = None
) -> list[tuple[Schema, list[Schema]]]:
    """Return the databases that statements in strings of code define, each with other creations of its tables.

    New columns of a table that only a file of SQL creates are added to that table. `numbers` has the numbers of the files.
    """
    numbers = numbers if numbers is not None else file_numbers(facts)
    found = []
    for each in code_databases(facts, numbers):
        files = FileSet(each.folder, each.paths, False)
        variants = [Schema(files, variant, "code", None, each.dialect) for variant in each.variants]
        found.append((Schema(files, each.database, "code", None, each.dialect), variants))
        for number, change in each.additions:
            key = key_of(change.table) if change.table is not None else ("", "")
            own = each.database.tables.get(key)
            targets = [
                schema.database
                for schema in others
                if schema.mapped is None and not schema.files.is_migrations and key in schema.database.tables
            ]
            if len(targets) == 1 and (own is None or _are_one(own, targets[0].tables[key])):
                targets[0].apply(change, number)
    return found


def _are_one(table: Table, other: Table) -> bool:
    """Return whether two declarations of a table have enough common columns to be one table."""
    return is_copy(table, other) or is_copy(other, table)


def _dialect(facts: Mapping[str, DataFacts], files: FileSet) -> str:
    words = (word for path in files.paths for word in _WORDS.findall(path.lower()))
    return common_dialect((facts[path].dialect for path in files.paths), words)


class Databases:
    """The databases of a repository. Statements are resolved in the last states of the databases."""

    def __init__(
        self,
        facts: Mapping[str, DataFacts],
        symbol_id: SymbolIds,
        mapped: Sequence[MappedSchema],
        earlier: Databases | None = None,
    ) -> None:
        """`earlier` are the databases before a change, which have no other use afterwards."""
        earlier_numbers: dict[str, int] = earlier.numbers if earlier is not None else {}
        #: The numbers of the files. A file keeps the number that it had before the change.
        self.numbers: Final[dict[str, int]] = {
            **earlier_numbers,
            **{path: len(earlier_numbers) + at for at, path in enumerate(sorted(facts.keys() - earlier_numbers.keys()))},
        }
        #: Paths of the files, by the file number of a `Place`.
        self.paths: Final = list(self.numbers)
        #: All databases, including databases of models and schema files that migrations also define.
        declared = [
            *read_schemas(facts, self.numbers, earlier.every if earlier is not None else (), mapped),
            *read_mapped(facts, mapped, self.numbers),
        ]
        of_code = read_code(facts, declared, self.numbers)
        self.every: list[Schema] = [*declared, *(each for schema, variants in of_code for each in (schema, *variants))]
        #: Maps the `id` of a schema from models or from a schema file to the schema of migrations with the same tables.
        self.originals: dict[int, Schema] = {}
        for schema in self.every:
            original = None if schema.files.is_migrations else self._original(schema)
            if original is not None:
                self.originals[id(schema)] = original
        #: The tables of all schemas, by lower-case name.
        self._by_name: dict[str, list[tuple[Schema, Table]]] = defaultdict(list)
        for schema in declared:
            original = self.originals.get(id(schema))
            if original is None:
                known: set[str] = set()
            elif schema.mapped is None:
                continue
            else:  # models without migrations may stand beside models with migrations
                of_migrations = (*original.database.tables.values(), *original.database.dropped_tables)
                known = {table.name.lower() for table in of_migrations}
            for table in schema.database.tables.values():
                if table.name.lower() not in known:
                    self._by_name[table.name.lower()].append((schema, table))
        #: Maps tables that strings of code create to the same tables of files, migrations and models.
        self.copies: dict[Table, Table] = {}
        for schema, _ in of_code:
            for table in schema.database.tables.values():
                same = self._nearest(schema.files.folder, ObjectName(table.name, table.schema))
                if same is not None and _are_one(table, same):
                    self.copies[table] = same
        for schema, variants in of_code:
            for table in schema.database.tables.values():
                if table not in self.copies:
                    self._by_name[table.name.lower()].append((schema, table))
            for variant in variants:
                for key, table in variant.database.tables.items():
                    if (main := schema.database.tables.get(key)) is not None:
                        self.copies[table] = self.copies.get(main, main)
        #: The dialects of the databases that each file, by its number, defines.
        self._dialects: dict[int, str] = {}
        for schema in self.every:
            self._dialects.update(dict.fromkeys((self.numbers[path] for path in schema.files.paths), schema.dialect))
        paths = sorted(facts)
        #: Files whose own text or settings state their dialect.
        self._stated = {path for path in paths if facts[path].dialect}
        self._dropped = {table.name.lower() for schema in declared for table in schema.database.dropped_tables}
        #: The named queries of SQL files, each with its file.
        self._queries: dict[str, list[tuple[str, Query]]] = defaultdict(list)
        #: The statements in the values of constants, by the path and the name of the constant.
        self._of_constants: dict[tuple[str, str], list[Query]] = defaultdict(list)
        #: The statements of SQL files, by path.
        self._of_files: dict[str, list[Query]] = defaultdict(list)
        #: The fragments that statements include, by name, each with its file.
        self._fragments: dict[str, list[tuple[str, Fragment]]] = defaultdict(list)
        for path in paths:
            for fragment in facts[path].fragments:
                self._fragments[fragment.name].append((path, fragment))
            for query in facts[path].queries:
                if query.name:
                    self._queries[run_name(path, query)].append((path, query))
                if query.constant:
                    self._of_constants[path, query.constant].append(query)
                if is_of_file(query):
                    self._of_files[path].append(query)
        own = [tables for each in self.every if (tables := self._mapped_tables(each)) is not None]
        #: Databases of models whose tables all have other declarations.
        separate = [MappedTables(each, self._separate_tables(each)) for each in mapped if each.has_separate_tables]
        #: The databases of models, and their tables.
        self.of_models: Final = [*own, *separate]
        self._models = ModelUses(self.of_models, symbol_id)

    @property
    def only_migrations(self) -> Schema | None:
        """The database of a folder of migrations, if there is no other database and there are no models; None otherwise."""
        is_alone = len(self.every) == 1 and self.every[0].files.is_migrations and self.every[0].mapped is None
        return self.every[0] if is_alone and not self.of_models else None

    def named(self, path: str, query: ModelQuery) -> list[tuple[str, Query]]:
        """Return the queries of SQL files that code runs by name. If several queries have the name, the nearest query counts."""
        every: list[tuple[str, Query]] = []
        for use in query.uses:
            if use.model.startswith(NAMED_QUERY):
                name, _, near = use.model.removeprefix(NAMED_QUERY).partition(" ")
                path = near or path
                every += self._queries.get(name, ())
        return [max(every, key=lambda each: (each[0] == path, common_parts(each[0], path)))] if every else []

    def routines(self, path: str, query: ModelQuery) -> list[Place]:
        """Return the functions and procedures of databases that calls in a file run by name."""
        names = [use.model.removeprefix(ROUTINE_NAME) for use in query.uses if use.model.startswith(ROUTINE_NAME)]
        return [place for name in names if (place := self._routine(path, name)) is not None]

    def _routine(self, path: str, name: str) -> Place | None:
        """Return the routine with a name, of several the one in the nearest database; None if there is none."""
        schema, _, own = name.lower().rpartition(".")
        found = self._routines.get(own, ())
        return max(found, key=lambda each: (common_parts(each[0].files.folder, path), each[1] == schema))[2] if found else None

    @cached_property
    def _routines(self) -> Mapping[str, Sequence[tuple[Schema, str, Place]]]:
        """The routines of all databases by their names in lower case, each with its database and its schema."""
        found: dict[str, list[tuple[Schema, str, Place]]] = defaultdict(list)
        for schema in self.every:
            for (kind, (of_schema, name)), place in schema.database.others.items():
                if kind == "procedure":
                    found[name].append((schema, of_schema, place))
        return found

    def of_constants(self, query: ModelQuery) -> Iterator[tuple[str, Query]]:
        """Yield the statements in the values of constants that code uses, each with its file.

        If a value has several statements behind different keys, those whose keys the code names count.
        """
        for use in query.uses:
            if use.model.startswith(CONSTANT_QUERY):
                name, path, *keys = use.model.removeprefix(CONSTANT_QUERY).split(" ")
                every = self._of_constants.get((path, name), ())
                is_one = len({each.key for each in every}) == 1
                yield from ((path, each) for each in every if is_one or each.key in keys)

    def of_file(self, path: str, run: RunFile) -> tuple[str, Sequence[Query]]:
        """Return the file of SQL that code in a file runs, and its statements; ("", ()) if there is no such file."""
        folders = path.split("/")[:-1]
        found = [
            (depth < len(folders) and folders[depth] in run.bases, depth, target)
            for depth in range(len(folders) + 1)
            if (target := posixpath.normpath("/".join((*folders[:depth], run.path)))) in self._of_files
        ]
        target = max(found)[2] if found else ""
        return target, self._of_files.get(target, ())

    def dialect(self, path: str, query: Query, target: Place) -> str:
        """Return the dialect of a statement: of its file, else of the database that it uses, else a dialect in which it
        parses."""
        return query.dialect if path in self._stated else self._dialects.get(target.file) or query.dialect

    def tables(self, name: ObjectName) -> list[Table]:
        """Return the tables that a name may mean, in all databases."""
        key = key_of(name)
        return [table for _, table in self._by_name.get(key[1], ()) if _may_be_in(key[0], table)]

    def is_dropped(self, name: ObjectName) -> bool:
        """Return whether a migration dropped a table with a name, and no database has such a table now."""
        return not self._by_name.get(name.name.lower()) and name.name.lower() in self._dropped

    def of_calls(self, path: str, query: ModelQuery) -> list[Target]:
        """Return the tables and columns that calls of an object mapper use."""
        named = [self._named_use(each) for use in query.uses if (each := self._as_named(use)) is not None]
        found = self.of_query(path, Query(-1, query.line, query.statement, named, query.evidence, "")) if named else []
        return list(dict.fromkeys([*self._models.targets(path, query), *(Target(*each) for each in found)]))

    def _as_named(self, use: ModelUse) -> ModelUse | None:
        """Return a use of a table by name; None for the use of a model."""
        if use.model.startswith(TABLE_NAME):
            return use
        has_name = use.default_name != "" and not self._models.has_table(use.model)
        return msgspec.structs.replace(use, model=use.default_name) if has_name else None

    def of_written(self, path: str, query: WrittenQuery) -> list[Target]:
        """Return the tables and columns that calls of a mapper use, whose models are known by name only."""
        return self._models.written(path, query)

    def named_in(self, path: str, query: WrittenQuery) -> list[tuple[str, Query]]:
        """Return the queries of SQL files that calls run by name, in a language whose calls are not resolved."""
        uses = tuple(ModelUse(name, (), False) for use in query.uses for name in use.names if name.startswith(NAMED_QUERY))
        return self.named(path, ModelQuery("", query.line, "", uses, "")) if uses else []

    def of_query(self, path: str, query: Query) -> list[tuple[Place, bool]]:
        """Return the tables and columns that a query uses, each with whether it is modified."""
        known = self._with_fragments(path, query, self._known(path, query))
        # A text in code may not be SQL. It counts as SQL if the database has all its tables.
        if query.evidence == "string" and len(known) < len(query.uses):
            return []
        found: list[tuple[Place, bool]] = []
        for use, table in known:
            if not use.of_condition:
                found.append((table.place, use.modifies))
            found += [(column.place, use.modifies) for column in self._columns(use, table, known) if column.place != table.place]
        return list(dict.fromkeys(found))

    def results(self, path: str, query: Query) -> list[tuple[int, Place]]:
        """Return the declarations that receive columns of tables from a statement, each with the only column with its name."""
        known = self._known(path, query) if query.results else []
        found = []
        for result in query.results:
            columns = {column.place for _, table in known if (column := table.columns.get(result.name.lower())) is not None}
            if len(columns) == 1:
                found.append((result.symbol, columns.pop()))
        return found

    def _known(self, path: str, query: Query) -> list[tuple[TableUse, Table]]:
        """Return the uses of tables of a database, each with the table."""
        return [(use, table) for use in query.uses if (table := self._nearest(path, use.name)) is not None]

    def _with_fragments(self, path: str, query: Query, known: list[tuple[TableUse, Table]]) -> list[tuple[TableUse, Table]]:
        """Add the uses of tables and columns in the fragments of other files that a statement includes."""
        if not query.fragments:
            return known
        tables: dict[ObjectName, None] = {}
        # Without a qualifier, a column of an unknown table may be a column of any table.
        columns = {column: None for use in query.uses if use.name.name == PLACEHOLDER for column in use.columns}
        waiting, seen = list(query.fragments), set(query.fragments)
        while waiting:
            having = self._fragments.get(waiting.pop())
            if having:
                _, fragment = max(having, key=lambda each: common_parts(each[0], path))
                tables.update(dict.fromkeys(fragment.tables))
                columns.update(dict.fromkeys(fragment.columns))
                waiting += [name for name in fragment.fragments if name not in seen]
                seen.update(fragment.fragments)
        added = [TableUse(name, False) for name in tables]
        every = [*known, *((use, table) for use in added if (table := self._nearest(path, use.name)) is not None)]
        # The columns in the fragments of an insertion are the columns that it writes.
        writes = query.statement == "insert" and not tables
        chosen = [(use, table) for use, table in every if use.modifies == writes]
        if not chosen:
            chosen = [(TableUse(use.name, False, of_condition=True), table) for use, table in known]
        return every + [
            (TableUse(use.name, use.modifies, [], list(columns), True), table)
            for use, table in {table.key: (use, table) for use, table in chosen}.values()
        ]

    def _columns(self, use: TableUse, table: Table, known: Sequence[tuple[TableUse, Table]]) -> list[Column]:
        sure = [column for name in use.columns if (column := table.columns.get(name.lower())) is not None]
        for name in use.unqualified:
            having = {other.name for _, other in known if name.lower() in other.columns}
            if having == {table.name}:
                sure.append(table.columns[name.lower()])
        return sure

    def _nearest(self, path: str, name: ObjectName) -> Table | None:
        key: Key = key_of(name)
        candidates = [(schema, table) for schema, table in self._by_name.get(key[1], ()) if _may_be_in(key[0], table)]
        if not candidates:
            return None
        if len(candidates) == 1:
            return candidates[0][1]
        return max(candidates, key=lambda each: _nearness(each[0], each[1], path, key[0]))[1]

    def _named_use(self, use: ModelUse) -> TableUse:
        """Return the use of a table whose name is an argument of calls. Query builders may convert names from camel case."""
        schema, _, name = use.model.removeprefix(TABLE_NAME).rpartition(".")
        tables = self._by_name.get(name.lower()) or self._by_name.get(_snake_case(name), [])
        columns = {column for _, table in tables for column in table.columns}
        fields = [(*path[:-1], path[-1] if path[-1].lower() in columns else _snake_case(path[-1])) for path in use.fields]
        return TableUse(
            ObjectName(tables[0][1].name if tables else name, schema),
            use.modifies,
            [path[0] for path in fields if path[0] != UNQUALIFIED],
            [path[1] for path in fields if path[0] == UNQUALIFIED],
            use.of_condition,
        )

    def _mapped_tables(self, schema: Schema) -> MappedTables | None:
        original = self.originals.get(id(schema))
        others = original.database.tables if original is not None else {}
        return MappedTables(schema.mapped, {**schema.database.tables, **others}) if schema.mapped is not None else None

    def _separate_tables(self, mapped: MappedSchema) -> dict[Key, Table]:
        """Return the tables that models without declarations of tables use. If several tables have a name, the nearest counts."""
        found: dict[Key, Table] = {}
        for each in mapped.entities:
            names = [each.table, *(attribute.join for attribute in each.attributes.values())]
            for name in names:
                table = self._nearest(each.path, name) if name is not None else None
                if name is not None and table is not None:
                    found.setdefault(key_of(name), table)
        return found

    def _original(self, schema: Schema) -> Schema | None:
        """Return the migrations with most tables of a database of models or of a schema file; of several, the nearest ones."""
        own = schema.database.tables.keys()
        best, share = None, (_MIRROR_SHARE, 0)
        for other in self.every:
            if other.files.is_migrations and own:
                near = common_parts(other.files.folder, schema.files.folder)
                common = (len(own & other.database.tables.keys()) / len(own), near)
                if common > share and common[0] > _MIRROR_SHARE:
                    best, share = other, common
        return best


def _may_be_in(schema: str, table: Table) -> bool:
    """Return whether a table may be in the schema that a statement names; "" if it names none."""
    return schema in ("", table.schema) or (table.schema == "" and schema not in _OF_SYSTEMS)


def _snake_case(name: str) -> str:
    """Return the name of a column or table that a query builder derives from a name in camel case."""
    return _HUMP.sub(r"_\1", name).lower()


def _nearness(schema: Schema, table: Table, path: str, named: str) -> tuple[int, bool, bool]:
    """Return a sort key: the better a table fits a name in a file, the higher is the key.

    The schema in the name decides between tables of one database.
    """
    return common_parts(schema.files.folder, path), schema.files.is_migrations, table.schema == named
