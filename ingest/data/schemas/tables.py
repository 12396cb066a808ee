"""The state of the tables of a database: their columns, constraints and indexes, with the changes in their lives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ...facts.data import ObjectName

#: Default schemas of PostgreSQL and of SQL Server.
_DEFAULT_SCHEMAS: Final = frozenset(("", "public", "dbo"))
#: Schema and name in lower case; the default schema is "".
Key = tuple[str, str]


class Place(NamedTuple):
    """The number of a file, and the number of a symbol in the file."""

    file: int
    symbol: int


class Event(NamedTuple):
    """A change in the life of an object."""

    #: created, altered, renamed or dropped.
    kind: str
    file: int
    line: int


@dataclass(slots=True)
class Column:
    """A column in its current state."""

    name: str
    place: Place
    type: str
    nullable: bool
    default: str
    events: list[Event] = field(default_factory=list)
    comment: str = ""


@dataclass(slots=True)
class Constraint:
    """A constraint or an index in its current state."""

    #: The declared name, or the name that the database generates.
    name: str
    #: primary key, unique, foreign key, check, exclude or index.
    kind: str
    columns: list[str]
    #: The symbol that declares the constraint; the symbol of its column or table for a constraint without a name.
    place: Place
    has_symbol: bool
    line: int
    is_unique: bool = False
    target: Key | None = None
    target_columns: list[str] = field(default_factory=list)
    on_delete: str = ""
    on_update: str = ""
    #: Whether the declaration states the name.
    is_named: bool = False


@dataclass(slots=True, eq=False)
class Table:
    """A table or a view in its current state."""

    name: str
    schema: str
    kind: str
    place: Place
    columns: dict[str, Column] = field(default_factory=dict)
    #: By name in lower case.
    constraints: dict[str, Constraint] = field(default_factory=dict)
    indexes: dict[str, Constraint] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    #: Tables that this table copies (LIKE), belongs to as a partition, or inherits from.
    parent: Key | None = None
    comment: str = ""
    #: Whether all columns are known; False if the table gets columns of an unknown table.
    has_all_columns: bool = True
    #: Keys that the table had before it was renamed.
    former: list[Key] = field(default_factory=list)
    #: Number of tables that were dropped before the table was created.
    made_after: int = 0
    #: For a dropped table, the foreign keys of other tables that were dropped with the table.
    referring: list[tuple[Table, Constraint]] = field(default_factory=list)

    @property
    def key(self) -> Key:
        """The key of the table among the tables of its database."""
        return (self.schema, self.name.lower())


def key_of(name: ObjectName) -> Key:
    """Return the key of a table, in which the default schema is ""."""
    schema, own = name.key
    return ("" if schema in _DEFAULT_SCHEMAS else schema, own)


def is_copy(made: Table, old: Table) -> bool:
    """Return whether a table has at least half of the columns of another table."""
    return 2 * sum(name in made.columns for name in old.columns) >= max(len(old.columns), 1)


def continued_column(old: Column, made: Column) -> Column:
    """Return a column with the state of its copy in another table."""
    if (old.type, old.nullable, old.default) != (made.type, made.nullable, made.default):
        old.type, old.nullable, old.default = made.type, made.nullable, made.default
        old.events.append(made.events[0]._replace(kind="altered"))
    old.events += made.events[1:]
    return old
