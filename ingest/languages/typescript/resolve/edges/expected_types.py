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
    parts_of,
    union,
)
from ..type_arguments import own_parameters

if TYPE_CHECKING:
    from ..engine import Engine
    from ..model.properties import Signature
    from ..model.unit import Unit


#: Types whose members do not depend on type parameters.
_PLAIN = (Instance, ObjectShape, Primitive, Literal, FunctionType, TypeParameter)


class ExpectedTypes:
    """The expected types to which keys refer.

    A literal argument for a type parameter decides the type argument, so its keys declare members and do not refer to the
    constraint.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, unit: Unit, node: int) -> Type:
        """Return the type that is expected of an object literal, with all parts of a union, or unresolved."""
        engine = self._engine
        path: list[tuple[int, str]] = []
        context = unit.contexts.get(node)
        while context is not None:
            kind, a, b = context
            if kind == ContextKind.SAME:
                node = a
            elif kind == ContextKind.PROPERTY:
                path.append((a, unit.strings[b]))
                node = a
            elif kind == ContextKind.SPREAD:
                spread_into = unit.object_around(a)
                if spread_into < 0:
                    return UNRESOLVED
                node = spread_into
            elif kind == ContextKind.ARGUMENT:
                found = self._inside(unit, self._argument(unit, node, a, b), path)
                if path and self._is_decided_by_another(unit, a, b, found):
                    return self._inside(unit, contexts.given_parameter(engine, unit, a, b), path)
                return found
            elif kind == ContextKind.MEMBER:
                return UNRESOLVED
            else:
                return self._inside(unit, engine.context_type(unit, node), path)
            context = unit.contexts.get(node)
        return UNRESOLVED

    def _argument(self, unit: Unit, node: int, call: int, position: int) -> Type:
        """Return the type that a call expects for a literal.

        Type parameters stay symbolic if the members of the type do not depend on them.
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
                if self._is_part_of_known(unit, call, position, signature, part):
                    return contexts.given_parameter(self._engine, unit, call, position)
                continue
            if part.opaque or not isinstance(part, _PLAIN) or self._engine.is_deferred_utility(part):
                return contexts.given_parameter(self._engine, unit, call, position)
            parts.append(part)
        return union(parts) if parts else UNRESOLVED

    def _is_decided_by_another(self, unit: Unit, call: int, position: int, kind: Type) -> bool:
        """Return whether a type is a type parameter of a call that another argument decides, such as `P` of
        `mount<P>(of: Component<P>, by: { props: P })`.
        """
        found = contexts.parameter_of(self._engine, unit, call, position)
        if found is None:
            return False
        signature = found[1]
        own = own_parameters(signature)
        count = len(unit.items(unit.code[call + 2]))
        return any(
            isinstance(part, TypeParameter)
            and part.unit is signature.unit
            and part.decl in own
            and contexts.is_decided_elsewhere(self._engine, signature, count, position, part)
            for part in parts_of(kind)
        )

    def _is_part_of_known(self, unit: Unit, call: int, position: int, signature: Signature, parameter: TypeParameter) -> bool:
        """Return whether an argument has members of a type that another argument decides: `update<T>(one: T, by: Partial<T>)`."""
        other = signature.unit
        declared = other.functions[signature.function].parameters
        written = declared[position].type if position < len(declared) else -1
        if written < 0 or other.code[written] != Op.T_REFERENCE or other.code[other.code[written + 1]] != Op.T_NAME:
            return False
        if other.strings[other.code[other.code[written + 1] + 2]] != "Partial":
            return False
        count = len(unit.items(unit.code[call + 2]))
        return contexts.is_decided_elsewhere(self._engine, signature, count, position, parameter)

    def of_attributes(self, unit: Unit, node: int) -> Type:
        """Return the props type of a component."""
        return contexts.props(self._engine, unit, node)

    def _inside(self, unit: Unit, kind: Type, path: list[tuple[int, str]]) -> Type:
        """Return the expected type of a literal at a path inside an outer literal of type `kind`."""
        for outer, name in reversed(path):
            if kind.opaque:
                return UNRESOLVED
            kind = self._engine.property_type(contexts.chosen_parts(self._engine, unit, outer, kind), name)
        return kind
