"""Values and types that do not fit where they are used, in languages with overloads and in languages with protocols."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts.model import DeclKind, Function
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


def misfits(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the misfits of a file, in no order.

    A value or type counts if it, the called function or the written type is on one of the given lines.
    """
    rules = engine.program.rules
    if rules.has_overloads:
        yield from overloaded.misfits(engine, unit, lines)
        yield from _type_arguments(engine, unit, lines)
    elif rules.is_static:
        yield from _type_arguments(engine, unit, lines)
        yield from _plain_generics(engine, unit, lines)
        yield from _result_counts(engine, unit, lines)
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
    for value, written in _annotated_values(unit):
        if not unit.is_on(lines, value, written):
            continue
        engine.refuel()
        yield from _against(engine, unit, value, engine.annotation(unit, written))
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
                    yield from _against(engine, unit, value, engine.annotation(part.unit, written))


def _annotated_values(unit: Unit) -> Iterator[tuple[int, int]]:
    """Yield the values of variables, and the results of functions, with the written types that they must have."""
    for decl in unit.decls:
        if decl.kind == DeclKind.VARIABLE and decl.a >= 0 and decl.b >= 0:
            yield decl.b, decl.a
    for function in unit.functions:
        if function.return_type >= 0 and not function.is_generator:
            for value in function.returns:
                yield value, function.return_type


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


def _result_counts(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the calls whose number of results differs from the number of results that the code uses."""
    code = unit.code
    for call, wanted in _wanted_counts(unit).items():
        if not unit.is_on(lines, code[call + 1], -1):
            continue
        engine.refuel()
        called = engine.type_of(unit, code[call + 1]) if code[call + 1] >= 0 else UNKNOWN
        if not isinstance(called, FunctionValue) or called.unit.external:
            continue
        count = _result_count(called.unit, called.unit.functions[called.function])
        if count != wanted:
            yield Misfit(code[code[call + 1] + 4], f"uses {wanted} results of a call that has {count}")


def _result_count(unit: Unit, function: Function) -> int:
    written = function.return_type
    if written < 0:
        return 0
    return len(unit.items(unit.code[written + 1])) if unit.code[written] == Op.T_TUPLE else 1


def _wanted_counts(unit: Unit) -> dict[int, int]:
    """Return the numbers of results that the code around calls uses. A call that is the only argument of another is left out."""
    code = unit.code
    found: dict[int, int] = {}
    for node in range(0, len(code), 5):
        operation = code[node]
        if operation == Op.ELEMENT:
            found[code[node + 1]] = max(found.get(code[node + 1], 0), code[node + 3] + 1)
        elif operation in (Op.MEMBER, Op.UNARY, Op.NOT, Op.AS):
            found[code[node + 1]] = 1
        elif operation in (Op.EQUALITY, Op.BINARY, Op.LOGICAL, Op.INDEX):
            found[code[node + 1]] = found[code[node + 2]] = 1
        elif operation == Op.CALL:
            arguments = unit.items(code[node + 2])
            if len(arguments) > 1:
                found.update((argument, 1) for argument in arguments.tolist())
    for decl in unit.decls:
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0:
            found[decl.b] = 1
    for binding in unit.bindings:
        found.update((value, 1) for value in binding.assigned)
    for function in unit.functions:
        found.update((value, _result_count(unit, function)) for value in function.returns)
    return {node: count for node, count in found.items() if node >= 0 and code[node] == Op.CALL}
