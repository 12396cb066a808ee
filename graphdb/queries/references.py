"""References: how often and from where a symbol is used, and what a symbol uses in its own file."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..traversal.walk import TracedSymbol, symbols_at
from .symbols import REF, REF_LENGTH, SymbolRef


class Reference(msgspec.Struct, frozen=True, gc=False):
    """A use of one symbol by another in one role: call, read, write, type, import, export, heritage, jsx or decorator."""

    #: The symbol that was asked about.
    symbol_id: str
    other: SymbolRef
    role: str
    lines: tuple[int, ...]
    #: Local names used, where they differ from the symbol's own.
    names: tuple[str, ...]


class ReferenceSites(msgspec.Struct, frozen=True, gc=False):
    """The sites in one symbol, in one role, that use another. `lines` and `columns` are parallel."""

    #: The symbol that was asked about.
    symbol_id: str
    user: TracedSymbol
    role: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    #: Local names used, where they differ from the symbol's own.
    names: tuple[str, ...]


_SITES = f"{REF}, r.role, r.lines, r.names"


def reference_sites(database: GraphDatabase, ids: Iterable[str]) -> list[ReferenceSites]:
    """Every site that uses the given symbols, by the file and line of the symbol that holds it."""
    statement = """
        MATCH (o:Symbol)<-[r:REFERENCES]-(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, offset(id(s)), r.role, r.lines, r.columns, r.names"""
    rows = rows_for_ids(database, statement, ids)
    users = symbols_at(database, {row[1] for row in rows})
    found = [ReferenceSites(symbol, users[user], *site) for symbol, user, *site in rows]
    return sorted(found, key=lambda use: (use.user.relative_path, use.lines, use.columns, use.user.id, use.role))


def references_from(database: GraphDatabase, ids: Iterable[str]) -> list[Reference]:
    """What the given symbols use, in the order of the sites. Uses inside nested symbols belong to those."""
    statement = f"MATCH (o:Symbol)-[r:REFERENCES]->(s:Symbol) WHERE o.id IN $ids RETURN o.id, {_SITES}"
    return sorted(_references(database, statement, ids), key=_by_site)


def _references(database: GraphDatabase, statement: str, ids: Iterable[str]) -> list[Reference]:
    end = 1 + REF_LENGTH
    return [Reference(row[0], SymbolRef(*row[1:end]), *row[end:]) for row in rows_for_ids(database, statement, ids)]


def _by_site(use: Reference) -> tuple[str, tuple[int, ...], str, str]:
    return use.symbol_id, use.lines, use.other.id, use.role
