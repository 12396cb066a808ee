"""Results of calls: the choice among overloads, and the results of functions, classes and callables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind
from ..facts.operations import Op
from ..languages.typescript.resolve.model.unit import Unit
from . import class_order, inference, literal_overloads, member_lookup, special_calls, static_types, stub_types, written_types
from .call_sites import call_site_types
from .items import iteration
from .types import (
    NONE,
    UNKNOWN,
    Callback,
    ClassOf,
    ClassValue,
    FunctionValue,
    Instance,
    Outside,
    Overloads,
    Type,
    Variable,
    Wrapped,
    parts,
    substitute,
    union,
)

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Types with values of any kind.
_OPEN: Final = (Variable, Outside)


def call_result(engine: NominalEngine, callee: Type, positional: list[Type], named: dict[str, Type]) -> Type:
    """Return the result of a call."""
    results: list[Type] = []
    for kind in parts(callee):
        results.append(_call_one(engine, kind, positional, named))
    return union(results)


def _call_one(engine: NominalEngine, kind: Type, positional: list[Type], named: dict[str, Type]) -> Type:
    if isinstance(kind, FunctionValue):
        return _call_function(engine, kind, positional, named)
    if isinstance(kind, Overloads):
        return _call_function(engine, _chosen(engine, kind, positional, named), positional, named)
    if isinstance(kind, Callback):
        return _call_back(engine, kind, positional)
    if isinstance(kind, ClassValue):
        return _construct(engine, kind.instance, positional, named)
    if isinstance(kind, ClassOf):
        return kind.variable
    if isinstance(kind, Variable):
        return call_result(engine, kind.bound, positional, named) if kind.bound is not kind else UNKNOWN
    if isinstance(kind, Instance):
        if kind.cls.name == "type" and kind.cls.module == "builtins":
            return UNKNOWN
        found = member_lookup.find_members(engine, kind, "__call__")
        return call_result(engine, union([each.type for each in found]), positional, named) if found else UNKNOWN
    if isinstance(kind, Wrapped) and kind.kind != Wrapped.PROPERTY:
        return _call_one(engine, kind.value, positional, named)
    return UNKNOWN


def _call_back(engine: NominalEngine, kind: Callback, positional: list[Type]) -> Type:
    if not kind.parameters or not inference.mentions_variable(kind.result):
        return kind.result
    mapping: dict[Type, Type] = {}
    for wanted, given in zip(kind.parameters, positional, strict=False):
        inference.match_types(engine, wanted, given, mapping)
    return substitute(kind.result, mapping)


def _chosen(engine: NominalEngine, kind: Overloads, positional: list[Type], named: dict[str, Type]) -> FunctionValue:
    """Return the first signature that accepts the arguments."""
    fitting = [each for each in kind.functions if accepts(engine, each, positional, named)]
    return fitting[0] if fitting else kind.functions[0]


def accepts(engine: NominalEngine, value: FunctionValue, positional: list[Type], named: dict[str, Type]) -> bool:
    """Return whether a function, or any of its signatures, accepts the arguments."""
    unit, function = value.unit, value.unit.functions[value.function]
    written = [each for each in function.parameters if each.name != "/"]
    if value.receiver is not None and written:
        written = written[1:]
    place, only_named = 0, False
    taken: set[str] = set()
    for each in written:
        if each.name == "*" or (each.name.startswith("*") and not each.name.startswith("**")):
            if each.name != "*":
                place = len(positional)
            only_named = True
            continue
        if each.name.startswith("**"):
            taken.update(named)
            continue
        given: Type | None = None
        if not only_named and place < len(positional):
            given = positional[place]
            place += 1
        elif each.name in named:
            given = named[each.name]
            taken.add(each.name)
        elif each.default < 0 and not each.optional:
            return False
        if given is not None and each.type >= 0 and not _may_be_passed(engine, given, engine.annotation(unit, each.type)):
            return False
    return place >= len(positional) and taken >= named.keys()


def _may_be_passed(engine: NominalEngine, given: Type, wanted: Type) -> bool:
    """Return whether a value may be passed where a type is expected; True for an unknown value."""
    if given is UNKNOWN or wanted is UNKNOWN or isinstance(wanted, _OPEN) or isinstance(given, _OPEN):
        return True
    return all(any(_fits_one(engine, g, w) for w in parts(wanted)) for g in parts(given))


def _fits_one(engine: NominalEngine, given: Type, wanted: Type) -> bool:
    if given is UNKNOWN or wanted is UNKNOWN or isinstance(wanted, (Variable, Outside)):
        return True
    if given is NONE or wanted is NONE:
        return given is wanted
    if isinstance(wanted, Callback):
        if isinstance(given, FunctionValue):
            return _may_be_passed(engine, _written_result(engine, given), wanted.result)
        return not isinstance(given, Instance) or bool(member_lookup.find_members(engine, given, "__call__"))
    if isinstance(given, Instance) and isinstance(wanted, Instance):
        known = class_order.is_subclass(engine, given, wanted)
        return known is not False or (
            inference.is_protocol(engine, wanted.cls) and inference.may_follow(engine, given, wanted.cls)
        )
    if isinstance(given, ClassValue) and isinstance(wanted, Instance) and inference.is_protocol(engine, wanted.cls):
        return inference.may_follow(engine, given, wanted.cls)
    if isinstance(given, ClassValue) and isinstance(wanted, ClassValue):
        return class_order.is_subclass(engine, given.instance, wanted.instance) is not False
    return not isinstance(given, Instance) or not isinstance(wanted, ClassValue)


def _written_result(engine: NominalEngine, value: FunctionValue) -> Type:
    function = value.unit.functions[value.function]
    if function.return_type >= 0:
        return engine.returned(value.unit, value.function)
    is_coroutine = function.is_async and not function.is_generator
    return engine.builtin("Coroutine", (UNKNOWN, UNKNOWN, UNKNOWN), "typing") if is_coroutine else UNKNOWN


def _call_function(
    engine: NominalEngine,
    value: FunctionValue,
    positional: list[Type],
    named: dict[str, Type],
    written: dict[Type, Type] | None = None,
) -> Type:
    """Return the result of a call of a function; `written` has the type arguments at the call site."""
    if positional and value.unit.external and _is_allocator(value):
        return _instance_of(positional[0])
    if value.unit.functions[value.function].return_type < 0:
        declared = stub_types.signatures(engine, value)
        if declared:
            value = _chosen(engine, Overloads(declared), positional, named)
    result = engine.returned(value.unit, value.function)
    if written is not None:
        result = substitute(result, written)
    mapping: dict[Type, Type] = {}
    if value.owner is not None:
        mapping.update(arguments_of(engine, value.owner))
    if inference.mentions_variable(result):
        inference.infer(engine, value, positional, named, mapping)
        if value.receiver is not None:
            member_lookup.bind_receiver(engine, value, mapping)
    return union([substitute(result, mapping), *_returned_arguments(value, positional, named)])


def _returned_arguments(value: FunctionValue, positional: list[Type], named: dict[str, Type]) -> list[Type]:
    """Return the arguments that a function without annotations returns unchanged."""
    function = value.unit.functions[value.function]
    if function.return_type >= 0 or function.is_generator or function.is_async or not function.returns:
        return []
    found: list[Type] = []
    for place in call_site_types.returned_parameters(value.unit, value.function).values():
        names = [each.name for each in function.parameters[:place]]
        index = len([name for name in names if name != "/"]) - (value.receiver is not None)
        own = function.parameters[place].name
        if index < 0 and value.receiver is not None:
            found.append(value.receiver)
        elif own in named:
            found.append(named[own])
        elif 0 <= index < len(positional) and not any(name[:1] == "*" for name in names):
            found.append(positional[index])
    return found


def _is_allocator(value: FunctionValue) -> bool:
    return value.declaration >= 0 and value.unit.decls[value.declaration].name == "__new__"


def _instance_of(kind: Type) -> Type:
    """Return the instance that `object.__new__(cls)` creates."""
    found: list[Type] = []
    for part in parts(kind):
        if isinstance(part, ClassValue):
            found.append(part.instance)
        elif isinstance(part, ClassOf):
            found.append(part.variable)
    return union(found)


def arguments_of(engine: NominalEngine, owner: Instance) -> dict[Type, Type]:
    """Return the type argument for each type parameter of an instance's class."""
    parameters = class_order.class_parameters(engine, owner.cls)
    return {parameter: given for parameter, given in zip(parameters, owner.arguments, strict=False) if given != parameter}


