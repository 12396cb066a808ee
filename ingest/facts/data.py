"""Facts about data: the changes of a file to the schema of a database, the models that it declares, and the tables that it
uses.
"""

from __future__ import annotations

from typing import Final

import msgspec

from .dbt import DbtFacts
from .mapped_tables import MappedModel


class Action:
    """The actions of a statement on the schema of a database."""

    CREATE: Final = "create"
    ALTER: Final = "alter"
    DROP: Final = "drop"
    RENAME: Final = "rename"


class ObjectName(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The name of an object of a database. Names without quotes are in lower case where the dialect folds them."""

    name: str
    schema: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Return the common form of equal names, whatever their case."""
        return (self.schema.lower(), self.name.lower())


class SchemaChange(msgspec.Struct, array_like=True, gc=False):
    """One change of the schema of a database. A statement may make several, in order."""

    action: str
    #: table, view, column, constraint, index, enum, sequence, trigger, procedure or schema.
    kind: str
    name: ObjectName
    #: Symbol of the file that declares the object, or else the symbol of the statement.
    symbol: int
    line: int
    #: Whether the statement takes a migration back.
    is_down: bool = False
    #: The table that a column, constraint, index or trigger belongs to.
    table: ObjectName | None = None
    #: Type of a column as it is written. Kind of a constraint: primary key, foreign key, unique, check or exclude.
    type: str = ""
    #: Whether a column may be null; None where the statement does not say.
    nullable: bool | None = None
    #: Default of a column; "" if it is dropped, and None where the statement does not say.
    default: str | None = None
    #: Columns of a constraint or index in order; an expression is "".
    columns: list[str] = []
    #: Table and columns that a foreign key leads to. The table that a table is made like, is part of or inherits from.
    target: ObjectName | None = None
    target_columns: list[str] = []
    on_delete: str = ""
    on_update: str = ""
    is_unique: bool = False
    #: Whether the statement says IF EXISTS or IF NOT EXISTS.
    is_conditional: bool = False
    #: Whether CASCADE or OR REPLACE widens the statement.
    is_sweeping: bool = False
    new_name: ObjectName | None = None
    #: Text of a comment or a check; how a table takes the columns of another: like, partition, inherits or select.
    text: str = ""


class TableUse(msgspec.Struct, array_like=True, gc=False):
    """A table that a statement reads or modifies."""

    name: ObjectName
    modifies: bool
    #: Columns that the statement is sure to use: by their qualifier, or because it names no other table.
    columns: list[str] = []
    #: Names of columns without qualifier in a statement with several tables: of the table that has them alone.
    unqualified: list[str] = []
    #: Whether only the columns are read: of a table that the statement modifies, in its conditions.
    of_condition: bool = False


class Query(msgspec.Struct, array_like=True, gc=False):
    """A statement that uses tables: in a file of SQL, or in a string of code."""

    #: Symbol with the statement.
    symbol: int
    line: int
    #: select, insert, update, delete, merge or truncate.
    statement: str
    uses: list[TableUse]
    #: sql (the statement of a file), string (a string of code that is a statement), or name (a query file names it).
    evidence: str
    #: Dialect that parsed it.
    dialect: str
    #: Whether code puts parts into the text at run time.
    is_dynamic: bool = False


class ModelOperation(msgspec.Struct, array_like=True, gc=False):
    """The changes of a migration to the models of an application, in terms of models."""

    action: str
    #: model, field, key (a key or an index), table (its name), or unique or index: all keys of that kind over several fields.
    kind: str
    #: The model, with the fields, keys and names that the operation gives.
    model: MappedModel
    symbol: int
    line: int
    #: Name of a field or key that is altered, dropped or renamed, and its new name; new name of a model or of its table.
    name: str = ""
    new_name: str = ""
    #: The only part that it changes: state (the models that the tool knows) or database; "" for both.
    scope: str = ""


class MigrationStep(msgspec.Struct, array_like=True, gc=False):
    """One of the steps of a migration in code, in their order."""

    #: Changes of the schema, as a tool or a text of SQL says them.
    changes: list[SchemaChange] = []
    operation: ModelOperation | None = None


class Migration(msgspec.Struct, array_like=True, gc=False):
    """A migration in code."""

    #: Name of the tool: alembic, django, …
    framework: str
    #: Name by which others refer to it; "" if it equals the name in the file.
    name: str
    #: Names of the units that run before it: names, or names of an application with its label before the name, separated by a
    #: slash.
    after: list[str]
    steps: list[MigrationStep]
    #: Migrations that it replaces, if they exist as well.
    replaces: list[str] = []


class DataFacts(msgspec.Struct, array_like=True):
    """Everything that a file says about data."""

    changes: list[SchemaChange] = []
    queries: list[Query] = []
    #: Dialect of a file of SQL as far as its statements show it, or the database that a file of models names; else "".
    dialect: str = ""
    #: Models of object mappers.
    models: list[MappedModel] = []
    #: Whether the relations of models have no foreign keys in the database.
    is_without_foreign_keys: bool = False
    #: The migration that a file of code is; None for other files.
    migration: Migration | None = None
    #: What a file of a project of dbt declares; None for other files.
    dbt: DbtFacts | None = None

    @property
    def declares_models(self) -> bool:
        """Whether databases follow from the models or migrations in the file."""
        return bool(self.models or self.migration or self.dbt)


class ModelUse(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The table of a model that a call of an object mapper reads or modifies."""

    #: Id of the class that is the model, or a name that represents it, such as `setting:AUTH_USER_MODEL`.
    model: str
    #: Relations that lead from the model to the used model, by name: `("author", "publisher")`.
    path: tuple[str, ...]
    modifies: bool
    #: Fields, each perhaps behind relations and with a comparison, as the mapper writes them: `("author", "name", "startswith")`.
    fields: tuple[tuple[str, ...], ...] = ()
    #: Whether only the fields are used: of a table that the statement modifies, in its conditions.
    of_condition: bool = False
    #: Whether the path must lead to "many" rows or to "one"; "" where the call does not tell.
    leads_to: str = ""
    #: Whether the statement changes which rows the last relation connects, and not the rows themselves.
    of_links: bool = False


class ModelQuery(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A statement that calls of an object mapper make."""

    #: Id of the symbol with the calls.
    symbol: str
    line: int
    #: select, insert, update, delete or merge.
    statement: str
    uses: tuple[ModelUse, ...]
    #: call (the types of receivers are known), or inferred (call sites tell the type of a parameter).
    evidence: str
