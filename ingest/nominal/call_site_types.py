"""Types of parameters without annotation, from the call sites in the file that declares them.

Such a type is inferred: other callers may give other values. It never replaces a type that the source says, and only call
sites of the same file count, so that a change of one file changes the inferred types of no other file.

What a call site gives may depend on parameters of its own. Types are therefore inferred in levels: at level 0 nothing is
inferred, and at each level the parameters have the types that the arguments have at the level below. No answer depends on
the order of questions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ..facts.model import DeclKind, Op, Parameter
from ..languages.typescript.resolve.model.program import Unit
from . import iteration, member_lookup, parameter_types
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
    Wrapped,
    bounded,
    parts,
    union,
)

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Number of levels: how many functions a value may pass through as an argument.
LEVELS: Final = 3
#: Maximum number of call sites of one function, and of different types that they give to one parameter.
_MAX_CALL_SITES: Final = 100
_MAX_TYPES: Final = 8


class CallSite(NamedTuple):
    """A place that calls a function of the file: a call, or the place of a decorator."""

    #: Node of the call; -1 of a decorator, which is given `decorated`.
    node: int
    decorated: Type
    #: Whether the first parameter is bound already.
    is_bound: bool


#: The call sites of each function of a file.
CallSites = dict[int, list[CallSite]]


def call_sites_of(engine: NominalEngine, unit: Unit) -> CallSites:
    """Return the calls of the functions of a file in that file, as they are known at the engine's level."""
    found: CallSites = {}
    for node in unit.facts.calls:
        engine.refuel()
        for value, is_bound in _called(engine, engine.type_of(unit, unit.code[node + 1])):
            if value.unit is unit:
                found.setdefault(value.function, []).append(CallSite(node, UNKNOWN, is_bound))
    for place, decl in enumerate(unit.decls):
        if decl.b < 0 or decl.kind not in (DeclKind.FUNCTION, DeclKind.CLASS):
            continue
        decorated: Type = FunctionValue(unit, decl.a, place)
        if decl.kind == DeclKind.CLASS:
            decorated = ClassValue(Instance(engine.program.class_info(unit, decl.a)))
        for node in unit.items(decl.b):
            engine.refuel()
            for value, is_bound in _called(engine, engine.type_of(unit, node)):
                if value.unit is unit:
                    found.setdefault(value.function, []).append(CallSite(-1, decorated, is_bound))
    return found


def _called(engine: NominalEngine, kind: Type) -> list[tuple[FunctionValue, bool]]:
    """Return the functions that a call of a value runs, each with whether its first parameter is bound."""
    found: list[tuple[FunctionValue, bool]] = []
    for part in parts(kind):
        if isinstance(part, FunctionValue):
            found.append((part, part.receiver is not None))
        elif isinstance(part, Overloads):
            found += [(each, each.receiver is not None) for each in part.functions]
        elif isinstance(part, Wrapped):
            found += _called(engine, part.value)
        elif isinstance(part, Callback) and part.function is not None:
            home = parameter_types.home_of(engine, part.function.unit, part.function.function)
            found.append((part.function, home is not None and home[1] != "staticmethod"))
        elif isinstance(part, (ClassValue, Instance)):
            instance = part.instance if isinstance(part, ClassValue) else part
            name = "__init__" if isinstance(part, ClassValue) else "__call__"
            for member in member_lookup.find_members(engine, instance, name):
                found += _called(engine, member.type) if isinstance(member.type, (FunctionValue, Overloads)) else []
    return found


def argument_type(engine: NominalEngine, unit: Unit, function: int, place: int) -> Type:
    """Return what the call sites of a file give to a parameter of a function, as arguments are known one level below."""
    sites = engine.call_sites(unit).get(function, [])
    if not 0 < len(sites) <= _MAX_CALL_SITES:
        return UNKNOWN
    level = engine.enter_level(engine.level - 1)
    found: dict[Type, None] = {}
    for site in sites:
        if site.node < 0:
            given = site.decorated if place == int(site.is_bound) else UNKNOWN
        else:
            given = _given(engine, unit, site.node, unit.functions[function].parameters, place, is_bound=site.is_bound)
        for part in parts(bounded(given)):
            kept = part.variable.bound if isinstance(part, ClassOf) else part
            if kept not in (UNKNOWN, NONE) and not isinstance(kept, Outside):
                found[ClassValue(kept) if isinstance(part, ClassOf) and isinstance(kept, Instance) else kept] = None
    engine.enter_level(level)
    return union(list(found)) if len(found) <= _MAX_TYPES else UNKNOWN


def _given(engine: NominalEngine, unit: Unit, call: int, parameters: list[Parameter], place: int, *, is_bound: bool) -> Type:
    """Return what a call gives to a parameter: an argument, or the items of `*arguments` and `**arguments`."""
    code = unit.code
    name = parameters[place].name
    before = [each.name for each in parameters[:place]]
    is_named_only = any(each.startswith("*") for each in before)
    index = len([each for each in before if each not in ("/", "*")]) - is_bound
    positional: list[int] = []
    named: dict[str, int] = {}
    for argument in unit.items(code[call + 2]):
        if code[argument] == Op.PROP:
            named[unit.strings[code[argument + 2]]] = code[argument + 1]
        elif code[argument] == Op.SPREAD and code[argument + 3] != 0:
            continue
        else:
            positional.append(argument)
    if name.startswith("**"):
        taken = {each.name for each in parameters}
        values = [engine.type_of(unit, node) for key, node in named.items() if key not in taken]
        return engine.builtin("dict", (engine.builtin("str"), union(values))) if values else UNKNOWN
    if name.startswith("*"):
        items = [_item(engine, unit, node) for node in positional[max(index, 0) :]]
        return engine.builtin("tuple", (union(items),)) if items else UNKNOWN
    if name in named:
        return engine.type_of(unit, named[name])
    if is_named_only or not 0 <= index < len(positional):
        return UNKNOWN
    if any(code[node] == Op.SPREAD for node in positional[: index + 1]):
        return UNKNOWN
    return engine.type_of(unit, positional[index])


def _item(engine: NominalEngine, unit: Unit, argument: int) -> Type:
    """Return what one argument adds to `*parameters`."""
    if unit.code[argument] == Op.SPREAD:
        return iteration.iterated(engine, engine.type_of(unit, unit.code[argument + 1]))
    return engine.type_of(unit, argument)


def returned_parameters(unit: Unit, function: int) -> dict[int, int]:
    """Return the places of the parameters without annotation that a function returns as they are, by node of the result."""
    found: dict[int, int] = {}
    written = unit.functions[function]
    places = {each.decl: place for place, each in enumerate(written.parameters) if each.type < 0 and each.name[:1] != "*"}
    for node in written.returns:
        decl = _only_declaration(unit, node)
        if decl in places:
            found[node] = places[decl]
    return found


def _only_declaration(unit: Unit, node: int) -> int:
    """Return the declaration of a name that has no other one where it is read, or -1."""
    code = unit.code
    decls: list[int] = []
    if node >= 0 and code[node] == Op.NAME and code[node + 1] >= 0:
        decls = unit.bindings[code[node + 1]].decls
    elif node >= 0 and code[node] == Op.FLOW:
        values = unit.items(code[node + 2]).tolist()
        decls = [code[each + 1] if code[each] == Op.DECLARED else -1 for each in values]
    return decls[0] if len(decls) == 1 else -1
