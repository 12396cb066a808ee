"""PARAM_TYPE, RETURN_TYPE and FIELD_TYPE edges: types of the repository that annotations name or that are inferred.

The receiver of a method does not count as a parameter. The edge of an attribute that methods assign begins at the class, because
the attribute has no symbol.
"""

from __future__ import annotations

from typing import Final

from ....schema.edges import TypeFlowEdge
from ...facts.model import DeclKind, Member, MemberKind, Shape
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..engine import NominalEngine
from ..types import Instance, Type, Union, Variable
from .annotations import Place, class_place, names_in, receivers, type_places, written_parameters

#: Maximum number of types that are followed for one value. An inferred union may have many parts with type arguments.
_MAX_PARTS: Final = 64


class TypeFlow:
    """Finds the types of parameters, results and fields, file by file."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id

    # ------------------------------------------------------------------ annotations

    def annotated(self, unit: Unit) -> list[TypeFlowEdge]:
        """Return the edges to types that the annotations of a file name, without repetition."""
        edges: dict[TypeFlowEdge, None] = {}
        bound = receivers(self._engine, unit)
        for index, function in enumerate(unit.functions):
            if function.symbol < 0:
                continue
            for position, name, annotation, _ in written_parameters(unit, index, index in bound):
                self._name(edges, unit, function.symbol, annotation, "param", name, position)
            self._name(edges, unit, function.symbol, function.return_type, "return", "", 0)
        for shape in unit.shapes:
            for member in shape.members:
                if member.function < 0:
                    self._name(edges, unit, _symbol(shape, [member]), member.type, "field", "", 0)
        for decl in unit.decls:
            if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0:
                self._name(edges, unit, decl.symbol, decl.a, "field", "", 0)
        return list(edges)

    def _name(
        self, edges: dict[TypeFlowEdge, None], unit: Unit, symbol: int, annotation: int, role: str, name: str, position: int
    ) -> None:
        """Add the types that an annotation names."""
        if annotation < 0 or symbol < 0:
            return
        self._engine.refuel()
        for node in names_in(self._engine, unit, annotation):
            for place in type_places(self._engine, unit, node):
                self._add(edges, unit, symbol, place, role, name, position)

    # ------------------------------------------------------------------ without annotations

    def inferred(self, unit: Unit) -> list[TypeFlowEdge]:
        """Return the edges of parameters, results, variables and attributes without annotations, without repetition."""
        engine = self._engine
        edges: dict[TypeFlowEdge, None] = {}
        bound = receivers(engine, unit)
        for index, function in enumerate(unit.functions):
            if function.symbol < 0:
                continue
            for position, name, annotation, decl in written_parameters(unit, index, index in bound):
                if annotation < 0 and decl >= 0:
                    engine.refuel()
                    self._follow(edges, unit, function.symbol, engine.declared(unit, decl), "param", name, position)
            if function.return_type < 0 and function.has_body:
                engine.refuel()
                self._follow(edges, unit, function.symbol, engine.returned(unit, index), "return", "", 0)
        for shape in unit.shapes:
            for members in _attributes(shape):
                symbol = _symbol(shape, members)
                if symbol >= 0 and not any(member.type >= 0 for member in members):
                    for member in members:
                        engine.refuel()
                        self._follow(edges, unit, symbol, self._type_of_member(unit, member), "field", "", 0)
        for place, entry in enumerate(unit.decls):
            if entry.kind == DeclKind.VARIABLE and entry.symbol >= 0 and entry.a < 0 and entry.b >= 0:
                engine.refuel()
                self._follow(edges, unit, entry.symbol, engine.declared(unit, place), "field", "", 0)
        return list(edges)

    def _type_of_member(self, unit: Unit, member: Member) -> Type:
        return self._engine.declared(unit, member.extra) if member.extra >= 0 else self._engine.type_of(unit, member.value)

    def _follow(
        self, edges: dict[TypeFlowEdge, None], unit: Unit, symbol: int, kind: Type, role: str, name: str, position: int
    ) -> None:
        for place in _places(kind):
            self._add(edges, unit, symbol, place, role, name, position)

    def _add(
        self, edges: dict[TypeFlowEdge, None], unit: Unit, symbol: int, place: Place, role: str, name: str, position: int
    ) -> None:
        edges[TypeFlowEdge(self._symbol_id(unit, symbol), self._symbol_id(*place), role, name, position)] = None


def _attributes(shape: Shape) -> list[list[Member]]:
    """Return the attributes of a class, each with all its assignments."""
    found: dict[str, list[Member]] = {}
    for member in shape.members:
        if member.kind == MemberKind.PROPERTY and member.function < 0:
            found.setdefault(member.name, []).append(member)
    return list(found.values())


def _symbol(shape: Shape, members: list[Member]) -> int:
    """Return the symbol of an attribute, or else the symbol of its class."""
    return next((member.symbol for member in members if member.symbol >= 0), shape.symbol)


def _places(kind: Type) -> list[Place]:
    """Return the classes of the repository in a type, including its type arguments."""
    found: dict[tuple[int, int], Place] = {}
    waiting = [kind]
    for at in waiting:
        if len(waiting) > _MAX_PARTS:
            break
        if isinstance(at, Instance):
            place = class_place(at.cls)
            if place is not None:
                found[id(place[0]), place[1]] = place
            waiting += (*at.arguments, *(at.items or ()))
        elif isinstance(at, Union):
            waiting += at.members
        elif isinstance(at, Variable) and not at.key[0]:
            waiting.append(at.bound)  # the bound of `Self`, the type of `self` in a method, is the class
    return list(found.values())
