"""Find the values that certainly do not fit the types to which Go converts them: functions and anonymous interfaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..facts.model import MemberKind, ShapeKind
from ..languages.conversions import Conversion
from ..languages.typescript.resolve.model.unit import Unit
from ..nominal import class_order
from ..nominal.engine import NominalEngine
from ..nominal.types import UNKNOWN, Callback, FunctionValue, Instance, Type
from .converted_types import ConvertedTypes

#: Maximum number of defined types, each of which is the underlying type of the previous type.
_MAX_UNDERLYING: Final = 8


def refused_values(
    engine: NominalEngine, unit: Unit, found: Iterable[Conversion], lines: frozenset[int]
) -> Iterator[tuple[int, str]]:
    """Yield the lines, among some lines, with a value that does not fit the type to which it is converted, and the reason."""
    types = ConvertedTypes(engine, unit)
    for each in found:
        if each.line not in lines:
            continue
        engine.refuel()
        given, wanted = types.value_type(each.value), types.target_type(each)
        if isinstance(given, FunctionValue):
            called = _called(engine, wanted)
            if called is not None and _is_another_function(engine, given, called):
                yield each.line, "has a function whose parameters or results do not fit any more"
        elif isinstance(given, Instance) and isinstance(wanted, Instance):
            lacking = _lacking(engine, given, wanted)
            if lacking:
                yield each.line, f"uses {given.cls.name} as an interface, whose method '{lacking}' it does not have any more"


def may_be_function(engine: NominalEngine, kind: Type) -> bool:
    """Return whether the values of a type may be functions. True for unknown types and for interfaces without methods."""
    for _ in range(_MAX_UNDERLYING):
        if not isinstance(kind, Instance):
            return True
        shape = kind.cls.unit.shapes[kind.cls.shape]
        if len(shape.implements) != 1:
            linear = class_order.linear_order(engine, kind.cls)
            has_members = any(each.cls.unit.shapes[each.cls.shape].members for each in linear.order)
            return shape.kind == ShapeKind.INTERFACE and not has_members
        kind = engine.annotation(kind.cls.unit, shape.implements[0])
    return True


def _called(engine: NominalEngine, wanted: Type) -> Callback | None:
    """Return the signature of a function type, which may have a name; None for another type."""
    if isinstance(wanted, Instance) and not wanted.arguments:
        unit, shape = wanted.cls.unit, wanted.cls.unit.shapes[wanted.cls.shape]
        wanted = engine.annotation(unit, shape.implements[0]) if len(shape.implements) == 1 else UNKNOWN
    return wanted if isinstance(wanted, Callback) and wanted.function is None else None


def _is_another_function(engine: NominalEngine, given: FunctionValue, wanted: Callback) -> bool:
    """Return whether a function certainly has other parameters or other results than a function type."""
    if given.unit.external or given.unit.functions[given.function].type_parameters:
        return False
    parameters = given.unit.functions[given.function].parameters[given.receiver is not None :]
    if len(parameters) != len(wanted.parameters):
        return True
    own = (engine.annotation(given.unit, each.type) for each in parameters)
    if any(_differ(one, other) for one, other in zip(own, wanted.parameters, strict=True)):
        return True
    results, expected = _listed(engine.returned(given.unit, given.function)), _listed(wanted.result)
    has_results = given.unit.functions[given.function].return_type >= 0
    if not has_results or UNKNOWN in (*results, *expected):
        return not has_results and bool(expected) and UNKNOWN not in expected
    return len(results) != len(expected) or any(_differ(one, other) for one, other in zip(results, expected, strict=True))


def _listed(result: Type) -> Sequence[Type]:
    """Return the types of the results of a function."""
    return result.items if isinstance(result, Instance) and result.items is not None else (result,)


def _differ(one: Type, other: Type) -> bool:
    """Return whether two types are certainly not identical: https://go.dev/ref/spec#Type_identity."""
    return isinstance(one, Instance) and isinstance(other, Instance) and one.cls is not other.cls and _is_named(one, other)


def _is_named(*types: Instance) -> bool:
    return all(each.cls.name for each in types)


def _lacking(engine: NominalEngine, given: Instance, wanted: Instance) -> str:
    """Return the name of a method of an anonymous interface that a value certainly lacks; "" if there is none."""
    shape = wanted.cls.unit.shapes[wanted.cls.shape]
    if shape.kind != ShapeKind.INTERFACE or wanted.cls.name or given.cls.module or given.cls is wanted.cls:
        return ""
    linear = class_order.linear_order(engine, given.cls)
    if not linear.is_complete:
        return ""
    for member in shape.members:
        if member.kind != MemberKind.METHOD:
            continue
        own = [each for owner in linear.order for each in owner.cls.members_named(member.name)]
        if not own:
            return member.name
        first = own[0]
        owner = next(each for each in linear.order if each.cls.members_named(member.name))
        counts = [
            len(unit.functions[each.function].parameters)
            for unit, each in ((owner.cls.unit, first), (wanted.cls.unit, member))
            if each.function >= 0
        ]
        if len(set(counts)) > 1:
            return member.name
    return ""
