"""Conversions of values to expected types: subtyping, widening of numbers, boxing and unboxing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import ShapeKind
from ...facts.operations import Op
from ...languages.typescript.resolve.model.unit import Unit
from .. import class_order
from ..types import NONE, UNKNOWN, Instance, Linear, Outside, Type, Union, Variable, parts
from . import members

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: The box class of each primitive type.
BOXES: Final = {
    "$int": "Integer",
    "$long": "Long",
    "$double": "Double",
    "$float": "Float",
    "$boolean": "Boolean",
    "$char": "Character",
    "$byte": "Byte",
    "$short": "Short",
}
_PRIMITIVES: Final = {box: name for name, box in BOXES.items()}
#: Final classes of `java.lang`: no external class derives from them.
_FINAL: Final = frozenset(("String", "Class", *BOXES.values()))
#: The types to which each primitive type may be widened.
_WIDER: Final = {
    "$byte": ("$short", "$int", "$long", "$float", "$double"),
    "$short": ("$int", "$long", "$float", "$double"),
    "$char": ("$int", "$long", "$float", "$double"),
    "$int": ("$long", "$float", "$double"),
    "$long": ("$float", "$double"),
    "$float": ("$double",),
}
#: The highest value of each type that is smaller than `int`.
_SMALL: Final = {"$byte": 127, "$short": 32_767, "$char": 65_535}
#: Expressions whose type follows from the expected type.
_WITHOUT_OWN_TYPE: Final = (Op.FUNCTION, Op.REFERS, Op.NULL)
_RANKS: Final = ("$int", "$long", "$float", "$double")


def primitive_of(kind: Type) -> str:
    """Return the name of a primitive type; "" for other types."""
    if isinstance(kind, Instance) and kind.cls.name[:1] == "$" and kind.cls.name != "$array":
        return kind.cls.name
    return ""


def boxed(engine: NominalEngine, kind: Type) -> Type:
    """Return the box class of a primitive type; other types unchanged."""
    name = BOXES.get(primitive_of(kind))
    made = engine.core_type(name) if name is not None else None
    return made if made is not None else kind


def unboxed(engine: NominalEngine, kind: Type) -> Type:
    """Return the primitive type of a box class; other types unchanged."""
    if isinstance(kind, Instance) and kind.cls.module == "java.lang" and kind.cls.name in _PRIMITIVES:
        made = engine.core_type(_PRIMITIVES[kind.cls.name])
        return made if made is not None else kind
    return kind


def promoted(engine: NominalEngine, one: Type, two: Type) -> Type:
    """Return the type of the result of an operator on two values of primitive or boxed types."""
    names = [primitive_of(unboxed(engine, each)) for each in (one, two)]
    if "$boolean" in names:
        return engine.core_type("$boolean") or UNKNOWN
    ranks = [_RANKS.index(name) if name in _RANKS else 0 for name in names if name]
    if not ranks:
        return UNKNOWN
    return engine.core_type(_RANKS[max(ranks)]) or UNKNOWN


def fits(engine: NominalEngine, given: Type, wanted: Type, *, boxes: bool) -> bool | None:
    """Return whether a value may be passed where a type is expected, with or without boxing; None if that is not known."""
    if given is UNKNOWN or wanted is UNKNOWN:
        return None
    if isinstance(wanted, Variable):
        if isinstance(given, Variable) and given == wanted:
            return True
        if primitive_of(given) and not boxes:
            return False
        limit = members.bound_of(engine, wanted)
        return True if limit is UNKNOWN else fits(engine, given, limit, boxes=boxes)
    if isinstance(wanted, Union):
        answers = [fits(engine, given, each, boxes=boxes) for each in parts(wanted)]
        return False if False in answers else None if None in answers else True
    if isinstance(given, Union):
        answers = [fits(engine, each, wanted, boxes=boxes) for each in parts(given)]
        return True if True in answers else None if None in answers else False
    one, two = primitive_of(given), primitive_of(wanted)
    if one and two:
        return one == two or two in _WIDER.get(one, ())
    if one:
        return (fits(engine, boxed(engine, given), wanted, boxes=False)) if boxes else False
    if two:
        if given is NONE:
            return False
        if isinstance(given, Outside):
            return False
        inner = unboxed(engine, given)
        if not boxes or inner is given:
            return None if isinstance(given, Variable) and boxes else False
        return fits(engine, inner, wanted, boxes=False)
    if given is NONE:
        return True
    if isinstance(given, Variable):
        known = members.bound_of(engine, given)
        bound = known if known is not UNKNOWN else engine.core_type("Object")
        if bound is None:
            return None
        return fits(engine, bound, wanted, boxes=boxes)
    if isinstance(given, Instance) and isinstance(wanted, Instance):
        return _is_subtype(engine, given, wanted)
    if isinstance(wanted, Instance) and isinstance(given, Outside):
        core = engine.core_type("Object")
        if core is not None and wanted.cls is core.cls:
            return True
        return False if _is_final(wanted) else None
    if isinstance(given, Outside) and isinstance(wanted, Outside):
        return True if given.path == wanted.path else None
    if isinstance(given, Instance) and isinstance(wanted, Outside):
        return None if not class_order.linear_order(engine, given.cls).is_complete else False
    return None


def _is_subtype(engine: NominalEngine, given: Instance, wanted: Instance) -> bool | None:
    if given.cls is wanted.cls:
        if given.cls.name == "$array" and given.arguments and wanted.arguments:
            one, two = given.arguments[0], wanted.arguments[0]
            if primitive_of(one) or primitive_of(two):
                return primitive_of(one) == primitive_of(two)
            return fits(engine, one, two, boxes=False)
        return True
    linear = class_order.linear_order(engine, given.cls)
    if any(each.cls is wanted.cls for each in linear.order):
        return True
    if linear.is_complete or _is_final(wanted):
        return False
    is_class = wanted.cls.unit.shapes[wanted.cls.shape].kind != ShapeKind.INTERFACE
    return False if is_class and _has_known_classes(engine, linear) else None


def _is_final(kind: Instance) -> bool:
    """Return whether no external class derives from a class."""
    return kind.cls.name == "$array" or (kind.cls.module == "java.lang" and kind.cls.name in _FINAL)


def _has_known_classes(engine: NominalEngine, linear: Linear) -> bool:
    """Return whether all base classes of a type are known. Only a class derives from classes, and its interfaces do not."""
    for each in linear.order:
        unit, shape = each.cls.unit, each.cls.unit.shapes[each.cls.shape]
        if shape.kind == ShapeKind.INTERFACE:
            continue
        for node in shape.extends:
            if not all(isinstance(base, Instance) for base in parts(engine.annotation(unit, node))):
                return False
    return True


def own_type_of_conditional(engine: NominalEngine, unit: Unit, node: int) -> Type | None:
    """Return the type of a conditional expression with two numbers or two truth values, which needs no expected type.

    Return None for other conditional expressions. Source: the Java Language Specification, section 15.25.
    """
    one, two = unit.code[node + 2], unit.code[node + 3]
    if one < 0 or two < 0 or unit.code[one] in _WITHOUT_OWN_TYPE or unit.code[two] in _WITHOUT_OWN_TYPE:
        return None
    kinds = [engine.type_of(unit, each) for each in (one, two)]
    if kinds[0] == kinds[1]:
        return kinds[0] if primitive_of(unboxed(engine, kinds[0])) else None
    bare = [unboxed(engine, each) for each in kinds]
    names = [primitive_of(each) for each in bare]
    if "" in names or "$void" in names:
        return None
    for (kind, name), value in zip(zip(bare, names, strict=True), (two, one), strict=True):
        if name in _SMALL and _is_constant_of(unit, value, name):
            return kind
    if set(names) == {"$byte", "$short"}:
        return bare[names.index("$short")]
    return promoted(engine, *bare)


def _is_constant_of(unit: Unit, node: int, name: str) -> bool:
    """Return whether an expression is a literal of the type `int` whose value fits into a smaller type."""
    code = unit.code
    if code[node] != Op.NUMBER or code[node + 3] != 0:
        return False
    text = unit.strings[code[node + 2]].replace("_", "").lower()
    digits = text.lstrip("0")
    is_octal = text[:1] == "0" and digits[:1].isdigit()
    try:
        value = int(digits, 8) if is_octal else int(text, 0) if digits else 0
    except ValueError:
        return False  # the literal is not valid
    return value <= _SMALL[name]


def joined(engine: NominalEngine, kinds: list[Type]) -> Type:
    """Return the nearest common type of the alternatives of an expression."""
    known = [each for each in dict.fromkeys(kinds) if each is not NONE]
    if not known:
        return NONE if kinds else UNKNOWN
    if UNKNOWN in known:
        return UNKNOWN
    found = known[0]
    for each in known[1:]:
        if primitive_of(unboxed(engine, found)) and primitive_of(unboxed(engine, each)):
            found = promoted(engine, found, each)
        elif fits(engine, each, found, boxes=True):
            continue
        elif fits(engine, found, each, boxes=True):
            found = each
        else:
            found = _common(engine, boxed(engine, found), boxed(engine, each))
    return found


def _common(engine: NominalEngine, one: Type, two: Type) -> Type:
    if not isinstance(one, Instance) or not isinstance(two, Instance):
        return UNKNOWN
    above = {id(each.cls) for each in class_order.linear_order(engine, two.cls).order}
    return next((each for each in members.seen_by(engine, one) if id(each.cls) in above), UNKNOWN)
