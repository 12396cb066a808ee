"""Reduce intersections that no value can have: `{ kind: "a" } & { kind: "b" }` is `never`.

As in TypeScript, such intersections are left out of unions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....facts.model import MemberKind
from ....facts.operations import Op
from .base_types import shapes_of
from .model.type_model import NEVER, Intersection, ObjectShape, Primitive, Type, Union, intersection, parts_of, union

if TYPE_CHECKING:
    from .engine import Engine

#: Type nodes that may denote a type with a single value. A qualified name may be a member of an enum.
_UNITS = frozenset((Op.T_STRING, Op.T_NUMBER, Op.T_BOOLEAN, Op.T_QUALIFIED))
_NAMED = frozenset((Op.T_REFERENCE, Op.T_NAME, Op.T_UNION))
#: Maximum number of members of an object type. In a type with more members, members with named types are not compared.
_MAX_NAMED_MEMBERS = 8


def intersected(engine: Engine, parts: Sequence[Type]) -> Type:
    """Return the intersection of types. Parts of a union that no value can have are left out."""
    made = intersection(parts)
    if not isinstance(made, Union):
        return made
    return union([part for part in made.parts if not (isinstance(part, Intersection) and _is_empty(engine, part))])


def are_disjoint(engine: Engine, one: Type, other: Type) -> bool:
    """Return whether a discriminating member shows that no value is of both types."""
    both = intersection((one, other))
    return both is NEVER or (isinstance(both, Intersection) and _is_empty(engine, both))


def _is_empty(engine: Engine, kind: Intersection) -> bool:
    """Return whether the types of a member in two parts share no value."""
    for part in kind.parts:
        for name in _discriminant_names(engine, part):
            mine = engine.property_type(part, name)
            others = [other for other in kind.parts if other is not part and not engine.lacks(other, name)]
            if any(_share_no_value(engine, mine, engine.property_type(other, name)) for other in others):
                return True
    return False


def _discriminant_names(engine: Engine, kind: Type) -> Iterator[str]:
    """Yield the names of members whose declared type may have only a few values."""
    for unit, shape, _ in shapes_of(engine, kind):
        members = unit.shapes[shape].members
        for member in members:
            if member.kind != MemberKind.PROPERTY or member.type < 0 or member.static or member.optional:
                continue
            op = unit.code[member.type]
            is_named = op in _NAMED and isinstance(kind, ObjectShape) and len(members) <= _MAX_NAMED_MEMBERS
            if is_named or (unit.code[unit.code[member.type + 1]] if op == Op.T_REFERENCE else op) in _UNITS:
                yield member.name


def _share_no_value(engine: Engine, one: Type, other: Type) -> bool:
    """Return whether two types are unions of single values without a common value."""
    if not all(engine.is_unit(value) for value in parts_of(one)):
        return False
    values = parts_of(other)
    if not all(engine.is_unit(value) or isinstance(value, Primitive) for value in values):
        return False
    return not any(engine.overlaps(mine, value) for mine in parts_of(one) for value in values)
