"""PARAM_TYPE, RETURN_TYPE and FIELD_TYPE edges: the repository's types that signatures name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...schema.records import TypeFlowEdge
from ..facts import DeclKind
from .engine import Engine
from .entities import Declared
from .program import Unit
from .type_nodes import type_names


def type_flow_edges(engine: Engine, unit: Unit, symbol_id: Callable[[Unit, int], str]) -> Iterator[TypeFlowEdge]:
    """Edges of a file, without repetition."""
    seen: set[TypeFlowEdge] = set()

    def flow(symbol: int, node: int, role: str, name: str, position: int) -> Iterator[TypeFlowEdge]:
        for at in type_names(unit, node):
            place = _type_symbol(engine, unit, at)
            if place is not None:
                edge = TypeFlowEdge(symbol_id(unit, symbol), symbol_id(*place), role, name, position)
                if edge not in seen:
                    seen.add(edge)
                    yield edge

    for function in unit.functions:
        if function.symbol < 0:
            continue
        for position, parameter in enumerate(function.parameters):
            yield from flow(function.symbol, parameter.type, "param", parameter.name, position)
        yield from flow(function.symbol, function.return_type, "return", "", 0)
    for shape in unit.shapes:
        for member in shape.members:
            if member.symbol >= 0 and member.type >= 0:
                yield from flow(member.symbol, member.type, "field", "", 0)
    for decl in unit.decls:
        if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0:
            yield from flow(decl.symbol, decl.a, "field", "", 0)


def _type_symbol(engine: Engine, unit: Unit, node: int) -> tuple[Unit, int] | None:
    entity = engine.linker.named(unit, node)
    if not isinstance(entity, Declared):
        return None
    for owner, index in engine.linker.declarations(entity):
        decl = owner.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE, DeclKind.ALIAS, DeclKind.ENUM) and decl.symbol >= 0:
            return (owner, decl.symbol) if not owner.external else None
    return None
