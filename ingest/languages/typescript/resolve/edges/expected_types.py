"""The types that object literals and JSX attributes are checked against, for references from their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .....facts.operations import ContextKind, Op
from .. import contexts
from ..model.type_model import (
    UNRESOLVED,
    FunctionType,
    Instance,
    Intersection,
    Literal,
    ObjectShape,
    Primitive,
    Type,
    TypeParameter,
    Union,
    union,
)
from ..type_arguments import own_parameters

if TYPE_CHECKING:
    from ..engine import Engine
    from ..model.program import Unit


#: Types whose members do not depend on type parameters.
_PLAIN = (Instance, ObjectShape, Primitive, Literal, FunctionType, TypeParameter)


class ExpectedTypes:
    """The expected types to which keys refer.

    A literal argument for a type parameter decides the type argument. Its keys declare members, and do not refer to the
    constraint.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        #: The object literal around a spread, by file and SPREAD node.
        self._spreads: dict[int, dict[int, int]] = {}

    def of(self, unit: Unit, node: int) -> Type:
        """Return the type that is expected of an object literal, or unresolved."""
        engine = self._engine
        path: list[str] = []
        context = unit.contexts.get(node)
        while context is not None:
            kind, a, b = context
            if kind == ContextKind.SAME:
                node = a
            elif kind == ContextKind.PROPERTY:
                path.append(unit.strings[b])
                node = a
            elif kind == ContextKind.SPREAD:
                literal = self._spread_into(unit, a)
                if literal < 0:
                    return UNRESOLVED
                node = literal
            elif kind == ContextKind.ARGUMENT:
                return self._property_at(self._argument(unit, node, a, b), path)
            elif kind == ContextKind.MEMBER:
                return UNRESOLVED
            else:
                return self._property_at(engine.context_type(unit, node), path)
            context = unit.contexts.get(node)
        return UNRESOLVED

    def _argument(self, unit: Unit, node: int, call: int, position: int) -> Type:
        """Return the type that a call expects of a literal.

        Its type parameters are symbolic if its members do not depend on them.
        """
        if unit.items(unit.code[call + 3]):  # the call has explicit type arguments
            return self._engine.context_type(unit, node)
        found = contexts.parameter_of(self._engine, unit, call, position)
        if found is None:
            return UNRESOLVED
        kind, signature = found
        own = own_parameters(signature)
        parts = []
        for part in kind.parts if isinstance(kind, Union | Intersection) else (kind,):
            if isinstance(part, TypeParameter) and part.unit is signature.unit and part.decl in own:
                continue
            if not isinstance(part, _PLAIN):
                return contexts.given_parameter(self._engine, unit, call, position)
            parts.append(part)
        return union(parts) if parts else UNRESOLVED

    def of_attributes(self, unit: Unit, node: int) -> Type:
        """Return the props type of a component."""
        return contexts.props(self._engine, unit, node)

    def _property_at(self, kind: Type, path: list[str]) -> Type:
        for name in reversed(path):
            if kind.opaque:
                return UNRESOLVED
            kind = self._engine.property_type(kind, name)
        return kind

    def _spread_into(self, unit: Unit, spread: int) -> int:
        known = self._spreads.get(unit.index)
        if known is None:
            code = unit.code
            known = self._spreads[unit.index] = {
                item: node for node in range(0, len(code), 5) if code[node] == Op.OBJECT for item in unit.items(code[node + 2])
            }
        return known.get(spread, -1)
