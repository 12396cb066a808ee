"""Intersections that no value can be of: `{ kind: "a" } & { kind: "b" }`. TypeScript leaves them out of unions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....facts.model import MemberKind, Op
from .base_types import shapes_of
from .model.type_model import NEVER, Intersection, ObjectShape, Primitive, Type, Union, intersection, parts_of, union

if TYPE_CHECKING:
    from .engine import Engine

#: Types that members tell parts of unions apart by; a reference may be one to a member of an enum, or stand for one.
_UNITS = frozenset((Op.T_STRING, Op.T_NUMBER, Op.T_BOOLEAN, Op.T_QUALIFIED))
_NAMED = frozenset((Op.T_REFERENCE, Op.T_NAME, Op.T_UNION))
#: Members of an object type whose named types are looked at.
_FEW = 8


def intersected(engine: Engine, parts: Sequence[Type]) -> Type:
    """The intersection of types; of a union only the parts that values can be of."""
    made = intersection(parts)
    if not isinstance(made, Union):
        return made
    return union([part for part in made.parts if not (isinstance(part, Intersection) and _contradicts(engine, part))])


def exclude(engine: Engine, one: Type, other: Type) -> bool:
    """True for two types that no value is of both of, by a member that tells them apart."""
    both = intersection((one, other))
    return both is NEVER or (isinstance(both, Intersection) and _contradicts(engine, both))


def _contradicts(engine: Engine, kind: Intersection) -> bool:
    """True when a member would have to be of two types that share no value."""
    for part in kind.parts:
        for name in _telling_names(engine, part):
            mine = engine.property_type(part, name)
            others = [other for other in kind.parts if other is not part and not engine.lacks(other, name)]
            if any(_are_apart(engine, mine, engine.property_type(other, name)) for other in others):
                return True
    return False


def _telling_names(engine: Engine, kind: Type) -> Iterator[str]:
    """The members of a type that may be declared to have few values."""
    for unit, shape, _ in shapes_of(engine, kind):
        members = unit.shapes[shape].members
        for member in members:
            if member.kind != MemberKind.PROPERTY or member.type < 0 or member.static or member.optional:
                continue
            op = unit.code[member.type]
            is_named = op in _NAMED and isinstance(kind, ObjectShape) and len(members) <= _FEW
            if is_named or (unit.code[unit.code[member.type + 1]] if op == Op.T_REFERENCE else op) in _UNITS:
                yield member.name


def _are_apart(engine: Engine, one: Type, other: Type) -> bool:
    """Whether two types are of few values and share none."""
    if not all(engine.is_unit(value) for value in parts_of(one)):
        return False
    values = parts_of(other)
    if not all(engine.is_unit(value) or isinstance(value, Primitive) for value in values):
        return False
    return not any(engine.overlaps(mine, value) for mine in parts_of(one) for value in values)
