"""Type guards, and the type checks in code."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..traversal.walk import refs_by_offset


class TypeCheckSite(msgspec.Struct, frozen=True, gc=False):
    """A check in a symbol's code, or the symbol's own predicate. `CHECKS` in `graph.cypher` documents each property."""

    symbol_id: str
    kind: str
    line: int
    start_column: int
    subject: str
    against: str
    narrowed_to: str
    negated: bool
    #: Whether it is the type predicate in the symbol's own result type.
    declares: bool


_CHECK = "c.kind, c.line, c.startColumn, c.subject, c.against, c.narrowedTo, c.negated, c.declares"


def type_checks(database: GraphDatabase, ids: Iterable[str]) -> list[TypeCheckSite]:
    """Return the checks of the given symbols, in source order. Checks in nested named functions belong to these functions."""
    statement = (
        f"MATCH (s:Symbol)-[c:CHECKS]->(:File) WHERE s.id IN $ids RETURN s.id, {_CHECK} "
        "ORDER BY s.id, c.line, c.startColumn, c.kind"
    )
    return [TypeCheckSite(*row) for row in rows_for_ids(database, statement, ids)]


def type_checks_in(database: GraphDatabase, paths: Iterable[str]) -> list[tuple[TypeCheckSite, SymbolRef]]:
    """Return all checks of the given files, each with its symbol, by file and in source order."""
    statement = (
        f"MATCH (f:File)<-[c:CHECKS]-(s:Symbol) WHERE f.relativePath IN $ids RETURN offset(id(s)), {_CHECK} "
        "ORDER BY s.relativePath, c.line, c.startColumn, c.kind"
    )
    rows = rows_for_ids(database, statement, paths)
    symbols = refs_by_offset(database, {row[0] for row in rows})
    return [(TypeCheckSite(symbols[offset].id, *check), symbols[offset]) for offset, *check in rows]
