"""The schema of a database while changes are applied to it one after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...facts.data import Action, ObjectName, SchemaChange
from .generated_names import kept_name, names_of_mysql, names_of_postgres, rename_with_table
from .tables import Column, Constraint, Event, Key, Place, Table, continued_column, is_copy, key_of

_SERIALS: Final = {"serial": "integer", "bigserial": "bigint", "smallserial": "smallint"}

#: The type of a column that may be a type of the database, perhaps a list of its values: `"public"."mood"[]`.
_TYPE: Final = re.compile(r"(?P<before>\"?(?P<schema>[^\".]+)\"?\.)?\"?(?P<name>[^\".\[\]()]+)\"?(?P<after>(?:\[\])*)")


class Database:
    """All objects of one database, including dropped ones."""

    def __init__(self, dialect: str = "") -> None:
        self._is_mysql: Final = dialect == "mysql"
        #: Whether indexes of several tables may have the same name.
        self._has_indexes_by_table: Final = dialect in ("mysql", "tsql")
        #: Whether keys over the same columns in one statement are one key, as in PostgreSQL and SQLite.
        self._unites_keys: Final = dialect in ("postgres", "sqlite", "")
        #: The existing table that the last statement would create if the table did not exist.
        self.kept: Table | None = None
        self.tables: dict[Key, Table] = {}
        #: Enums, sequences, triggers and procedures: kind and key of each.
        self.others: dict[tuple[str, Key], Place] = {}
        self.dropped_tables: list[Table] = []
        self.dropped_columns: list[tuple[Table, Column]] = []
        #: Table of each index. Names of indexes are unique in a schema.
        self.index_owners: dict[str, Key] = {}
        #: Tables with a present or former foreign key to a table.
        self.referring: dict[Key, list[Table]] = {}
        #: Partitions of a table, and tables that inherit from it, by key of the table.
        self.children: dict[Table, list[Table]] = {}

    def apply(self, change: SchemaChange, file: int) -> None:
        """Apply a change. A change that does not fit the state, such as a drop of a missing table, has no effect."""
        kind = change.kind
        if self.kept is not None:
            if change.of_creation and change.table is not None and self.tables.get(key_of(change.table)) is self.kept:
                return
            self.kept = None
        if kind in ("table", "view"):
            self._table(change, file)
        elif kind == "column":
            self._column(change, file)
        elif kind == "constraint":
            self._constraint(change, file)
        elif kind == "index":
            self._index(change, file)
        elif change.action == Action.RENAME and change.new_name is not None:
            self._rename_type(change.name, change.new_name)
        elif change.action == Action.CREATE:
            named = (kind, key_of(change.name))
            if change.is_sweeping or named not in self.others:
                self.others[named] = Place(file, change.symbol)
        elif change.action == Action.DROP:
            self.others.pop((kind, key_of(change.name)), None)
            if kind == "schema":
                for key in [key for key in self.tables if key[0] == change.name.name.lower()]:
                    self._drop_table(key, change, file)

    def _rename_type(self, old: ObjectName, new: ObjectName) -> None:
        key = key_of(old)
        for table in self.tables.values():
            for column in table.columns.values():
                written = _TYPE.fullmatch(column.type)
                if written is not None and key_of(ObjectName(written["name"], written["schema"] or "")) == key:
                    column.type = f"{written['before'] or ''}{new.name}{written['after']}"

    # ------------------------------------------------------------------ tables and views

    def _table(self, change: SchemaChange, file: int) -> None:
        key = key_of(change.name)
        table = self.tables.get(key)
        if change.action == Action.CREATE:
            made = Table(change.name.name, key[0], change.kind, Place(file, change.symbol), made_after=len(self.dropped_tables))
            if change.text == "temporary":
                made.events = [Event("created", file, change.line), Event("dropped", file, change.line)]
                self.dropped_tables.append(made)
                return
            if table is not None and not change.is_sweeping:
                self.kept = table if change.is_conditional else None
                return
            made.events = [
                *(table.events if table is not None else ()),
                Event("created" if table is None else "altered", file, change.line),
            ]
            self.tables[key] = made
            self._inherit(made, change, file)
        elif change.action == Action.DROP:
            if table is not None:
                self._drop_table(key, change, file)
        elif table is None:
            if change.action == Action.RENAME and change.new_name is not None and key[1] != change.new_name.name.lower():
                self._bring_back(key_of(change.new_name), change, file)
        elif change.action == Action.RENAME and change.new_name is not None:
            new = key_of(change.new_name)
            if new == key:
                table.name = change.new_name.name
                return
            if new in self.tables:  # no database allows that, so a statement that is not written here has dropped the other table
                self._drop_table(new, change, file)
            parts = self._parts(table)
            del self.tables[key]
            table.events.append(Event("renamed", file, change.line))
            table = self._continued(self._replaced(table, new), table)
            table.former.append(key)
            if self._is_mysql:
                table.constraints = rename_with_table(table.constraints, table.name, change.new_name.name)
            table.name, table.schema = change.new_name.name, new[0]
            self.tables[new] = table
            for each in self._referrers(key):
                for constraint in each.constraints.values():
                    constraint.target = new if constraint.target == key else constraint.target
            self.referring.setdefault(new, []).extend(self.referring.pop(key, ()))
            for part in parts:
                part.parent = new
            for index in table.indexes:
                if self.index_owners.get(index) == key:
                    self.index_owners[index] = new
        elif change.text.startswith("comment "):
            table.comment = change.text[8:]
        elif change.target is not None:
            self._inherit(table, change, file)

    def _inherit(self, table: Table, change: SchemaChange, file: int) -> None:
        source = self.tables.get(key_of(change.target)) if change.target is not None else None
        if source is None:
            table.has_all_columns = table.has_all_columns and change.target is None
            return
        if source is table:
            return
        if not change.text.startswith("like"):
            table.parent = source.key
            self.children.setdefault(source, []).append(table)
        with_defaults = "including all" in change.text.lower() or "defaults" in change.text.lower() or table.parent is not None
        for name, column in source.columns.items():
            copied = Column(column.name, table.place, column.type, column.nullable, column.default if with_defaults else "")
            copied.events = [Event("created", file, change.line)]
            table.columns.setdefault(name, copied)
        if "including all" in change.text.lower() or change.text == "partition":
            for constraint in source.constraints.values():
                if constraint.kind != "foreign key" or change.text == "partition":
                    name = constraint.name
                    if constraint.kind != "check":
                        name = self._free_name(table, constraint.kind, constraint.columns)
                    self._refer(table, constraint.target)
                    table.constraints[name.lower()] = Constraint(
                        name,
                        constraint.kind,
                        list(constraint.columns),
                        table.place,
                        False,
                        change.line,
                        constraint.is_unique,
                        constraint.target,
                        list(constraint.target_columns),
                        constraint.on_delete,
                        constraint.on_update,
                    )

    def _drop_table(self, key: Key, change: SchemaChange, file: int) -> None:
        table = self.tables.pop(key)
        table.events.append(Event("dropped", file, change.line))
        self.dropped_tables.append(table)
        for name in table.indexes:
            self.index_owners.pop(name, None)
        for each in self._referrers(key):
            for name in [name for name, constraint in each.constraints.items() if constraint.target == key]:
                table.referring.append((each, each.constraints.pop(name)))
        self.referring.pop(key, None)
        for former in table.former:
            made = self.tables.get(former)
            if made is not None and made.made_after < len(self.dropped_tables) and is_copy(made, table):
                self.tables[former] = self._continued(table, made)
                break

    # ------------------------------------------------------------------ tables that are made again

    # In SQLite, a migration changes a table by copying it: it creates a new table, copies the rows, drops the old table and
    # renames the new one. It may also rename the old table first and drop it last. Both tables count as one table.

    def _replaced(self, table: Table, key: Key) -> Table | None:
        """Return the dropped table whose name a table takes and whose columns it copies; None if there is no such table."""
        for dropped in reversed(self.dropped_tables[table.made_after :]):
            if dropped.key == key and dropped.columns:
                return dropped if is_copy(table, dropped) else None
        return None

    def _continued(self, old: Table | None, made: Table) -> Table:
        """Move the columns, constraints and indexes of a copy to the dropped table, and return the dropped table.

        `old` is the dropped table. If it is None, the copy is returned unchanged. A table with the name of the copy replaces it
        in the list of dropped tables.
        """
        if old is None:
            return made
        copied = {name: column for name, column in made.columns.items() if name in old.columns}
        columns = {
            name: continued_column(old.columns[name], column) if name in copied else column
            for name, column in made.columns.items()
        }
        end = next(event for event in reversed(old.events) if event.kind == "dropped")
        for name, column in old.columns.items():
            if name not in columns:
                column.events.append(end)
                self.dropped_columns.append((old, column))
        stub = Table(made.name, made.schema, made.kind, made.place, copied, events=[*made.events, end])
        self.dropped_tables[self.dropped_tables.index(old)] = stub
        old.events.remove(end)
        old.events.append(made.events[0]._replace(kind="altered"))
        old.columns, old.constraints, old.indexes = columns, made.constraints, made.indexes
        old.name, old.schema, old.has_all_columns = made.name, made.schema, made.has_all_columns
        for constraint in made.constraints.values():
            self._refer(old, constraint.target)
        for referrer, constraint in old.referring:
            constraint.target, other = made.key, old if referrer is made else referrer
            is_known = other is old or self._exists(other)
            if is_known and all(name.lower() in columns for name in constraint.target_columns):
                other.constraints.setdefault(constraint.name.lower(), constraint)
                self._refer(other, made.key)
        self.children.setdefault(old, []).extend(self.children.pop(made, ()))
        old.referring = []
        return old

    def _bring_back(self, key: Key, change: SchemaChange, file: int) -> None:
        """Bring back the table that was dropped last if a table that code made at run time takes its name.

        The columns of such a copy are not known, so those of the dropped table stay.
        """
        table = self.dropped_tables[-1] if self.dropped_tables else None
        end = table.events[-1] if table is not None and table.events else None
        if table is None or end is None or table.key != key or key in self.tables or end.kind != "dropped" or end.file != file:
            return
        self.dropped_tables.pop()
        table.events[-1] = Event("altered", file, change.line)
        table.has_all_columns = False
        self.tables[key] = table
        for name in table.indexes:
            self.index_owners.setdefault(name, key)
        for other, constraint in table.referring:
            if self._exists(other):
                other.constraints.setdefault(constraint.name.lower(), constraint)
                self._refer(other, key)
        table.referring = []

    # ------------------------------------------------------------------ columns

    def _column(self, change: SchemaChange, file: int) -> None:
        table = self.tables.get(key_of(change.table)) if change.table is not None else None
        if table is None:
            return
        name = change.name.name.lower()
        column = table.columns.get(name)
        if change.action == Action.CREATE:
            if column is None:
                self._add_column(table, change, file)
            return
        if column is None:
            return
        if change.action == Action.DROP:
            del table.columns[name]
            column.events.append(Event("dropped", file, change.line))
            self.dropped_columns.append((table, column))
            self._drop_with_column(table, name)
        elif change.action == Action.RENAME and change.new_name is not None:
            self._rename_column(table, name, change.new_name.name)
            column.events.append(Event("renamed", file, change.line))
        elif change.text.startswith("comment "):
            column.comment = change.text[8:]
        else:
            column.type = change.type or column.type
            if change.nullable is not None:  # MySQL omits `NOT NULL` in the changes of a column of the primary key
                column.nullable = change.nullable and name not in map(str.lower, self._primary_key(table.key))
            column.default = column.default if change.default is None else change.default
            column.events.append(Event("altered", file, change.line))

    def _add_column(self, table: Table, change: SchemaChange, file: int) -> None:
        is_serial = change.type.lower() in _SERIALS
        nullable = change.nullable if change.nullable is not None else not is_serial
        default = change.default or ("nextval" if is_serial else "")
        column = Column(change.name.name, Place(file, change.symbol), change.type, nullable, default)
        column.events.append(Event("created", file, change.line))
        table.columns[change.name.name.lower()] = column
        for part in self._parts(table):
            if change.name.name.lower() not in part.columns:
                self._add_column(part, change, file)

    def _parts(self, table: Table) -> list[Table]:
        return [each for each in self.children.get(table, ()) if each.parent == table.key and self._exists(each)]

    def _referrers(self, key: Key) -> list[Table]:
        """Return the tables with a present or former foreign key to a table."""
        return [each for each in self.referring.get(key, ()) if self._exists(each)]

    def _refer(self, table: Table, target: Key | None) -> None:
        if target is not None:
            referring = self.referring.setdefault(target, [])
            if referring[-1:] != [table]:
                referring.append(table)

    def _exists(self, table: Table) -> bool:
        return self.tables.get(table.key) is table

    def _rename_column(self, table: Table, old: str, new: str) -> None:
        renamed = {(new.lower() if name == old else name): column for name, column in table.columns.items()}
        renamed[new.lower()].name = new
        table.columns = renamed
        for constraint in [*table.constraints.values(), *table.indexes.values()]:
            constraint.columns = [new if column.lower() == old else column for column in constraint.columns]
        key = table.key
        for each in self._referrers(key):
            for constraint in each.constraints.values():
                if constraint.target == key:
                    constraint.target_columns = [new if name.lower() == old else name for name in constraint.target_columns]

    def _drop_with_column(self, table: Table, name: str) -> None:
        """Drop the constraints and indexes over a column, as PostgreSQL does. In MySQL, they keep their other columns."""
        for held in (table.constraints, table.indexes):
            for each in [each for each, item in held.items() if name in (column.lower() for column in item.columns)]:
                rest = [column for column in held[each].columns if column.lower() != name]
                if self._is_mysql and rest and held[each].kind in ("primary key", "unique", "index"):
                    held[each].columns = rest
                    continue
                del held[each]
                self.index_owners.pop(each, None)
        key = table.key
        for other in self._referrers(key):
            for each in [
                each
                for each, item in other.constraints.items()
                if item.target == key and name in (column.lower() for column in item.target_columns)
            ]:
                del other.constraints[each]

    # ------------------------------------------------------------------ constraints and indexes

    def _constraint(self, change: SchemaChange, file: int) -> None:
        table = self.tables.get(key_of(change.table)) if change.table is not None else None
        if table is None:
            return
        name = kept_name(table.constraints, change.name.name)
        if change.action == Action.DROP:
            if change.type == "primary key":
                name = next((each for each, item in table.constraints.items() if item.kind == "primary key"), name)
            dropped = table.constraints.pop(name, None)
            if dropped is not None and change.is_sweeping and dropped.kind in ("primary key", "unique"):
                self._drop_references(table, dropped)
            return
        if change.action == Action.RENAME:
            renamed = table.constraints.pop(name, None)
            if renamed is not None and change.new_name is not None:
                renamed.name = change.new_name.name
                table.constraints[renamed.name.lower()] = renamed
            return
        columns = list(change.columns)
        if change.new_name is not None:  # a key can adopt an existing index
            taken = table.indexes.pop(change.new_name.name.lower(), None)
            columns = taken.columns if taken is not None else []
            self.index_owners.pop(change.new_name.name.lower(), None)
        target = key_of(change.target) if change.target is not None else None
        self._refer(table, target)
        target_columns = list(change.target_columns)
        if target is not None and not target_columns:
            target_columns = self._primary_key(target)
        made = Constraint(
            change.name.name or self._made_name(table, change),
            change.type,
            columns,
            Place(file, change.symbol),
            bool(change.name.name) and change.symbol != table.place.symbol,
            change.line,
            change.type in ("primary key", "unique"),
            target,
            target_columns,
            change.on_delete,
            change.on_update,
            bool(change.name.name),
        )
        if change.type == "primary key":
            if not change.of_creation and self._is_primary_key(table, columns):
                return  # a condition in a block of code adds the key again if it is missing
            for column in columns:
                if (held := table.columns.get(column.lower())) is not None:
                    held.nullable = False
        if change.of_creation and self._unites_keys and made.is_unique and self._unites(table, made):
            return
        if change.of_creation and self._is_mysql and not change.name.name and made.is_unique and self._is_one_key(table, made):
            return
        if made.name.lower() not in table.constraints:
            table.constraints[made.name.lower()] = made

    def _is_one_key(self, table: Table, made: Constraint) -> bool:
        """Return whether MySQL makes no key of a key, because its column is `UNIQUE` and `PRIMARY KEY`. The primary key stays."""
        for key, other in table.constraints.items():
            if other.is_unique and not other.has_symbol and (other.columns, other.line) == (made.columns, made.line):
                if made.kind == "primary key":
                    del table.constraints[key]
                return made.kind != "primary key"
        return False

    def _is_primary_key(self, table: Table, columns: list[str]) -> bool:
        wanted = [column.lower() for column in columns]
        kept = [item.columns for item in table.constraints.values() if item.kind == "primary key"]
        return any([column.lower() for column in each] == wanted for each in kept)

    def _unites(self, table: Table, made: Constraint) -> bool:
        """Return whether PostgreSQL makes one key of a key and an earlier one in the statement that creates the table.

        The primary key stays. It takes the name of the other key if it has none of its own.
        """
        columns = [column.lower() for column in made.columns]
        for key, other in table.constraints.items():
            if other.is_unique and [column.lower() for column in other.columns] == columns:
                del table.constraints[key]
                first, second = (made, other) if made.kind == "primary key" else (other, made)
                first.name = second.name if second.is_named and not first.is_named else first.name
                table.constraints[first.name.lower()] = first
                return True
        return False

    def _drop_references(self, table: Table, dropped: Constraint) -> None:
        key = table.key
        columns = [column.lower() for column in dropped.columns]
        for other in self._referrers(key):
            for name in [name for name, item in other.constraints.items() if item.target == key]:
                if [column.lower() for column in other.constraints[name].target_columns] == columns:
                    del other.constraints[name]

    def _primary_key(self, key: Key) -> list[str]:
        table = self.tables.get(key)
        keys = [item for item in table.constraints.values() if item.kind == "primary key"] if table is not None else []
        return list(keys[0].columns) if keys else []

    def _made_name(self, table: Table, change: SchemaChange) -> str:
        """Return the name that the database generates for a constraint without a name."""
        if change.new_name is not None:
            return change.new_name.name
        columns = change.columns
        if change.type == "check" and not columns:
            used = [column.name for column in table.columns.values() if _mentions(change.text, column.name)]
            columns = used if len(used) == 1 else []
        return self._free_name(table, change.type, columns)

    def _free_name(self, table: Table, kind: str, columns: Sequence[str]) -> str:
        taken = table.constraints.keys() | table.indexes.keys()
        if self._is_mysql and kind == "primary key":
            return "PRIMARY"
        if self._is_mysql:
            return next(name for name in names_of_mysql(table, kind, columns[0] if columns else "") if name.lower() not in taken)
        part = "" if kind == "primary key" else "_".join(columns)
        return next(
            name
            for name in names_of_postgres(table.name, kind, part)
            if name.lower() not in taken and name.lower() not in self.index_owners
        )

    def _index(self, change: SchemaChange, file: int) -> None:
        name = kept_name(self.index_owners, change.name.name) if change.action != Action.CREATE else ""
        owner = self.index_owners.get(name, ("", ""))
        # A statement that drops an index names it alone, whatever table a library has with it.
        is_held = owner != ("", "") and not self._has_indexes_by_table and change.action != Action.CREATE
        if change.table is not None and not is_held:
            owner = key_of(change.table)
        table = self.tables.get(owner)
        if change.action == Action.CREATE and table is not None:
            made_name = change.name.name or self._free_name(table, "index", [column or "expr" for column in change.columns])
            is_known = made_name.lower() in (table.indexes if self._has_indexes_by_table else self.index_owners)
            if is_known and table.indexes:
                return
            made = Constraint(
                made_name, "index", list(change.columns), Place(file, change.symbol), True, change.line, change.is_unique
            )
            table.indexes[made_name.lower()] = made
            self.index_owners[made_name.lower()] = owner
        elif change.action == Action.DROP and table is not None:
            table.indexes.pop(name, None)
            table.constraints.pop(name, None) if change.table is not None else None
            self.index_owners.pop(name, None)
        elif change.action == Action.RENAME and change.new_name is not None:
            self._rename_index(name, change.new_name.name)

    def _rename_index(self, old: str, new: str) -> None:
        owner = self.index_owners.pop(old, None)
        for table in [self.tables[owner]] if owner in self.tables else self.tables.values():
            for held in (table.indexes, table.constraints):
                if old in held:
                    item = held.pop(old)
                    item.name = new
                    held[new.lower()] = item
                    if held is table.indexes and owner is not None:
                        self.index_owners[new.lower()] = owner
                    return


def _mentions(text: str, name: str) -> bool:
    words = text.lower().replace("(", " ").replace(")", " ").replace(",", " ").replace("'", " ' ").split()
    return name.lower() in words
