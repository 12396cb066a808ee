"""Choose the method that a reference such as `Cart::total` means, by the function that is expected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...languages.typescript.resolve.model.unit import Unit
from ..types import UNKNOWN, ClassValue, FunctionValue, Instance, Outside, Type
from . import choice, conversions, members

if TYPE_CHECKING:
    from ..engine import NominalEngine


def referred(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the method that `Type::method` means, by its expected type."""
    code = unit.code
    owner, name = engine.type_of(unit, code[node + 1]), unit.strings[code[node + 2]]
    if name == "<init>":
        kind = engine.annotation(unit, code[node + 1])
        if not isinstance(kind, Instance):
            return kind if isinstance(kind, Outside) else UNKNOWN
        found = members.constructors(engine, kind.cls, kind)
        if not found:
            return ClassValue(kind)
        return found[0] if len(found) == 1 else _by_parameters(engine, unit, node, found, is_type=False)
    found, outside = choice.of_receiver(engine, owner, name)
    if not found:
        return Outside(outside) if outside else UNKNOWN
    is_type = isinstance(owner, ClassValue)
    return found[0] if len(found) == 1 else _by_parameters(engine, unit, node, found, is_type=is_type)


def _by_parameters(engine: NominalEngine, unit: Unit, node: int, found: list[FunctionValue], *, is_type: bool) -> Type:
    wanted = engine.expected(unit, node)
    method = members.function_of(engine, wanted)
    if method is None:
        return UNKNOWN
    given = members.parameter_types(engine, method)
    fitting: list[FunctionValue] = []
    phase = 0
    for phase in range(3):
        for each in found:
            member = members.member_of(each)
            is_static = member is not None and member.static
            is_unbound = is_type and not is_static and each.unit.decls[each.declaration].name != "<init>"
            if is_unbound and not _may_receive(engine, each, given):
                continue
            passed = given[1:] if is_unbound else given
            wants = choice.wanted_types(engine, each, len(passed), phase == 2)
            if len(wants) != len(passed) or (phase == 2 and not choice.takes_count(each, len(passed))):
                continue
            answers = [conversions.fits(engine, one, two, boxes=phase > 0) for one, two in zip(passed, wants, strict=True)]
            if False not in answers:
                fitting.append(each)
        if fitting:
            break
    if len(fitting) == 1:
        return fitting[0]
    kept = [each for each in fitting if all(each is other or _wants_less(engine, each, other, phase) for other in fitting)]
    return kept[0] if len(kept) == 1 and UNKNOWN not in given else UNKNOWN


def _may_receive(engine: NominalEngine, method: FunctionValue, given: list[Type]) -> bool:
    """Return whether the first argument may be the receiver of a method."""
    if not given:
        return False
    return method.receiver is None or conversions.fits(engine, given[0], method.receiver, boxes=False) is not False


def _wants_less(engine: NominalEngine, one: FunctionValue, other: FunctionValue, phase: int) -> bool:
    """Return whether the second method accepts all arguments that the first method accepts in a phase."""
    count = len(one.unit.functions[one.function].parameters)
    pairs = zip(
        choice.wanted_types(engine, one, count, phase == 2), choice.wanted_types(engine, other, count, phase == 2), strict=False
    )
    return all(a == b or conversions.fits(engine, a, b, boxes=False) for a, b in pairs)
