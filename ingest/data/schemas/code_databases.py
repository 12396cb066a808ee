"""The databases that statements in strings of code define."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....schema.paths import parent_of
from ...facts.data import UNSURE, Action, DataFacts, EmbeddedSchema, SchemaChange
from ...files.path_roles import is_test_path
from ..sql.dialects import common_dialect
from .database import Database
from .migrations import common_folder, in_order, is_in_migrations, is_in_order
from .tables import Key, key_of

#: Kinds of objects whose creation and change need a table.
_OF_TABLES: Final = frozenset(("column", "constraint", "index"))


class CodeDatabase(NamedTuple):
    """A database that code defines."""

    #: The innermost folder that contains all files, or the path of the only file.
    folder: str
    #: Paths in the order in which the statements apply.
    paths: Sequence[str]
    database: Database
    dialect: str
    #: Columns, keys and indexes that are added to existing tables, which other files may create, with the numbers of their files.
    additions: Sequence[tuple[int, SchemaChange]]
    #: Other creations of the same tables, such as for another dialect or in an earlier state.
    variants: Sequence[Database]


class _Change(NamedTuple):
    """A change in code, with the number of its file."""

    file: int
    change: SchemaChange
    #: Whether the code is a migration.
    is_later: bool


def code_databases(facts: Mapping[str, DataFacts], numbers: Mapping[str, int]) -> Iterator[CodeDatabase]:
    """Yield the databases that the code of a repository defines. Tests define none.

    `numbers` has the number of each file. The statements of a file apply in the order of the code. Files have an order if they
    are migrations; otherwise, new columns of a table apply after all files.
    """
    beside = code_beside_files(facts)
    paths = [path for path in _defining(facts) if path not in beside]
    for part in _parts(facts, sorted(paths)):
        ordered = in_order(part)
        dialect = common_dialect((embedded.dialect for path in part if (embedded := facts[path].embedded) is not None), ())
        changes = [each for path in ordered for each in _changes(facts[path], numbers[path], path)]
        yield _database(part[0] if len(part) == 1 else common_folder(part), ordered, dialect, changes)


def code_beside_files(facts: Mapping[str, DataFacts]) -> frozenset[str]:
    """Return the migrations in code that have an order together with the migrations in files of SQL of the same folder."""
    ordered = [path for path in _defining(facts) if is_in_order(path)]
    if not ordered:
        return frozenset()
    folders = {parent_of(path) for path in ordered}
    shared = {
        folder for path, data in facts.items() if data.changes and (folder := parent_of(path)) in folders and is_in_order(path)
    }
    return frozenset(path for path in ordered if parent_of(path) in shared)


def schema_of_code(path: str, data: DataFacts) -> EmbeddedSchema | None:
    """Return the schema that the strings of a file define; None for a test."""
    return None if is_test_path(path) else data.embedded


def _defining(facts: Mapping[str, DataFacts]) -> list[str]:
    return [path for path, data in facts.items() if schema_of_code(path, data) is not None]


def _changes(data: DataFacts, number: int, path: str) -> Iterator[_Change]:
    embedded = data.embedded
    if embedded is None:
        return
    is_migration = is_in_migrations(path)
    later = frozenset(embedded.of_migrations)
    for place, change in enumerate(embedded.changes):
        if is_migration or change.text != UNSURE:
            yield _Change(number, change, is_migration or place in later)


def _database(folder: str, paths: Sequence[str], dialect: str, changes: Sequence[_Change]) -> CodeDatabase:
    database = Database(dialect)
    variants: list[Database] = []
    additions: list[tuple[int, SchemaChange]] = []
    waiting: list[_Change] = []
    current, copies = _current_tables(changes)
    #: The variant to which the columns of the last creation belong, and the number of variants that have a table.
    variant: Database | None = None
    filled: Counter[Key] = Counter()
    for each in changes:
        change = each.change
        is_made = change.action == Action.CREATE and change.kind == "table"
        if is_made:
            key = key_of(change.name)
            is_known = key in database.tables or (each.is_later and key in current)
            variant = _variant(variants, key, filled, dialect) if is_known and change.text != "temporary" else None
        elif not change.of_creation:
            variant = None
        if variant is not None:
            variant.apply(change, each.file)
            continue
        if each.is_later and any(key in current or key in copies for key in _tables_of(change)):
            continue
        is_addition = change.action == Action.CREATE and change.kind in _OF_TABLES and not change.of_creation
        if is_addition:
            additions.append((each.file, change))
        if is_addition and change.table is not None and key_of(change.table) not in database.tables:
            waiting.append(each)
        else:
            database.apply(change, each.file)
    for each in waiting:
        database.apply(each.change, each.file)
    return CodeDatabase(folder, paths, database, dialect, additions, variants)


def _variant(variants: list[Database], key: Key, filled: Counter[Key], dialect: str) -> Database:
    """Return the first variant without a table, or a new one. `filled` has the number of variants that have each table."""
    place = filled[key]
    filled[key] += 1
    if place == len(variants):
        variants.append(Database(dialect))
    return variants[place]


def _tables_of(change: SchemaChange) -> Iterator[Key]:
    """Yield the tables that a change concerns."""
    if change.table is not None:
        yield key_of(change.table)
    elif change.kind == "table":
        yield key_of(change.name)
        if change.new_name is not None:
            yield key_of(change.new_name)


def _current_tables(changes: Sequence[_Change]) -> tuple[frozenset[Key], frozenset[Key]]:
    """Return the tables whose creation outside of migrations has all columns that migrations add, and so is the last state.

    Many programs create a new database in its last state, and migrate only old databases. The second result has the copies that
    migrations rename to such tables.
    """
    created: dict[Key, set[str]] = defaultdict(set)
    added: dict[Key, set[str]] = defaultdict(set)
    removed: dict[Key, set[str]] = defaultdict(set)
    own = {key_of(each.change.name) for each in changes if each.change.kind == "table" and not each.is_later}
    names = {
        key_of(change.name): key_of(change.new_name)
        for _, change, is_later in changes
        if is_later and change.kind == "table" and change.new_name is not None and key_of(change.name) not in own
    }
    for each in changes:
        change = each.change
        if change.kind != "column" or change.table is None:
            continue
        key = key_of(change.table)
        if not each.is_later:
            created[key].add(change.name.name.lower())
        elif change.action == Action.CREATE:
            added[names.get(key, key)].add(change.name.name.lower())
        elif change.action in (Action.DROP, Action.RENAME):
            removed[names.get(key, key)].add(change.name.name.lower())
    found = {key for key, columns in created.items() if added[key] and added[key] - removed[key] <= columns}
    return frozenset(found), frozenset(old for old, new in names.items() if new in found)


def _parts(facts: Mapping[str, DataFacts], paths: Sequence[str]) -> list[Sequence[str]]:
    """Group files by database. Each group has the files of a largest folder in which no two files create the same table.

    A file that creates a table of another file of its folder has a database of its own, unless it is a migration.
    """
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in paths:
        for _, change, _ in _changes(facts[path], 0, path):
            if change.action == Action.CREATE and change.kind == "table":
                owners[key_of(change.name)].add(path)
    if all(len(each) == 1 for each in owners.values()):
        return [paths] if paths else []
    base = common_folder(paths)
    parts: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        rest = parent_of(path)[len(base) :].strip("/")
        parts[rest.partition("/")[0]].append(path)
    if len(parts) == 1:
        alone = {path for each in owners.values() if len(each) > 1 for path in each if not is_in_order(path)}
        others = [path for path in paths if path not in alone]
        return [*([path] for path in sorted(alone)), *([others] if others else [])]
    return [found for _, part in sorted(parts.items()) for found in _parts(facts, part)]
