"""The declared and inherited members of types, and the method of a functional interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ...facts.model import DELEGATE, Member, MemberKind, ShapeKind
from ...languages.typescript.resolve.model.unit import Unit
from .. import call_results, class_order
from ..types import UNKNOWN, ClassInfo, Found, FunctionValue, Instance, Linear, Outside, Type, Union, Variable, parts, substitute

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Maximum number of types that a type derives from.
_MAX_SUPERTYPES: Final = 400
#: Maximum length of a chain of type variables in which each is the bound of the previous variable.
_MAX_BOUNDS: Final = 8
#: Maximum depth of nested arrays and bounds during erasure.
_MAX_DEPTH: Final = 12


def order(engine: NominalEngine, info: ClassInfo, own: Instance) -> Linear:
    """Return a type with its ancestors: its class and base classes, then interfaces level by level."""
    is_complete = True
    found: dict[int, Instance] = {id(info): own}
    classes, interfaces = [own], list[Instance]()
    waiting = [own]
    core = engine.core_type("Object")
    for at in waiting:
        bases, is_known = _bases(engine, at)
        is_complete = is_complete and is_known
        for base in bases:
            if id(base.cls) in found or len(found) >= _MAX_SUPERTYPES or (core is not None and base.cls is core.cls):
                continue
            found[id(base.cls)] = base
            (interfaces if _is_interface(base.cls) else classes).append(base)
            waiting.append(base)
    if core is not None and core.cls is not info:
        interfaces.append(core)
    return Linear((*classes, *interfaces), is_complete)


def _is_interface(info: ClassInfo) -> bool:
    return info.unit.shapes[info.shape].kind == ShapeKind.INTERFACE


def _bases(engine: NominalEngine, kind: Instance) -> tuple[list[Instance], bool]:
    unit, shape = kind.cls.unit, kind.cls.unit.shapes[kind.cls.shape]
    mapping = call_results.arguments_of(engine, kind)
    bases: list[Instance] = []
    is_known = True
    for node in [*shape.extends, *shape.implements]:
        for base in parts(substitute(engine.annotation(unit, node), mapping)):
            if isinstance(base, Instance):
                bases.append(base)
            else:
                is_known = False
    if shape.kind == ShapeKind.ENUM:
        enum = engine.core_type("Enum")
        if enum is not None:
            bases.append(Instance(enum.cls, (kind,)))
    if shape.implicit_base:
        package, _, name = shape.implicit_base.rpartition(".")
        implied = engine.builtin(name, module=package)
        if isinstance(implied, Instance):
            bases.append(implied)
    return bases, is_known


def seen_by(engine: NominalEngine, kind: Instance) -> list[Instance]:
    """Return a type with its ancestors, each with the type arguments that follow from the type."""
    mapping = call_results.arguments_of(engine, kind)
    linear = class_order.linear_order(engine, kind.cls)
    seen = [substitute(each, mapping) for each in linear.order[1:]]
    return [kind, *[each for each in seen if isinstance(each, Instance)]]


def receivers(engine: NominalEngine, kind: Type) -> list[Instance]:
    """Return the types that declare the members of a value: for a type variable, its bounds."""
    found: list[Instance] = []
    for part in parts(kind):
        if isinstance(part, Variable):
            known = bound_of(engine, part)
            bound = known if known is not UNKNOWN else engine.core_type("Object")
            found += receivers(engine, bound) if bound is not None else []
        elif isinstance(part, Instance):
            found.append(part)
    return found


def bound_of(engine: NominalEngine, variable: Variable) -> Type:
    """Return the first bound of a type variable that is not a type variable itself; UNKNOWN if there is none."""
    return known_bound(engine, variable, {})


def known_bound(engine: NominalEngine, variable: Variable, mapping: Mapping[Type, Type]) -> Type:
    """Return the first bound of a type variable that has a value or is not a type variable itself; UNKNOWN if there is none.

    For `<S, T extends S>`, the bound of `T` is the value of `S`.
    """
    kind: Type = variable
    for _ in range(_MAX_BOUNDS):
        if not isinstance(kind, Variable):
            return kind
        if kind in mapping:
            return mapping[kind]
        unit, node = engine.type_variables.get(kind.key, (None, -1))
        kind = engine.annotation(unit, node) if unit is not None else UNKNOWN
    return UNKNOWN


def methods(engine: NominalEngine, kind: Instance, name: str) -> list[FunctionValue]:
    """Return the methods with a name in a type, without overridden ones."""
    found: list[FunctionValue] = []
    for owner in seen_by(engine, kind):
        nearer = list(found)
        for member in owner.cls.members_named(name):
            if member.kind != MemberKind.METHOD:
                continue
            if member.optional and owner.cls.unit is not kind.cls.unit:
                continue  # private
            if member.static and owner.cls is not kind.cls and _is_interface(owner.cls):
                continue  # static methods of interfaces are not inherited
            made = FunctionValue(owner.cls.unit, member.function, member.extra, owner, kind)
            # Methods of one type differ, even where their parameter types are unknown.
            same = next((other for other in nearer if same_parameters(engine, made, other)), None)
            if same is None:
                found.append(made)
            elif _is_external_twin(same, made):
                found[found.index(same)] = made
    return found or _delegated(engine, kind, name) or _generated(engine, kind, name)


def _is_external_twin(known: FunctionValue, other: FunctionValue) -> bool:
    """Return whether an external interface and an interface of the repository both declare a method.

    If neither has a body, a call may mean either (the Java Language Specification, section 15.12.2.5), and the one of the
    repository says more. A type cannot inherit both if one has a body (section 8.4.8.4): then the code is compiled with an older
    library that lacks the method, or the method of the repository overrides the other.
    """
    if not known.unit.external or other.unit.external or known.owner is None or other.owner is None:
        return False
    return _is_interface(known.owner.cls) and _is_interface(other.owner.cls)


def _generated(engine: NominalEngine, kind: Instance, name: str) -> list[FunctionValue]:
    """Return the accessors that a tool generates with another name because of settings of the workspace."""
    if engine.program.generated is None:
        return []
    for owner in seen_by(engine, kind):
        unit = owner.cls.unit
        names = _default_names(engine, unit, name)
        found = [each for other in names for each in owner.cls.members_named(other) if _is_accessor(unit, each)]
        if found:
            return [FunctionValue(unit, each.function, each.extra, owner, kind) for each in found]
    return []


def _default_names(engine: NominalEngine, unit: Unit, name: str) -> Sequence[str]:
    """Return the names that generated members called `name` have in the facts of a file; empty without settings for them."""
    settings = engine.program.generated
    return settings.default_names(unit.path, name) if settings is not None and not unit.external else ()


def returns_object(engine: NominalEngine, method: FunctionValue) -> bool:
    """Return whether a method is a generated setter that returns the object because of settings of the workspace."""
    settings = engine.program.generated
    if settings is None or method.unit.external:
        return False
    member = member_of(method)
    return member is not None and _is_accessor(method.unit, member) and settings.returns_object(method.unit.path)


def _is_accessor(unit: Unit, member: Member) -> bool:
    """Return whether a method was generated for a field: such a method has the symbol of the field."""
    return member.kind == MemberKind.METHOD and member.symbol >= 0 and unit.symbols[member.symbol].kind == "property"


def _delegated(engine: NominalEngine, kind: Instance, name: str) -> list[FunctionValue]:
    """Return the methods that a type delegates to a value in one of its fields."""
    for member in kind.cls.members_named(DELEGATE):
        held = substitute(engine.annotation(kind.cls.unit, member.type), call_results.arguments_of(engine, kind))
        if isinstance(held, Instance) and held.cls is not kind.cls:
            found = [each for each in methods(engine, held, name) if (it := member_of(each)) is None or not it.optional]
            if found:
                return found
    return []


def constructors(engine: NominalEngine, info: ClassInfo, made: Instance) -> list[FunctionValue]:
    """Return the constructors of a class."""
    return [
        FunctionValue(info.unit, member.function, member.extra, made, made)
        for member in info.members_named("<init>")
        if member.kind == MemberKind.CONSTRUCTOR
    ]


def has_default_constructor(info: ClassInfo) -> bool:
    """Return whether a class of the repository has the constructor that every class without a written one has."""
    shape = info.unit.shapes[info.shape]
    return shape.kind == ShapeKind.CLASS and not info.unit.external and not info.members_named("<init>")


def own_parameter_count(info: ClassInfo) -> int:
    """Return the number of type parameters that a class itself declares. The parameters of the types around an inner class
    follow."""
    shape = info.unit.shapes[info.shape]
    around = info.unit.shapes[shape.outer].type_parameters if shape.outer >= 0 else []
    is_inner = bool(around) and shape.type_parameters[-1:] == around[-1:]
    return len(shape.type_parameters) - (len(around) if is_inner else 0)


def member_of(value: FunctionValue) -> Member | None:
    """Return the member record of a method."""
    owner = value.owner
    if owner is None:
        return None
    listed = owner.cls.unit.shapes[owner.cls.shape].members
    return next((each for each in listed if each.function == value.function), None)


def is_class_getter(value: FunctionValue) -> bool:
    """Return whether a method is `Object.getClass`, whose result depends on the type before its dot.

    Source: the Java Language Specification, section 4.3.2.
    """
    owner = value.owner
    if owner is None or owner.cls.module != "java.lang" or owner.cls.name != "Object":
        return False
    return value.declaration >= 0 and value.unit.decls[value.declaration].name == "getClass"


def parameter_types(engine: NominalEngine, value: FunctionValue) -> list[Type]:
    """Return the types of the parameters of a method as its owner sees them; for a variadic parameter, the type of one item."""
    mapping = call_results.arguments_of(engine, value.owner) if value.owner is not None else {}
    written = value.unit.functions[value.function].parameters
    return [substitute(engine.annotation(value.unit, each.type), mapping) for each in written]


def erased(engine: NominalEngine, kind: Type, depth: int = 0) -> Type:
    """Return a type without type variables and arguments, for the comparison of signatures."""
    if depth > _MAX_DEPTH:
        return UNKNOWN
    if isinstance(kind, Variable):
        return erased(engine, bound_of(engine, kind), depth + 1)
    if isinstance(kind, Union):
        return erased(engine, kind.members[0], depth + 1)  # erasure uses the first of several bounds
    if isinstance(kind, Instance) and kind.cls.name == "$array" and kind.arguments:
        return Instance(kind.cls, (erased(engine, kind.arguments[0], depth + 1),))
    return Instance(kind.cls) if isinstance(kind, Instance) else kind


def same_parameters(engine: NominalEngine, one: FunctionValue, other: FunctionValue) -> bool:
    """Return whether two methods have the same parameters, so that one overrides the other."""
    first, second = one.unit.functions[one.function].parameters, other.unit.functions[other.function].parameters
    if len(first) != len(second):
        return False
    if one.unit is other.unit and one.function == other.function:
        return True
    pairs = zip(parameter_types(engine, one), parameter_types(engine, other), strict=True)
    core = engine.core_type("Object")
    for place, (a, b) in enumerate(pairs):
        # A variadic parameter has an array type.
        mine = erased(engine, engine.array_of(a) if first[place].rest else a)
        theirs = erased(engine, engine.array_of(b) if second[place].rest else b)
        if mine != theirs and not _may_be(mine, theirs, core) and not _may_be(theirs, mine, core):
            return False
    return True


def _may_be(one: Type, other: Type, core: Instance | None) -> bool:
    """Return whether two types may be equal: one is unknown, or a type variable without bounds."""
    if one is not UNKNOWN:
        return False
    return (
        other is UNKNOWN
        or isinstance(other, Outside)
        or (core is not None and isinstance(other, Instance) and other.cls is core.cls)
    )


def field(engine: NominalEngine, kind: Instance, name: str) -> Found | None:
    """Return a field of a type, or None."""
    seen = seen_by(engine, kind)
    for owner in seen:
        found = _own_field(engine, owner, name, kind.cls.unit)
        if found is not None:
            return found
    for owner in seen if engine.program.generated is not None else ():
        unit = owner.cls.unit
        for other in _default_names(engine, unit, name):
            found = _own_field(engine, owner, other, kind.cls.unit)
            if found is not None and found.symbol == unit.shapes[owner.cls.shape].symbol:
                return found  # a generated field has the symbol of the type
    return None


def _own_field(engine: NominalEngine, owner: Instance, name: str, origin: Unit) -> Found | None:
    """Return a field that a type itself declares; None for a private one if a type of the file `origin` inherits."""
    unit = owner.cls.unit
    for member in owner.cls.members_named(name):
        if member.kind == MemberKind.PROPERTY and (unit is origin or not member.optional):
            held = substitute(engine.annotation(unit, member.type), call_results.arguments_of(engine, owner))
            return Found(unit, member.symbol, held, owner.cls, member.position)
    return None


def nested_type(engine: NominalEngine, info: ClassInfo, name: str) -> Type | None:
    """Return the nested type with a name that a type or one of its ancestors declares, or None."""
    own = own_type(engine, info, name)
    if own is not None:
        return own
    if (id(info), name) in engine.open_names:
        return None  # the look-up of the type's bases has begun and is not complete
    engine.open_names.add((id(info), name))
    try:
        for above in class_order.linear_order(engine, info).order[1:]:
            found = own_type(engine, above.cls, name)
            if found is not None:
                return substitute(found, call_results.arguments_of(engine, above))
    finally:
        engine.open_names.discard((id(info), name))
    return None


def own_type(engine: NominalEngine, info: ClassInfo, name: str) -> Type | None:
    """Return the nested type with a name that a type itself declares, or None."""
    for member in info.members_named(name):
        if member.kind == MemberKind.TYPE:
            return engine.declared(info.unit, member.extra)
    return None


def declares_field(info: ClassInfo, name: str) -> bool:
    """Return whether a type itself declares a field with a name."""
    return any(member.kind == MemberKind.PROPERTY for member in info.members_named(name))


def function_of(engine: NominalEngine, kind: Type) -> FunctionValue | None:
    """Return the only abstract method of a functional interface, or None.

    In an intersection, such as `Comparator<Item> & Serializable`, the first functional interface counts.
    """
    if isinstance(kind, Union):
        return next((method for each in kind.members if (method := function_of(engine, each)) is not None), None)
    if not isinstance(kind, Instance) or not _is_interface(kind.cls):
        return None
    core = engine.core_type("Object")
    found: FunctionValue | None = None
    for owner in seen_by(engine, kind):
        if core is not None and owner.cls is core.cls:
            continue
        for member in owner.cls.unit.shapes[owner.cls.shape].members:
            if member.kind != MemberKind.METHOD or member.static or owner.cls.unit.functions[member.function].has_body:
                continue
            if core is not None and any(each.kind == MemberKind.METHOD for each in core.cls.members_named(member.name)):
                continue
            made = FunctionValue(owner.cls.unit, member.function, member.extra, owner, kind)
            is_repeated = found is not None and found.unit.decls[found.declaration].name == member.name
            if found is not None and is_repeated and same_parameters(engine, found, made):
                continue
            nearest = methods(engine, kind, member.name)
            if any(_is_given(each) and same_parameters(engine, each, made) for each in nearest):
                continue
            if found is not None:
                return None
            found = made
    return found


def _is_given(value: FunctionValue) -> bool:
    return value.unit.functions[value.function].has_body
