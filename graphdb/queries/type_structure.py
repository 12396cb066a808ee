"""The parts of type aliases, and the values of enum members."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...schema.edges import AliasPart
from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..traversal.walk import refs_by_offset


class EnumMemberValue(msgspec.Struct, frozen=True, gc=False):
    """A member of an enum with its value. `ENUM_VALUE` in `graph.cypher` documents each property."""

    symbol_id: str
    member: SymbolRef
    text: str
    computed: bool
    constant: str


def alias_parts(database: GraphDatabase, ids: Iterable[str]) -> list[AliasPart]:
    """Return the parts of the given type aliases, each part after its parent; aliases of simple types have no parts."""
    statement = (
        "MATCH (s:Symbol)-[p:TYPE_PART]->(f:File) WHERE s.id IN $ids "
        "RETURN s.id, f.relativePath, p.place, p.parent, p.role, p.kind, p.text, p.name, p.readonlyModifier, p.optionalModifier "
        "ORDER BY s.id, p.place"
    )
    return [AliasPart(*row) for row in rows_for_ids(database, statement, ids)]


def enum_member_values(database: GraphDatabase, ids: Iterable[str]) -> list[EnumMemberValue]:
    """Return the members of the given enums with their values, in source order."""
    statement = (
        "MATCH (o:Symbol)-[v:ENUM_VALUE]->(s:Symbol) WHERE o.id IN $ids "
        "RETURN o.id, offset(id(s)), v.text, v.computed, v.constant "
        "ORDER BY o.id, v.place"
    )
    rows = rows_for_ids(database, statement, ids)
    members = refs_by_offset(database, {row[1] for row in rows})
    return [EnumMemberValue(symbol, members[member], *value) for symbol, member, *value in rows]
