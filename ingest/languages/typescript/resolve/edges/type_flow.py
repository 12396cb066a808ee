"""PARAM_TYPE, RETURN_TYPE and FIELD_TYPE edges: the repository's types that annotations name."""

from __future__ import annotations

from collections.abc import Callable

from ......schema.edges import TypeFlowEdge
from .....facts.model import DeclKind
from .....facts.operations import Op
from ..engine import Engine
from ..model.binder import Declared
from ..model.type_nodes import type_names
from ..model.unit import Unit

_TYPES = frozenset((DeclKind.CLASS, DeclKind.INTERFACE, DeclKind.ALIAS, DeclKind.ENUM))


def type_flow_edges(engine: Engine, unit: Unit, symbol_id: Callable[[Unit, int], str]) -> list[TypeFlowEdge]:
    """Return the annotated edges of a file, without repetition."""
    edges: dict[TypeFlowEdge, None] = {}
    #: Ids of the types that names denote, by binding.
    named: dict[int, str] = {}

    def flow(symbol: int, node: int, role: str, name: str, position: int) -> None:
        for at in type_names(unit, node):
            binding = unit.code[at + 1] if unit.code[at] == Op.T_NAME else -1
            target = named.get(binding) if binding >= 0 else None
            if target is None:
                place = _type_symbol(engine, unit, at)
                target = symbol_id(*place) if place is not None else ""
                if binding >= 0:
                    named[binding] = target
            if target:
                edges[TypeFlowEdge(symbol_id(unit, symbol), target, role, name, position)] = None

    for function in unit.functions:
        if function.symbol < 0:
            continue
        if function.this_type >= 0:
            flow(function.symbol, function.this_type, "param", "this", -1)
        for position, parameter in enumerate(function.parameters):
            if parameter.type >= 0:
                flow(function.symbol, parameter.type, "param", parameter.name, position)
        if function.return_type >= 0:
            flow(function.symbol, function.return_type, "return", "", 0)
    for shape in unit.shapes:
        for member in shape.members:
            if member.symbol >= 0 and member.type >= 0:
                flow(member.symbol, member.type, "field", "", 0)
    for decl in unit.decls:
        if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.a >= 0:
            flow(decl.symbol, decl.a, "field", "", 0)
    return list(edges)


def _type_symbol(engine: Engine, unit: Unit, node: int) -> tuple[Unit, int] | None:
    entity = engine.binder.named(unit, node)
    if entity is None and unit.code[node] == Op.T_QUALIFIED:
        # A member of an enum is a type too; the edge refers to the enum.
        entity = engine.binder.named(unit, unit.code[node + 1])
    return symbol_of_type(engine, entity) if isinstance(entity, Declared) else None


def symbol_of_type(engine: Engine, entity: Declared) -> tuple[Unit, int] | None:
    """Return the class, interface, alias or enum of the repository for an entity, or None."""
    for owner, index in engine.binder.declarations(entity):
        decl = owner.decls[index]
        if decl.kind in _TYPES and decl.symbol >= 0:
            return (owner, decl.symbol) if not owner.external else None
    return None
