"""Values and types that do not fit where they are used, as far as the facts show this."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ....facts.model import DeclKind, MemberKind, ShapeKind
from ....facts.operations import Op, Use
from ...misfits import Misfit
from . import contexts
from .base_types import shapes_of
from .model.binder import Declared, Entity
from .model.properties import Signature
from .model.type_model import VOID, Instance, Literal, Type, Union, non_nullish, parts_of
from .relations import assignable
from .utility_types import awaited

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

_CALLS: Final = (Op.CALL, Op.NEW)
_TYPE_NAMES: Final = (Op.T_NAME, Op.T_QUALIFIED)
#: The modifier of classes that cannot be constructed, and of members without a body or value.
_ABSTRACT: Final = "abstract"
_DECLARED: Final = (ShapeKind.CLASS, ShapeKind.INTERFACE)
_OVERRIDING: Final = (MemberKind.PROPERTY, MemberKind.METHOD, MemberKind.GETTER)


def misfits(engine: Engine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the misfits of a file, in no order: values, overriding and missing members, texts that are compared with a union of
    texts, and type arguments.

    A value or type counts if it, the called function or the written type is on one of the given lines.
    """
    for node, position, expected in _expectations(engine, unit, lines):
        yield from _of_value(engine, unit, node, position, expected)
    yield from _overrides(engine, unit, lines)
    yield from _incomplete(engine, unit)
    yield from _comparisons(engine, unit)
    yield from _type_arguments(engine, unit, lines)


# ---------------------------------------------------------------------- values


def _expectations(engine: Engine, unit: Unit, lines: frozenset[int]) -> Iterator[tuple[int, int, Type]]:
    """Yield the values whose context states a type: the node, the position at which a compiler reports it, and the type."""
    code = unit.code
    for each in unit.typed_values(lines):
        if code[each.written] >= Op.T_NAME:
            engine.refuel()
            declared = engine.declared_type(unit, each.written)
            yield each.value, each.position, awaited(engine, declared) if each.is_async else declared
    for call in unit.facts.calls:
        if code[call] not in _CALLS:
            continue
        for place, argument in enumerate(unit.items(code[call + 2]).tolist()):
            if code[argument] == Op.SPREAD:
                break
            if not unit.reaches(lines, code[call + 1], argument):
                continue
            engine.refuel()
            yield argument, code[argument + 4], contexts.given_parameter(engine, unit, call, place)
    for node in range(0, len(code), 5):
        if code[node] == Op.ASSIGN and code[node + 3] < 0 and unit.is_on(lines, node, code[node + 2]):
            engine.refuel()
            yield code[node + 2], code[node + 4], engine.type_of(unit, unit.unnarrowed(code[node + 1]))
        elif code[node] == Op.JSX and unit.is_on(lines, node, code[node + 1]):
            engine.refuel()
            yield node, code[node + 4], contexts.props(engine, unit, node)


def _of_value(engine: Engine, unit: Unit, node: int, position: int, expected: Type) -> Iterator[Misfit]:
    """Yield the misfits in a value; for an object literal, the misfits of its members."""
    code = unit.code
    pending: list[tuple[int, int, Type]] = [(node, position, expected)]
    while pending:
        value, at, wanted = pending.pop()
        if value < 0 or wanted.opaque or code[value] == Op.AS:
            continue
        if code[value] == Op.CONDITIONAL:
            pending += [(each, code[each + 4], wanted) for each in (code[value + 2], code[value + 3])]
        elif code[value] == Op.OBJECT:
            chosen = contexts.chosen_parts(engine, unit, value, wanted)
            yield from _missing(engine, unit, value, at, chosen)
            for member in unit.shapes[code[value + 1]].members:
                if member.value >= 0 and member.name and member.function < 0:
                    engine.refuel()
                    pending.append((member.value, member.position, engine.property_type(chosen, member.name)))
        elif code[value] == Op.ARRAY:
            element = engine.element_type(wanted)
            pending += [(each, code[each + 4], element) for each in unit.items(code[value + 1]) if code[each] != Op.SPREAD]
        elif code[value] == Op.JSX:
            if value == node:
                yield from _missing_attributes(engine, unit, value, at, wanted)
        elif code[value] == Op.FUNCTION:
            # The expected type gives a function its types, so only the numbers of parameters are compared.
            engine.refuel()
            own, others = _signatures(engine, engine.type_of(unit, value), wanted)
            if any(all(_demands_more(engine, one, other) for one in own) for other in others if own):
                yield Misfit(at, "has a function with more parameters than it is given")
        else:
            engine.refuel()
            if _is_refused(engine, engine.type_of(unit, value), wanted):
                yield Misfit(at, "has a value whose type does not fit any more")


