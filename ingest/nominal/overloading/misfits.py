"""Values, calls and methods that do not fit the declarations that they use, in a language with overloads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...facts.model import Member, MemberKind, ShapeKind
from ...facts.operations import Op
from ...languages.misfits import Misfit
from ...languages.typescript.resolve.model.unit import Unit
from .. import class_order
from ..types import UNKNOWN, FunctionValue, Instance, Type
from . import choice, conversions, members, names, values

if TYPE_CHECKING:
    from ..engine import NominalEngine


def misfits(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the misfits of a file on some lines, in no order; see `misfits` of the languages without overloads."""
    for value, wanted in _typed_values(engine, unit, lines):
        if _is_refused(engine, unit, value, wanted):
            yield Misfit(unit.code[value + 4], "has a value whose type does not fit any more")
    yield from _calls(engine, unit, lines)
    yield from _overrides(engine, unit, lines)
    yield from _incomplete(engine, unit)


def _typed_values(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[tuple[int, Type]]:
    """Yield the values that must have a type, each with the type."""
    code = unit.code
    for each in unit.typed_values(lines):
        engine.refuel()
        yield each.value, engine.annotation(unit, each.written)
    for node in range(0, len(code), 5):
        if code[node] == Op.ASSIGN and code[node + 3] < 0 and unit.is_on(lines, node, code[node + 2]):
            engine.refuel()
            yield code[node + 2], engine.type_of(unit, code[node + 1])


def _is_refused(engine: NominalEngine, unit: Unit, value: int, wanted: Type) -> bool:
    given = values.anonymous_type(engine, unit, value)
    return choice.may_pass(engine, unit, value, given, wanted) is False


def _calls(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the calls that no method takes: none has the name, or none has such parameters."""
    code = unit.code
    for call in unit.facts.calls:
        if code[call] not in (Op.CALL, Op.NEW) or code[call + 1] < 0:
            continue
        receiver = code[code[call + 1] + 1] if code[code[call + 1]] == Op.MEMBER else -1
        if not unit.is_on(lines, code[call + 1], receiver):
            continue
        engine.refuel()
        position = code[code[call + 1] + 4]
        if choice.is_refused(engine, unit, call):
            yield Misfit(position, "has arguments that nothing takes any more")
        elif code[call] == Op.CALL and code[code[call + 1]] == Op.MEMBER and _is_absent(engine, unit, code[call + 1]):
            yield Misfit(position, f"calls '{unit.strings[code[code[call + 1] + 2]]}', which the value does not have any more")


def _is_absent(engine: NominalEngine, unit: Unit, member: int) -> bool:
    """Return whether the class of the receiver is known, with all ancestors, and has no method with the name."""
    code = unit.code
    receiver = values.anonymous_type(engine, unit, code[member + 1])
    if not isinstance(receiver, Instance) or not class_order.linear_order(engine, receiver.cls).is_complete:
        return False
    name = unit.strings[code[member + 2]]
    core = engine.core_type("Object")
    if core is not None and members.methods(engine, core, name):
        return False
    return engine.program.generated is None and not members.methods(engine, receiver, name)


def _overrides(engine: NominalEngine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the methods whose results do not fit the methods that they override."""
    for place, shape in enumerate(unit.shapes):
        if not any(member.kind == MemberKind.METHOD and not member.static for member in shape.members):
            continue
        engine.refuel()
        kind = names.own_instance(engine, unit, place)
        above = members.seen_by(engine, kind)[1:]
        for member in shape.members:
            if member.kind != MemberKind.METHOD or member.static or member.optional or unit.line(member.position) not in lines:
                continue
            own = FunctionValue(unit, member.function, member.extra, kind, kind)
            for owner in above:
                if any(_differs(engine, own, owner, each.function, each.extra, kind) for each in _methods(owner, member.name)):
                    yield Misfit(member.position, f"declares '{member.name}' with another result than what it overrides")
                    break


def _methods(owner: Instance, name: str) -> list[Member]:
    """Return the methods of a class that other classes may override."""
    found = owner.cls.members_named(name)
    return [each for each in found if each.kind == MemberKind.METHOD and not each.static and not each.optional]


def _differs(engine: NominalEngine, own: FunctionValue, owner: Instance, function: int, declaration: int, kind: Instance) -> bool:
    """Return whether a method overrides another one, and its result certainly does not fit."""
    other = FunctionValue(owner.cls.unit, function, declaration, owner, kind)
    if not members.same_parameters(engine, own, other):
        return False
    mine = engine.returned(own.unit, own.function)
    theirs = choice.substituted(engine, other, engine.returned(other.unit, function))
    one, two = conversions.primitive_of(mine), conversions.primitive_of(theirs)
    if choice.is_nothing(mine) or choice.is_nothing(theirs):
        return choice.is_nothing(mine) != choice.is_nothing(theirs) and UNKNOWN not in (mine, theirs)
    if one or two:
        return one != two and UNKNOWN not in (mine, theirs)
    return conversions.fits(engine, mine, theirs, boxes=False) is False


def _incomplete(engine: NominalEngine, unit: Unit) -> Iterator[Misfit]:
    """Yield the classes that are not abstract and lack an abstract method of a type of the repository."""
    for place, shape in enumerate(unit.shapes):
        is_abstract = shape.symbol >= 0 and "abstract" in unit.facts.symbols[shape.symbol].modifiers
        if shape.kind != ShapeKind.CLASS or is_abstract or not (shape.extends or shape.implements):
            continue
        engine.refuel()
        kind = names.own_instance(engine, unit, place)
        if not class_order.linear_order(engine, kind.cls).is_complete:
            continue
        lacking = _lacking(engine, kind)
        if lacking:
            name = f"{shape.name}, which" if shape.name else "a class that"
            yield Misfit(shape.position, f"declares {name} does not implement '{lacking}'")


def _lacking(engine: NominalEngine, kind: Instance) -> str:
    """Return the name of an abstract method that a class lacks; "" if there is none."""
    for owner in members.seen_by(engine, kind)[1:]:
        for member in owner.cls.unit.shapes[owner.cls.shape].members if not owner.cls.module else ():
            if member.kind != MemberKind.METHOD or member.static or owner.cls.unit.functions[member.function].has_body:
                continue
            wanted = FunctionValue(owner.cls.unit, member.function, member.extra, owner, kind)
            found = members.methods(engine, kind, member.name)
            if not any(
                (each.unit.functions[each.function].has_body or each.unit.external)
                and members.same_parameters(engine, each, wanted)
                for each in found
            ):
                return member.name
    return ""
