"""Constraints: the upper bounds of types whose type parameters are not replaced yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from . import declared
from .model.type_model import (
    ANY,
    STRING,
    UNRESOLVED,
    Conditional,
    Indexed,
    Instance,
    Intersection,
    KeyOf,
    Type,
    TypeParameter,
    Union,
    union,
)
from .reduction import has_constraint, indexed_type, key_type

if TYPE_CHECKING:
    from .engine import Engine

#: Maximum number of times that a conditional type is replaced by its branches inside itself. A recursive type would never end.
_MAX_UNROLLED: Final = 2

#: Maximum number of conditional types that are replaced by their branches for one constraint.
_MAX_CONDITIONALS: Final = 64


def constraint(engine: Engine, kind: Type) -> Type:
    """Return the constraint of a type whose type parameters are not replaced yet, or unresolved."""
    if isinstance(kind, KeyOf):
        return STRING
    if isinstance(kind, TypeParameter):
        return _of_parameter(engine, kind)
    if isinstance(kind, Conditional):
        return _Unrolling(engine).type(kind)
    if isinstance(kind, Instance):
        return _of_application(engine, kind) if engine.is_deferred_utility(kind) else UNRESOLVED
    return _of_indexed(engine, kind) if isinstance(kind, Indexed) else UNRESOLVED


def _of_parameter(engine: Engine, parameter: TypeParameter) -> Type:
    """Return the constraint of a type parameter, or unresolved if the parameter constrains itself: `<T extends U, U extends T>`.

    The constraint may name the parameter inside of a type, as in `T extends Comparable<T>`.
    """
    found = engine.declared_type(parameter.unit, parameter.unit.decls[parameter.decl].a)
    pending, seen = [found], {parameter.key}
    while pending:
        kind = pending.pop()
        if isinstance(kind, Union | Intersection):
            pending += kind.parts
        elif isinstance(kind, TypeParameter):
            if kind.key == parameter.key:
                return UNRESOLVED
            if kind.key not in seen:
                seen.add(kind.key)
                pending.append(engine.declared_type(kind.unit, kind.unit.decls[kind.decl].a))
    return found


def _of_application(engine: Engine, kind: Instance) -> Type:
    bounds = [engine.constraint(part) if has_constraint(engine, part) else part for part in kind.arguments]
    found = declared.entity_type(engine, kind.entity, tuple(bounds)) if UNRESOLVED not in bounds else UNRESOLVED
    return found if found != kind else UNRESOLVED


def _of_indexed(engine: Engine, kind: Indexed) -> Type:
    target = engine.constraint(kind.target) if has_constraint(engine, kind.target) else kind.target
    index = keys_of(engine, kind.index)
    if target is UNRESOLVED or (target == kind.target and index == kind.index):
        return UNRESOLVED
    return indexed_type(engine, target, index)


def keys_of(engine: Engine, index: Type, depth: int = 0) -> Type:
    """Return the keys that a type parameter may be: the keys in its constraint."""
    if depth > _MAX_UNROLLED:
        return index
    if isinstance(index, TypeParameter):
        bound = engine.constraint(index)
        return index if bound is UNRESOLVED else keys_of(engine, bound, depth + 1)
    if isinstance(index, KeyOf):
        target = engine.constraint(index.target) if has_constraint(engine, index.target) else UNRESOLVED
        return index if target is UNRESOLVED else key_type(engine, target)
    return index


class _Unrolling:
    """Recursively replaces conditional types by the unions of their branches.

    A recursive conditional type is unresolved at its second appearance inside itself.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine: Final = engine
        #: Nodes of the conditional types that are being replaced.
        self._inside: Final[list[tuple[int, int]]] = []
        self._known: Final[dict[Type, Type]] = {}

    def type(self, kind: Type) -> Type:
        """Return a type without conditional types."""
        if isinstance(kind, Conditional):
            known = self._known.get(kind)
            return known if known is not None else self._branches(kind)
        if isinstance(kind, Union):
            return union([self.type(part) for part in kind.parts]) if _holds_conditional(kind) else kind
        if isinstance(kind, Intersection) and _holds_conditional(kind):
            parts = dict.fromkeys([self.type(part) for part in kind.parts])
            parts.pop(UNRESOLVED, None)
            return Intersection(tuple(parts)) if len(parts) > 1 else next(iter(parts), UNRESOLVED)
        return kind

    def _branches(self, kind: Conditional) -> Type:
        """Return the union of both branches; it is `any` only if both branches are `any`."""
        node = (kind.unit.index, kind.index)
        if self._inside.count(node) >= _MAX_UNROLLED or len(self._known) >= _MAX_CONDITIONALS:
            return UNRESOLVED
        self._known[kind] = UNRESOLVED
        self._inside.append(node)
        _, _, yes, no = kind.unit.items(kind.unit.code[kind.index + 1])
        branches = [self.type(self._engine.declared_type(kind.unit, branch, kind.env)) for branch in (yes, no)]
        self._inside.pop()
        known = [branch for branch in branches if branch is not ANY]
        found = union(known) if known else ANY
        self._known[kind] = found
        return found


def _holds_conditional(kind: Union | Intersection) -> bool:
    return any(isinstance(part, Conditional | Union | Intersection) for part in kind.parts)