def _missing(engine: Engine, unit: Unit, node: int, position: int, expected: Type) -> Iterator[Misfit]:
    """Yield the literal of an object if it lacks a member that each part of the expected type demands."""
    code = unit.code
    if unit.items(code[node + 2]):
        return  # a spread may give every member
    own = {member.name for member in unit.shapes[code[node + 1]].members}
    lacking = _lacking(engine, own, expected)
    if lacking:
        yield Misfit(position, f"has an object without '{lacking[0]}'")


def _missing_attributes(engine: Engine, unit: Unit, node: int, position: int, expected: Type) -> Iterator[Misfit]:
    code = unit.code
    own = {"children"}
    for attribute in unit.items(code[node + 2]):
        if code[attribute] != Op.PROP:
            return
        own.add(unit.strings[code[attribute + 2]])
    lacking = _lacking(engine, own, expected)
    if lacking:
        yield Misfit(position, f"has an element without '{lacking[0]}'")


def _lacking(engine: Engine, own: set[str], expected: Type) -> list[str]:
    """Return the members that the parts of a type demand, if no part is satisfied; else none."""
    found: list[str] = []
    for part in parts_of(expected):
        if part.nullish:
            continue
        required = engine.required_members(part)
        missing = [name for name in required if name not in own] if required is not None else []
        if not missing:
            return []
        found += missing
    return found


def _comparisons(engine: Engine, unit: Unit) -> Iterator[Misfit]:
    """Yield the texts that are compared with a value that never has them."""
    code = unit.code
    for node in range(0, len(code), 5):
        if code[node] == Op.EQUALITY:
            pairs = [(code[node + 1], code[node + 2]), (code[node + 2], code[node + 1])]
        elif code[node] == Op.CASE:
            pairs = [(each, code[node + 1]) for each in unit.items(code[node + 2]).tolist()]
        else:
            continue
        for text, value in pairs:
            if text < 0 or value < 0 or code[text] != Op.STRING or code[value] == Op.STRING:
                continue
            engine.refuel()
            kind = engine.type_of(unit, value)
            is_text = isinstance(kind, Literal | Union) and all(isinstance(each, Literal) for each in parts_of(kind))
            if is_text and engine.type_of(unit, text) not in parts_of(kind):
                yield Misfit(code[text + 4], f"compares with '{unit.strings[code[text + 2]]}', which it cannot be any more")


# ---------------------------------------------------------------------- members and functions


