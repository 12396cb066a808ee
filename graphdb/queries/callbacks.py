"""Callbacks: where functions are passed by name, and which functions accept or return functions."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...schema.edges import FunctionTaken
from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..traversal.walk import refs_by_offset


class CallbackSite(msgspec.Struct, frozen=True, gc=False):
    """A function is passed by name. `PASSED_IN` in `graph.cypher` documents each property."""

    symbol_id: str
    #: The symbol whose code passes the function; the site is in its file.
    caller: SymbolRef
    callee: str
    #: -1 for an attribute of an element.
    position: int
    attribute: str
    line: int
    start_column: int
    bound: bool
    predicate: str
    input_type: str
    output_type: str


def callback_sites(database: GraphDatabase, ids: Iterable[str]) -> list[CallbackSite]:
    """Return where the given functions are passed by name, by file and line."""
    statement = (
        "MATCH (o:Symbol)-[p:PASSED_IN]->(s:Symbol) WHERE o.id IN $ids "
        "RETURN o.id, offset(id(s)), p.callee, p.position, p.attribute, "
        "p.line, p.startColumn, p.bound, p.predicate, p.inputType, p.outputType "
        "ORDER BY s.relativePath, p.line, p.startColumn, o.id"
    )
    rows = rows_for_ids(database, statement, ids)
    callers = refs_by_offset(database, {row[1] for row in rows})
    return [CallbackSite(symbol, callers[caller], *site) for symbol, caller, *site in rows]


def functions_taken(database: GraphDatabase, ids: Iterable[str]) -> list[FunctionTaken]:
    """Return the functions that the given symbols take as parameters, in order, then the functions that they return."""
    statement = (
        "MATCH (o:Symbol)-[t:TAKES_FUNCTION]->(f:File) WHERE o.id IN $ids "
        "RETURN o.id, f.relativePath, t.position, t.name, t.type, t.predicate, t.predicateType "
        "ORDER BY o.id, t.position < 0, t.position, t.name"
    )
    return [FunctionTaken(*row) for row in rows_for_ids(database, statement, ids)]
