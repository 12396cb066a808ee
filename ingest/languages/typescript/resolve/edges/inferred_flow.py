"""PARAM_TYPE, RETURN_TYPE and FIELD_TYPE edges of code without annotations.

The types follow from results, initializers, defaults, and the places of functions.
"""

from __future__ import annotations

from collections.abc import Callable

from ......schema.edges import TypeFlowEdge
from .....facts.model import DeclKind, MemberKind, ShapeKind
from ..engine import Engine
from ..model.binder import Declared
from ..model.type_model import EMPTY, EnumMember, Instance, Intersection, Spread, Tuple, Type, Union
from ..model.unit import Unit
from .type_flow import symbol_of_type

_CLASSES = frozenset((ShapeKind.CLASS, ShapeKind.OBJECT_LITERAL))
#: Modifier of a function literal that is passed as an argument.
CALLBACK = "callback"
#: Maximum number of types that are followed for one value. An inferred union may have many parts with type arguments.
_MAX_PARTS = 64


def inferred_flow_edges(engine: Engine, unit: Unit, symbol_id: Callable[[Unit, int], str]) -> list[TypeFlowEdge]:
    """Return the inferred edges of a file, without repetition.

    `type_flow_edges` returns the edges of annotations. Callbacks have no edges, since no code calls a callback by name.
    """
    edges: dict[TypeFlowEdge, None] = {}

    def flow(symbol: int, kind: Type, role: str, name: str, position: int) -> None:
        for entity in _entities(kind):
            place = symbol_of_type(engine, entity)
            if place is not None:
                edges[TypeFlowEdge(symbol_id(unit, symbol), symbol_id(*place), role, name, position)] = None

    symbols = unit.facts.symbols
    for index, function in enumerate(unit.functions):
        if function.symbol < 0 or CALLBACK in symbols[function.symbol].modifiers:
            continue
        engine.refuel()
        for position, parameter in enumerate(function.parameters):
            if parameter.type < 0:
                flow(function.symbol, engine.parameter_type(unit, index, position, EMPTY), "param", parameter.name, position)
        if function.return_type < 0 and function.has_body:
            flow(function.symbol, engine.return_type(unit, index), "return", "", 0)
    for shape in unit.shapes:
        if shape.kind in _CLASSES:
            for member in shape.members:
                if member.symbol >= 0 and member.kind == MemberKind.PROPERTY and member.type < 0 and member.value >= 0:
                    engine.refuel()
                    flow(member.symbol, engine.type_of(unit, member.value), "field", "", 0)
    for decl in unit.decls:
        if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.a < 0 and decl.b >= 0:
            engine.refuel()
            flow(decl.symbol, engine.type_of(unit, decl.b), "field", "", 0)
    return list(edges)


def _entities(kind: Type) -> list[Declared]:
    """Return the classes, interfaces and enums that a type names, also as arguments, but not in object types."""
    found: dict[Declared, None] = {}
    queue = [kind]
    for at in queue:
        if len(queue) > _MAX_PARTS:
            break
        if isinstance(at, Instance):
            found[at.entity] = None
            queue += at.arguments
        elif isinstance(at, EnumMember):
            found[at.entity] = None
        elif isinstance(at, Union | Intersection):
            queue += at.parts
        elif isinstance(at, Spread):
            queue.append(at.target)
        elif isinstance(at, Tuple):
            queue += at.elements
            if at.rest is not None:
                queue.append(at.rest)
    return list(found)
