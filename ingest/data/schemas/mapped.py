"""Models of object mappers as changes that create the tables of a database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from ...facts.data import Action, ObjectName, SchemaChange


class MappedChange(NamedTuple):
    """A change, and the file that declares it."""

    path: str
    change: SchemaChange


class MappedAttribute(NamedTuple):
    """The column or relation that a name in the queries of a model denotes."""

    #: Column of the table of the model; "" for a relation without a column in this table.
    column: str = ""
    #: Number of the related model; -1 for a plain column or an unknown model.
    target: int = -1
    #: Whether a relation may have many target rows.
    is_many: bool = False
    #: Table that joins both sides of a many-to-many relation.
    join: ObjectName | None = None
    #: Table of the column, if it differs from the table of the model.
    table: ObjectName | None = None
    #: The action of the mapper on rows of the other side when a row is deleted: CASCADE, SET NULL, or "" for none.
    on_delete: str = ""
    #: Symbol of the attribute if another declaration creates the column; else -1.
    symbol: int = -1
    #: Whether each query of the model also reads the rows of the relation.
    is_eager: bool = False
    #: Whether the mapper saves the rows of the relation together with a row.
    is_saved: bool = False
    #: The attributes for which the attribute stands: a relation, and an attribute of its target.
    path: tuple[str, ...] = ()
    #: Numbers of the models whose tables the database reads to compute the value.
    reads: tuple[int, ...] = ()


class MappedEntity(NamedTuple):
    """A class by which code queries a database."""

    path: str
    #: -1 for a class outside of the repository.
    symbol: int
    #: None for a class without a table, such as an abstract model.
    table: ObjectName | None
    #: Attributes by their names in code.
    attributes: Mapping[str, MappedAttribute] = {}
    #: Fields by their names in conditions, if these differ from the names in code.
    lookups: Mapping[str, MappedAttribute] = {}
    #: For a class without a table, the numbers of the models with a table that it represents.
    variants: Sequence[int] = ()
    #: Whether another declaration creates the table, such as a migration or an object.
    is_separate: bool = False
    #: Whether queries may also use the names of columns. Names of attributes have precedence.
    has_columns_by_name: bool = False
    #: Numbers of the models in whose tables each row of this model has a row, too.
    extended: Sequence[int] = ()


class MappedSchema(NamedTuple):
    """A database that the models of an object mapper declare."""

    #: Name of the object mapper.
    framework: str
    #: The innermost folder that contains all files.
    folder: str
    #: Changes in an order in which tables exist before other objects refer to them.
    changes: Sequence[MappedChange]
    #: The classes and values by which code queries the database.
    entities: Sequence[MappedEntity] = ()
    #: Entities by a name other than the name of their class, such as `setting:AUTH_USER_MODEL`.
    names: Mapping[str, int] = {}
    #: Whether the changes are from migrations, in the order of the migrations.
    is_migrations: bool = False
    #: Whether all tables of the models have other declarations, such as migrations.
    has_separate_tables: bool = False
    #: Whether the mapper deletes related rows only with rows that code deletes one by one, and reads the related rows before.
    deletes_by_row: bool = False
    #: Whether each query of a model joins the tables that the model extends, even if it needs no column of them.
    joins_extended: bool = False


class Placed(Protocol):
    """A model, a field or a key: a record with a symbol and a line."""

    symbol: int
    line: int


class MappedChanges:
    """Collects the changes of a database: tables and columns first, then keys and indexes, then foreign keys."""

    def __init__(self) -> None:
        self._tables: list[MappedChange] = []
        self._keys: list[MappedChange] = []
        self._foreign_keys: list[MappedChange] = []

    def all(self) -> Iterator[MappedChange]:
        """Yield the changes in an order in which each change follows the changes to which it refers."""
        yield from self._tables
        yield from self._keys
        yield from self._foreign_keys

    def create(self, path: str, kind: str, name: ObjectName, symbol: int, line: int) -> None:
        """Create a table, a view or an enum."""
        self._tables.append(MappedChange(path, SchemaChange(Action.CREATE, kind, name, symbol, line)))

    def column(
        self, path: str, table: ObjectName, at: Placed, name: str, kind: str, *, nullable: bool, default: str = ""
    ) -> None:
        """Add a column to an existing table."""
        made = SchemaChange(Action.CREATE, "column", ObjectName(name), at.symbol, at.line, table=table, type=kind)
        made.nullable, made.default = nullable, default
        self._tables.append(MappedChange(path, made))

    def constraint(self, path: str, table: ObjectName, at: Placed, kind: str, columns: Sequence[str], name: str = "") -> None:
        """Add a primary or unique key over columns."""
        made = SchemaChange(Action.CREATE, "constraint", ObjectName(name), at.symbol, at.line, table=table, type=kind)
        made.columns = list(columns)
        self._keys.append(MappedChange(path, made))

    def index(
        self, path: str, table: ObjectName, at: Placed, columns: Sequence[str], name: str = "", *, is_unique: bool = False
    ) -> None:
        """Add an index over columns."""
        made = SchemaChange(Action.CREATE, "index", ObjectName(name), at.symbol, at.line, table=table, columns=list(columns))
        made.is_unique = is_unique
        self._keys.append(MappedChange(path, made))

    def foreign_key(
        self,
        path: str,
        table: ObjectName,
        at: Placed,
        columns: Sequence[str],
        target: ObjectName,
        target_columns: Sequence[str],
        name: str = "",
        rules: tuple[str, str] = ("", ""),
    ) -> None:
        """Add a foreign key over columns. `rules` has the actions on delete and on update."""
        made = SchemaChange(Action.CREATE, "constraint", ObjectName(name), at.symbol, at.line, table=table, type="foreign key")
        made.columns, made.target, made.target_columns = list(columns), target, list(target_columns)
        made.on_delete, made.on_update = rules
        self._foreign_keys.append(MappedChange(path, made))
