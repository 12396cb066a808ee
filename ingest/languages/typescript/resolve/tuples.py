"""Tuples: built from parts, read at an index, matched and compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ....facts.operations import Op
from .model.free_parameters import is_open
from .model.type_model import NUMBER, UNDEFINED, UNRESOLVED, Env, Literal, Mapped, Spread, Tuple, Type, union

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

#: Infers type parameters from a pattern, the first type, and an actual type, the second type.
Infer = Callable[[Type, Type], None]


def read_tuple(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    """Return the type of `[A, B?, ...C]`."""
    parts: list[Type] = []
    optional = 0
    for item in unit.items(unit.code[node + 1]):
        op = unit.code[item]
        if op == Op.T_REST:
            parts.append(Spread(engine.declared_type(unit, unit.code[item + 1], env)))
        else:
            parts.append(engine.declared_type(unit, item, env))
            optional = optional + 1 if op == Op.T_OPTIONAL else 0
    return joined(engine, parts, optional)


def joined(engine: Engine, parts: Iterable[Type], optional: int = 0) -> Tuple:
    """Return the tuple of parts. The last `optional` parts may be missing.

    A spread tuple is replaced by its elements, and a spread type parameter is kept. Positions after the spread of an array are
    unknown, so all later parts become the rest type.
    """
    elements: list[Type] = []
    rest: list[Type] = []
    for part in parts:
        given = part.target if isinstance(part, Spread) else part
        if not isinstance(part, Spread):
            (rest if rest else elements).append(part)
        elif isinstance(given, Tuple):
            (rest if rest else elements).extend(given.elements)
            optional = given.optional if given.elements else optional
            rest += [] if given.rest is None else [given.rest]
        elif (is_open(given) or isinstance(given, Mapped)) and not rest:
            elements.append(part)
        else:
            rest.append(engine.element_type(given))
    return Tuple(elements, union(rest) if rest else None, min(optional, len(elements)))


def of_expressions(engine: Engine, unit: Unit, nodes: Iterable[int]) -> Tuple:
    """Return the tuple of the elements of an array literal, or of the arguments of a call."""
    code = unit.code
    return joined(
        engine,
        [
            Spread(engine.type_of(unit, code[node + 1])) if code[node] == Op.SPREAD else engine.type_of(unit, node)
            for node in nodes
        ],
    )


def has_spread(kind: Tuple) -> bool:
    """Return whether a tuple spreads a type that is not known yet."""
    return any(isinstance(part, Spread) for part in kind.elements)


def substituted(engine: Engine, kind: Tuple, put_in: Callable[[Type], Type]) -> Tuple:
    """Return a tuple with `put_in` applied to the types in it."""
    rest = put_in(kind.rest) if kind.rest is not None else None
    if not has_spread(kind):
        return Tuple([put_in(part) for part in kind.elements], rest, kind.optional)
    parts = [Spread(put_in(part.target)) if isinstance(part, Spread) else put_in(part) for part in kind.elements]
    made = joined(engine, parts, kind.optional)
    if rest is None:
        return made
    return Tuple(made.elements, rest if made.rest is None else union((made.rest, rest)), made.optional)


def element_at(kind: Tuple, index: int) -> Type:
    """Return the element at an index; undefined beyond the last element, unresolved after a spread."""
    for part in kind.elements[: index + 1]:
        if isinstance(part, Spread):
            return UNRESOLVED
    if index < len(kind.elements):
        return kind.elements[index]
    return kind.rest or UNDEFINED


def elements_from(kind: Tuple, index: int) -> Tuple:
    """Return a tuple without its first elements."""
    elements = kind.elements[index:]
    return Tuple(elements, kind.rest, min(kind.optional, len(elements)))


def length_of(kind: Tuple) -> Type:
    """Return the type of `length`: a number, a union of numbers for a tuple with optional elements, else `number`."""
    if kind.rest is not None or has_spread(kind):
        return NUMBER
    count = len(kind.elements)
    return union(Literal(NUMBER, str(length)) for length in range(count - kind.optional, count + 1))


def match(pattern: Tuple, actual: Tuple, infer: Infer) -> None:
    """Infer the type parameters of a pattern from a tuple.

    A spread in the pattern matches the elements that remain between the other parts.
    """
    place = next((at for at, part in enumerate(pattern.elements) if isinstance(part, Spread)), len(pattern.elements))
    for part, element in zip(pattern.elements[:place], actual.elements, strict=False):
        infer(part, element)
    if place == len(pattern.elements):
        extra = actual.elements[place:]
        if pattern.rest is not None and (extra or actual.rest is not None):
            infer(pattern.rest, union([*extra, *(() if actual.rest is None else (actual.rest,))]))
        return
    after = pattern.elements[place + 1 :]
    spread = pattern.elements[place]
    assert isinstance(spread, Spread)
    end = len(actual.elements) - len(after)
    if end < place or (after and actual.rest is not None) or any(isinstance(part, Spread) for part in after):
        return
    between = actual.elements[place:end]
    infer(spread.target, Tuple(between, actual.rest, min(max(actual.optional - len(after), 0), len(between))))
    for part, element in zip(after, actual.elements[end:], strict=True):
        infer(part, element)


def match_array(engine: Engine, pattern: Tuple, actual: Type, infer: Infer) -> None:
    """Infer the type parameters of a tuple from an array."""
    element = engine.element_type(actual)
    for part in pattern.elements:
        if isinstance(part, Spread):
            infer(part.target, actual)
        else:
            infer(part, element)
    if pattern.rest is not None:
        infer(pattern.rest, element)


def fits(source: Tuple, target: Tuple, compare: Callable[[Type, Type], bool | None]) -> bool | None:
    """Return whether one tuple fits another by its length and elements; None if it is not known."""
    least = sum(not isinstance(part, Spread) for part in target.elements) - target.optional
    if not has_spread(source) and len(source.elements) - source.optional < least:
        return False
    if has_spread(source) or has_spread(target):
        return None
    most = math.inf if target.rest is not None else len(target.elements)
    if (math.inf if source.rest is not None else len(source.elements)) > most:
        return False
    answer: bool | None = True
    for place, element in enumerate(source.elements):
        fit = compare(element, element_at(target, place))
        if fit is False:
            return False
        answer = answer and fit
    if source.rest is not None and target.rest is not None:
        fit = compare(source.rest, target.rest)
        answer = False if fit is False else answer and fit
    return answer