def _construct(engine: NominalEngine, instance: Instance, positional: list[Type], named: dict[str, Type]) -> Type:
    info = instance.cls
    if info.module == "builtins" and info.name == "type" and len(positional) == 1:
        return written_types.class_of(engine, positional[0])
    if len(positional) == 3 and any(
        each.cls.module == "builtins" and each.cls.name == "type" for each in class_order.linear_order(engine, info).order
    ):
        return inference.made_class(positional[1])
    special = _made_otherwise(engine, instance, positional, named) if not info.module else UNKNOWN
    if special is not UNKNOWN:
        return special
    parameters = class_order.class_parameters(engine, info)
    if not parameters or instance.arguments != parameters:
        return instance
    mapping: dict[Type, Type] = {}
    for each in member_lookup.find_members(engine, Instance(info, parameters), "__init__")[:1]:
        kind = each.type
        if isinstance(kind, Overloads):
            kind = _chosen(engine, kind, positional, named)
        if isinstance(kind, FunctionValue):
            inference.infer(engine, kind, positional, named, mapping)
            if kind.owner is not None and kind.owner.cls is not info:
                for inherited, own in zip(
                    class_order.class_parameters(engine, kind.owner.cls), kind.owner.arguments, strict=False
                ):
                    inference.match_types(engine, own, mapping.get(inherited, UNKNOWN), mapping)
    return Instance(info, tuple([mapping.get(parameter, UNKNOWN) for parameter in parameters]))


