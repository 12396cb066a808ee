"""Type guards: functions that are guards, and the checks of types in code."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from .database import GraphDatabase
from .id_batches import rows_for_ids


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
    #: True for the predicate that the symbol's own result type is.
    declares: bool


def type_checks(database: GraphDatabase, ids: Iterable[str]) -> list[TypeCheckSite]:
    """The checks that the given symbols make, in source order; named functions inside them make their own."""
    statement = (
        "MATCH (s:Symbol)-[c:CHECKS]->(:File) WHERE s.id IN $ids RETURN s.id, c.kind, c.line, c.startColumn, c.subject, "
        "c.against, c.narrowedTo, c.negated, c.declares ORDER BY s.id, c.line, c.startColumn, c.kind"
    )
    return [TypeCheckSite(*row) for row in rows_for_ids(database, statement, ids)]
