"""The effects of loading files, and declared names with characters outside of ASCII."""

from __future__ import annotations

from collections.abc import Iterable

from ...schema.edges import LoadEffect, UnicodeIdentifier
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids

_NAME = (
    "f.relativePath, s.id, u.name, u.kind, u.line, u.startColumn, u.scope, u.scripts, u.mixedScript, u.zeroWidth, u.bidi, "
    "u.normalized, u.confusableWith, u.reason, u.severity"
)
_IN_ORDER = "ORDER BY f.relativePath, u.line, u.startColumn"


def load_effects(database: GraphDatabase, paths: Iterable[str]) -> list[LoadEffect]:
    """Return the effects of loading the given files, in source order."""
    statement = (
        "MATCH (f:File)-[r:RUNS]->(s:Symbol) WHERE f.relativePath IN $ids RETURN f.relativePath, s.id, r.kind, r.line, r.target, "
        "r.text, r.conditional ORDER BY f.relativePath, r.line"
    )
    return [LoadEffect(*row) for row in rows_for_ids(database, statement, paths)]


def unicode_names(database: GraphDatabase) -> list[UnicodeIdentifier]:
    """Return every name with characters outside of ASCII, by file and line."""
    return [
        UnicodeIdentifier(*row)
        for row in database.rows(f"MATCH (f:File)-[u:UNICODE_NAME]->(s:Symbol) RETURN {_NAME} {_IN_ORDER}")
    ]


def unicode_names_in(database: GraphDatabase, paths: Iterable[str]) -> list[UnicodeIdentifier]:
    """Return the names with characters outside of ASCII in the given files, in source order."""
    statement = f"MATCH (f:File)-[u:UNICODE_NAME]->(s:Symbol) WHERE f.relativePath IN $ids RETURN {_NAME} {_IN_ORDER}"
    return [UnicodeIdentifier(*row) for row in rows_for_ids(database, statement, paths)]
