"""The types of parameters: of functions, of methods, of overriding methods, and of lambdas in arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.operations import Op
from ..languages.typescript.resolve.model.unit import Unit
from . import call_results, class_order, decorators, inference, member_lookup, stub_types
from .call_sites import call_site_types
from .items import iteration
from .program import last_name
from .types import (
    NONE,
    SELF_TYPE,
    UNKNOWN,
    Callback,
    ClassInfo,
    ClassOf,
    ClassValue,
    FunctionValue,
    Instance,
    Overloads,
    Type,
    Variable,
    parts,
    substitute,
    union,
)
from .wired_files import NominalFile

if TYPE_CHECKING:
    from .engine import NominalEngine


def parameter_type(engine: NominalEngine, unit: Unit, index: int) -> Type:
    """Return the type of a parameter."""
    decl = unit.decls[index]
    place = unit.code[decl.b + 3] if decl.b >= 0 else -1
    function = unit.functions[decl.c]
    written = function.parameters[place] if 0 <= place < len(function.parameters) else None
    if decl.a >= 0:
        kind = engine.annotation(unit, decl.a)
        if written is not None and written.name.startswith("**"):
            if unit.code[decl.a] == Op.INDEX and last_name(unit, unit.code[decl.a + 1]) == "Unpack":
                return kind  # a typed dictionary that declares all keyword arguments
            return engine.builtin("dict", (engine.builtin("str"), kind))
        if written is not None and written.name.startswith("*"):
            return engine.builtin("tuple", (kind,))
        return kind
    if written is not None and not function.is_arrow:
        declared = stub_types.parameter(engine, unit, decl.c, written.name)
        if declared is not UNKNOWN:
            return declared
    given = _lambda_parameter(engine, unit, decl.c, place) if function.is_arrow else UNKNOWN
    if given is not UNKNOWN:
        return given
    home = home_of(engine, unit, decl.c)
    if home is not None and place == 0 and home[1] != "staticmethod":
        info, kind_of = home
        own = Variable(SELF_TYPE.name, SELF_TYPE.key, Instance(info, class_order.class_parameters(engine, info)))
        return ClassOf(own) if kind_of == "classmethod" else own
    if home is not None and written is not None:
        inherited = _inherited_parameter(engine, home[0], _method_name(engine, unit, decl.c), written.name)
        if inherited is not UNKNOWN:
            return inherited
    level = engine.enter_level(0)  # values from frameworks do not depend on call sites
    injected = _injected_value(engine, unit, decl.c, decl.name)
    engine.enter_level(level)
    if injected is not UNKNOWN:
        return injected
    if written is None:
        return UNKNOWN
    inferred = call_site_types.argument_type(engine, unit, decl.c, place)
    if written.name.startswith("*"):
        return inferred if inferred is not UNKNOWN else _unknown_rest(engine, is_named=written.name.startswith("**"))
    default = engine.type_of(unit, written.default)
    return union([default if default is not NONE else UNKNOWN, inferred])


def _unknown_rest(engine: NominalEngine, *, is_named: bool) -> Type:
    """Return the value of `*arguments` or `**arguments` for unknown arguments."""
    return engine.builtin("dict", (engine.builtin("str"), UNKNOWN)) if is_named else engine.builtin("tuple", (UNKNOWN,))


def _injected_value(engine: NominalEngine, unit: Unit, function: int, name: str) -> Type:
    """Return the value that a framework injects into a parameter: the result of the providing function, or the value that it
    yields.
    """
    rules = engine.program.wiring
    if rules is None or unit.external:
        return UNKNOWN
    provider = rules.injected(engine.wired.file(unit), function, name)
    if provider is None or not isinstance(provider.file, NominalFile):
        return UNKNOWN
    source, place = provider.file.unit, provider.facts.a
    result = engine.returned(source, place)
    facts = source.functions[place]
    if facts.is_generator:
        return iteration.iterated(engine, result, is_async=facts.is_async)
    return iteration.awaited(engine, result) if facts.is_async else result


def _lambda_parameter(engine: NominalEngine, unit: Unit, function: int, place: int) -> Type:
    """Return the value of a parameter of a lambda, by the signature of the function that receives the lambda."""
    node = _lambdas(engine, unit).get(function, -1)
    if node < 0:
        return UNKNOWN
    _, call, index = unit.contexts[node]
    for callee in _signatures(engine, engine.type_of(unit, unit.code[call + 1])):
        wanted = _argument_type(engine, callee, unit, call, index)
        for part in parts(wanted):
            if isinstance(part, Callback) and place < len(part.parameters):
                return part.parameters[place]
    return UNKNOWN


def _lambdas(engine: NominalEngine, unit: Unit) -> dict[int, int]:
    """Return the nodes of the lambdas that a file passes to calls, by function."""
    found = engine.lambda_tables.get(id(unit))
    if found is None:
        code = unit.code
        found = {code[node + 1]: node for node in unit.contexts if code[node] == Op.FUNCTION}
        engine.lambda_tables[id(unit)] = found
    return found


def _signatures(engine: NominalEngine, kind: Type) -> tuple[FunctionValue, ...]:
    """Return the signatures of the only function that a call of a value may run; () if there are several functions."""
    if isinstance(kind, ClassValue):
        made = member_lookup.find_members(engine, kind.instance, "__init__")[:1]
        kind = made[0].type if made else UNKNOWN
    if isinstance(kind, Overloads):
        return kind.functions
    return (kind,) if isinstance(kind, FunctionValue) else ()


def _argument_type(engine: NominalEngine, callee: FunctionValue, unit: Unit, call: int, index: int) -> Type:
    """Return the type that a function expects for one argument of a call, after the other arguments are known."""
    code = unit.code
    positional: list[Type] = []
    named: dict[str, Type] = {}
    key = ""
    for place, argument in enumerate(unit.items(code[call + 2])):
        if code[argument] == Op.SPREAD:
            return UNKNOWN
        value = code[argument + 1] if code[argument] == Op.PROP else argument
        kind = UNKNOWN if value >= 0 and code[value] == Op.FUNCTION else engine.type_of(unit, value)
        if code[argument] == Op.PROP:
            named[unit.strings[code[argument + 2]]] = kind
            key = unit.strings[code[argument + 2]] if place == index else key
        else:
            positional.append(kind)
    written = [each for each in callee.unit.functions[callee.function].parameters if each.name != "/"]
    if callee.receiver is not None:
        written = written[1:]
    chosen = [each for place, each in enumerate(written) if (each.name == key if key else place == index)]
    if not chosen or chosen[0].type < 0 or chosen[0].name.startswith("*"):
        return UNKNOWN
    mapping = call_results.arguments_of(engine, callee.owner) if callee.owner is not None else {}
    inference.infer(engine, callee, positional, named, mapping)
    if callee.receiver is not None:
        member_lookup.bind_receiver(engine, callee, mapping)
    return substitute(engine.annotation(callee.unit, chosen[0].type), mapping)


def _inherited_parameter(engine: NominalEngine, info: ClassInfo, method: str, name: str) -> Type:
    """Return the type of the parameter with the same name in the overridden method."""
    for ancestor in class_order.linear_order(engine, info).order[1:]:
        unit = ancestor.cls.unit
        for member in ancestor.cls.members_named(method):
            for parameter in unit.functions[member.function].parameters if member.function >= 0 else ():
                if parameter.name == name and parameter.type >= 0:
                    return substitute(engine.annotation(unit, parameter.type), call_results.arguments_of(engine, ancestor))
    return UNKNOWN


def _method_name(engine: NominalEngine, unit: Unit, function: int) -> str:
    return unit.decls[_homes(engine, unit)[function][1]].name


def home_of(engine: NominalEngine, unit: Unit, function: int) -> tuple[ClassInfo, str] | None:
    """Return the class whose body declares a function, and how its first parameter is bound; None for other functions."""
    homes = _homes(engine, unit)
    place = homes.get(function)
    if place is None:
        return None
    shape, decl = place
    names = decorators.decorator_names(unit, decl)
    kind = "staticmethod" if "staticmethod" in names else ""
    if "classmethod" in names or unit.decls[decl].name in ("__new__", "__init_subclass__", "__class_getitem__"):
        kind = "classmethod"
    return engine.program.class_info(unit, shape), kind


def _homes(engine: NominalEngine, unit: Unit) -> dict[int, tuple[int, int]]:
    found = engine.home_tables.get(id(unit))
    if found is None:
        found = engine.home_tables[id(unit)] = {
            member.function: (shape, member.extra)
            for shape, facts in enumerate(unit.shapes)
            for member in facts.members
            if member.function >= 0
        }
    return found
