"""Methods outside of their types, and members and types that come from outside of the repository."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import msgspec

from ...schema.records import Symbol
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import SymbolTable
from ..traversal.supertypes import MAX_TYPES, type_levels

#: Packages whose declarations are always read, so that all overrides of their members are known.
_ALWAYS_READ = frozenset(("lib",))
#: Types, by package and name, that only mark the types based on them, and so use none of their members.
_MARKERS = frozenset(
    (
        ("python", "abc.ABC"),
        ("java", "java.io.Serializable"),
        ("java", "java.lang.Cloneable"),
        ("java", "java.util.EventListener"),
        ("java", "java.util.RandomAccess"),
    )
)


class ExternalBase(msgspec.Struct, frozen=True, gc=False):
    """A member or a type outside of the repository."""

    package: str
    name: str


def outside_methods(table: SymbolTable, ids: Iterable[str]) -> dict[str, list[Symbol]]:
    """Return the methods that are declared outside of types, by the id of the type; types without such methods are left out.

    The methods in the file of the type come first, and others by file; all by line.
    """
    statement = "MATCH (t:Symbol)-[:HAS_METHOD]->(m:Symbol) WHERE t.id IN $ids RETURN t.id, m.id"
    pairs = rows_for_ids(table.graph, statement, ids)
    symbols = table.symbols(id for pair in pairs for id in pair)
    found: dict[str, list[Symbol]] = {}
    for type_id, method in pairs:
        found.setdefault(type_id, []).append(symbols[method])
    for type_id, methods in found.items():
        home = symbols[type_id].relative_path
        methods.sort(key=lambda method: (method.relative_path != home, method.relative_path, method.start_line))
    return found


def inherited_members(table: SymbolTable, ids: Iterable[str], name: str) -> list[Symbol]:
    """Return the members of a name that types inherit from their nearest supertypes with such a member, sorted by id."""
    for types in islice(type_levels(table.graph, ids), 1, None):
        members = [*table.children(types).values(), *outside_methods(table, types).values()]
        found = {member.id: member for each in members for member in each if member.name == name}
        if found:
            return [found[id] for id in sorted(found)]
    return []


def external_bases(database: GraphDatabase, ids: Iterable[str]) -> list[ExternalBase]:
    """Return the members outside of the repository that some members override, by package and name."""
    statement = "MATCH (o:Symbol)-[:OVERRIDES]->(e:External) WHERE o.id IN $ids RETURN DISTINCT e.package, e.name"
    return _sorted(rows_for_ids(database, statement, ids))


def outside_supertypes(database: GraphDatabase, ids: Iterable[str]) -> list[ExternalBase]:
    """Return the external types that the given types extend or implement, directly or indirectly, by package and name."""
    return _outside_bases(database, type_levels(database, ids))


def outside_supertypes_below(database: GraphDatabase, ids: Iterable[str]) -> list[ExternalBase]:
    """Return the external types that classes which derive from the given types extend or implement, by package and name."""
    return _outside_bases(database, islice(type_levels(database, ids, below=True), 1, None))


def _outside_bases(database: GraphDatabase, levels: Iterable[list[str]]) -> list[ExternalBase]:
    outside = "MATCH (o:Symbol)-[:EXTENDS|IMPLEMENTS]->(e:External) WHERE o.id IN $ids RETURN DISTINCT e.package, e.name"
    found = [row for types in levels for row in rows_for_ids(database, outside, types)]
    return _sorted(row for row in found if _may_use_members(row))


def inheriting_classes(database: GraphDatabase, ids: Iterable[str]) -> list[str]:
    """Return the ids of the classes that inherit one of the given constructors: `new` of such a class runs the inherited
    constructor.
    """
    of = "MATCH (c:Symbol)-[:CONTAINS]->(o:Symbol) WHERE o.id IN $ids RETURN DISTINCT c.id"
    pending = [id for (id,) in rows_for_ids(database, of, ids)]
    found: dict[str, None] = {}
    while pending and len(found) < MAX_TYPES:
        below = "MATCH (o:Symbol)<-[:EXTENDS]-(s:Symbol) WHERE o.id IN $ids AND s.kind = 'class' RETURN DISTINCT s.id"
        new = [id for (id,) in rows_for_ids(database, below, pending) if id not in found]
        having = "MATCH (o:Symbol)-[:CONTAINS]->(s:Symbol) WHERE o.id IN $ids AND s.kind = 'constructor' RETURN DISTINCT o.id"
        own = {id for (id,) in rows_for_ids(database, having, new)}
        pending = [id for id in new if id not in own]
        found.update(dict.fromkeys(pending))
    return sorted(found)


def _may_use_members(type_outside: tuple[str, str]) -> bool:
    return type_outside[0] not in _ALWAYS_READ and type_outside not in _MARKERS


def _sorted(rows: Iterable[tuple[str, str]]) -> list[ExternalBase]:
    return [ExternalBase(package, name) for package, name in sorted(set(rows))]
