"""Find differences between models and the migrations of the same tables: columns that no migration adds, nullability and
lengths.

Columns that only the migrations have are left out, because a model may inherit columns from a base class in another package.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...graphdb.database import GraphDatabase
from ...ingest.files.path_roles import is_test_path
from ...schema.languages import language_of
from ...schema.paths import parent_of
from ...schema.symbol_kinds import CALLABLE_KINDS
from .model.findings import Diagnostic

_SOURCE: Final = "data"
#: Endings of the files in which a project of dbt describes its models.
_YAML: Final = (".yml", ".yaml")
#: A text type with its length, such as `varchar(20)`.
_LENGTH: Final = re.compile(r"(?:varchar|character varying)\s*\(\s*(\d+)\s*\)$", re.IGNORECASE)
#: Words by which a field says that its column may be null, in languages whose mappers otherwise assume that it may be.
#: A list of Prisma cannot be null, although its column may.
_STATED_NULL: Final = {
    "go": re.compile(r"\*|\bNull"),
    "java": re.compile(r"\bnullable\s*=\s*true\b|\bOptional\b|@Nullable\b"),
    "prisma": re.compile(r"\?"),
}
#: Number of files in one language that change tables in a folder of migrations, so that every file there is a migration.
_MIN_MIGRATIONS: Final = 3
#: Minimum share of a model's columns in the table. With a lower share, the model probably describes another table.
_COMMON_SHARE: Final = 0.5


class _Column(NamedTuple):
    """A column in a model or in the migrations, with its place."""

    name: str
    type: str
    nullable: bool
    path: str
    line: int
    #: Whether the declaration says nothing about null.
    is_silent: bool = False


def schema_differences(graph: GraphDatabase) -> list[Diagnostic]:
    """Return a warning for each column whose declaration in a model differs from the migrations of its table.

    Tables that strings in a function create are left out, because the function is the symbol of all of them.
    """
    pairs = graph.rows(
        """
        MATCH (m:Symbol)-[:MAPS_TO]->(t:Symbol)
        WHERE EXISTS { MATCH (:Symbol)-[:COLUMN_OF]->(m) } AND EXISTS { MATCH (:Symbol)-[:COLUMN_OF]->(t) }
            AND NOT t.kind IN $callable
        RETURN m.id, t.id, t.name, m.relativePath""",
        {"callable": sorted(CALLABLE_KINDS)},
    )
    if not pairs:
        return []
    # A migration may declare a table again, with the columns that its own statements use.
    changes = graph.rows("MATCH (:Symbol)-[:MAPS_TO]->(:Symbol)-[:CHANGED_IN]->(f:File) RETURN DISTINCT f.relativePath")
    migrations = {path for (path,) in changes}
    counts = Counter(_folder_and_language(path) for path in migrations)
    migrations |= {path for *_, path in pairs if counts[_folder_and_language(path)] >= _MIN_MIGRATIONS}
    columns, implied = _columns(graph)
    found = [
        each
        for model, table, name, path in pairs
        if path not in migrations and not is_test_path(path)
        for each in _differences(columns[model], columns[table], implied[table], name)
    ]
    return sorted(set(found), key=lambda each: (each.file, each.line, each.message))


def _columns(graph: GraphDatabase) -> tuple[dict[str, dict[str, _Column]], dict[str, set[str]]]:
    """Return the columns of all tables by the id of the table and their names in lower case, and the names of implied columns.

    Implied columns have no symbol of their own, and are not compared: a class may stand for several tables, such as the tables
    of inherited many-to-many relations.
    """
    found: dict[str, dict[str, _Column]] = defaultdict(dict)
    implied: dict[str, set[str]] = defaultdict(set)
    rows = graph.rows("""
        MATCH (c:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE o.position >= 0
        RETURN t.id, c.id, o.name, o.type, o.nullable, c.relativePath, c.declarationLine, c.signature""")
    for table, id, name, kind, nullable, path, line, signature in rows:
        if id == table:
            implied[table].add(name.lower())
            continue
        stated = _STATED_NULL.get(language_of(path) or "")
        is_silent = stated is not None and stated.search(signature or "") is None
        found[table][name.lower()] = _Column(name, kind, nullable, path, line, is_silent)
    return found, implied


def _folder_and_language(path: str) -> tuple[str, str | None]:
    return parent_of(path), language_of(path)


def _differences(model: dict[str, _Column], table: dict[str, _Column], implied: set[str], name: str) -> Iterator[Diagnostic]:
    if len(model.keys() & table.keys()) < _COMMON_SHARE * len(model):
        return
    for key, column in model.items():
        other = table.get(key)
        if other is None and key in implied:
            continue
        if other is None:
            is_dbt = column.path.endswith(_YAML)
            missing = f"The YAML describes {name}.{column.name}, which the model does not select."
            yield _warning(column, missing if is_dbt else f"The model has {name}.{column.name}, which no migration adds.")
        elif column.nullable != other.nullable and not (column.nullable and column.is_silent):
            what, how = ("may be null", "may not") if column.nullable else ("may not be null", "may")
            yield _warning(column, f"{name}.{column.name} {what} in the model, and {how} after the migrations.")
        elif (own := _LENGTH.match(column.type)) and (its := _LENGTH.match(other.type)) and own[1] != its[1]:
            yield _warning(column, f"{name}.{column.name} has length {own[1]} in the model, and {its[1]} after the migrations.")


def _warning(column: _Column, message: str) -> Diagnostic:
    return Diagnostic(column.path, column.line, "warning", message, _SOURCE)
