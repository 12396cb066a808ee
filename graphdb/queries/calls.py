"""Calls: between symbols, to targets outside of the repository, and unresolved calls.

An edge CALLS ends at the declaration that the compiler binds. Edges OVERRIDES show which overriding members may run instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of
from ..traversal.walk import refs_by_offset


class CallNeighbour(msgspec.Struct, frozen=True, gc=False):
    """A caller or callee of a symbol; `lines` are the lines of the call sites in the caller's file."""

    symbol_id: str
    neighbour: SymbolRef
    lines: tuple[int, ...]
    form: str
    evidence: str


class ExternalCallee(msgspec.Struct, frozen=True, gc=False):
    """A declaration outside of the repository that a symbol calls."""

    symbol_id: str
    external_id: str
    package: str
    name: str
    lines: tuple[int, ...]
    form: str


class ExternalCaller(msgspec.Struct, frozen=True, gc=False):
    """A symbol that calls a declaration outside of the repository."""

    package: str
    name: str
    caller: SymbolRef
    lines: tuple[int, ...]


class UnresolvedCallee(msgspec.Struct, frozen=True, gc=False):
    """A call in a symbol whose callee is not known, and the reason."""

    symbol_id: str
    name: str
    lines: tuple[int, ...]
    form: str
    reason: str


class UnresolvedSites(msgspec.Struct, frozen=True, gc=False):
    """The number of unresolved calls of a name. A list of callers may miss these calls."""

    name: str
    sites: int
    callers: int


_NEIGHBOUR = "offset(id(s)), r.lines, r.form, r.evidence"


def callees(database: GraphDatabase, ids: Iterable[str]) -> list[CallNeighbour]:
    """Return the callees of the given symbols, in the order of the call sites."""
    found = _neighbours(database, f"MATCH (o:Symbol)-[r:CALLS]->(s:Symbol) WHERE o.id IN $ids RETURN o.id, {_NEIGHBOUR}", ids)
    return sorted(found, key=lambda call: (call.symbol_id, call.lines, call.neighbour.id, call.form))


def callers(database: GraphDatabase, ids: Iterable[str]) -> list[CallNeighbour]:
    """Return the callers of the given symbols, by file and line."""
    statement = f"MATCH (o:Symbol)<-[r:CALLS]-(s:Symbol) WHERE o.id IN $ids RETURN o.id, {_NEIGHBOUR}"
    found = _neighbours(database, statement, ids)
    return sorted(found, key=lambda call: (call.symbol_id, call.neighbour.relative_path, call.neighbour.start_line, call.lines))


def external_callees(database: GraphDatabase, ids: Iterable[str]) -> list[ExternalCallee]:
    """Return the calls of the given symbols to targets outside of the repository, in the order of the call sites."""
    statement = """
        MATCH (o:Symbol)-[r:CALLS_EXTERNAL]->(e:External) WHERE o.id IN $ids
        RETURN o.id, e.id, e.package, e.name, r.lines, r.form
        """
    found = [ExternalCallee(*row) for row in rows_for_ids(database, statement, ids)]
    return sorted(found, key=lambda call: (call.symbol_id, call.lines, call.external_id))


def external_callers(database: GraphDatabase, is_wanted: Callable[[str], bool]) -> list[ExternalCaller]:
    """Return the calls of members of the wanted external packages, by the file and line of the caller."""
    members = database.rows("MATCH (e:External) RETURN e.id, e.package, e.name")
    wanted = {package for package in {member[1] for member in members} if is_wanted(package)}
    externals = {external_id: (package, name) for external_id, package, name in members if package in wanted}
    statement = """
        MATCH (o:Symbol)-[r:CALLS_EXTERNAL]->(e:External) WHERE e.id IN $ids
        RETURN e.id, offset(id(o)), r.lines"""
    rows = rows_for_ids(database, statement, externals)
    users = refs_by_offset(database, {row[1] for row in rows})
    found = [ExternalCaller(*externals[external_id], users[user], lines) for external_id, user, lines in rows]
    return sorted(found, key=lambda call: (call.caller.relative_path, call.lines, call.package, call.name))


def calls_outside(database: GraphDatabase, offsets: Iterable[int]) -> list[ExternalCallee]:
    """Return the calls from the symbols with these internal offsets to targets outside of the repository, by line."""
    statement = """
        MATCH (o:Symbol)-[r:CALLS_EXTERNAL]->(e:External) WHERE offset(id(o)) IN $offsets
        RETURN offset(id(o)), e.id, e.package, e.name, r.lines, r.form"""
    found = [ExternalCallee(*row) for row in _with_ids(database, statement, offsets)]
    return sorted(found, key=lambda call: (call.lines, call.external_id))


def calls_unknown(database: GraphDatabase, offsets: Iterable[int]) -> list[UnresolvedCallee]:
    """Return the unresolved calls in the symbols with these internal offsets, by line."""
    statement = """
        MATCH (o:Symbol)-[r:CALLS_UNRESOLVED]->(n:UnresolvedName) WHERE offset(id(o)) IN $offsets
        RETURN offset(id(o)), n.name, r.lines, r.form, r.reason"""
    found = [UnresolvedCallee(*row) for row in _with_ids(database, statement, offsets)]
    return sorted(found, key=lambda call: (call.lines, call.name))


def _known_sites(_: GraphDatabase) -> dict[str, UnresolvedSites | None]:
    """Return an empty cache of unresolved call sites by name; None marks a name without unresolved calls."""
    return {}


def unresolved_sites_named(database: GraphDatabase, names: Iterable[str]) -> dict[str, UnresolvedSites]:
    """Return the unresolved call sites by name; names without unresolved calls are left out."""
    statement = """
        MATCH (n:UnresolvedName)<-[r:CALLS_UNRESOLVED]-(o:Symbol) WHERE n.name IN $names
        RETURN n.name, CAST(sum(r.count) AS INT64), count(DISTINCT offset(id(o)))
        """
    wanted = list(names)
    known = database.once(_known_sites)
    if new := [name for name in wanted if name not in known]:
        found = {row[0]: UnresolvedSites(*row) for row in database.rows(statement, {"names": new})}
        known.update((name, found.get(name)) for name in new)
    return {name: sites for name in wanted if (sites := known.get(name)) is not None}


def unresolved_callers_named(database: GraphDatabase, names: Iterable[str]) -> list[tuple[str, str, int]]:
    """Return the unresolved calls of some names: tuples of the name, the path of a file, and the number of calls in the file."""
    statement = """
        MATCH (n:UnresolvedName)<-[r:CALLS_UNRESOLVED]-(o:Symbol) WHERE n.name IN $names
        RETURN n.name, o.relativePath, CAST(sum(r.count) AS INT64)
        """
    return [(name, path, count) for name, path, count in database.rows(statement, {"names": sorted(names)})]


def _with_ids(database: GraphDatabase, statement: str, offsets: Iterable[int]) -> list[tuple[Any, ...]]:
    """Return the rows of a statement, with the symbol's internal offset in the first column replaced by its id."""
    rows = database.rows(statement, {"offsets": list(offsets)})
    symbols = refs_by_offset(database, {row[0] for row in rows})
    return [(symbols[row[0]].id, *row[1:]) for row in rows]


def _neighbours(database: GraphDatabase, statement: str, ids: Iterable[str]) -> list[CallNeighbour]:
    rows = rows_for_ids(database, statement, ids)
    neighbours = symbols_of(database).refs_at([row[1] for row in rows])
    return [CallNeighbour(row[0], neighbour, *row[2:]) for row, neighbour in zip(rows, neighbours, strict=True)]