def _overrides(engine: Engine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the members of classes, and the interfaces, that do not fit a type that they extend or implement."""
    for place, shape in enumerate(unit.shapes):
        if shape.kind not in _DECLARED or not (shape.extends or shape.implements):
            continue
        is_named = unit.line(shape.position) in lines
        for member in shape.members:
            if member.static or member.kind not in _OVERRIDING or not (is_named or unit.line(member.position) in lines):
                continue
            engine.refuel()
            own = engine.property_type(engine.shape_instance(unit, place), member.name)
            bases = [*engine.bases(unit, place), *(engine.declared_type(unit, node) for node in shape.implements)]
            if any(_is_refused(engine, own, engine.property_type(base, member.name)) for base in bases):
                position = member.position if shape.kind == ShapeKind.CLASS else shape.position
                yield Misfit(position, f"declares '{member.name}' with another type than what it overrides")


def _incomplete(engine: Engine, unit: Unit) -> Iterator[Misfit]:
    """Yield the classes that lack a member of a type that they implement, or an abstract member of a class that they extend."""
    for place, shape in enumerate(unit.shapes):
        if shape.kind != ShapeKind.CLASS or not (shape.extends or shape.implements):
            continue
        engine.refuel()
        kind = engine.shape_instance(unit, place)
        if isinstance(kind, Instance) and engine.has_other_bases(kind):
            continue
        lacking = next(_lacking_members(engine, unit, place, kind), "")
        if lacking:
            name = f"{shape.name}, which" if shape.name else "a class that"
            yield Misfit(shape.position, f"declares {name} does not implement '{lacking}'")


def _lacking_members(engine: Engine, unit: Unit, place: int, kind: Type) -> Iterator[str]:
    """Yield the names of the members that a class lacks. `place` is its shape, and `kind` the type of its objects."""
    shape = unit.shapes[place]
    for node in shape.implements:
        demanded = engine.required_members(engine.declared_type(unit, node)) or {}
        yield from (name for name in demanded if not engine.properties(kind, name))
    if shape.symbol >= 0 and _ABSTRACT in unit.facts.symbols[shape.symbol].modifiers:
        return
    for owner, index, _ in shapes_of(engine, kind):
        symbols = owner.facts.symbols
        for member in owner.shapes[index].members:
            if member.symbol >= 0 and _ABSTRACT in symbols[member.symbol].modifiers:
                found = engine.properties(kind, member.name)
                if found and found[0].unit is owner and found[0].symbol == member.symbol:
                    yield member.name


def _is_refused(engine: Engine, given: Type, wanted: Type) -> bool:
    """Return whether a value, such as a member, certainly does not fit a type.

    Functions are compared by their parameters and results.
    """
    own, others = _signatures(engine, given, wanted)
    if not own or not others:
        return assignable(engine, given, wanted) is False
    return any(all(_refuses(engine, one, other) or _returns_another(engine, one, other) for one in own) for other in others)


def _signatures(engine: Engine, given: Type, wanted: Type) -> tuple[Sequence[Signature], Sequence[Signature]]:
    return engine.signatures(given, False), engine.signatures(non_nullish(wanted), False)


def _returns_another(engine: Engine, own: Signature, other: Signature) -> bool:
    """Return whether the result of a function is certainly not that of another one. Where none is expected, any result fits."""
    result = engine.signature_result(other)
    return result is not VOID and assignable(engine, engine.signature_result(own), result) is False


def _demands_more(engine: Engine, own: Signature, other: Signature) -> bool:
    """Return whether a function demands more arguments than another one takes."""
    is_known = own.function >= 0 and other.function >= 0
    return is_known and engine.arity(own.unit, own.function)[0] > engine.arity(other.unit, other.function)[1]


def _refuses(engine: Engine, own: Signature, other: Signature) -> bool:
    """Return whether a function refuses arguments that another one takes.

    It may have fewer parameters. As for methods in TypeScript, a parameter may be wider or narrower.
    """
    if own.function < 0 or other.function < 0:
        return False
    if _demands_more(engine, own, other):
        return True
    count = min(len(each.unit.functions[each.function].parameters) for each in (own, other))
    for place in range(count):
        one, two = (engine.parameter_type(each.unit, each.function, place, each.env) for each in (own, other))
        if assignable(engine, one, two) is False and assignable(engine, two, one) is False:
            return True
    return False


# ---------------------------------------------------------------------- type arguments


def _type_arguments(engine: Engine, unit: Unit, lines: frozenset[int]) -> Iterator[Misfit]:
    """Yield the names of types that have more or fewer type arguments than the type takes."""
    code = unit.code
    inner: set[int] = set()
    for node in range(0, len(code), 5):
        if code[node] in (Op.T_REFERENCE, Op.T_QUALIFIED, Op.T_QUERY):
            inner.add(code[node + 1])
    for node in range(0, len(code), 5):
        if code[node] == Op.T_REFERENCE:
            name, count = code[node + 1], len(unit.items(code[node + 2]))
        elif code[node] in _TYPE_NAMES and node not in inner and code[node + 3] != Use.DOC:
            name, count = node, 0
        else:
            continue
        if not unit.is_on(lines, name, name):
            continue
        engine.refuel()
        taken = _taken(engine, engine.binder.named(unit, name))
        if taken is not None and not taken[0] <= count <= taken[1]:
            number = f"{taken[0]}" if taken[0] == taken[1] else f"{taken[0]} to {taken[1]}"
            yield Misfit(code[name + 4], f"has {count} type arguments where {number} are needed")


def _taken(engine: Engine, entity: Entity | None) -> tuple[int, int] | None:
    """Return the smallest and the largest number of type arguments that a type takes; None if that is not known."""
    if not isinstance(entity, Declared):
        return None
    for unit, index in engine.binder.declarations(entity):
        decl = unit.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
            parameters = list(unit.shapes[decl.a].type_parameters)
        elif decl.kind == DeclKind.ALIAS:
            parameters = unit.items(decl.b).tolist()
        else:
            continue
        return sum(unit.decls[each].b < 0 for each in parameters), len(parameters)
    return None
