"""Type guards, and the type checks in code."""

from __future__ import annotations

from collections.abc import Iterable

from ...schema.edges import TypeCheck
from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..traversal.walk import refs_by_offset

_CHECK = "f.relativePath, c.kind, c.line, c.startColumn, c.subject, c.against, c.narrowedTo, c.negated, c.declares"


def type_checks(database: GraphDatabase, ids: Iterable[str]) -> list[TypeCheck]:
    """Return the checks of the given symbols, in source order. Checks in nested named functions belong to these functions."""
    statement = (
        f"MATCH (s:Symbol)-[c:CHECKS]->(f:File) WHERE s.id IN $ids RETURN s.id, {_CHECK} "
        "ORDER BY s.id, c.line, c.startColumn, c.kind"
    )
    return [TypeCheck(*row) for row in rows_for_ids(database, statement, ids)]


def type_checks_in(database: GraphDatabase, paths: Iterable[str]) -> list[tuple[TypeCheck, SymbolRef]]:
    """Return all checks of the given files with their symbols, by file and in source order."""
    statement = (
        f"MATCH (f:File)<-[c:CHECKS]-(s:Symbol) WHERE f.relativePath IN $ids RETURN offset(id(s)), {_CHECK} "
        "ORDER BY s.relativePath, c.line, c.startColumn, c.kind"
    )
    rows = rows_for_ids(database, statement, paths)
    symbols = refs_by_offset(database, {row[0] for row in rows})
    return [(TypeCheck(symbols[offset].id, *check), symbols[offset]) for offset, *check in rows]
