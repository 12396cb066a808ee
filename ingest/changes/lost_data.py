"""Finds statements that use removed tables and columns: in SQL files, in strings, and in calls of object mappers.

The statements of the new state are resolved in the databases of the old state. Only files that contain the name of a lost table
or column are read.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ...schema.languages import CONTRACTS, DATA, DOCUMENTS, has_calls
from ...schema.paths import parent_of
from ..data.schemas.databases import Databases
from ..data.schemas.migrations import is_down_file
from ..data.schemas.tables import Place, Table
from ..facts.data import DataFacts, ModelQuery
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import TreeState
from ..languages.extraction import extract_facts
from ..languages.mapped_schemas import mapped_schemas
from .changed_symbols import FilesWith
from .state_edges import StateEdges

#: Maximum number of imports between a changed file and a file that declares parts of the same database, such as a base class.
_STEPS: Final = 2


class LostData(NamedTuple):
    """A table or a column that a change removes."""

    #: Path of the file that declared the table or column.
    path: str
    #: Index of the table or column among the symbols of the file.
    symbol: int
    #: "table", "view" or "column".
    kind: str
    #: The name; for a column, `table.column`.
    qualified_name: str
    name: str
    #: The new name of a renamed object; else "".
    new_name: str
    #: Whether migrations removed the object.
    of_migrations: bool

    @property
    def description(self) -> str:
        """The description of the change in a message: "the table boats, which is gone"."""
        outcome = f"is renamed to {self.new_name}" if self.new_name else "is gone"
        return f"the {self.kind} {self.qualified_name}, which {outcome}"


class _Side(NamedTuple):
    """The databases in one state of the repository."""

    databases: Databases
    #: The facts of each file about data, by path.
    facts: Mapping[str, DataFacts]


def lost_data(before: TreeState, after: TreeState, touched: Collection[str], files_with: FilesWith) -> DataComparison | None:
    """Return the tables and columns that a change removes from the databases of some files; None if there are none.

    `files_with` returns the paths of the files of the new state that contain at least one of the given words.
    """
    paths = _declaring_files(before, after, touched, files_with)
    sides = [_side(state, paths) for state in (before, after)]
    found = DataComparison(before, after, sides[0], sides[1])
    return found if found.lost else None


def _declares(data: DataFacts) -> bool:
    return bool(data.changes or data.models or data.migration)


def _declaring_files(before: TreeState, after: TreeState, touched: Collection[str], files_with: FilesWith) -> set[str]:
    """Return the files that may define the same databases as the touched files.

    These are other migrations and their imports, and files that contain the name of a table or a model of the touched files.
    """
    found = set(touched)
    states = (before, after)
    # All migrations together determine the state of a database. A migration in SQL may have its own folder.
    is_sql = {path: (before.language(path) or after.language(path)) in DATA for path in touched}
    folders = {parent_of(path) for path in touched if is_sql[path] or any(_is_migration(state, path) for state in states)}
    outer = {parent_of(parent_of(path)) for path in touched if is_sql[path]}
    for state in states:
        for path in state.files.sources:
            is_beside = parent_of(path) in folders
            if not is_beside and parent_of(parent_of(path)) not in outer:
                continue
            language = state.language(path)
            if language in DATA or (is_beside and language is not None and has_calls(language)):
                found.add(path)
    words = {word for state in states for path in touched for word in _names(state, path)}
    around = {parent_of(path) for path in touched}
    found |= {path for path in files_with(words) if after.language(path) in DATA or parent_of(path) in around}
    frontier = found
    for _ in range(_STEPS):
        targets = {target for path in frontier for state in states for target in _targets(state, path)}
        frontier = targets - found
        found |= targets
    return found


def _is_migration(state: TreeState, path: str) -> bool:
    facts = state.facts(path)
    return facts is not None and facts.data is not None and facts.data.migration is not None


def _names(state: TreeState, path: str) -> Iterator[str]:
    facts = state.facts(path)
    data = facts.data if facts is not None and facts.data is not None else DataFacts()
    for change in data.changes:
        table = change.table if change.table is not None else change.name
        yield table.name
    yield from (model.name for model in data.models)


def _targets(state: TreeState, path: str) -> Iterator[str]:
    facts = state.facts(path)
    if facts is None or facts.data is None or not _declares(facts.data):
        return
    for entry in facts.imports:
        if (target := state.target(entry.specifier, path)) is not None:
            yield target


def _side(state: TreeState, paths: Iterable[str]) -> _Side:
    facts = {path: read.data for path in sorted(paths) if (read := state.facts(path)) is not None and read.data is not None}
    return _Side(Databases(facts, lambda path, symbol: state.symbols(path)[symbol].id, mapped_schemas(facts)), facts)


class DataComparison:
    """The tables and columns that a change removes from the databases, and the statements that still use them."""

    def __init__(self, before: TreeState, after: TreeState, old: _Side, new: _Side) -> None:
        self._before = before
        self._after = after
        self._old = old
        self._new = new
        #: The lost objects, by the place where the old state declares them.
        self.lost: dict[Place, LostData] = dict(self._lost())

    def _lost(self) -> Iterator[tuple[Place, LostData]]:
        """Yield the tables and columns of an old database that no new database of the same kind contains."""
        there: defaultdict[tuple[str, bool, str], list[Table]] = defaultdict(list)
        by_place: dict[tuple[str, str], str] = {}
        for schema in self._new.databases.every:
            for table in schema.database.tables.values():
                there[schema.framework, schema.files.is_migrations, table.name.lower()].append(table)
                by_place[self._key(self._new, self._after, table.place)] = table.name
                for column in table.columns.values():
                    if column.place != table.place:
                        by_place[self._key(self._new, self._after, column.place)] = column.name
        for schema in self._old.databases.every:
            for table in schema.database.tables.values():
                present = there.get((schema.framework, schema.files.is_migrations, table.name.lower()))
                of_migrations = schema.files.is_migrations
                if present is None:
                    whole = (table.kind, table.name, table.name)
                    yield table.place, self._lost_object(table.place, whole, by_place, of_migrations=of_migrations)
                    continue
                kept = {name for each in present for name in each.columns}
                for name, column in table.columns.items():
                    if name not in kept and column.place != table.place:
                        described = ("column", f"{table.name}.{column.name}", column.name)
                        yield column.place, self._lost_object(column.place, described, by_place, of_migrations=of_migrations)

    def _lost_object(
        self, place: Place, described: tuple[str, str, str], by_place: Mapping[tuple[str, str], str], *, of_migrations: bool
    ) -> LostData:
        """Return the lost object that was declared at a place. `described` contains its kind, its qualified name and its name."""
        kind, qualified_name, name = described
        new_name = by_place.get(self._key(self._old, self._before, place), "")
        path = self._old.databases.paths[place.file]
        renamed = new_name if new_name.lower() != name.lower() else ""
        return LostData(path, place.symbol, kind, qualified_name, name, renamed, of_migrations)

    def _key(self, side: _Side, state: TreeState, place: Place) -> tuple[str, str]:
        path = side.databases.paths[place.file]
        return path, state.symbols(path)[place.symbol].id

    def words(self) -> set[str]:
        """Return the names of the lost objects, in the database and in code."""
        found: set[str] = set()
        for each in self.lost.values():
            found |= {each.name, self._before.symbols(each.path)[each.symbol].name}
        return found

    def _words_of_tables(self) -> set[str]:
        """Return the names of the tables of the lost objects, and of their models."""
        tables = {each.qualified_name.rpartition(".")[0] or each.qualified_name for each in self.lost.values()}
        found = set(tables)
        for schema in self._old.databases.every:
            for table in schema.database.tables.values():
                if table.name in tables:
                    found.add(self._before.symbols(self._old.databases.paths[table.place.file])[table.place.symbol].name)
            for entity in schema.mapped.entities if schema.mapped is not None else ():
                if entity.table is not None and entity.table.name in tables and entity.symbol >= 0:
                    found.add(self._before.symbols(entity.path)[entity.symbol].name)
        return found

    def broken(
        self, root: str, files_with: FilesWith, known: Collection[Breakage], deadline: float
    ) -> tuple[list[Breakage], int]:
        """Return the statements of the new state that use lost objects, and the number of files that were not examined.

        Migrations are left out, because they run on earlier states of the database. Lines in `known` are already reported.
        """
        databases = self._old.databases.every
        has_models = any(schema.mapped is not None and schema.mapped.entities for schema in databases)
        paths = self._naming(files_with, with_relations=has_models)
        reported = {(each.path, each.line) for each in known}
        edges = StateEdges(self._after, root, self.words(), has_tables=True) if databases else None
        found = {each for each in self._declared() if (each.path, each.line) not in reported}
        for number, path in enumerate(paths):
            if time.monotonic() > deadline:
                return sorted(found), len(paths) - number
            for place, modifies, line in self._uses(path, edges):
                lost = self.lost.get(place)
                if lost is not None and (path, line) not in reported:
                    found.add(Breakage(path, line, f"{'modifies' if modifies else 'reads'} {lost.description}"))
        return sorted(found), 0

    def _naming(self, files_with: FilesWith, *, with_relations: bool) -> list[str]:
        """Return the paths of the files that may use a lost object, because they contain its name and the name of its table.

        Queries of models reach columns through relations, and may contain a name within a longer name: `item__price__lt`.
        """
        words = self.words()
        of_columns, of_tables = {*files_with(words)}, {*files_with(self._words_of_tables())}
        found = of_columns & of_tables
        if with_relations:
            spelled = [word.encode("utf-8", "surrogateescape") for word in words]
            texts = ((path, self._after.files.read(path) or b"") for path in of_tables - of_columns)
            found = of_columns | {path for path, text in texts if any(word in text for word in spelled)}
        return sorted(path for path in found if self._after.language(path) and not self._is_migration(path))

    def _declared(self) -> Iterator[Breakage]:
        """Yield the places where models and schema files still declare a column or a table that migrations drop."""
        migrated = {lost.qualified_name.lower(): lost for lost in self.lost.values() if lost.of_migrations}
        for schema in self._new.databases.every if migrated else ():
            for table in schema.database.tables.values() if not schema.files.is_migrations else ():
                held = [(table.place, table.name)]
                held += [
                    (each.place, f"{table.name}.{each.name}") for each in table.columns.values() if each.place != table.place
                ]
                for place, name in held:
                    if (lost := migrated.get(name.lower())) is not None:
                        path = self._new.databases.paths[place.file]
                        line = self._after.symbols(path)[place.symbol].declaration_line
                        yield Breakage(path, line, f"declares {lost.description}")

    def _is_migration(self, path: str) -> bool:
        """Return whether a file is a migration, perhaps a migration that only changes rows."""
        data = self._new.facts.get(path)
        if is_down_file(path) or (data is not None and data.migration is not None):
            return True
        around = {parent_of(path), parent_of(parent_of(path))} if self._after.language(path) in DATA else set()
        return any(
            schema.files.is_migrations and (path in schema.files.paths or schema.files.folder in around)
            for schema in self._new.databases.every
        )

    def _uses(self, path: str, edges: StateEdges | None) -> Iterator[tuple[Place, bool, int]]:
        data = self._data(path)
        for query in data.queries:
            for place, modifies in self._old.databases.of_query(path, query):
                yield place, modifies, query.line
        for written in data.written:
            for found in self._old.databases.of_written(path, written):
                yield found.place, found.modifies, written.line
        for built in self._calls(path, edges):
            for found in self._old.databases.of_calls(path, built):
                yield found.place, found.modifies, built.line

    def _data(self, path: str) -> DataFacts:
        """Return the facts about data of a file in the new state, including statements in strings."""
        language, facts = self._after.language(path), self._after.facts(path)
        if language is None or facts is None or language in DOCUMENTS or language in CONTRACTS:
            return DataFacts()
        data = self._after.files.read(path) if language not in DATA else None
        read = extract_facts(data, language, self._after.sql_dialect(path)).data if data is not None else facts.data
        return read or DataFacts()

    def _calls(self, path: str, edges: StateEdges | None) -> Collection[ModelQuery]:
        language = self._after.language(path)
        return edges.queries_of(path) if edges is not None and language is not None and has_calls(language) else ()
