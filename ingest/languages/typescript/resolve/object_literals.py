"""Normalize unions of object literals: the union keeps the first of several literals with the same members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model.type_model import UNRESOLVED, FunctionType, ObjectLiteral, Type, Union, union, widened

if TYPE_CHECKING:
    from .engine import Engine

#: Maximum number of members of a literal that is compared; longer literals are kept.
_MAX_MEMBERS = 24
#: Maximum depth of nested literals that are compared. Deeper literals are kept: in a method chain, the results of methods are
#: literals with methods again, without end if each result has other type arguments.
_MAX_DEPTH = 6


def without_duplicate_literals(engine: Engine, kind: Type) -> Type:
    """Return a union without the object literals that repeat an earlier part. Any other type is returned as it is."""
    if not isinstance(kind, Union):
        return kind
    literals = [part for part in kind.parts if isinstance(part, ObjectLiteral)]
    if len(literals) < 2:
        return kind
    kept: list[ObjectLiteral] = []
    for literal in literals:
        if not any(_have_same_members(engine, earlier, literal, 1) for earlier in kept):
            kept.append(literal)
    if len(kept) == len(literals):
        return kind
    return union([part for part in kind.parts if not isinstance(part, ObjectLiteral) or part in kept])


def _have_same_members(engine: Engine, one: ObjectLiteral, other: ObjectLiteral, depth: int) -> bool:
    if depth > _MAX_DEPTH:
        return False
    names = engine.member_names(one)
    if not names or len(names) > _MAX_MEMBERS or sorted(engine.member_names(other) or ()) != sorted(names):
        return False
    return all(_same_type(engine, engine.property_type(one, name), engine.property_type(other, name), depth) for name in names)


def _same_type(engine: Engine, one: Type, other: Type, depth: int) -> bool:
    if one is UNRESOLVED or other is UNRESOLVED:
        return False
    if widened(one) == widened(other):
        return True
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        return _same_function(engine, one, other, depth)
    return (
        isinstance(one, ObjectLiteral) and isinstance(other, ObjectLiteral) and _have_same_members(engine, one, other, depth + 1)
    )


def _same_function(engine: Engine, one: FunctionType, other: FunctionType, depth: int) -> bool:
    """Return whether two functions have the same parameter types and the same result type."""
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
    return _same_type(engine, engine.signature_result(mine[0]), engine.signature_result(theirs[0]), depth)
