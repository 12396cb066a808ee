"""Types of parameters without annotation, from the call sites of the repository.

Such a type is only inferred, because callers outside of the repository may pass other values. An inferred type never replaces a
declared type.

An argument may itself depend on parameters of the function around the call site. Types are therefore inferred in rounds. In the
first round, no parameter has an inferred type. In a later round, parameters have the argument types of the round before. The
order of files and questions does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from ...facts.given import MAX_TYPES, Given, GivenLookup, TypeName, merged
from ...facts.model import DeclKind, Parameter
from ...facts.operations import Op
from ...files.path_roles import is_test_path
from ...languages.typescript.resolve.model.unit import Unit
from .. import member_lookup, parameter_types
from ..items import iteration
from ..types import (
    NONE,
    UNKNOWN,
    Callback,
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
from .read_parameters import NO_READS, Reads
from .type_names import TypeNames

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Number of rounds: the number of functions through which a value may be passed as an argument.
ROUNDS: Final = 4


class CallSite(NamedTuple):
    """A place that calls a function: a call, or the use of a decorator."""

    #: Node of the callee.
    callee: int
    #: Node of the call; -1 for a decorator, whose argument is `decorated`.
    call: int
    decorated: Type


#: The arguments at a call site: for each, the path and the name of the called function, the parameter, and the passed types.
_GivenAtSite = list[tuple[str, str, str, list[TypeName]]]


class _UnsureSite:
    """A call site whose callee or arguments depend on parameters without annotation, with its last result."""

    def __init__(self, site: CallSite, found: _GivenAtSite, reads: Reads) -> None:
        self.site: Final = site
        self.found = found
        self.reads = reads


class FileArguments:
    """The arguments from the call sites of one file, round by round."""

    def __init__(self, engine: NominalEngine, names: TypeNames, unit: Unit) -> None:
        self._engine: Final = engine
        self._names: Final = names
        self._unit: Final = unit
        self._sure: Final[Given] = {}
        self._unsure: Final[list[_UnsureSite]] = []
        engine.begin_file()
        for site in _call_sites(engine, unit):
            engine.reads = NO_READS
            found = self._given_at(site)
            if engine.reads:
                self._unsure.append(_UnsureSite(site, found, engine.reads))
            else:
                _put_all(self._sure, found)
        #: The arguments of the first round, in which no parameter has an inferred type.
        self.first: Final = self._all_given()
        #: The parameter types at the last reading of the call sites, and the arguments that were found then.
        self._received: GivenLookup = {}
        self._last = self.first

    def given(self, received: GivenLookup) -> Given:
        """Return the arguments that call sites pass if parameters have the types `received`, which are from the round before."""
        engine = self._engine
        if engine.given is not received:
            engine.begin_round(received)
        changed = [each for each in self._unsure if engine.parameters.differ(each.reads, self._received)]
        if changed:
            engine.begin_file()
            engine.begin_inference(self._unit)
            level = engine.enter_level(1)
            for each in changed:
                engine.reads = NO_READS
                each.found = self._given_at(each.site)
                each.reads = engine.reads
            engine.enter_level(level)
            self._last = self._all_given()
        self._received = received
        return self._last

    def _all_given(self) -> Given:
        found: Given = {}
        for each in self._unsure:
            _put_all(found, each.found)
        return merged([self._sure, found])

    def _given_at(self, site: CallSite) -> _GivenAtSite:
        engine = self._engine
        found: _GivenAtSite = []
        engine.refuel()
        for value, is_bound in _called(engine, engine.type_of(self._unit, site.callee)):
            unit = value.unit
            if unit.external:
                continue
            parameters = unit.functions[value.function].parameters
            untyped = [place for place, each in enumerate(parameters) if place >= is_bound and each.decl >= 0 and each.type < 0]
            name = self._names.function_name(unit, value.function) if untyped else ""
            if not name or (name.startswith("#") and unit is not self._unit):
                continue
            for place in untyped:
                if site.call < 0:
                    given = site.decorated if place == int(is_bound) else UNKNOWN
                else:
                    given = _argument_for(engine, self._unit, site.call, parameters, place, is_bound=is_bound)
                types = self._names_of(given)
                if not is_test_path(unit.path):
                    types = [each for each in types if not _is_of_tests(each)]
                if types:
                    found.append((unit.path, name, parameters[place].name, types))
        return found

    def _names_of(self, given: Type) -> list[TypeName]:
        found: list[TypeName] = []
        for part in parts(bounded(given)):
            if part in (UNKNOWN, NONE) or isinstance(part, Outside):
                continue
            name = self._names.name_of(part, self._unit)
            if name.kind != "unknown":
                found.append(name)
        return found


def _is_of_tests(name: TypeName) -> bool:
    """Return whether a type mentions a class or function of a test. Such a type is a test double: only tests pass it to other
    code.
    """
    is_own = name.path != "" and not name.module and is_test_path(name.path)
    return is_own or any(_is_of_tests(each) for each in (*name.arguments, *(name.items or ())))


def _put_all(given: Given, found: _GivenAtSite) -> None:
    for path, function, parameter, types in found:
        of_function = given.setdefault(path, {}).setdefault(function, {})
        known = of_function.get(parameter, ())
        if len(known) <= MAX_TYPES:
            of_function[parameter] = tuple(dict.fromkeys([*known, *types]))


def _call_sites(engine: NominalEngine, unit: Unit) -> Iterator[CallSite]:
    for node in unit.facts.calls:
        yield CallSite(unit.code[node + 1], node, UNKNOWN)
    for place, decl in enumerate(unit.decls):
        if decl.b < 0 or decl.kind not in (DeclKind.FUNCTION, DeclKind.CLASS):
            continue
        decorated: Type = FunctionValue(unit, decl.a, place)
        if decl.kind == DeclKind.CLASS:
            decorated = ClassValue(Instance(engine.program.class_info(unit, decl.a)))
        for node in unit.items(decl.b):
            yield CallSite(node, -1, decorated)


def _called(engine: NominalEngine, kind: Type) -> list[tuple[FunctionValue, bool]]:
    """Return the functions that a call of a value runs, each with a flag: whether its first parameter is bound."""
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
    """Return the type of the arguments for a parameter of a function, as known in the round before."""
    number = engine.read_parameter(unit, function, place)
    names = engine.parameters.names
    if names is None or not engine.level:
        return UNKNOWN
    return union([names.type_of(each) for each in engine.parameters.types(number)])


def _argument_for(
    engine: NominalEngine, unit: Unit, call: int, parameters: list[Parameter], place: int, *, is_bound: bool
) -> Type:
    """Return the argument of a call for a parameter: one argument, or the items of `*arguments` and `**arguments`."""
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
    """Return the types that one argument adds to `*parameters`."""
    if unit.code[argument] == Op.SPREAD:
        return iteration.iterated(engine, engine.type_of(unit, unit.code[argument + 1]))
    return engine.type_of(unit, argument)


def returned_parameters(unit: Unit, function: int) -> dict[int, int]:
    """Map nodes of results to the position of the parameter that they return unchanged; only parameters without annotation."""
    found: dict[int, int] = {}
    written = unit.functions[function]
    places = {each.decl: place for place, each in enumerate(written.parameters) if each.type < 0 and each.name[:1] != "*"}
    for node in written.returns:
        decl = _only_declaration(unit, node)
        if decl in places:
            found[node] = places[decl]
    return found


def _only_declaration(unit: Unit, node: int) -> int:
    """Return the declaration of a name at a place that reads the name, if there is only one; else -1."""
    code = unit.code
    decls: list[int] = []
    if node >= 0 and code[node] == Op.NAME and code[node + 1] >= 0:
        decls = unit.bindings[code[node + 1]].decls
    elif node >= 0 and code[node] == Op.FLOW:
        values = unit.items(code[node + 2]).tolist()
        decls = [code[each + 1] if code[each] == Op.DECLARED else -1 for each in values]
    return decls[0] if len(decls) == 1 else -1
