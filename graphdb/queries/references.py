"""References: the uses of a symbol, and the symbols that it uses."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...schema.composed_names import COMPUTED, fits_composed_name
from ...schema.records import SymbolRef
from ..database import GraphDatabase, shared
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of
from ..traversal.walk import refs_by_offset
from .calls import UnresolvedSites


class Reference(msgspec.Struct, frozen=True, gc=False):
    """A use of one symbol by another in one role: call, read, write, type, import, export, heritage, jsx or decorator."""

    #: Id of the requested symbol.
    symbol_id: str
    other: SymbolRef
    role: str
    lines: tuple[int, ...]
    #: Local names that differ from the symbol's own name.
    names: tuple[str, ...]


class ReferenceSites(msgspec.Struct, frozen=True, gc=False):
    """The sites in one symbol, in one role, that use another symbol. `lines` and `columns` are parallel. The role "doc" means
    links in a doc comment.
    """

    #: Id of the requested symbol.
    symbol_id: str
    user: SymbolRef
    role: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    #: Local names that differ from the symbol's own name.
    names: tuple[str, ...]
    #: The platforms on which the sites refer to this symbol; "" for all platforms.
    variant: str = ""


def reference_sites(database: GraphDatabase, ids: Iterable[str]) -> list[ReferenceSites]:
    """Return every site that uses the given symbols, by the file and line of the using symbol."""
    statement = """
        MATCH (o:Symbol)<-[r:REFERENCES]-(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, offset(id(s)), r.role, r.lines, r.columns, r.names, r.variant"""
    linked = """
        MATCH (o:Symbol)<-[r:MENTIONS]-(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, offset(id(s)), 'doc', r.lines, r.columns, [], ''"""
    wanted = list(ids)
    rows = [*rows_for_ids(database, statement, wanted), *rows_for_ids(database, linked, wanted)]
    users = refs_by_offset(database, {row[1] for row in rows})
    found = [ReferenceSites(symbol, users[user], *site) for symbol, user, *site in rows]
    return sorted(found, key=lambda use: (use.user.relative_path, use.lines, use.columns, use.user.id, use.role))


def ambiguous_mentions(database: GraphDatabase, ids: Iterable[str], name: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the documents with a name that may mean one of the given symbols, each with its lines, by path.

    `name` is the last part of the symbols' names. Other symbols have the name, too, and nothing chooses among them.
    """
    statement = """
        MATCH (u:UnresolvedSpecifier)<-[r:MENTIONS]-(s:Symbol)
        WHERE (u.specifier = $name OR u.specifier ENDS WITH $member) AND r.reason = 'ambiguous'
        RETURN s.relativePath, r.lines, r.candidates"""
    wanted = set(ids)
    found: dict[str, set[int]] = {}
    for path, lines, candidates in database.rows(statement, {"name": name, "member": f".{name}"}):
        if not wanted.isdisjoint(candidates):
            found.setdefault(path, set()).update(lines)
    return [(path, tuple(sorted(found[path]))) for path in sorted(found)]


def files_using(database: GraphDatabase, paths: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of files, in order. The first file has a symbol that uses a symbol of the second; the second is in `paths`."""
    statement = "MATCH (o:Symbol)<-[r:REFERENCES]-(s:Symbol) WHERE o.id IN $ids RETURN DISTINCT offset(id(s)), offset(id(o))"
    rows = rows_for_ids(database, statement, [symbol.id for symbol in symbols_of(database).in_files(paths)])
    refs = refs_by_offset(database, {offset for row in rows for offset in row})
    pairs = {(refs[user].relative_path, refs[used].relative_path) for user, used in rows}
    return sorted(pair for pair in pairs if pair[0] != pair[1])


def constructor_calls(database: GraphDatabase, ids: Iterable[str]) -> list[ReferenceSites]:
    """Return the sites at which `new` or `super` calls one of the given constructors.

    Sites that construct a class which inherits one of the constructors are included.
    """
    statement = """
        MATCH (o:Symbol)<-[r:CALLS]-(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, offset(id(s)), r.lines, r.columns"""
    rows = rows_for_ids(database, statement, ids)
    users = refs_by_offset(database, {row[1] for row in rows})
    return [ReferenceSites(symbol, users[user], "call", lines, columns, ()) for symbol, user, lines, columns in rows]


def unresolved_uses_named(database: GraphDatabase, name: str) -> UnresolvedSites | None:
    """Count the uses of members that may have this name, on values of unknown type, and the symbols that have such uses.

    Calls do not count, unless they compose the name: ``this[`on${event}`]()``. Returns None if there are no such uses.
    """
    statement = """
        MATCH (n:UnresolvedName)<-[r:REFERENCES_UNRESOLVED]-(o:Symbol) WHERE n.name IN $names
        RETURN CAST(sum(r.count) AS INT64), count(DISTINCT offset(id(o)))"""
    names = [name, *(composed for composed in composed_names(database) if fits_composed_name(name, composed))]
    rows = [row for row in database.rows(statement, {"names": names}) if row[0]]
    return UnresolvedSites(name, *rows[0]) if rows else None


@shared
def composed_names(database: GraphDatabase) -> list[str]:
    """Return the names of members that code composes at run time, such as `on…`."""
    statement = (
        "MATCH (n:UnresolvedName)<-[:REFERENCES_UNRESOLVED]-(:Symbol) WHERE contains(n.name, $computed) RETURN DISTINCT n.name"
    )
    return sorted(name for (name,) in database.rows(statement, {"computed": COMPUTED}))


def references_from(database: GraphDatabase, ids: Iterable[str]) -> list[Reference]:
    """Return the symbols that the given symbols use, in the order of the sites.

    Uses in nested symbols count only for the nested symbols.
    """
    statement = """
        MATCH (o:Symbol)-[r:REFERENCES]->(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, offset(id(s)), r.role, r.lines, r.names"""
    rows = rows_for_ids(database, statement, ids)
    others = refs_by_offset(database, {row[1] for row in rows})
    found = [Reference(symbol, others[other], *site) for symbol, other, *site in rows]
    return sorted(found, key=lambda use: (use.symbol_id, use.lines, use.other.id, use.role))
