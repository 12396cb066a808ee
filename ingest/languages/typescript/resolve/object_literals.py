"""Values that are alike: of several object literals with the same members, a union of values keeps the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model.type_model import UNRESOLVED, FunctionType, ObjectLiteral, Type, Union, union, widened

if TYPE_CHECKING:
    from .engine import Engine

#: Members of a literal that are compared; longer ones stay apart.
_MAX_MEMBERS = 24


def without_alike(engine: Engine, kind: Type) -> Type:
    """A union without the object literals that are like an earlier part; any other type as it is."""
    if not isinstance(kind, Union):
        return kind
    literals = [part for part in kind.parts if isinstance(part, ObjectLiteral)]
    if len(literals) < 2:
        return kind
    kept: list[ObjectLiteral] = []
    for literal in literals:
        if not any(_are_alike(engine, earlier, literal) for earlier in kept):
            kept.append(literal)
    if len(kept) == len(literals):
        return kind
    return union([part for part in kind.parts if not isinstance(part, ObjectLiteral) or part in kept])


def _are_alike(engine: Engine, one: ObjectLiteral, other: ObjectLiteral) -> bool:
    """Whether two literals have members of the same names and types."""
    names = engine.member_names(one)
    if not names or len(names) > _MAX_MEMBERS or sorted(engine.member_names(other) or ()) != sorted(names):
        return False
    return all(_same_type(engine, engine.property_type(one, name), engine.property_type(other, name)) for name in names)


def _same_type(engine: Engine, one: Type, other: Type) -> bool:
    if one is UNRESOLVED or other is UNRESOLVED:
        return False
    if widened(one) == widened(other):
        return True
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        return _same_function(engine, one, other)
    return isinstance(one, ObjectLiteral) and isinstance(other, ObjectLiteral) and _are_alike(engine, one, other)


def _same_function(engine: Engine, one: FunctionType, other: FunctionType) -> bool:
    """Whether two functions take as many parameters of the same types, and give the same."""
    mine, theirs = engine.signatures(one, False), engine.signatures(other, False)
    if len(mine) != 1 or len(theirs) != 1:
        return False
    ours, its = one.unit.functions[one.index].parameters, other.unit.functions[other.index].parameters
    if len(ours) != len(its):
        return False
    for place in range(len(ours)):
        wanted = engine.parameter_type(one.unit, one.index, place, one.env)
        given = engine.parameter_type(other.unit, other.index, place, other.env)
        if ours[place].rest != its[place].rest or widened(wanted) != widened(given):
            return False
    return _same_type(engine, engine.signature_result(mine[0]), engine.signature_result(theirs[0]))