def _made_otherwise(engine: NominalEngine, instance: Instance, positional: list[Type], named: dict[str, Type]) -> Type:
    """Return the result of calling a class if its metaclass or `__new__` returns an unrelated object; else UNKNOWN."""
    kind = ClassValue(instance)
    makers = [each for each in member_lookup.metaclass_members(engine, kind, "__call__") if not each.unit.external]
    given = positional
    if not makers:
        makers = [each for each in member_lookup.find_members(engine, kind, "__new__") if not each.unit.external]
        given = [kind, *positional]
    for maker in makers:
        if isinstance(maker.type, FunctionValue):
            value = FunctionValue(maker.unit, maker.type.function, maker.type.declaration, maker.type.owner)
            made = call_result(engine, value, given if given is not positional else [kind, *positional], named)
            if all(isinstance(each, Instance) and _is_unrelated(engine, each, instance) for each in parts(made)):
                return made
    return UNKNOWN


def _is_unrelated(engine: NominalEngine, one: Instance, other: Instance) -> bool:
    """Return whether two classes are unrelated by inheritance."""
    is_below = class_order.is_subclass(engine, one, other) is not False
    return not is_below and class_order.is_subclass(engine, other, one) is False


def argument_types(engine: NominalEngine, unit: Unit, node: int) -> tuple[list[Type], dict[str, Type]]:
    """Return the types of the arguments of a call, by position and by name."""
    positional: list[Type] = []
    named: dict[str, Type] = {}
    code = unit.code
    for argument in unit.items(code[node + 2]):
        if code[argument] == Op.PROP:
            named[unit.strings[code[argument + 2]]] = engine.type_of(unit, code[argument + 1])
        elif code[argument] == Op.SPREAD:
            if code[argument + 3] == 0:
                kind = engine.type_of(unit, code[argument + 1])
                positional += (
                    list(kind.items)
                    if isinstance(kind, Instance) and kind.items is not None
                    else [iteration.iterated(engine, kind)]
                )
        else:
            positional.append(engine.type_of(unit, argument))
    only = positional[0] if len(positional) == 1 and engine.program.rules.is_static else UNKNOWN
    if isinstance(only, Instance) and only.items is not None:
        return list(only.items), named  # several results are several arguments: `must(os.Open(name))`
    return positional, named


def call_at(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the value of the call at a node."""
    code = unit.code
    callee = code[node + 1]
    kind = engine.type_of(unit, callee)
    if engine.program.rules.is_static:
        if _is_type_parameter(unit, callee):
            return kind  # a conversion
    else:
        special = special_calls.special_result(engine, unit, node, kind)
        if special is not None:
            return special
        kind = literal_overloads.fitting(engine, unit, node, kind)
    given, named = argument_types(engine, unit, node)
    written = static_types.written_arguments(engine, unit, callee, kind)
    if written and isinstance(kind, FunctionValue):
        return _call_function(engine, kind, given, named, written)
    return call_result(engine, kind, given, named)


def _is_type_parameter(unit: Unit, callee: int) -> bool:
    """Return whether a name means a type parameter."""
    code = unit.code
    binding = code[callee + 1] if callee >= 0 and code[callee] == Op.NAME else -1
    return binding >= 0 and any(unit.decls[each].kind == DeclKind.TYPE_PARAMETER for each in unit.bindings[binding].decls)
