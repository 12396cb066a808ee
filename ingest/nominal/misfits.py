"""Values and types that do not fit where they are used, in languages with overloads and in languages with protocols."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..facts.model import Function, ShapeKind
from ..facts.operations import Op
from ..languages.misfits import Misfit
from ..languages.typescript.resolve.model.unit import Unit
from . import class_order, inference
from .decorators import decorator_names
from .overloading import members
from .overloading import misfits as overloaded
from .types import UNKNOWN, ClassInfo, ClassValue, FunctionValue, Instance, Type, parts

if TYPE_CHECKING:
    from .engine import NominalEngine

#: The decorators of members that a class must implement.
_ABSTRACT = ("abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod")


def misfits(engine: NominalEngine, unit: Unit, lines: frozenset[int], used_results: Mapping[int, int]) -> Iterator[Misfit]:
    """Yield the misfits of a file, in no order.

    `used_results` has the number of results that the code uses from each call, by the position of the called name.
    A value or type counts if it, the called function or the written type is on one of the given lines.
    """
    rules = engine.program.rules
    if rules.has_overloads:
        yield from overloaded.misfits(engine, unit, lines)
        yield from _type_arguments(engine, unit, lines)
    elif rules.is_static:
        yield from _type_arguments(engine, unit, lines)
        yield from _plain_generics(engine, unit, lines)
        yield from _result_counts(engine, unit, lines, used_results)
        yield from _passed_results(engine, unit, lines)
    else:
        yield from _creations(engine, unit, lines)
        yield from _protocol_values(engine, unit, lines)


# ---------------------------------------------------------------------- abstract classes


def _creations(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the calls that create objects of classes without some abstract members."""
    code = unit.code
    lacking: dict[ClassInfo, list[str]] = {}
    for call in unit.facts.calls:
        if code[call] != Op.CALL or code[call + 1] < 0 or not unit.is_on(lines, code[call + 1], -1):
            continue
        engine.refuel()
        kind = engine.type_of(unit, code[call + 1])
        if not isinstance(kind, ClassValue) or kind.instance.cls.module:
            continue
        made = kind.instance.cls
        if made not in lacking:
            lacking[made] = abstract_members(engine, made)
        if lacking[made]:
            yield Misfit(code[code[call + 1] + 4], f"creates {made.name}, which does not implement '{lacking[made][0]}'")


def abstract_members(engine: NominalEngine, info: ClassInfo) -> list[str]:
    """Return the names of the members that a class inherits as abstract; nothing if one of its ancestors is not known."""
    linear = class_order.linear_order(engine, info)
    if not linear.is_complete:
        return []
    found: dict[str, bool] = {}
    for owner in linear.order:
        unit, shape = owner.cls.unit, owner.cls.unit.shapes[owner.cls.shape]
        for member in shape.members:
            if member.name not in found:
                found[member.name] = any(name in _ABSTRACT for name in decorator_names(unit, member.extra))
    return [name for name, is_abstract in found.items() if is_abstract]


# ---------------------------------------------------------------------- protocols


