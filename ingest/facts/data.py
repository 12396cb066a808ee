"""Facts about data: the changes of a file to the schema of a database, the models that it declares, and the tables that it
uses.
"""

from __future__ import annotations

from typing import Final

import msgspec

from .dbt import DbtFacts
from .mapped_tables import MappedModel

#: Prefix of a model name that is the name of a table: `table:users`.
TABLE_NAME: Final = "table:"
#: First part of the path of a column without a qualifier, in a statement that may have several tables.
UNQUALIFIED: Final = "?"


#: Name in place of a part of a statement that another file or the code gives.
PLACEHOLDER: Final = "__value"


class Action:
    """The kinds of changes of a schema."""

    CREATE: Final = "create"
    ALTER: Final = "alter"
    DROP: Final = "drop"
    RENAME: Final = "rename"


class ObjectName(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The name of an object of a database. Unquoted names are in lower case if the dialect folds them."""

    name: str
    schema: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Return the name in lower case: equal for names that differ only in case."""
        return (self.schema.lower(), self.name.lower())


class SchemaChange(msgspec.Struct, array_like=True, gc=False):
    """One change of the schema of a database. A statement may consist of several changes, in order."""

    action: str
    #: table, view, column, constraint, index, enum, sequence, trigger, procedure or schema.
    kind: str
    name: ObjectName
    #: Symbol of the file that declares the object, or else the symbol of the statement.
    symbol: int
    line: int
    #: Whether the statement reverts a migration.
    is_down: bool = False
    #: The table to which a column, constraint, index or trigger belongs.
    table: ObjectName | None = None
    #: Type of a column as written. Kind of a constraint: primary key, foreign key, unique, check or exclude.
    type: str = ""
    #: Whether a column may be null; None if the statement does not state it.
    nullable: bool | None = None
    #: Default of a column; "" if it is dropped, and None if the statement does not state it.
    default: str | None = None
    #: Columns of a constraint or index in order; an expression is "".
    columns: list[str] = []
    #: Table and columns that a foreign key references; for a new table, the copied (LIKE), partitioned or inherited table.
    target: ObjectName | None = None
    target_columns: list[str] = []
    on_delete: str = ""
    on_update: str = ""
    is_unique: bool = False
    #: Whether the statement contains IF EXISTS or IF NOT EXISTS.
    is_conditional: bool = False
    #: Whether the statement contains CASCADE or OR REPLACE.
    is_sweeping: bool = False
    new_name: ObjectName | None = None
    #: Text of a comment or a check. For a table with columns of another table: like, partition, inherits or select.
    text: str = ""
    #: Whether a column or a constraint is part of the statement that creates the table.
    of_creation: bool = False


class TableUse(msgspec.Struct, array_like=True, gc=False):
    """A table that a statement reads or modifies."""

    name: ObjectName
    modifies: bool
    #: Columns that certainly belong to the table, by their qualifier or because the statement has no other table.
    columns: list[str] = []
    #: Unqualified columns in a statement with several tables. A column belongs to the table if no other table has such a column.
    unqualified: list[str] = []
    #: Whether the use is a condition, which only reads columns of a table that the statement modifies.
    of_condition: bool = False


class ResultColumn(msgspec.Struct, array_like=True, gc=False):
    """A column in the result of a statement, and the declaration that receives it."""

    name: str
    symbol: int


class Query(msgspec.Struct, array_like=True, gc=False):
    """A statement that uses tables: in a SQL file, or in a string of code."""

    #: The symbol that contains the statement.
    symbol: int
    line: int
    #: select, insert, update, delete, merge or truncate.
    statement: str
    uses: list[TableUse]
    #: sql (a statement in a file of SQL), string (a statement in a string of code), or name (a named query of a file).
    evidence: str
    #: SQL dialect in which the statement parsed.
    dialect: str
    #: Whether code inserts parts into the text at run time.
    is_dynamic: bool = False
    #: Name by which code runs a statement of a file of SQL; "" for any other statement.
    name: str = ""
    #: The columns of the result that the file assigns to declarations.
    results: list[ResultColumn] = []
    #: Name of the library that makes these assignments; "" if there are none.
    mapper: str = ""
    #: Names of the fragments of other files that the statement includes.
    fragments: list[str] = []
    #: Name of the constant whose value contains the text of the statement; "" if a function contains it.
    constant: str = ""
    #: What stands before the text in that value, such as the key of a dictionary; "" if nothing does.
    key: str = ""
    #: Columns that code inserts into the text at run time, and that may be values.
    inserted: list[str] = []


class Fragment(msgspec.Struct, array_like=True, gc=False):
    """A part of statements that other files include by its name: the tables and columns that it reads."""

    name: str
    tables: list[ObjectName]
    #: Columns of any of the tables of the including statement.
    columns: list[str]
    #: Names of the fragments that the fragment includes.
    fragments: list[str] = []


class WrittenUse(msgspec.Struct, array_like=True, gc=False):
    """A model that a call of an object mapper reads or modifies, by the name that the code has for the model."""

    #: Names that the model may have among all models, the most likely first: `exposed:shop.Users`.
    names: list[str]
    modifies: bool
    #: Names of the relations on the path from the model to the used model.
    path: list[str] = []
    fields: list[list[str]] = []
    #: Whether the use only concerns the fields.
    of_condition: bool = False


class WrittenQuery(msgspec.Struct, array_like=True, gc=False):
    """A statement that calls of an object mapper produce, in a language whose calls are not resolved."""

    #: The symbol that contains the calls.
    symbol: int
    line: int
    #: select, insert, update, delete or merge.
    statement: str
    uses: list[WrittenUse]


class RunFile(msgspec.Struct, array_like=True, gc=False):
    """A file of SQL whose statements code runs."""

    symbol: int
    line: int
    #: The path as written.
    path: str
    #: The path is relative to a folder above the code, its base. The first folder from the base to the code must have one of
    #: these names; if no such base is known, the base is the nearest folder in which the file exists.
    bases: list[str]


class ModelOperation(msgspec.Struct, array_like=True, gc=False):
    """A change that a migration makes to the models of an application."""

    action: str
    #: model, field, key (a key or an index), table (its name), unique or index (all keys of this kind over several fields).
    kind: str
    #: The model, with the fields, keys and names in the operation.
    model: MappedModel
    symbol: int
    line: int
    #: Name of a field or key that is altered, dropped or renamed, and its new name; new name of a model or of its table.
    name: str = ""
    new_name: str = ""
    #: Target of the change: state (the models that the tool records), database, or "" for both.
    scope: str = ""


class IncludedFile(msgspec.Struct, array_like=True, gc=False):
    """A file, or a folder with all files in it, whose changes a migration includes."""

    #: The path as written.
    path: str
    #: Whether the path is relative to the including file; otherwise, to a folder above it.
    is_relative: bool
    is_folder: bool


class MigrationStep(msgspec.Struct, array_like=True, gc=False):
    """One step of a migration in code."""

    #: Changes of the schema, from calls of a tool or from SQL text.
    changes: list[SchemaChange] = []
    operation: ModelOperation | None = None
    #: Names of the databases for which the step is, or with `!` is not; none for a step for all databases.
    databases: list[str] = []
    included: IncludedFile | None = None


class MigrationParameter(msgspec.Struct, array_like=True, gc=False):
    """A value that a migration gives to a name in all migrations."""

    name: str
    value: str
    #: The databases for which it is, as in `MigrationStep`.
    databases: list[str]


class Migration(msgspec.Struct, array_like=True, gc=False):
    """A migration in code."""

    #: Name of the tool: alembic, django, …
    framework: str
    #: Name by which other migrations refer to this migration; "" if it equals the name of the file.
    name: str
    #: The migrations that run before this migration: names, or `label/name` for a migration of another application.
    after: list[str]
    steps: list[MigrationStep]
    #: Migrations that this migration replaces, if they still exist.
    replaces: list[str] = []
    #: Migrations that run after this migration, although they do not name it.
    before: list[str] = []
    parameters: list[MigrationParameter] = []


class EmbeddedSchema(msgspec.Struct, array_like=True):
    """The changes of a schema by statements in the strings of a file of code, in the order of the code."""

    changes: list[SchemaChange]
    #: The queries of views and triggers among the changes.
    queries: list[Query] = []
    #: Dialect that the statements show; "" if they show none.
    dialect: str = ""
    #: Numbers of the changes that code of migrations makes, judged by the names of the code.
    of_migrations: list[int] = []


#: Modifier of the symbols that strings of code declare. Those of statements of SQL have no other modifier, and are the last
#: symbols of their file.
EMBEDDED: Final = "embedded"
#: Text of a change in a string of code that may not belong to the schema, such as `DROP TABLE` in a function that removes all
#: data. The change applies if the file is a migration.
UNSURE: Final = "unsure"


class DataFacts(msgspec.Struct, array_like=True):
    """All facts about data in a file."""

    changes: list[SchemaChange] = []
    queries: list[Query] = []
    #: Dialect that the settings state or the statements of a SQL file show, or the database that a file of models names; ""
    #: if unknown.
    dialect: str = ""
    #: Models of object mappers.
    models: list[MappedModel] = []
    #: Whether the relations of models have no foreign keys in the database.
    is_without_foreign_keys: bool = False
    #: The migration in a file of code; None for other files.
    migration: Migration | None = None
    #: The facts of a file in a dbt project; None for other files.
    dbt: DbtFacts | None = None
    #: Statements of object mappers in a language whose calls are not resolved.
    written: list[WrittenQuery] = []
    #: Parts of statements that other files include.
    fragments: list[Fragment] = []
    #: Files of SQL that code names, each with the symbol that runs their statements.
    run_files: list[RunFile] = []
    #: The schema that strings of code define; None for other files. In tests, such strings define nothing.
    embedded: EmbeddedSchema | None = None

    @property
    def declares_tables(self) -> bool:
        """Whether statements and models in the file declare tables, which calls may use."""
        return bool(self.changes) or self.embedded is not None or self.declares_models

    @property
    def declares_models(self) -> bool:
        """Whether models or migrations in the file define databases."""
        return bool(self.models or self.migration or self.dbt)


#: Prefix of a model name that is the name of a function or procedure of a database, which code calls.
ROUTINE_NAME: Final = "routine:"
#: Prefix of a model name that is the name of a query in a file of SQL: `query:load_users`. A path after the name says in or near
#: which file it is: `query:loadUsers src/users.queries.ts`. If a statement has several such uses, only one of the names exists.
NAMED_QUERY: Final = "query:"
#: Prefix of the name of a query that a label names for SQLDelight. Code runs the query by the name of the file and the label.
LABELLED: Final = "label:"
#: Prefix of a model name that is a constant with statements of SQL, with its file and the keys that choose among its statements:
#: `constant:STATEMENTS src/store.py LIST`.
CONSTANT_QUERY: Final = "constant:"
#: Prefix of a field in camel case that may be a path: `~authorName` is the field `authorName`, or `name` of the relation
#: `author`.
JOINED: Final = "~"
#: Prefix of a model name that is a slot: a type parameter of a class, or a parameter without a type. The models that other files
#: put there are known later.
SLOT: Final = "slot:"
#: Evidence of a query that is no statement: its symbol is a slot, and its uses name the models in it, each with this prefix.
ARGUMENT: Final = "argument:"
#: Name in the path to a model for all models with which a mapper compares a row before code saves it: the models to which its
#: keys refer, and its own model if a key is unique. Names of keys that the code leaves out may follow after spaces.
COMPARED: Final = ".compared"


class ModelUse(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """The table of a model that a call of an object mapper reads or modifies."""

    #: Id of the class of the model, or a name in place of the id: `setting:AUTH_USER_MODEL` for a setting, `TABLE_NAME` and the
    #: name for a table that the code names, `ROUTINE_NAME` and the name for a routine.
    model: str
    #: Names of the relations on the path from the model to the used model: `("author", "publisher")`.
    path: tuple[str, ...]
    modifies: bool
    #: Fields as paths in the notation of the mapper, perhaps through relations and with a comparison: `("author", "name",
    #: "startswith")`.
    fields: tuple[tuple[str, ...], ...] = ()
    #: Whether the use is a condition, which only uses fields of a table that the statement modifies.
    of_condition: bool = False
    #: Whether the path must end at "many" rows or at "one"; "" if the call does not determine it.
    leads_to: str = ""
    #: Whether the statement changes which rows the last relation connects, and not the rows.
    of_links: bool = False
    #: Whether the statement reads whole rows, and so the rows of the relations that the model reads with each row, or whether it
    #: deletes rows one by one.
    is_whole: bool = False
    #: Whether there is only a use if the model has the fields: code assigns attributes, which may not be fields.
    of_fields: bool = False
    #: A name in place of the id, for a class that no mapping declares as a model: the mapper derives the table from its name.
    default_name: str = ""


class ModelQuery(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A statement that calls of an object mapper produce."""

    #: Id of the symbol with the calls.
    symbol: str
    line: int
    #: select, insert, update, delete or merge; "" if the named queries among the uses determine it.
    statement: str
    uses: tuple[ModelUse, ...]
    #: call (the types of receivers are known), row (code uses a column or a relation of a row), inferred (the type of a
    #: parameter comes from call sites), or `ARGUMENT`.
    evidence: str
