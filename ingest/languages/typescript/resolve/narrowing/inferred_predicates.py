"""Find the type predicates of functions.

A function may declare a type predicate. In a function without a declared result type, the only returned condition may be a
predicate (TypeScript 5.5, "inferred type predicates"): `x => x !== null` is a guard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from .....facts.operations import Logic, Op
from ..model.type_model import (
    NEVER,
    UNRESOLVED,
    ClassExpression,
    ConstructorType,
    FunctionType,
    Instance,
    ObjectLiteral,
    ObjectShape,
    Overloads,
    ShapeInstance,
    Static,
    Tuple,
    Type,
    Union,
    parts_of,
    union,
)
from .conditions import narrowed_by

if TYPE_CHECKING:
    from .....facts.model import Function
    from ..engine import Engine
    from ..model.properties import Signature
    from ..model.unit import Unit

_NARROWING_OPS = frozenset((Op.EQUALITY, Op.INSTANCEOF, Op.IN, Op.CALL))
_STRUCTURES = (
    ClassExpression,
    ConstructorType,
    FunctionType,
    ObjectLiteral,
    ObjectShape,
    Overloads,
    ShapeInstance,
    Static,
    Tuple,
)
#: Conditions that keep or drop each part of a union.
_FILTERS = frozenset((Op.EQUALITY, Op.IN))
_WRAPPED = frozenset((Op.NARROW, Op.NON_NULL, Op.AS, Op.TYPEOF))


class Guard(NamedTuple):
    """The position of a parameter, and the type of the arguments for which the function returns true."""

    position: int
    kind: Type


def predicate_position(unit: Unit, function: int) -> int:
    """Return the position of the parameter to which a declared type predicate applies.

    Return -1 for functions without a predicate, for assertions, and for `this is`.
    """
    fact = unit.functions[function]
    node = fact.return_type
    if node < 0 or unit.code[node] != Op.T_PREDICATE or unit.code[node + 1] < 0 or unit.code[node + 3] == 1:
        return -1
    name = unit.strings[unit.code[node + 2]]
    return next((position for position, entry in enumerate(fact.parameters) if entry.name == name), -1)


def guard_of(engine: Engine, signature: Signature) -> Guard | None:
    """Return the predicate of a signature for an argument, or None."""
    unit, function = signature.unit, signature.function
    if function < 0:
        return None
    position = predicate_position(unit, function)
    if position >= 0:
        return Guard(position, engine.declared_type(unit, unit.code[unit.functions[function].return_type + 1], signature.env))
    return inferred_guard(engine, unit, function, lambda place: engine.parameter_type(unit, function, place, signature.env))


def inferred_guard(engine: Engine, unit: Unit, function: int, parameter_type: Callable[[int], Type]) -> Guard | None:
    """Return the predicate in the only condition that a function returns, for a parameter, or None.

    `parameter_type` returns the type of the parameter at a position.
    """
    fact = unit.functions[function]
    condition = _condition(unit, fact)
    if condition < 0:
        return None
    for position, entry in enumerate(fact.parameters):
        binding = unit.binding_of(entry.decl) if entry.decl >= 0 and not entry.rest else None
        if binding is None or unit.bindings[binding].assigned:
            continue
        reference = _find_mention(unit, condition, binding)
        kind = parameter_type(position) if reference >= 0 else UNRESOLVED
        if kind is UNRESOLVED:
            continue
        parameter_test = _ParameterTest(engine, unit, reference, kind)
        passed = parameter_test.remaining(kind, condition, True)
        if passed not in (kind, NEVER) and parameter_test.remaining(passed, condition, False) is NEVER:
            return Guard(position, passed)
    return None


def guards_as(engine: Engine, unit: Unit, wanted: Type, argument: int) -> bool:
    """Return False if a type guard is wanted and an argument is a function without a type predicate."""
    if not isinstance(wanted, FunctionType):
        return True
    position = predicate_position(wanted.unit, wanted.index)
    if position < 0:
        return True
    if unit.code[argument] == Op.FUNCTION:
        function = unit.code[argument + 1]
        if unit.functions[function].return_type >= 0:
            return predicate_position(unit, function) == position
        guard = inferred_guard(
            engine, unit, function, lambda place: _literal_parameter_type(engine, unit, function, place, wanted)
        )
        return guard is not None and guard.position == position
    signatures = engine.signatures(engine.type_of(unit, argument), False)
    return not signatures or any(
        (found := guard_of(engine, each)) is not None and found.position == position for each in signatures
    )


def _literal_parameter_type(engine: Engine, unit: Unit, function: int, place: int, wanted: FunctionType) -> Type:
    """Return the type of a function literal's parameter: its annotation, or the wanted function's parameter type.

    The contextual type is not used, since it may depend on the overload that is being chosen by this guard.
    """
    entry = unit.functions[function].parameters[place]
    if entry.type >= 0:
        return engine.parameter_type(unit, function, place, {})
    offered = wanted.unit.functions[wanted.index].parameters
    return engine.parameter_type(wanted.unit, wanted.index, place, wanted.env) if place < len(offered) else UNRESOLVED


def _condition(unit: Unit, fact: Function) -> int:
    """Return the only expression that a function without an annotated result returns, if it can narrow; else -1."""
    if fact.return_type >= 0 or not fact.has_body or fact.is_async or fact.is_generator or len(fact.returns) != 1:
        return -1
    node = fact.returns[0]
    return node if not (fact.falls_through and not fact.is_arrow) and _is_narrowing(unit, node) else -1


def _is_narrowing(unit: Unit, node: int) -> bool:
    """Return whether each part of a condition narrows. A condition with any other part proves nothing."""
    code = unit.code
    while code[node] == Op.NARROW:
        node = code[node + 1]
    if code[node] == Op.NOT:
        inner = code[node + 1]
        return code[unit.unnarrowed(inner)] == Op.NAME or _is_narrowing(unit, inner)
    if code[node] == Op.LOGICAL:
        return (
            code[node + 3] in (Logic.AND, Logic.OR)
            and _is_narrowing(unit, code[node + 1])
            and _is_narrowing(unit, code[node + 2])
        )
    return code[node] in _NARROWING_OPS


def _find_mention(unit: Unit, node: int, binding: int) -> int:
    """Return a node of a condition that names a binding, or -1."""
    code = unit.code
    while code[node] in _WRAPPED or code[node] in (Op.NOT, Op.MEMBER):
        node = code[node + 1]
    if code[node] == Op.NAME:
        return node if code[node + 1] == binding else -1
    if code[node] == Op.CALL:
        places = [*unit.items(code[node + 2]), code[node + 1]]
    elif code[node] in (Op.LOGICAL, Op.EQUALITY, Op.INSTANCEOF, Op.IN):
        places = [code[node + 1], code[node + 2]]
    else:
        places = []
    return next((found for place in places if (found := _find_mention(unit, place, binding)) >= 0), -1)


class _ParameterTest:
    """Applies a condition to a parameter of a declared type."""

    def __init__(self, engine: Engine, unit: Unit, reference: int, declared: Type) -> None:
        self.engine = engine
        self.unit = unit
        self.reference = reference
        self.declared = declared

    def remaining(self, kind: Type, condition: int, assume_true: bool) -> Type:
        """Return the part of a type for which a condition is true, or false.

        Unlike ordinary narrowing, it also drops types that are false by themselves.
        """
        code = self.unit.code
        while code[condition] == Op.NARROW:
            condition = code[condition + 1]
        if code[condition] == Op.NOT:
            return self.remaining(kind, code[condition + 1], not assume_true)
        if code[condition] == Op.LOGICAL:
            first, second = code[condition + 1], code[condition + 2]
            before = self.remaining(kind, first, assume_true)
            if (code[condition + 3] == Logic.AND) == assume_true:
                return self.remaining(before, second, assume_true)
            return union((before, self.remaining(self.remaining(kind, first, not assume_true), second, assume_true)))
        if kind is NEVER:
            return NEVER
        if code[self.unit.unnarrowed(condition)] == Op.NAME and not assume_true:
            return union([part for part in parts_of(kind) if not _is_truthy(self.engine, part)])
        if code[condition] in _FILTERS and isinstance(self.declared, Union):  # these operations compare parts of the whole union
            kept = parts_of(narrowed_by(self.engine, self.unit, self.reference, self.declared, condition, assume_true))
            return union([part for part in parts_of(kind) if part in kept])
        if code[condition] == Op.CALL and assume_true:
            kind = self._without_excluded(kind, condition)
        return narrowed_by(self.engine, self.unit, self.reference, kind, condition, assume_true) if kind is not NEVER else NEVER

    def _without_excluded(self, kind: Type, call: int) -> Type:
        """Return the parts of a type for which a guard may return true."""
        predicate = self.engine.predicate(self.unit, call)
        wanted = predicate[1] if predicate is not None else None
        if wanted is None:
            return kind
        return union([part for part in parts_of(kind) if not self.engine.are_disjoint(part, wanted)])


def _is_truthy(engine: Engine, kind: Type) -> bool:
    """Return whether a type is a structure, whose values are never falsy. A member of an enum may be zero."""
    if isinstance(kind, Instance):
        return not engine.binder.is_enum(kind.entity)
    return isinstance(kind, _STRUCTURES)