def _protocol_values(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the values that lack a member of the protocol that the code declares for them."""
    code = unit.code
    for each in unit.typed_values(lines):
        engine.refuel()
        yield from _against(engine, unit, each.value, engine.annotation(unit, each.written))
    for call in unit.facts.calls:
        if code[call] != Op.CALL or code[call + 1] < 0:
            continue
        if not unit.is_on(lines, code[call + 1], -1) and not any(
            unit.is_on(lines, each, -1) for each in unit.items(code[call + 2])
        ):
            continue
        engine.refuel()
        called = engine.type_of(unit, code[call + 1])
        for part in parts(called):
            if isinstance(part, FunctionValue):
                function = part.unit.functions[part.function]
                skipped = 1 if part.receiver is not None else 0
                for value, written in _given(unit, call, function, skipped):
                    wanted = engine.annotation(part.unit, written)
                    yield from _against(engine, unit, value, wanted)
                    yield from _incomplete_classes(engine, unit, value, wanted)


def _given(unit: Unit, call: int, function: Function, skipped: int) -> Iterator[tuple[int, int]]:
    """Yield the arguments of a call with the written types of their parameters."""
    code = unit.code
    parameters = [each for each in function.parameters if each.name not in ("*", "/")]
    for place, argument in enumerate(unit.items(code[call + 2]).tolist()):
        if code[argument] == Op.SPREAD:
            return
        if code[argument] == Op.PROP:
            name = unit.strings[code[argument + 2]]
            for parameter in parameters:
                if parameter.name == name and parameter.type >= 0:
                    yield code[argument + 1], parameter.type
        elif place + skipped < len(parameters):
            parameter = parameters[place + skipped]
            if parameter.rest or parameter.name.startswith("*"):
                return
            if parameter.type >= 0:
                yield argument, parameter.type


def _against(engine: NominalEngine, unit: Unit, value: int, wanted: Type) -> Iterator[Misfit]:
    """Yield a value if its class certainly lacks a member of an expected protocol."""
    expected = parts(wanted)
    if not expected or not all(isinstance(each, Instance) for each in expected):
        return
    protocols = [each.cls for each in expected if isinstance(each, Instance) and inference.is_protocol(engine, each.cls)]
    if not protocols:
        return
    given = engine.type_of(unit, value)
    for part in parts(given):
        if not isinstance(part, Instance) or part.cls.module:
            continue
        others = [each for each in expected if isinstance(each, Instance) and each.cls not in protocols]
        if any(class_order.as_class(engine, part, each.cls) is not None for each in others):
            continue
        if not any(_follows(engine, part, each) for each in protocols):
            name = protocols[0].name
            yield Misfit(unit.code[value + 4], f"uses {part.cls.name} as {name}, whose members it does not have any more")
            return


def _incomplete_classes(engine: NominalEngine, unit: Unit, value: int, wanted: Type) -> Iterator[Misfit]:
    """Yield a class without some abstract members that is given where a function expects a class to create objects of."""
    expected = parts(wanted)
    given = engine.type_of(unit, value) if expected and all(isinstance(each, ClassValue) for each in expected) else UNKNOWN
    if isinstance(given, ClassValue) and not given.instance.cls.module:
        made = given.instance.cls
        lacking = abstract_members(engine, made)
        if lacking:
            yield Misfit(unit.code[value + 4], f"gives {made.name}, which does not implement '{lacking[0]}'")


def _follows(engine: NominalEngine, given: Instance, protocol: ClassInfo) -> bool:
    """Return whether a value may have all members of a protocol and of the protocols that it extends."""
    for owner in class_order.linear_order(engine, protocol).order:
        if (owner.cls is protocol or inference.is_protocol(engine, owner.cls)) and not inference.may_follow(
            engine, given, owner.cls
        ):
            return False
    return True


# ---------------------------------------------------------------------- type arguments


def _type_arguments(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the names of types whose number of type arguments differs from the number of their type parameters."""
    code = unit.code
    for node in range(0, len(code), 5):
        if code[node] != Op.T_REFERENCE or not unit.is_on(lines, code[node + 1], -1):
            continue
        count = len(unit.items(code[node + 2]))
        engine.refuel()
        wanted = _parameter_count(engine.annotation(unit, code[node + 1])) if count else -1
        if wanted not in (-1, count):
            yield Misfit(code[code[node + 1] + 4], f"has {count} type arguments where {wanted} are needed")


def _plain_generics(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the names of types that need type arguments and have none."""
    code = unit.code
    applied = {code[node + 1] for node in range(0, len(code), 5) if code[node] in (Op.T_REFERENCE, Op.INDEX)}
    for node in range(0, len(code), 5):
        if code[node] not in (Op.NAME, Op.FLOW, Op.MEMBER) or node in applied or not unit.is_on(lines, node, -1):
            continue
        engine.refuel()
        kind = engine.type_of(unit, node)
        wanted = _parameter_count(kind.instance) if isinstance(kind, ClassValue) else 0
        if wanted > 0:
            yield Misfit(code[node + 4], f"has 0 type arguments where {wanted} are needed")


def _parameter_count(kind: Type) -> int:
    """Return the number of type parameters of a class of the repository; -1 for another type."""
    return members.own_parameter_count(kind.cls) if isinstance(kind, Instance) and not kind.cls.module else -1


# ---------------------------------------------------------------------- numbers of results


def _result_counts(engine: NominalEngine, unit: Unit, lines: frozenset[int], used_results: Mapping[int, int]) -> Iterator[Misfit]:
    """Yield the calls whose number of results differs from the number of results that the code uses."""
    code = unit.code
    for call in unit.facts.calls:
        called = code[call + 1] if code[call] == Op.CALL else -1
        used = used_results.get(code[call + 4], -1) if called >= 0 and unit.is_on(lines, called, -1) else -1
        if used < 0:
            continue
        engine.refuel()
        kind = engine.type_of(unit, called)
        if isinstance(kind, FunctionValue) and not kind.unit.external:
            count = len(_results(kind))
            if count != used:
                yield Misfit(code[call + 4], f"uses {used} results of a call that has {count}")


def _passed_results(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield each call whose results are the arguments of another call, if the function called there does not take them."""
    code = unit.code
    for call in unit.facts.calls:
        arguments = unit.items(code[call + 2]).tolist() if code[call] == Op.CALL and code[call + 1] >= 0 else []
        inner = code[arguments[0] + 1] if len(arguments) == 1 and code[arguments[0]] == Op.CALL else -1
        if inner < 0 or not unit.is_on(lines, call, inner):
            continue
        engine.refuel()
        given, taken = engine.type_of(unit, inner), engine.type_of(unit, code[call + 1])
        if isinstance(given, FunctionValue) and isinstance(taken, FunctionValue) and not given.unit.external:
            results = _results(given)
            if not _takes(engine, taken, given, results):
                yield Misfit(code[inner + 4], f"passes {len(results)} results of a call to a function that does not take them")


def _takes(engine: NominalEngine, taken: FunctionValue, given: FunctionValue, results: Sequence[int]) -> bool:
    """Return whether a function may take the results of another one as its arguments."""
    skipped = 1 if taken.receiver is not None else 0
    parameters = taken.unit.functions[taken.function].parameters[skipped:]
    rest = parameters[-1] if parameters and parameters[-1].rest else None
    if rest is None or len(results) < len(parameters) - 1:
        return len(results) == len(parameters)
    wanted = engine.annotation(taken.unit, rest.type)
    more = (engine.annotation(given.unit, each) for each in results[len(parameters) - 1 :])
    return len(results) < 2 or not any(_is_another(each, wanted) for each in more)


def _is_another(given: Type, wanted: Type) -> bool:
    """Return whether both types are classes, but different classes, and the wanted class is not an interface."""
    if not isinstance(given, Instance) or not isinstance(wanted, Instance):
        return False
    return given.cls is not wanted.cls and wanted.cls.unit.shapes[wanted.cls.shape].kind != ShapeKind.INTERFACE


def _results(called: FunctionValue) -> Sequence[int]:
    """Return the written types of the results of a function."""
    unit = called.unit
    written = unit.functions[called.function].return_type
    if written < 0:
        return ()
    return unit.items(unit.code[written + 1]).tolist() if unit.code[written] == Op.T_TUPLE else (written,)
