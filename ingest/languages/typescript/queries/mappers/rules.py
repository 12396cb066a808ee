"""The form of the rules for one object mapper or query builder: its methods, and the meanings of their arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_OF_ASSOCIATION: Final = re.compile(r"(?P<verb>[a-z]+)(?P<association>[A-Z]\w*)")


class Role:
    """Meanings of arguments, and of the entries of options."""

    #: Condition on fields: an object whose keys are fields, or a string that names one field.
    WHERE: Final = "where"
    #: Values of fields: an object, or a list of objects.
    VALUES: Final = "values"
    #: Rows, or objects with values of fields. What code has assigned to a row is saved, too.
    SAVED: Final = "saved"
    #: Object whose entries have the roles in `Mapper.options`.
    OPTIONS: Final = "options"
    #: Names of fields that are read: texts, lists, or an object with the names as keys.
    FIELDS: Final = "fields"
    #: Names of fields that are written.
    WRITTEN: Final = "written"
    #: Names of relations: texts, lists, or objects with the names as keys.
    RELATIONS: Final = "relations"
    #: Relations to load, in an object with the options of each: `{ posts: { columns: { title: true } } }`.
    LOADED: Final = "loaded"
    #: Relations in the form of Objection, `[owner, pets.toys]`, and the relations that such an expression may name at most.
    GRAPH: Final = "graph"
    ALLOWED_GRAPH: Final = "allowed graph"
    #: Relations in the form of Sequelize's `include`: models, names, or objects with both.
    INCLUDE: Final = "include"
    #: The main table or model of a statement, and another table or model: a value, or a text, perhaps with an alias. In methods
    #: of TypeORM, the next argument is the alias.
    TABLE: Final = "table"
    JOIN: Final = "join"
    #: Name of a function or procedure of the database.
    ROUTINE: Final = "routine"
    #: Relation to join, as `alias.relation`. The next argument is the alias of the relation.
    JOIN_RELATION: Final = "join relation"
    #: Alias of the main table.
    ALIAS: Final = "alias"
    #: Any expression that contains fields: `eq(users.id, 1)`, `(join) => join.onRef("a.id", "=", "b.id")`.
    EXPRESSION: Final = "expression"
    #: An expression as for EXPRESSION, or an object whose keys are fields.
    CONDITION: Final = "condition"
    #: Text of SQL with fields after the alias of a table: `cat.name = :name`.
    SQL: Final = "sql"
    #: Columns and related tables in one text, in the form of Supabase: `id, author:users(name)`.
    SELECTION: Final = "selection"
    #: Stages of MongoDB's aggregation, which name collections: `[{ $lookup: { from: "posts", … } }]`.
    STAGES: Final = "stages"
    #: Name of a relation whose links the call changes.
    LINK: Final = "link"
    NONE: Final = ""


class Result:
    """Meanings of results."""

    #: One or several rows as instances of the model, perhaps in a promise or a list.
    ROW: Final = "row"
    #: The model itself, another view of it, or a repository.
    MODEL: Final = "model"
    #: A query that more methods may extend.
    QUERY: Final = "query"
    #: A connection, or another value that begins queries.
    MANAGER: Final = "manager"
    NOTHING: Final = ""


class Method(NamedTuple):
    """A method: its statement, the roles of its arguments, and its result.

    If the last role is FIELDS, EXPRESSION, RELATIONS or SQL, all further arguments have the same role.
    """

    #: "" if the method runs no statement by itself.
    statement: str = ""
    arguments: tuple[str, ...] = ()
    result: str = Result.NOTHING
    #: Whether the statement first reads the rows.
    reads_first: bool = False
    #: Whether the statement changes which rows a relation connects, and not the rows.
    of_links: bool = False
    #: Whether the statement also reads or saves the relations that the model loads or saves with each row.
    is_whole: bool = False
    #: Whether the statement also writes the rows of the relations that the arguments name.
    writes_joined: bool = False
    #: Whether the mapper first reads a saved row again, if it was loaded before, to compare both.
    compares: bool = False


class Mapper(NamedTuple):
    """The rules of one library."""

    name: str
    #: Matches the packages of the library.
    packages: re.Pattern[str]
    #: Methods of a model, of its repository, and of a query.
    of_model: Mapping[str, Method] = {}
    #: Methods of a row.
    of_row: Mapping[str, Method] = {}
    #: Methods that the library adds to rows for each association, by their verb: "get" for `getPosts`.
    of_association: Mapping[str, Method] = {}
    #: Methods of a query. A method may change the query's statement.
    of_query: Mapping[str, Method] = {}
    #: Methods of a connection, an entity manager or a query builder without a table; in most methods, the model is an argument.
    of_manager: Mapping[str, Method] = {}
    #: Roles of the entries of options.
    options: Mapping[str, str] = {}
    #: Functions and methods that make a model from a name: `define("User", …)`.
    makers: frozenset[str] = frozenset()
    #: Classes whose instances are models, and functions that return models; an object in the first argument has the name of the
    #: model: `new EntitySchema({ name: "User", … })`.
    schemas: frozenset[str] = frozenset()
    #: Methods of models whose names hardly any other code has.
    own_names: frozenset[str] = frozenset()
    #: Whether functions of the library with any name make models.
    has_creators: bool = False
    #: Whether a call of the connection itself begins a statement: `knex("users")`.
    is_callable: bool = False
    #: Whether a query runs when code awaits it. Otherwise, `await` returns the query.
    awaits_queries: bool = True
    #: Whether code names models by the names of their tables: `selectFrom("users")`.
    names_tables: bool = False
    #: Whether texts in joins are names of tables, although other code names models.
    joins_tables: bool = False
    #: Whether a member of an unknown object may be a model with the name of its table.
    guesses_tables: bool = False
    #: Whether all files know the models by their names, without an import.
    has_global_models: bool = False
    #: Whether the mapper later saves what code assigns to fields of rows.
    tracks_rows: bool = False

    def method(self, kind: str, name: str) -> Method | None:
        """Return a method of a value of a kind; `kind` is one of `Result`."""
        if kind == Result.ROW:
            return self.of_row.get(name)
        if kind == Result.MODEL:
            return self.of_model.get(name)
        return (self.of_query if kind == Result.QUERY else self.of_manager).get(name)

    @property
    def names(self) -> frozenset[str]:
        """Return the names of all methods."""
        return frozenset((*self.of_model, *self.of_row, *self.of_query, *self.of_manager))


def methods(statement: str, arguments: tuple[str, ...], names: str, result: str = Result.NOTHING) -> dict[str, Method]:
    """Return methods with the same rule; `names` are their names, separated by spaces."""
    return dict.fromkeys(names.split(), Method(statement, arguments, result))


def association_of(name: str) -> tuple[str, str]:
    """Return the verb and the association in the name of a method, such as "get" and "Posts"; two empty texts for others."""
    found = _OF_ASSOCIATION.fullmatch(name)
    return (found["verb"], found["association"]) if found else ("", "")
