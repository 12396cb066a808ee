"""Learns the values of type variables from the arguments of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from . import call_results, class_order, member_lookup
from .items import iteration
from .program import last_name
from .types import (
    UNKNOWN,
    Callback,
    ClassInfo,
    ClassOf,
    ClassValue,
    FunctionValue,
    Instance,
    Type,
    Union,
    Variable,
    bounded,
    parts,
    substitute,
    union,
)

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Maximum depth at which inference reads protocols whose members are protocols.
_MAX_PROTOCOLS: Final = 2


def is_protocol(engine: NominalEngine, info: ClassInfo) -> bool:
    """Return whether a class is a protocol."""
    unit = info.unit
    bases = unit.shapes[info.shape].extends
    return any(last_name(unit, class_order.base_name(unit, node)) == "Protocol" for node in bases)


def infer(
    engine: NominalEngine, value: FunctionValue, positional: list[Type], named: dict[str, Type], mapping: dict[Type, Type]
) -> None:
    """Learn type variables from the arguments of a call."""
    unit, function = value.unit, value.unit.functions[value.function]
    written = [each for each in function.parameters if each.name not in ("*", "/")]
    if value.receiver is not None and written:
        written = written[1:]
    place = 0
    for each in written:
        plain = each.name.lstrip("*")
        if each.name.startswith("**"):
            names = {other.name for other in written}
            rest = union([kind for name, kind in named.items() if name not in names])
            if each.type >= 0:
                match_types(engine, engine.annotation(unit, each.type), rest, mapping)
            continue
        if each.name.startswith("*"):
            if each.type >= 0 and place < len(positional):
                match_types(engine, engine.annotation(unit, each.type), union(positional[place:]), mapping)
            place = len(positional)
            continue
        given = named.get(plain)
        if given is None and place < len(positional):
            given = positional[place]
            place += 1
        if given is not None and each.type >= 0:
            match_types(engine, engine.annotation(unit, each.type), given, mapping)
    if engine.program.rules.is_static:
        _infer_from_constraints(engine, value, mapping)


def _infer_from_constraints(engine: NominalEngine, value: FunctionValue, mapping: dict[Type, Type]) -> None:
    """Learn type variables from the constraints of others: for `[M ~map[K]V, K comparable, V any]`, K and V follow from M."""
    for index in value.unit.functions[value.function].type_parameters:
        variable = engine.declared(value.unit, index)
        given = mapping.get(variable, UNKNOWN)
        if isinstance(variable, Variable) and given is not UNKNOWN and mentions_variable(variable.bound):
            found: dict[Type, Type] = {}
            match_types(engine, variable.bound, given, found)
            for each, kind in found.items():
                mapping.setdefault(each, kind)


def match_types(engine: NominalEngine, wanted: Type, given: Type, mapping: dict[Type, Type], depth: int = 0) -> None:
    """Learn the values of type variables in an expected type from a given type. `depth` counts nested protocols."""
    if given is UNKNOWN:
        return
    if isinstance(wanted, Variable):
        if wanted not in mapping or mapping[wanted] is UNKNOWN:
            mapping[wanted] = given
        elif mapping[wanted] != given:
            mapping[wanted] = union([mapping[wanted], given])
        return
    if isinstance(wanted, Union):
        variables = [each for each in wanted.members if isinstance(each, Variable)]
        others = [each for each in wanted.members if not isinstance(each, Variable)]
        rest = [each for each in parts(given) if not any(_matches(engine, other, each) for other in others)]
        for each in others:
            match_types(engine, each, given, mapping, depth)
        for each in variables[:1]:
            if rest:
                match_types(engine, each, union(rest), mapping, depth)
        return
    for each in parts(bounded(given)):
        if isinstance(wanted, Instance) and isinstance(each, (Instance, ClassValue)):
            seen = class_order.as_class(engine, each, wanted.cls) if isinstance(each, Instance) else None
            if isinstance(each, ClassValue) and wanted.arguments and iteration.is_enum(engine, each.instance.cls):
                match_types(engine, wanted.arguments[0], each.instance, mapping, depth)
                continue
            if seen is None and depth < _MAX_PROTOCOLS and mentions_variable(wanted) and is_protocol(engine, wanted.cls):
                _match_protocol(engine, wanted, each, mapping, depth + 1)
            if seen is not None:
                if wanted.items is not None and seen.items is not None and len(wanted.items) == len(seen.items):
                    for w, g in zip(wanted.items, seen.items, strict=True):
                        match_types(engine, w, g, mapping, depth)
                for w, g in zip(wanted.arguments, seen.arguments, strict=False):
                    match_types(engine, w, g, mapping, depth)
        elif isinstance(wanted, ClassValue) and isinstance(each, ClassValue):
            match_types(engine, wanted.instance, each.instance, mapping, depth)
        elif isinstance(wanted, ClassOf) and isinstance(each, ClassValue):
            match_types(engine, wanted.variable, each.instance, mapping, depth)
        elif isinstance(wanted, Callback):
            match_types(engine, wanted.result, call_results.call_result(engine, each, [], {}), mapping, depth)


def _match_protocol(engine: NominalEngine, wanted: Instance, given: Type, mapping: dict[Type, Type], depth: int) -> None:
    """Learn type variables from the members of a value that is passed where a protocol is expected.

    A method of the value whose receiver has the protocol as its written type asks the same again, and teaches nothing.
    """
    outer, pair = engine.open_protocols, (wanted.cls, given)
    if pair in outer:
        return
    engine.open_protocols = (*outer, pair)
    try:
        _match_members(engine, wanted, given, mapping, depth)
    finally:
        engine.open_protocols = outer


def _match_members(engine: NominalEngine, wanted: Instance, given: Type, mapping: dict[Type, Type], depth: int) -> None:
    unit = wanted.cls.unit
    arguments = call_results.arguments_of(engine, wanted)
    for member in unit.shapes[wanted.cls.shape].members:
        if member.function >= 0:
            result = substitute(engine.returned(unit, member.function), arguments)
            if mentions_variable(result):
                match_types(
                    engine,
                    result,
                    call_results.call_result(engine, member_lookup.member_type(engine, given, member.name), [], {}),
                    mapping,
                    depth,
                )
        elif member.type >= 0:
            match_types(
                engine,
                substitute(engine.annotation(unit, member.type), arguments),
                member_lookup.member_type(engine, given, member.name),
                mapping,
                depth,
            )


def may_follow(engine: NominalEngine, given: Type, protocol: ClassInfo) -> bool:
    """Return whether a value may have all members of a protocol; True if an ancestor of its class is unknown."""
    instance = given.instance if isinstance(given, ClassValue) else given
    if not isinstance(instance, Instance) or not class_order.linear_order(engine, instance.cls).is_complete:
        return True
    members = protocol.unit.shapes[protocol.shape].members
    return all(member_lookup.find_members(engine, given, member.name) for member in members)


def _matches(engine: NominalEngine, wanted: Type, given: Type) -> bool:
    """Return whether a given type matches a part of an expected union.

    For example, `T | None` has the part `None`. Type variables are inferred from the given types that match no part.
    """
    if isinstance(wanted, Instance) and isinstance(given, Instance):
        return class_order.as_class(engine, given, wanted.cls) is not None
    return wanted == given


def made_class(bases: Type) -> Type:
    """Return an approximation of the class that a metaclass creates from bases: the first base."""
    if not isinstance(bases, Instance) or bases.items is None:
        return UNKNOWN
    known = [each for each in bases.items if isinstance(each, ClassValue)]
    return known[0] if known else UNKNOWN


def mentions_variable(kind: Type) -> bool:
    """Return whether a type is or contains a type variable."""
    if isinstance(kind, (Variable, ClassOf)):
        return True
    if isinstance(kind, Instance):
        return any(mentions_variable(each) for each in (*kind.arguments, *(kind.items or ())))
    if isinstance(kind, ClassValue):
        return mentions_variable(kind.instance)
    if isinstance(kind, Union):
        return any(mentions_variable(each) for each in kind.members)
    return isinstance(kind, Callback) and any(mentions_variable(each) for each in (kind.result, *kind.parameters))
