"""Types: heritage in both directions, overriding members, and where the types of a signature come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from .database import GraphDatabase
from .id_batches import rows_for_ids
from .symbol_queries import REF, REF_LENGTH, SymbolRef


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


_KINDS = (("EXTENDS", "extends"), ("IMPLEMENTS", "implements"))


def bases(database: GraphDatabase, ids: Iterable[str]) -> list[Base]:
    """What the given symbols extend and implement, in the order of their lines."""
    known = list(dict.fromkeys(ids))
    edges = "MATCH (o:Symbol)-[r:EXTENDS|IMPLEMENTS]->"
    returned = "WHERE o.id IN $ids RETURN o.id, lower(label(r)), r.line"
    found = []
    for symbol_id, kind, line, *reference in rows_for_ids(database, f"{edges}(s:Symbol) {returned}, {REF}", known):
        base = SymbolRef(*reference)
        found.append(Base(symbol_id, kind, line, base.id, base.name, base, ""))
    outside = f"{edges}(e:External) {returned}, e.id, e.name, e.package"
    for symbol_id, kind, line, base_id, name, package in rows_for_ids(database, outside, known):
        found.append(Base(symbol_id, kind, line, base_id, name, None, package))
    return sorted(found, key=lambda base: (base.symbol_id, base.kind, base.line, base.base_id))


def subtypes(database: GraphDatabase, ids: Iterable[str]) -> list[Subtype]:
    """Classes and interfaces that extend or implement the given symbols directly, by file and line."""
    known = list(dict.fromkeys(ids))
    found = []
    for table, kind in _KINDS:
        statement = f"MATCH (o:Symbol)<-[r:{table}]-(s:Symbol) WHERE o.id IN $ids RETURN o.id, r.line, {REF}"
        found += [Subtype(row[0], kind, row[1], SymbolRef(*row[2:])) for row in rows_for_ids(database, statement, known)]
    return sorted(found, key=lambda link: (link.symbol_id, link.subtype.relative_path, link.subtype.start_line, link.kind))


def overridden(database: GraphDatabase, ids: Iterable[str]) -> list[OverrideLink]:
    """Members of bases that the given members override or implement directly."""
    return _overrides(database, "MATCH (o:Symbol)-[:OVERRIDES]->(s:Symbol)", ids)


def overriding(database: GraphDatabase, ids: Iterable[str]) -> list[OverrideLink]:
    """Members that override or implement the given members directly: what may run where CALLS names a base."""
    return _overrides(database, "MATCH (o:Symbol)<-[:OVERRIDES]-(s:Symbol)", ids)


def type_flows(database: GraphDatabase, ids: Iterable[str]) -> list[TypeFlow]:
    """Types in the signatures of the given symbols: parameters in order, then the return type, then fields."""
    known = list(dict.fromkeys(ids))
    found = [
        *_flows(database, "PARAM_TYPE", "param", "r.name, r.position", known),
        *_flows(database, "RETURN_TYPE", "return", "'', 0", known),
        *_flows(database, "FIELD_TYPE", "field", "'', 0", known),
    ]
    # Sorting keeps the order of the roles among the flows of one symbol.
    return sorted(found, key=lambda flow: flow.symbol_id)


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
    statement = (
        "MATCH (o:Symbol)-[r:REFERENCES]->(s:Symbol) WHERE o.id IN $ids AND r.role = 'type' "
        "AND s.kind IN ['class', 'interface', 'type', 'enum'] "
        f"RETURN o.id, o.signature, r.names, {REF} ORDER BY s.relativePath, s.startLine, s.id"
    )
    return [AliasedType(row[0], row[1], row[2], SymbolRef(*row[3:])) for row in rows_for_ids(database, statement, ids)]


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
    statement = f"{pattern} WHERE o.id IN $ids RETURN o.id, {REF} ORDER BY o.id, s.relativePath, s.startLine"
    return [OverrideLink(row[0], SymbolRef(*row[1:])) for row in rows_for_ids(database, statement, ids)]


def _flows(database: GraphDatabase, table: str, role: str, place: str, ids: list[str]) -> list[TypeFlow]:
    statement = f"MATCH (o:Symbol)-[r:{table}]->(s:Symbol) WHERE o.id IN $ids RETURN o.id, {REF}, {place}"
    end = 1 + REF_LENGTH
    rows = sorted(rows_for_ids(database, statement, ids), key=_flow_order)
    return [TypeFlow(row[0], role, row[end], row[end + 1], SymbolRef(*row[1:end])) for row in rows]


def _flow_order(row: tuple[Any, ...]) -> tuple[Any, ...]:
    symbol_id, name, position, type_id = row[0], row[-2], row[-1], row[1]
    return symbol_id, position, name, type_id
