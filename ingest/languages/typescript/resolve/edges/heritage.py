"""EXTENDS, IMPLEMENTS and OVERRIDES edges."""

from __future__ import annotations

from collections.abc import Iterator

from ......schema.edges import HeritageEdge, OverrideEdge
from .....facts.model import DeclKind, MemberKind, Shape, ShapeKind
from .....facts.operations import Op
from ..call_targets import external_id
from ..engine import Engine
from ..model.binder import Declared, Entity, Outside, Value
from ..model.properties import Property
from ..model.type_model import External, Static, Type
from ..model.unit import SymbolIds, Unit


def heritage_edges(engine: Engine, unit: Unit, symbol_id: SymbolIds) -> Iterator[HeritageEdge]:
    """Yield the edges for the types that the classes and interfaces of a file extend and implement."""
    for shape in unit.shapes:
        if shape.symbol < 0 or shape.kind not in (ShapeKind.CLASS, ShapeKind.INTERFACE):
            continue
        from_id = symbol_id(unit, shape.symbol)
        for kind, nodes in (("extends", shape.extends), ("implements", shape.implements)):
            for node in nodes:
                for to_id, outside in _targets(engine, unit, shape, node, symbol_id):
                    yield HeritageEdge(from_id, to_id, kind, unit.line(unit.code[node + 4]), outside)


def _targets(engine: Engine, unit: Unit, shape: Shape, node: int, symbol_id: SymbolIds) -> Iterator[tuple[str, bool]]:
    name = unit.code[node + 1] if unit.code[node] in (Op.T_REFERENCE, Op.INSTANTIATION) else node
    wants_value = shape.kind == ShapeKind.CLASS and node in shape.extends
    entity = engine.binder.named(unit, name)
    place = None
    if entity is None and wants_value:
        place = _member(engine, unit, name)
        entity = _entity_of_type(engine.type_of(unit, name))
    place = place or _place(engine, entity, wants_value)
    if place is not None and not place[0].external:
        yield symbol_id(*place), False
    elif place is not None and isinstance(entity, Declared):
        yield external_id(entity.unit.external, (entity.facts.name,)), True
    elif isinstance(entity, Outside):
        yield external_id(entity.package, entity.path), True


def _member(engine: Engine, unit: Unit, node: int) -> tuple[Unit, int] | None:
    """Return the property that an expression such as `schema.class` refers to; None if it is outside of the repository."""
    code = unit.code
    if code[node] != Op.MEMBER:
        return None
    found = engine.properties(engine.type_of(unit, code[node + 1]), unit.strings[code[node + 2]])
    for entry in found:
        if entry.unit is not None and not entry.unit.external and entry.symbol >= 0:
            return entry.unit, entry.symbol
    return None


def _entity_of_type(kind: Type) -> Entity | None:
    """Return the entity of a class value, or None if it has no name."""
    if isinstance(kind, Static):
        return kind.entity
    return Outside(kind.package, kind.path) if isinstance(kind, External) else None


def _place(engine: Engine, entity: Entity | None, wants_value: bool) -> tuple[Unit, int] | None:
    if isinstance(entity, Value) and entity.symbol >= 0:
        return entity.unit, entity.symbol
    if not isinstance(entity, Declared):
        return None
    types = (DeclKind.CLASS, DeclKind.INTERFACE, DeclKind.ALIAS, DeclKind.ENUM)
    if not wants_value:
        for unit, index in engine.binder.declarations(entity):
            if unit.decls[index].kind in types and (unit.decls[index].symbol >= 0 or unit.external):
                return unit, unit.decls[index].symbol
    unit, symbol = engine.binder.symbol(entity)
    return (unit, symbol) if symbol >= 0 or unit.external else None


def override_edges(engine: Engine, unit: Unit, symbol_id: SymbolIds) -> Iterator[OverrideEdge]:
    """Yield the members that override or implement a member of a base of their class or interface."""
    for index, shape in enumerate(unit.shapes):
        if shape.symbol < 0 or not (shape.extends or shape.implements):
            continue
        bases = [*engine.bases(unit, index), *(engine.declared_type(unit, node) for node in shape.implements)]
        bases += _merged_bases(engine, unit, shape)
        known = [base for base in bases if not isinstance(base, External)]  # the members of external bases are unknown
        seen: set[OverrideEdge] = set()
        for member in shape.members:
            if member.static or member.symbol < 0 or not member.name or member.kind == MemberKind.CONSTRUCTOR:
                continue
            for base in known:
                for found in engine.properties(base, member.name):
                    edge = override_edge(symbol_id(unit, member.symbol), found, symbol_id)
                    if edge is not None and edge not in seen:
                        seen.add(edge)
                        yield edge


def _merged_bases(engine: Engine, unit: Unit, shape: Shape) -> Iterator[Type]:
    """Yield the types that are extended by interfaces merged with a class or an interface."""
    binding = unit.binding_of(shape.decl)
    if binding is None:
        return
    for other, decl in engine.binder.declarations(Declared(unit, binding)):
        found = other.decls[decl]
        if found.kind == DeclKind.INTERFACE and not other.external and other.shapes[found.a] is not shape:
            yield from engine.bases(other, found.a)


def override_edge(own: str, found: Property, symbol_id: SymbolIds) -> OverrideEdge | None:
    """Return the edge from the symbol with the id `own` to a property that it overrides; None for a property without a symbol."""
    if found.unit is not None and found.outside is not None:
        return OverrideEdge(own, external_id(*found.outside), True)
    if found.unit is None or found.symbol < 0 or found.unit.external:
        return None
    other = symbol_id(found.unit, found.symbol)
    return OverrideEdge(own, other) if other != own else None
