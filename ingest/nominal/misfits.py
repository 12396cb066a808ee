"""Values and types that do not fit where they are used, in languages with overloads and in languages with protocols."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts.model import DeclKind, Function
from ..facts.operations import Op
from ..languages.misfits import Misfit
from ..languages.typescript.resolve.model.program import Unit
from . import class_order, inference
from .decorators import decorator_names
from .overloading import misfits as overloaded
from .types import ClassInfo, ClassValue, FunctionValue, Instance, Type, parts

if TYPE_CHECKING:
    from .engine import NominalEngine

#: The decorators of members that a class must implement.
_ABSTRACT = ("abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod")


def misfits(engine: NominalEngine, unit: Unit) -> Iterator[Misfit]:
    """Yield the misfits of a file, in no order."""
    if engine.program.rules.has_overloads:
        yield from overloaded.misfits(engine, unit)
    elif not engine.program.rules.is_static:
        yield from _creations(engine, unit)
        yield from _protocol_values(engine, unit)


# ---------------------------------------------------------------------- abstract classes


def _creations(engine: NominalEngine, unit: Unit) -> Iterator[Misfit]:
    """Yield the calls that create objects of classes without some abstract members."""
    code = unit.code
    for call in unit.facts.calls:
        if code[call] != Op.CALL or code[call + 1] < 0:
            continue
        engine.refuel()
        kind = engine.type_of(unit, code[call + 1])
        if not isinstance(kind, ClassValue) or kind.instance.cls.module:
            continue
        lacking = abstract_members(engine, kind.instance.cls)
        if lacking:
            yield Misfit(code[code[call + 1] + 4], f"creates {kind.instance.cls.name}, which does not implement '{lacking[0]}'")


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
                names = decorator_names(unit, _function_decl(unit, member.function))
                found[member.name] = any(name in _ABSTRACT for name in names)
    return [name for name, is_abstract in found.items() if is_abstract]


def _function_decl(unit: Unit, function: int) -> int:
    """Return the declaration of a function; -1 for a member that is no function."""
    if function < 0:
        return -1
    position = unit.functions[function].position
    symbol = unit.functions[function].symbol
    for place, decl in enumerate(unit.decls):
        if decl.kind == DeclKind.FUNCTION and (decl.a == function or (decl.position == position and decl.symbol == symbol)):
            return place
    return -1


# ---------------------------------------------------------------------- protocols


def _protocol_values(engine: NominalEngine, unit: Unit) -> Iterator[Misfit]:
    """Yield the values that lack a member of the protocol that the code declares for them."""
    code = unit.code
    for value, written in _annotated_values(unit):
        engine.refuel()
        yield from _against(engine, unit, value, engine.annotation(unit, written))
    for call in unit.facts.calls:
        if code[call] != Op.CALL or code[call + 1] < 0:
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
