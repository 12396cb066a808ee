"""Types: their bases and subtypes, and the types in signatures."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...schema.records import SymbolRef
from ...schema.symbol_kinds import TYPE_KINDS
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of


class Base(msgspec.Struct, frozen=True, gc=False):
    """A base of a class or interface: a symbol, or an external with its package."""

    symbol_id: str
    #: "extends" or "implements".
    kind: str
    line: int
    #: Id of the symbol or external.
    base_id: str
    name: str
    #: The base as a symbol; None for an external.
    symbol: SymbolRef | None
    #: Package of an external; "" for a symbol.
    package: str


class Subtype(msgspec.Struct, frozen=True, gc=False):
    """A class or interface that extends or implements a requested symbol."""

    symbol_id: str
    kind: str
    line: int
    subtype: SymbolRef


class TypeFlow(msgspec.Struct, frozen=True, gc=False):
    """A type of the repository in a symbol's signature."""

    symbol_id: str
    #: "param", "return" or "field".
    role: str
    #: Name of the parameter; "" for a result or a field.
    name: str
    #: Position of the parameter, from 0; 0 for a result or a field.
    position: int
    type: SymbolRef


_ROLES = {"PARAM_TYPE": "param", "RETURN_TYPE": "return", "FIELD_TYPE": "field"}


def bases(database: GraphDatabase, ids: Iterable[str]) -> list[Base]:
    """Return the bases of the given symbols, by line."""
    known = list(dict.fromkeys(ids))
    statement = """
        MATCH (o:Symbol)-[r:EXTENDS|IMPLEMENTS]->(b:Symbol:External) WHERE o.id IN $ids
        RETURN o.id, lower(label(r)), r.line, b.id, b.name, b.package"""
    rows = rows_for_ids(database, statement, known)
    inside = symbols_of(database).refs(row[3] for row in rows)
    found = [Base(id, kind, line, base, name, inside.get(base), package or "") for id, kind, line, base, name, package in rows]
    return sorted(found, key=lambda base: (base.symbol_id, base.kind, base.line, base.base_id))


def subtypes(database: GraphDatabase, ids: Iterable[str]) -> list[Subtype]:
    """Return the types that extend or implement the given symbols directly, by file and line."""
    known = list(dict.fromkeys(ids))
    statement = """
        MATCH (o:Symbol)<-[r:EXTENDS|IMPLEMENTS]-(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, lower(label(r)), r.line, offset(id(s))"""
    rows = rows_for_ids(database, statement, known)
    below = symbols_of(database).refs_at([row[3] for row in rows])
    found = [Subtype(id, kind, line, subtype) for (id, kind, line, _), subtype in zip(rows, below, strict=True)]
    return sorted(found, key=lambda link: (link.symbol_id, link.subtype.relative_path, link.subtype.start_line, link.kind))


def type_flows(database: GraphDatabase, ids: Iterable[str]) -> list[TypeFlow]:
    """Return the types in the signatures of the given symbols: parameters in order, then the return type, then fields."""
    statement = """
        MATCH (o:Symbol)-[r:PARAM_TYPE|RETURN_TYPE|FIELD_TYPE]->(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, label(r), r.name, r.position, offset(id(s))"""
    rows = rows_for_ids(database, statement, ids)
    types = symbols_of(database).refs_at([row[4] for row in rows])
    found = [
        TypeFlow(id, _ROLES[label], name or "", position or 0, type)
        for (id, label, name, position, _), type in zip(rows, types, strict=True)
    ]
    order = list(_ROLES.values())
    return sorted(found, key=lambda flow: (flow.symbol_id, order.index(flow.role), flow.position, flow.name, flow.type.id))


class AliasedType(msgspec.Struct, frozen=True, gc=False):
    """A type to which the definition of a type alias refers."""

    alias_id: str
    #: Signature of the alias.
    signature: str
    #: Names by which the alias refers to the type, if they differ from the type's own name.
    names: tuple[str, ...]
    type: SymbolRef


def aliased_types(database: GraphDatabase, ids: Iterable[str]) -> list[AliasedType]:
    """Return the types to which the definitions of the given type aliases refer, by file and line."""
    statement = """
        MATCH (o:Symbol)-[r:REFERENCES]->(s:Symbol) WHERE o.id IN $ids AND r.role = 'type'
        RETURN o.id, r.names, offset(id(s))"""
    rows = rows_for_ids(database, statement, ids)
    aliases = symbols_of(database).symbols(row[0] for row in rows)
    types = symbols_of(database).refs_at([row[2] for row in rows])
    found = [
        AliasedType(alias, aliases[alias].signature, names, type)
        for (alias, names, _), type in zip(rows, types, strict=True)
        if type.kind in TYPE_KINDS
    ]
    return sorted(found, key=lambda each: (each.type.relative_path, each.type.start_line, each.type.id))
