"""Assignability of types: True, False, or None if the facts do not show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....facts.operations import Op
from .model.template_literals import fits as template_fits
from .model.type_model import (
    ANY,
    NEVER,
    NUMBER,
    OBJECT,
    STRING,
    UNRESOLVED,
    ClassExpression,
    ConstructorType,
    EnumMember,
    External,
    FunctionType,
    Instance,
    Intersection,
    Literal,
    Mapped,
    ObjectLiteral,
    ObjectShape,
    Overloads,
    Picked,
    Primitive,
    ShapeInstance,
    Static,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
    may_lack_parts,
    parts_of,
)
from .tuples import fits

if TYPE_CHECKING:
    from .engine import Engine

_CALLABLE = (FunctionType, Overloads, ConstructorType, ClassExpression)
_STRUCTURES = (*_CALLABLE, Instance, ObjectShape, ObjectLiteral, ShapeInstance, Mapped, Tuple)

_STRUCTURED = frozenset(_STRUCTURES)

#: Maximum number of members that are compared with an index signature.
_MAX_MEMBERS = 16
#: Maximum depth of nested structures that are compared; recursive types would never end.
_MAX_COMPARISON_DEPTH = 3


def assignable(engine: Engine, source: Type, target: Type, depth: int = 0) -> bool | None:
    """Return whether a value of the source type fits the target type; None if it is not known."""
    if source is target or target.opaque or source is NEVER or source is ANY:
        return True
    one, other = type(source), type(target)
    if one in _STRUCTURED and other in _STRUCTURED:
        return True if source == target else _assignable_structure(engine, source, target, depth)
    if one is Literal and other is Literal:
        return source == target
    if source == target:
        return True
    if source.opaque or one is TypeParameter or other is TypeParameter:
        return None
    if isinstance(source, Union):
        return _all_fit(engine, source.parts, target, depth)
    if isinstance(target, Union):
        fits = _any([assignable(engine, source, part, depth) for part in target.parts])
        return None if fits is False and may_lack_parts(target.parts) else fits
    if isinstance(target, Intersection):
        return _fits_all(engine, source, target.parts, depth)
    if isinstance(source, Intersection):
        return _any([assignable(engine, part, target, depth) for part in source.parts])
    return _single(engine, source, target, depth)


def _single(engine: Engine, source: Type, target: Type, depth: int) -> bool | None:
    """Compare two types that are not unions or intersections. At least one of them has no structure."""
    if isinstance(source, EnumMember):
        return _enum_member(source, target)
    if isinstance(target, EnumMember):
        return None if isinstance(source, Instance) and source.entity == target.entity else False
    if isinstance(source, Template) or isinstance(target, Template):
        return _template(engine, source, target, depth)
    if isinstance(source, Literal):
        return target == source.base if isinstance(target, Primitive) else _boxed(engine, source, target)
    if isinstance(target, Literal):
        return False if isinstance(source, (Primitive, *_STRUCTURES)) else None
    if isinstance(source, Primitive) or isinstance(target, Primitive):
        return _primitive(engine, source, target)
    if isinstance(source, External) or isinstance(target, External):
        return None
    return _assignable_structure(engine, source, target, depth)


def _assignable_structure(engine: Engine, source: Type, target: Type, depth: int) -> bool | None:
    """Compare two structures. The answer is remembered, since overloads compare the same structures in each call."""
    key = (source, target, depth)
    try:
        return engine.assignments[key]
    except KeyError:
        before = engine.cut_off
    answer = _structured(engine, source, target, depth)
    if engine.cut_off == before:
        engine.assignments[key] = answer
    return answer


def _enum_member(source: EnumMember, target: Type) -> bool | None:
    if isinstance(target, Instance):
        return target.entity == source.entity
    return (
        False
        if isinstance(target, EnumMember | Literal)
        else isinstance(target, Primitive) and target.name in ("string", "number")
    )


def _template(engine: Engine, source: Type, target: Type, depth: int) -> bool | None:
    if isinstance(target, Template):
        return template_fits(source, target, lambda one, other: assignable(engine, one, other, depth + 1))
    return target is STRING if isinstance(target, Primitive | Literal) else _boxed(engine, STRING, target)


def _boxed(engine: Engine, source: Type, target: Type) -> bool | None:
    """Compare a primitive with an object type. The primitive fits if it has all members that the object type requires."""
    if isinstance(target, ObjectShape):
        if not target.unit.shapes[target.index].members:
            return True
        required = engine.required_members(target)
        return False if required and not all(engine.properties(source, name) for name in required) else None
    return False if isinstance(target, (Static, *_STRUCTURES)) else None


def _primitive(engine: Engine, source: Type, target: Type) -> bool | None:
    if isinstance(source, Primitive):
        if isinstance(target, Primitive):
            return source.nullish and target.nullish
        return False if source.nullish else _boxed(engine, source, target)
    return target is OBJECT and isinstance(source, (Picked, *_STRUCTURES))


def _structured(engine: Engine, source: Type, target: Type, depth: int) -> bool | None:
    if isinstance(target, _CALLABLE):
        return _fits_callable(engine, source, isinstance(target, ConstructorType | ClassExpression))
    if isinstance(target, Tuple):
        if isinstance(source, Tuple):
            return fits(source, target, lambda one, other: assignable(engine, one, other, depth + 1))
        return None if engine.is_lib(source, "Array", "ReadonlyArray") else False
    if isinstance(source, Tuple) and isinstance(target, Instance):
        source = engine.lib("Array", engine.element_type(source))
    if isinstance(source, Instance) and isinstance(target, Instance):
        if source.entity == target.entity:
            return not _holds_others(engine, source, target, depth)
        if engine.has_base(source, target.entity):
            return True
        if engine.is_lib(target, "Array", "ReadonlyArray") and not engine.is_lib(source, "Array", "ReadonlyArray"):
            return False
        if engine.is_lib(target, "Function"):
            return False
        if engine.signatures(target, False) and _fits_callable(engine, source, False) is False:
            return False
    if isinstance(source, _CALLABLE):
        return engine.is_lib(target, "Function") or (False if _refuses_functions(engine, source, target) else None)
    return _has_members(engine, source, target, depth)


def _holds_others(engine: Engine, source: Instance, target: Instance, depth: int) -> bool:
    """Return whether no item of one array can be an item of the other array."""
    if not engine.is_lib(target, "Array", "ReadonlyArray") or depth >= _MAX_COMPARISON_DEPTH:
        return False
    pairs = zip(source.arguments, target.arguments, strict=False)
    return any(assignable(engine, given, wanted, depth + 1) is False for given, wanted in pairs)


def _fits_callable(engine: Engine, source: Type, constructs: bool) -> bool | None:
    """Return whether a structure can be called, or constructed if `constructs` is true. Parameters are not compared."""
    if isinstance(source, _CALLABLE):
        return isinstance(source, ConstructorType | ClassExpression) == constructs
    if not isinstance(source, Static | Instance):
        return False
    if engine.signatures(source, constructs):
        return True
    if isinstance(source, Instance):
        return None if engine.is_lib(source, "Function") or engine.has_other_bases(source) else False
    # A class cannot be called; a JavaScript function may be a constructor.
    return False if not constructs and engine.signatures(source, True) else None


def _refuses_functions(engine: Engine, source: Type, target: Type) -> bool:
    """Return whether a type requires members that no function has."""
    if STRING in engine.index_keys(target):
        return engine.index_type(target, STRING) not in (ANY, UNRESOLVED)
    if not isinstance(source, FunctionType | Overloads) or engine.signatures(target, False):
        return False
    required = engine.required_members(target)
    return required is not None and not all(engine.properties(source, name) for name in required)


def _has_members(engine: Engine, source: Type, target: Type, depth: int) -> bool | None:
    if depth >= _MAX_COMPARISON_DEPTH:
        return None
    indexed = _fits_index(engine, source, target, depth) if STRING in engine.index_keys(target) else True
    required = engine.required_members(target)
    if indexed is False or required is None:
        return False if indexed is False else None
    if required and isinstance(source, Mapped) and _has_any_key(engine, source):
        return False
    if not required and engine.lacks_common_members(source, target):
        return False
    answer = indexed
    for name, wanted in required.items():
        found = engine.properties(source, name)
        # A type that is not read, such as a type of a package, may have any member, but this member does not discriminate.
        if not found or (found[0].unit is None and found[0].outside is not None) or engine.is_optional(source, name):
            return False
        if isinstance(wanted, Literal | Union):
            fits = assignable(engine, _written_type(engine, source, name) or found[0].type(), wanted, depth + 1)
            if fits is False:
                return False
            answer = answer and fits
        elif isinstance(wanted, ObjectShape) and assignable(engine, found[0].type(), wanted, depth + 1) is False:
            return False  # a nested literal may discriminate
    return False if isinstance(source, ObjectLiteral) and _has_other_literals(engine, source, target, depth) else answer


def _has_other_literals(engine: Engine, source: ObjectLiteral, target: Type, depth: int) -> bool:
    """Return whether a member of an object literal has another value than the literals of an optional member of a type."""
    for name, wanted in engine.optional_literals(target).items():
        written = _written_type(engine, source, name)
        if written is not None and not written.nullish and assignable(engine, written, wanted, depth + 1) is False:
            return True
    return False


def _written_type(engine: Engine, source: Type, name: str) -> Type | None:
    """Return the type of a member's value in an object literal; a literal is not widened where a literal is expected.

    Return None for other types, and for members that a spread gives.
    """
    if not isinstance(source, ObjectLiteral):
        return None
    unit = source.unit
    members = unit.shapes[unit.code[source.index + 1]].members
    value = next((member.value for member in members if member.name == name), -1)
    return engine.type_of(unit, value) if value >= 0 else None


def _fits_index(engine: Engine, source: Type, target: Type, depth: int) -> bool | None:
    """Return whether a type fits the index signature of another type.

    Unlike object literals, classes and interfaces must have an index signature themselves.
    """
    if isinstance(source, Instance):
        return None if engine.index_keys(source) else False
    names = engine.member_names(source)
    if names is None:
        return None
    wanted = engine.index_type(target, STRING)
    answer: bool | None = True
    for name in names[:_MAX_MEMBERS]:
        fits = assignable(engine, engine.property_type(source, name), wanted, depth + 1)
        if fits is False:
            return False
        answer = answer and fits
    return answer if len(names) <= _MAX_MEMBERS else None


def _has_any_key(engine: Engine, kind: Mapped) -> bool:
    """Return whether a mapped type, such as `Record<string, T>`, has no particular members."""
    over = kind.unit.items(kind.unit.code[kind.index + 2])[0]
    if over < 0 or kind.unit.code[over] == Op.T_KEYOF:
        return False
    keys = engine.declared_type(kind.unit, over, kind.env)
    return any(part is STRING or part is NUMBER for part in parts_of(keys))


def _all_fit(engine: Engine, sources: tuple[Type, ...], target: Type, depth: int) -> bool | None:
    result: bool | None = True
    for source in sources:
        fits = assignable(engine, source, target, depth)
        if fits is False:
            return False
        if fits is None:
            result = None
    return result


def _fits_all(engine: Engine, source: Type, targets: tuple[Type, ...], depth: int) -> bool | None:
    result: bool | None = True
    for target in targets:
        fits = assignable(engine, source, target, depth)
        if fits is False:
            return False
        if fits is None:
            result = None
    return result


def _any(answers: list[bool | None]) -> bool | None:
    if True in answers:
        return True
    return None if None in answers else False
