"""A database that returns to an earlier state, so that a changed migration does not run all migrations again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...facts.data import Action, SchemaChange
from .database import Database
from .tables import Column, Constraint, Table, key_of


class Step(NamedTuple):
    """The changes of one file, in the order in which they run."""

    #: The number of the file.
    file: int
    changes: Sequence[SchemaChange]


class _Mark:
    """The state of a database before a step. Tables are copied when a later change may alter them."""

    def __init__(self, database: RecordedDatabase, position: int) -> None:
        #: The number of steps before the mark.
        self.position = position
        self.kept = database.kept
        self.tables = dict(database.tables)
        self.others = dict(database.others)
        self.dropped_tables = list(database.dropped_tables)
        self.dropped_columns = list(database.dropped_columns)
        self.index_owners = dict(database.index_owners)
        self.referring = {key: list(tables) for key, tables in database.referring.items()}
        self.children = {table: list(tables) for table, tables in database.children.items()}
        #: The tables that changes after the mark may have altered, each with its copy.
        self.copies: dict[Table, Table] = {}


class RecordedDatabase(Database):
    """The database of a folder of migrations. The state before the first changed migration is kept for the next change."""

    def __init__(self, dialect: str = "") -> None:
        super().__init__(dialect)
        self.dialect = dialect
        #: Tables that the last run may have altered, created or removed; None if all steps ran.
        self.touched: set[Table] | None = None
        self._steps: Sequence[Step] = ()
        self._mark = _Mark(self, 0)

    @classmethod
    def after(cls, steps: Sequence[Step], dialect: str, earlier: RecordedDatabase | None) -> RecordedDatabase:
        """Return the database after some steps. This may alter and return `earlier`, which then has no other use."""
        same = earlier.common(steps) if earlier is not None else len(steps)
        if earlier is not None and earlier.dialect == dialect and earlier.resumes(same):
            earlier.resume(steps, same)
            return earlier
        made = cls(dialect)
        made._run(steps, 0, same, min(same, len(steps) - 1))
        return made

    def common(self, steps: Sequence[Step]) -> int:
        """Return how many steps at the beginning have run before."""
        pairs = zip(self._steps, steps, strict=False)
        differing = (at for at, (old, new) in enumerate(pairs) if old.file != new.file or old.changes is not new.changes)
        return next(differing, min(len(self._steps), len(steps)))

    def resumes(self, same: int) -> bool:
        """Return whether the state after `same` steps is known."""
        return self._mark.position <= same

    def resume(self, steps: Sequence[Step], same: int) -> None:
        """Run other steps after the first `same` ones, which are unchanged."""
        before = {*self.tables.values(), *self.dropped_tables}
        touched: set[Table] = set()
        start = same
        if same < len(self._steps):
            start = self._mark.position
            touched.update(self._mark.copies)
            self._restore()
        touched |= self._run(steps, start, same, start)
        self.touched = touched | (before ^ {*self.tables.values(), *self.dropped_tables})

    def _run(self, steps: Sequence[Step], start: int, same: int, recorded: int) -> set[Table]:
        """Run the steps from `start`, and mark the state after `same` of them.

        Returns the tables that the steps from `recorded` may have altered.
        """
        self._steps = steps
        self._mark = _Mark(self, start)
        touched = set[Table]()
        for position in range(start, len(steps)):
            if position == min(same, len(steps) - 1) and position > start:
                touched.update(self._mark.copies)
                self._mark = _Mark(self, position)
            file, changes = steps[position]
            for change in changes:
                if not change.is_down:
                    if position >= recorded:
                        self._copy(change)
                    self.apply(change, file)
        return touched | self._mark.copies.keys()

    def _copy(self, change: SchemaChange) -> None:
        copies = self._mark.copies
        for table in self._altered(change):
            if table not in copies:
                copies[table] = _copied(table)

    def _altered(self, change: SchemaChange) -> Iterator[Table]:
        """Yield all tables that a change may alter, and perhaps others."""
        kind, action = change.kind, change.action
        table = self.tables.get(key_of(change.table)) if change.table is not None else None
        if kind in ("column", "constraint"):
            if table is not None:
                yield from self._with_parts(table)
                yield from self.referring.get(table.key, ()) if action != Action.CREATE else ()
        elif kind == "index" and action in (Action.CREATE, Action.DROP):
            owner = self.tables.get(self.index_owners.get(change.name.name.lower(), ("", "")))
            yield from (each for each in (table, owner) if each is not None)
        elif kind in ("table", "view") and action not in (Action.CREATE, Action.DROP, Action.RENAME):
            yield from (each for each in (self.tables.get(key_of(change.name)),) if each is not None)
        elif action == Action.RENAME or (action == Action.DROP and kind in ("table", "view", "schema")):
            yield from self.tables.values()
            yield from self.dropped_tables

    def _with_parts(self, table: Table) -> Iterator[Table]:
        waiting, seen = [table], {table}
        while waiting:
            table = waiting.pop()
            yield table
            waiting += [each for each in self.children.get(table, ()) if each not in seen]
            seen.update(waiting)

    def _restore(self) -> None:
        mark = self._mark
        for table, copy in mark.copies.items():
            for name in Table.__slots__:
                setattr(table, name, getattr(copy, name))
        self.kept = mark.kept
        self.tables, self.others = mark.tables, mark.others
        self.dropped_tables, self.dropped_columns = mark.dropped_tables, mark.dropped_columns
        self.index_owners, self.referring, self.children = mark.index_owners, mark.referring, mark.children


def _copied(table: Table) -> Table:
    """Return a copy that shares nothing with a table that a change alters in place."""
    return Table(
        table.name,
        table.schema,
        table.kind,
        table.place,
        {name: _copied_column(column) for name, column in table.columns.items()},
        {name: _copied_constraint(constraint) for name, constraint in table.constraints.items()},
        {name: _copied_constraint(index) for name, index in table.indexes.items()},
        list(table.events),
        table.parent,
        table.comment,
        table.has_all_columns,
        list(table.former),
        table.made_after,
        [(other, _copied_constraint(constraint)) for other, constraint in table.referring],
    )


def _copied_column(column: Column) -> Column:
    return Column(column.name, column.place, column.type, column.nullable, column.default, list(column.events), column.comment)


def _copied_constraint(constraint: Constraint) -> Constraint:
    return Constraint(
        constraint.name,
        constraint.kind,
        list(constraint.columns),
        constraint.place,
        constraint.has_symbol,
        constraint.line,
        constraint.is_unique,
        constraint.target,
        list(constraint.target_columns),
        constraint.on_delete,
        constraint.on_update,
    )
