"""Compare the type arguments of a value with those that a method expects: a `List<Integer>` is no `Collection<String>`.

Only certain differences count. Types of calls of generic methods, of diamonds and of variables without a written type depend on
inference, so that only unrelated classes differ there. Source: the Java Language Specification, section 4.5.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import DeclKind, MemberKind, ShapeKind
from ...facts.operations import Op, Use, Wildcard
from ...languages.typescript.resolve.model.unit import Unit
from .. import class_order
from ..inference import mentions_variable
from ..types import ClassInfo, ClassValue, FunctionValue, Instance, Type, Variable
from . import choice, conversions, members, names, values

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: A written type: its file and its node; -1 if no type is written.
Written = tuple[Unit, int]
#: Maximum depth of nested types that are compared.
_MAX_NESTING: Final = 6


def differ(
    engine: NominalEngine, unit: Unit, node: int, given: Type, method: FunctionValue, place: int, *, is_item: bool
) -> bool:
    """Return whether the type arguments of an argument certainly differ from those that a method expects at a place.

    `is_item` says that a variadic parameter takes single items.
    """
    written = method.unit.functions[method.function].parameters
    if not written or node < 0:
        return False
    parameter = written[min(place, len(written) - 1)]
    if parameter.type < 0 or method.unit.code[parameter.type] != Op.T_REFERENCE or (parameter.rest and not is_item):
        return False
    return _differ(engine, given, _written(engine, unit, node), method, parameter.type, 0)


def _differ(engine: NominalEngine, given: Type, source: Written, method: FunctionValue, node: int, depth: int) -> bool:
    code = method.unit.code
    if node < 0 or code[node] != Op.T_REFERENCE or depth > _MAX_NESTING:
        return False
    wanted = engine.annotation(method.unit, node)
    if not isinstance(given, Instance) or not isinstance(wanted, Instance):
        return False
    seen = class_order.as_class(engine, given, wanted.cls)
    if seen is None or _is_raw(engine, given, source):
        return False
    own = _own_places(engine, given, wanted.cls)
    is_array = wanted.cls.name == "$array"
    items = method.unit.items(code[node + 2]).tolist()
    for place, item in enumerate(items if len(items) <= Wildcard.MAX_ARGUMENTS else ()):
        if item < 0 or place >= len(seen.arguments):
            continue
        variance = Wildcard.EXTENDS if is_array else _variance(method.unit, node, place)
        inner, has = _argument_of(source, own[place] if place < len(own) else -1)
        if _argument_differs(engine, seen.arguments[place], inner, has, method, item, variance, depth):
            return True
    return False


def _argument_differs(
    engine: NominalEngine,
    given: Type,
    source: Written,
    has: int,
    method: FunctionValue,
    node: int,
    variance: int,
    depth: int,
) -> bool:
    """Return whether one type argument, which is a wildcard if `has` says so, certainly is none of those that are expected."""
    open_type = engine.annotation(method.unit, node)
    is_certain = source[1] >= 0 or has != Wildcard.NONE
    if _is_of_method(engine, open_type, method):
        bound = members.erased(engine, members.bound_of(engine, open_type)) if isinstance(open_type, Variable) else open_type
        if variance == Wildcard.SUPER or not isinstance(bound, Instance):
            return False
        return _is_outside_of(engine, _upper(engine, given, has), bound, is_certain)
    wanted = choice.substituted(engine, method, open_type)
    core = engine.core_type("Object")
    if not isinstance(wanted, (Instance, Variable)) or not isinstance(given, (Instance, Variable)):
        return False
    if isinstance(open_type, Variable) and wanted == values.erased_bound(engine, open_type):
        return False  # the type is raw, or a diamond whose arguments are not inferred yet
    if core is not None and ((given == core and not is_certain) or (wanted == core and open_type != core)):
        return False  # such as an argument of a raw type
    if not is_certain:
        return variance != Wildcard.SUPER and _are_unrelated(engine, given, wanted)
    if variance == Wildcard.NONE:
        if has != Wildcard.NONE or _is_another(given, wanted):
            return True
    elif variance == Wildcard.EXTENDS:
        if _is_outside_of(engine, _upper(engine, given, has), wanted, is_certain):
            return True
    else:
        return has == Wildcard.EXTENDS or conversions.fits(engine, wanted, given, boxes=False) is False
    return has != Wildcard.SUPER and _differ(engine, given, source, method, node, depth + 1)


def _is_another(given: Type, wanted: Type) -> bool:
    """Return whether two types have different classes, or are different type variables of one file."""
    if isinstance(given, Instance) and isinstance(wanted, Instance):
        return given.cls is not wanted.cls
    if isinstance(given, Variable) and isinstance(wanted, Variable):
        return given != wanted and given.key[0] == wanted.key[0]
    return True


def _is_outside_of(engine: NominalEngine, given: Type, wanted: Type, is_certain: bool) -> bool:
    if not is_certain:
        return _are_unrelated(engine, given, wanted)
    return conversions.fits(engine, given, wanted, boxes=False) is False


def _are_unrelated(engine: NominalEngine, one: Type, other: Type) -> bool:
    """Return whether two types are classes of which neither derives from the other.

    The common type of several values may be one of several interfaces, so that interfaces say nothing.
    """
    for each in (one, other):
        if not isinstance(each, Instance) or each.cls.unit.shapes[each.cls.shape].kind == ShapeKind.INTERFACE:
            return False
        if conversions.primitive_of(each):
            return False
    return (
        conversions.fits(engine, one, other, boxes=False) is False and conversions.fits(engine, other, one, boxes=False) is False
    )


def _upper(engine: NominalEngine, given: Type, has: int) -> Type:
    """Return the upper bound of a type argument: `Object` for `? super Item`."""
    core = engine.core_type("Object")
    return core if has == Wildcard.SUPER and core is not None else given


def _is_of_method(engine: NominalEngine, kind: Type, method: FunctionValue) -> bool:
    """Return whether a type is a type variable that the method itself declares."""
    declared = method.unit.functions[method.function].type_parameters
    return isinstance(kind, Variable) and any(engine.declared(method.unit, index) == kind for index in declared)


# ---------------------------------------------------------------------- written types


def _written(engine: NominalEngine, unit: Unit, node: int) -> Written:
    """Return the written type of an argument, or -1 if its type depends on inference or on the type of its receiver."""
    code = unit.code
    op, a, b = code[node], code[node + 1], code[node + 2]
    if op == Op.NAME and len(unit.bindings[a].decls) == 1:
        decl = unit.decls[unit.bindings[a].decls[0]]
        return unit, decl.a if decl.kind == DeclKind.VARIABLE else -1
    if op == Op.AS:
        return unit, b
    if op == Op.NEW:
        is_diamond = a >= 0 and code[a] == Op.T_REFERENCE and len(unit.items(code[a + 2])) == 0
        return unit, -1 if is_diamond else a
    if op == Op.CALL:
        method = engine.selected(unit, node)
        if isinstance(method, FunctionValue):
            return _closed(engine, method.unit, method.unit.functions[method.function].return_type)
    if op == Op.LEXICAL and code[node + 3] != Use.TYPE:
        for around in names.shapes_around(unit, a):
            owner = names.own_instance(engine, unit, around)
            if members.field(engine, owner, unit.strings[b]) is not None:
                return _field(engine, owner, unit.strings[b])
    if op == Op.MEMBER:
        receiver = values.anonymous_type(engine, unit, a)
        value = receiver.instance if isinstance(receiver, ClassValue) else receiver
        if isinstance(value, Instance):
            return _field(engine, value, unit.strings[b])
    return unit, -1


def _field(engine: NominalEngine, kind: Instance, name: str) -> Written:
    for owner in members.seen_by(engine, kind):
        for member in owner.cls.members_named(name):
            if member.kind == MemberKind.PROPERTY:
                return _closed(engine, owner.cls.unit, member.type)
    return kind.cls.unit, -1


def _closed(engine: NominalEngine, unit: Unit, node: int) -> Written:
    """Return a written type without type variables, or else -1, because their values depend on inference."""
    return unit, node if node >= 0 and not mentions_variable(engine.annotation(unit, node)) else -1


def _is_raw(engine: NominalEngine, given: Instance, source: Written) -> bool:
    """Return whether a written type lacks its type arguments."""
    unit, node = source
    return node >= 0 and unit.code[node] != Op.T_REFERENCE and bool(class_order.class_parameters(engine, given.cls))


def _own_places(engine: NominalEngine, given: Instance, wanted: ClassInfo) -> list[int]:
    """Return for each type argument of a base class the place of the same argument of the class, or -1."""
    parameters = class_order.class_parameters(engine, given.cls)
    seen = class_order.as_class(engine, Instance(given.cls, parameters), wanted)
    return (
        [parameters.index(each) if isinstance(each, Variable) and each in parameters else -1 for each in seen.arguments]
        if seen
        else []
    )


def _argument_of(source: Written, place: int) -> tuple[Written, int]:
    """Return the written type argument at a place of a written type, and which wildcard it is."""
    unit, node = source
    if node < 0 or unit.code[node] != Op.T_REFERENCE:
        return (unit, -1), Wildcard.NONE
    items = unit.items(unit.code[node + 2])
    if place < 0 or place >= len(items):
        return (unit, -1), Wildcard.NONE
    item = items[place]
    return (unit, item), Wildcard.EXTENDS if item < 0 else _variance(unit, node, place)


def _variance(unit: Unit, node: int, place: int) -> int:
    """Return which wildcard the type argument at a place of a written type is."""
    wildcards = unit.code[node + 3]
    return wildcards >> (2 * place) & 3 if wildcards >= 0 else Wildcard.NONE
