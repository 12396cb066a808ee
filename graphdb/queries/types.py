"""Types: heritage in both directions, overriding members, and where the types of a signature come from."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of
from .symbols import SymbolDetails, SymbolRef, refs_at


class Base(msgspec.Struct, frozen=True, gc=False):
    """What a class or interface extends or implements: a symbol, or an external, whose package is then named."""

    symbol_id: str
    #: "extends" or "implements".
    kind: str
    line: int
    #: Id of the symbol or external.
    base_id: str
    name: str
    #: None for an external.
    symbol: SymbolRef | None
    #: "" for a symbol.
    package: str


class Subtype(msgspec.Struct, frozen=True, gc=False):
    """A class or interface that extends or implements the symbol."""

    symbol_id: str
    kind: str
    line: int
    subtype: SymbolRef


class OverrideLink(msgspec.Struct, frozen=True, gc=False):
    """Another member that the symbol overrides, or that overrides it."""

    symbol_id: str
    other: SymbolRef


class TypeFlow(msgspec.Struct, frozen=True, gc=False):
    """A type of the repository in a symbol's signature."""

    symbol_id: str
    #: "param", "return" or "field".
    role: str
    #: The parameter's name, else "".
    name: str
    #: The parameter's place from 0, else 0.
    position: int
    type: SymbolRef


class SharedType(msgspec.Struct, frozen=True, gc=False):
    """A type in the signatures of several of the given symbols."""

    type: SymbolRef
    used_by: tuple[str, ...]


_ROLES = {"PARAM_TYPE": "param", "RETURN_TYPE": "return", "FIELD_TYPE": "field"}
_TYPES = frozenset(("class", "interface", "type", "enum"))


def bases(database: GraphDatabase, ids: Iterable[str]) -> list[Base]:
    """What the given symbols extend and implement, in the order of their lines."""
    known = list(dict.fromkeys(ids))
    statement = """
        MATCH (o:Symbol)-[r:EXTENDS|IMPLEMENTS]->(b:Symbol:External) WHERE o.id IN $ids
        RETURN o.id, lower(label(r)), r.line, b.id, b.name, b.package"""
    rows = rows_for_ids(database, statement, known)
    inside = {ref.id: ref for ref in symbols_of(database).records([row[3] for row in rows], SymbolRef)}
    found = [Base(id, kind, line, base, name, inside.get(base), package or "") for id, kind, line, base, name, package in rows]
    return sorted(found, key=lambda base: (base.symbol_id, base.kind, base.line, base.base_id))


def subtypes(database: GraphDatabase, ids: Iterable[str]) -> list[Subtype]:
    """Classes and interfaces that extend or implement the given symbols directly, by file and line."""
    known = list(dict.fromkeys(ids))
    statement = """
        MATCH (o:Symbol)<-[r:EXTENDS|IMPLEMENTS]-(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, lower(label(r)), r.line, offset(id(s))"""
    rows = rows_for_ids(database, statement, known)
    below = refs_at(database, [row[3] for row in rows])
    found = [Subtype(id, kind, line, subtype) for (id, kind, line, _), subtype in zip(rows, below, strict=True)]
    return sorted(found, key=lambda link: (link.symbol_id, link.subtype.relative_path, link.subtype.start_line, link.kind))


def overridden(database: GraphDatabase, ids: Iterable[str]) -> list[OverrideLink]:
    """Members of bases that the given members override or implement directly."""
    return _overrides(database, "MATCH (o:Symbol)-[:OVERRIDES]->(s:Symbol)", ids)


def overriding(database: GraphDatabase, ids: Iterable[str]) -> list[OverrideLink]:
    """Members that override or implement the given members directly: what may run where CALLS names a base."""
    return _overrides(database, "MATCH (o:Symbol)<-[:OVERRIDES]-(s:Symbol)", ids)


def type_flows(database: GraphDatabase, ids: Iterable[str]) -> list[TypeFlow]:
    """Types in the signatures of the given symbols: parameters in order, then the return type, then fields."""
    statement = """
        MATCH (o:Symbol)-[r:PARAM_TYPE|RETURN_TYPE|FIELD_TYPE]->(s:Symbol) WHERE o.id IN $ids
        RETURN o.id, label(r), r.name, r.position, offset(id(s))"""
    rows = rows_for_ids(database, statement, ids)
    types = refs_at(database, [row[4] for row in rows])
    found = [
        TypeFlow(id, _ROLES[label], name or "", position or 0, type)
        for (id, label, name, position, _), type in zip(rows, types, strict=True)
    ]
    order = list(_ROLES.values())
    return sorted(found, key=lambda flow: (flow.symbol_id, order.index(flow.role), flow.position, flow.name, flow.type.id))


class AliasedType(msgspec.Struct, frozen=True, gc=False):
    """A type that a type alias is written with, by whatever name."""

    alias_id: str
    #: The alias's signature.
    signature: str
    #: Names that the alias uses it by, where these are not its own.
    names: tuple[str, ...]
    type: SymbolRef


def aliased_types(database: GraphDatabase, ids: Iterable[str]) -> list[AliasedType]:
    """The types that the given type aliases are written with, by file and line."""
    statement = """
        MATCH (o:Symbol)-[r:REFERENCES]->(s:Symbol) WHERE o.id IN $ids AND r.role = 'type'
        RETURN o.id, r.names, offset(id(s))"""
    rows = rows_for_ids(database, statement, ids)
    aliases = {alias.id: alias.signature for alias in symbols_of(database).records([row[0] for row in rows], SymbolDetails)}
    types = refs_at(database, [row[2] for row in rows])
    found = [
        AliasedType(alias, aliases[alias], names, type)
        for (alias, names, _), type in zip(rows, types, strict=True)
        if type.kind in _TYPES
    ]
    return sorted(found, key=lambda each: (each.type.relative_path, each.type.start_line, each.type.id))


def shared_types(database: GraphDatabase, ids: Iterable[str]) -> list[SharedType]:
    """Types in the signatures of two or more of the given symbols, most used first; the given symbols are left out."""
    known = set(ids)
    users: dict[SymbolRef, set[str]] = {}
    for flow in type_flows(database, known):
        if flow.type.id not in known:
            users.setdefault(flow.type, set()).add(flow.symbol_id)
    found = [SharedType(used, tuple(sorted(by))) for used, by in users.items() if len(by) > 1]
    return sorted(found, key=lambda shared: (-len(shared.used_by), shared.type.id))


def _overrides(database: GraphDatabase, pattern: str, ids: Iterable[str]) -> list[OverrideLink]:
    rows = rows_for_ids(database, f"{pattern} WHERE o.id IN $ids RETURN o.id, offset(id(s))", ids)
    others = refs_at(database, [row[1] for row in rows])
    found = [OverrideLink(row[0], other) for row, other in zip(rows, others, strict=True)]
    return sorted(found, key=lambda link: (link.symbol_id, link.other.relative_path, link.other.start_line))
