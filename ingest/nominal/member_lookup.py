"""Finds the members of values, and the results of reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import Member, MemberKind, Reach
from ..facts.operations import Op
from ..languages.typescript.resolve.model.unit import Unit
from . import (
    call_results,
    class_order,
    declared_values,
    imported_values,
    inference,
    parameter_types,
    static_types,
    stub_types,
    written_types,
)
from .items import collected_items, enumerations, iteration
from .program import last_name
from .static_types import RANGE
from .types import (
    NONE,
    SELF_TYPE,
    UNKNOWN,
    ClassInfo,
    ClassOf,
    ClassValue,
    Found,
    FunctionValue,
    Instance,
    ModuleValue,
    Outside,
    Overloads,
    Parent,
    Type,
    Union,
    Variable,
    Wrapped,
    bounded,
    parts,
    substitute,
    union,
)

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Methods of `type` that make instances. They are skipped, because the class itself decides which methods a call of the class
#: runs.
_MAKING: Final = frozenset(("__init__", "__call__", "__prepare__"))


def bind_receiver(engine: NominalEngine, value: FunctionValue, mapping: dict[Type, Type]) -> None:
    """Learn type variables from the receiver that a method is called on."""
    function = value.unit.functions[value.function]
    if value.receiver is None or not function.parameters:
        return
    receiver = value.receiver
    if isinstance(receiver, ClassValue):
        receiver = receiver.instance
    mapping[SELF_TYPE] = receiver.variable if isinstance(receiver, ClassOf) else receiver
    first = function.parameters[0]
    if first.type >= 0:
        inference.match_types(engine, engine.annotation(value.unit, first.type), value.receiver, mapping)


def member_type(engine: NominalEngine, kind: Type, name: str) -> Type:
    """Return the type of a member of a value."""
    results: list[Type] = []
    for part in parts(kind):
        if isinstance(part, ModuleValue):
            results.append(_module_part(engine, part, name))
        elif isinstance(part, Outside):
            results.append(Outside(f"{part.path}.{name}"))
        else:
            if name in enumerations.VALUE_NAMES:
                value = bounded(part)
                given = enumerations.value_of(engine, value) if isinstance(value, Instance) else UNKNOWN
                if given is not UNKNOWN:
                    results.append(given)
                    continue
            found = [each.type for each in find_members(engine, part, name)]
            results += found if found else [_inherited(engine, part, name) or _computed(engine, part, name)]
    return union(results)


def _inherited(engine: NominalEngine, kind: Type, name: str) -> Outside | None:
    """Return a member that a class of an installed package may inherit from an unknown base class; None for other classes."""
    value = kind.instance if isinstance(kind, ClassValue) else kind
    if not isinstance(value, Instance) or not engine.program.is_installed(value.cls.unit):
        return None
    if name.startswith("__") or class_order.linear_order(engine, value.cls).is_complete:
        return None
    return Outside(f"{value.cls.module}.{value.cls.name}.{name}")


def _computed(engine: NominalEngine, kind: Type, name: str) -> Type:
    """Return the result of the repository's `__getattr__` for an undeclared attribute, if its type is known.

    For the pseudo-member `RANGE`, return the items of a loop over an iterator function: the parameter types of its `yield`.
    """
    if name == RANGE:
        return static_types.ranged(engine, kind)
    value = bounded(kind)
    if not isinstance(value, Instance) or value.cls.module or name.startswith("__"):
        return UNKNOWN
    for each in find_members(engine, value, "__getattr__"):
        function = each.type
        if isinstance(function, FunctionValue) and knows_results(engine, function):
            return call_results.call_result(engine, function, [engine.builtin("str")], {})
    return UNKNOWN


def knows_results(engine: NominalEngine, value: FunctionValue) -> bool:
    """Return whether the types of all results of a function are known."""
    unit, function = value.unit, value.unit.functions[value.function]
    return function.return_type >= 0 or all(engine.type_of(unit, node) is not UNKNOWN for node in function.returns)


def _module_part(engine: NominalEngine, module: ModuleValue, name: str) -> Type:
    found = imported_values.module_member(engine, module, name)
    if found is None and module.unit is not None and module.unit.external:
        return Outside(f"{module.unit.external}.{name}")  # our declarations of a module do not name everything
    return found if found is not None else UNKNOWN


def find_members(engine: NominalEngine, kind: Type, name: str) -> list[Found]:
    """Return the members that a look-up of a name finds; [] if none is known."""
    if isinstance(kind, Union):
        return [each for part in kind.members for each in find_members(engine, part, name)]
    if isinstance(kind, Variable):
        found = find_members(engine, kind.bound, name)
        return found if kind.key != SELF_TYPE.key else [_of_self(each, kind) for each in found]
    if isinstance(kind, ClassOf):
        bound = kind.variable.bound
        return find_members(engine, ClassValue(bound), name) if isinstance(bound, Instance) else []
    if isinstance(kind, Instance):
        return _instance_members(engine, kind, kind, name, None, is_class=False)
    if isinstance(kind, ClassValue):
        found = _instance_members(engine, kind.instance, kind, name, None, is_class=True)
        return found or metaclass_members(engine, kind, name) or _members_of_type(engine, kind, name)
    if isinstance(kind, Parent):
        receiver = kind.receiver
        is_class = isinstance(receiver, ClassValue)
        instance = receiver.instance if isinstance(receiver, ClassValue) else receiver
        if not isinstance(instance, Instance):
            return []
        return _instance_members(engine, instance, receiver, name, kind.behind, is_class=is_class)
    if isinstance(kind, (FunctionValue, Overloads)):
        function = engine.builtin("function", (), "types")
        return find_members(engine, function, name) if isinstance(function, Instance) else []
    return []


def _of_self(found: Found, receiver: Variable) -> Found:
    """Bind a method to the type variable `Self`: its receiver may be an instance of a derived class."""
    kind = found.type
    if isinstance(kind, FunctionValue) and kind.receiver == receiver.bound:
        kind = FunctionValue(kind.unit, kind.function, kind.declaration, kind.owner, receiver)
    return Found(found.unit, found.symbol, kind, found.owner, found.position)


def metaclass_members(engine: NominalEngine, kind: ClassValue, name: str) -> list[Found]:
    """Return the result of looking up a name in the metaclass of a class or one of its ancestors."""
    for ancestor in class_order.linear_order(engine, kind.instance.cls).order:
        unit = ancestor.cls.unit
        for node in unit.shapes[ancestor.cls.shape].implements:
            if unit.code[node] == Op.PROP and unit.strings[unit.code[node + 2]] == "metaclass":
                meta = engine.annotation(unit, unit.code[node + 1])
                return _instance_members(engine, meta, kind, name, None, is_class=False) if isinstance(meta, Instance) else []
    return []


def _members_of_type(engine: NominalEngine, kind: ClassValue, name: str) -> list[Found]:
    """Return the result of looking up a name of a class, such as `__subclasses__`, in `type`."""
    made = engine.builtin("type") if name not in _MAKING else UNKNOWN
    if not isinstance(made, Instance) or not class_order.linear_order(engine, kind.instance.cls).is_complete:
        return []
    return _instance_members(engine, made, kind, name, None, is_class=False)


def _instance_members(
    engine: NominalEngine, kind: Instance, receiver: Type, name: str, behind: ClassInfo | None, *, is_class: bool
) -> list[Found]:
    mapping = call_results.arguments_of(engine, kind)
    is_before_start = behind is not None
    skipped: Instance | None = None
    for ancestor in class_order.linear_order(engine, kind.cls).order:
        if is_before_start:
            is_before_start = ancestor.cls is not behind
            continue
        if (
            ancestor.cls.name == "object"
            and ancestor.cls.module == "builtins"
            and not class_order.linear_order(engine, kind.cls).is_complete
        ):
            break  # an unknown ancestor may declare the member
        places = ancestor.cls.member_places().get(name)
        if places:
            if not engine.program.rules.is_static and _are_skipped(ancestor.cls, places):
                skipped = skipped or ancestor
                continue
            owner = substitute(ancestor, mapping)
            assert isinstance(owner, Instance)
            found = _members_at(engine, owner, receiver, name, places, is_class=is_class)
            if engine.program.rules.is_static or is_class or not _is_only_assigned(ancestor.cls, places):
                return found
            return _with_inherited(engine, kind, receiver, ancestor.cls, found, name)
    else:
        if skipped is None:
            return _dynamic_member(engine, kind, name) if behind is None and not is_class else []
    if skipped is None:
        return []
    # A member under a condition that is never true is better than no member.
    owner = substitute(skipped, mapping)
    assert isinstance(owner, Instance)
    places = skipped.cls.member_places()[name]
    return _members_at(engine, owner, receiver, name, places, is_class=is_class)


def _is_only_assigned(info: ClassInfo, places: list[int]) -> bool:
    """Return whether a class only assigns values to an attribute of its instances, without a declaration."""
    members = [info.unit.shapes[info.shape].members[place] for place in places]
    return all(not each.static and each.function < 0 and each.type < 0 for each in members)


def _with_inherited(
    engine: NominalEngine, kind: Instance, receiver: Type, behind: ClassInfo, found: list[Found], name: str
) -> list[Found]:
    """Return an attribute that a method of the class `behind` assigns, with what the ancestors of the class know of it.

    If an ancestor has a property with this name, an assignment runs its setter, and makes no attribute. If only `None` is
    assigned, methods of the ancestors may assign other values.
    """
    is_behind = False
    for ancestor in class_order.linear_order(engine, kind.cls).order:
        places = ancestor.cls.member_places().get(name) if is_behind else None
        is_behind = is_behind or ancestor.cls is behind
        if not places:
            continue
        members = ancestor.cls.unit.shapes[ancestor.cls.shape].members
        is_property = any(members[place].kind in (MemberKind.GETTER, MemberKind.SETTER) for place in places)
        if is_property or all(each.type is NONE for each in found):
            return [*_instance_members(engine, kind, receiver, name, behind, is_class=False), *found]
        break
    return found


def _are_skipped(info: ClassInfo, places: list[int]) -> bool:
    """Return whether all definitions of a member are under conditions that are never true."""
    unit, members = info.unit, info.unit.shapes[info.shape].members
    return all(members[place].extra >= 0 and unit.decls[members[place].extra].c == Reach.NEVER for place in places)


def _dynamic_member(engine: NominalEngine, kind: Instance, name: str) -> list[Found]:
    """Return the result of `__getattr__` of a class of the runtime, such as `Mock`, for any name."""
    if name.startswith("__"):
        return []
    for ancestor in class_order.linear_order(engine, kind.cls).order:
        if ancestor.cls.module and "__getattr__" in ancestor.cls.member_places():
            return [
                Found(each.unit, -1, call_results.call_result(engine, each.type, [], {}), each.owner, each.position)
                for each in find_members(engine, kind, "__getattr__")
            ]
    return []


def _members_at(
    engine: NominalEngine, owner: Instance, receiver: Type, name: str, places: list[int], *, is_class: bool
) -> list[Found]:
    unit, shape = owner.cls.unit, owner.cls.unit.shapes[owner.cls.shape]
    written_members = [shape.members[place] for place in places]
    members = [each for each in written_members if not _is_skipped(unit, each)] or written_members
    functions = [each for each in members if each.function >= 0 and each.extra >= 0]
    first = next((each for each in members if each.symbol >= 0), members[0])
    if functions:
        decls = [each.extra for each in functions]
        value = declared_values.function_values(engine, unit, decls) if len(decls) > 1 else engine.declared(unit, decls[0])
        if isinstance(value, Union):
            last = declared_values.last_definitions(unit, decls)
            several = [(each, engine.declared(unit, each.extra)) for each in functions if each.extra in last]
            return [
                Found(unit, each.symbol, _bound(engine, kind, owner, receiver, is_class=is_class), owner.cls, each.position)
                for each, kind in several
            ]
        chosen = functions[-1]
        if any(each.kind == MemberKind.SETTER for each in functions):
            chosen = next((each for each in functions if each.kind != MemberKind.SETTER), functions[0])
        kind = _read_result(engine, _bound(engine, value, owner, receiver, is_class=is_class), receiver, is_class=is_class)
        return [Found(unit, chosen.symbol, kind, owner.cls, chosen.position)]
    annotated = [each for each in members if each.type >= 0]
    if annotated:
        written = annotated[0]
        if (
            last_name(unit, class_order.base_name(unit, written.type)) in ("ClassVar", "Final")
            and unit.code[written.type] != Op.INDEX
        ):
            kind = engine.declared(unit, written.extra) if written.extra >= 0 else engine.type_of(unit, written.value)
        else:
            kind = engine.annotation(unit, written.type)
        own = receiver.instance if isinstance(receiver, ClassValue) else receiver
        kind = substitute(kind, {**call_results.arguments_of(engine, owner), SELF_TYPE: own})
    elif (declared := stub_types.attribute(engine, owner.cls, name)) is not UNKNOWN:
        own = receiver.instance if isinstance(receiver, ClassValue) else receiver
        kind = substitute(declared, {**call_results.arguments_of(engine, owner), SELF_TYPE: own})
    else:
        values = [engine.declared(unit, each.extra) if each.extra >= 0 else engine.type_of(unit, each.value) for each in members]
        held = collected_items.with_added(engine, unit, union(values), shape.added.get(name, []))
        if held is UNKNOWN:
            held = _inherited_annotation(engine, owner, name)
        own = receiver.instance if isinstance(receiver, ClassValue) else receiver
        kind = substitute(held, {**call_results.arguments_of(engine, owner), SELF_TYPE: own})
        is_static = any(each.static for each in members)
        is_bound = is_static and any(isinstance(each, (FunctionValue, Wrapped)) for each in parts(kind))
        if is_bound:
            kind = union([_bound(engine, each, owner, receiver, is_class=is_class) for each in parts(kind)])
    if any(each.static for each in members):
        if first.name[:1] != "_" and not annotated and not owner.cls.module and iteration.is_enum(engine, owner.cls):
            kind = union([each if isinstance(each, (FunctionValue, Wrapped)) else owner for each in parts(kind)])
        kind = _read_result(engine, kind, receiver, is_class=is_class)
    return [Found(unit, first.symbol, kind, owner.cls, first.position)]


def _inherited_annotation(engine: NominalEngine, owner: Instance, name: str) -> Type:
    """Return the type that the nearest ancestor declares for an attribute to which a derived class assigns an unknown value."""
    for ancestor in class_order.linear_order(engine, owner.cls).order[1:]:
        places = ancestor.cls.member_places().get(name)
        if places:
            unit, members = ancestor.cls.unit, ancestor.cls.unit.shapes[ancestor.cls.shape].members
            written = [members[place].type for place in places if members[place].function < 0 and members[place].type >= 0]
            return (
                substitute(engine.annotation(unit, written[0]), call_results.arguments_of(engine, ancestor))
                if written
                else UNKNOWN
            )
    return UNKNOWN


def _read_result(engine: NominalEngine, kind: Type, receiver: Type, *, is_class: bool) -> Type:
    """Return the result of reading an attribute: its value, or for a descriptor the result of `__get__`."""
    if isinstance(kind, Union):
        return union([_read_result(engine, each, receiver, is_class=is_class) for each in parts(kind)])
    if not isinstance(kind, Instance) or (kind.cls.module and not engine.program.rules.is_library(kind.cls.module)):
        return kind
    getters = find_members(engine, kind, "__get__")
    if not getters:
        return kind
    owner = bounded(receiver)
    if engine.program.rules.is_library(getters[0].unit.external) and not isinstance(getters[0].type, Overloads):
        return _of_descriptor(engine, kind, getters[0].type, owner)
    given = [NONE, owner] if is_class else [owner, written_types.class_of(engine, owner)]
    result = call_results.call_result(engine, union([each.type for each in getters]), given, {})
    if is_class:
        return result
    # Most descriptors return themselves when they are read from the class.
    return union([each for each in parts(result) if not isinstance(each, Instance) or each.cls is not kind.cls])


def _of_descriptor(engine: NominalEngine, kind: Instance, getter: Type, owner: Type) -> Type:
    """Return the result of reading a library's descriptor.

    A descriptor that returns `Self` gets type arguments from the class around it: `Manager[Cart]` in the class `Cart`.
    """
    if not isinstance(getter, FunctionValue) or getter.unit.functions[getter.function].return_type < 0:
        return kind
    value = owner.instance if isinstance(owner, ClassValue) else owner
    result = engine.returned(getter.unit, getter.function)
    if result != SELF_TYPE:
        return call_results.call_result(engine, getter, [value, written_types.class_of(engine, value)], {})
    mapping: dict[Type, Type] = {}
    inference.infer(engine, getter, [value, written_types.class_of(engine, value)], {}, mapping)
    parameters = class_order.class_parameters(engine, kind.cls)
    known = kind.arguments or (UNKNOWN,) * len(parameters)
    learned = [
        _fitting(engine, parameter, mapping) if given is UNKNOWN or given == parameter else given
        for parameter, given in zip(parameters, known, strict=False)
    ]
    return Instance(kind.cls, tuple(learned)) if learned else kind


def _fitting(engine: NominalEngine, parameter: Variable, mapping: dict[Type, Type]) -> Type:
    """Return the learned value of a type parameter; UNKNOWN if the value may violate the bound of the parameter."""
    found = mapping.get(parameter, UNKNOWN)
    is_sure = parameter.bound is UNKNOWN or class_order.is_subclass(engine, found, parameter.bound) is True
    return found if is_sure else UNKNOWN


def _is_skipped(unit: Unit, member: Member) -> bool:
    return member.extra >= 0 and unit.decls[member.extra].c == Reach.NEVER


def _bound(engine: NominalEngine, value: Type, owner: Instance, receiver: Type, *, is_class: bool) -> Type:
    """Return a function of a class, bound to the receiver on which it is looked up."""
    if isinstance(value, FunctionValue):
        home = parameter_types.home_of(engine, value.unit, value.function)
        if home is not None and home[1] == "classmethod":
            return FunctionValue(value.unit, value.function, value.declaration, owner, receiver)
        return FunctionValue(value.unit, value.function, value.declaration, owner, None if is_class else receiver)
    if isinstance(value, Overloads):
        found = [_bound(engine, each, owner, receiver, is_class=is_class) for each in value.functions]
        return Overloads(tuple([each for each in found if isinstance(each, FunctionValue)]))
    if isinstance(value, Wrapped):
        if value.kind == Wrapped.PROPERTY:
            return (
                value
                if is_class
                else call_results.call_result(engine, _bound(engine, value.value, owner, receiver, is_class=False), [], {})
            )
        if value.kind == Wrapped.CLASS:
            first = receiver if is_class else ClassValue(receiver) if isinstance(receiver, Instance) else receiver
            return _bound(engine, value.value, owner, first, is_class=False)
        return value.value
    return value


def argument_of(engine: NominalEngine, kind: Type, names: tuple[str, ...], module: str = "typing") -> Type | None:
    """Return the first type argument of an instance whose class is or extends a runtime class in `names`; else None."""
    if not isinstance(kind, Instance):
        return None
    for name in names:
        wanted = engine.builtin(name, (), module)
        seen = class_order.as_class(engine, kind, wanted.cls) if isinstance(wanted, Instance) else None
        if seen is not None:
            return seen.arguments[0] if seen.arguments else UNKNOWN
    return None
