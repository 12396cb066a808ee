"""Evaluates type syntax of statically typed languages: generic, function, tuple and anonymous types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind, ShapeKind
from ..facts.operations import NAME_OPS, Op
from ..languages.typescript.resolve.model.unit import Unit
from . import call_results, class_order, imported_values, member_lookup, written_types
from .types import (
    UNKNOWN,
    Callback,
    ClassValue,
    FunctionValue,
    Instance,
    Type,
    Variable,
    parts,
    substitute,
    union,
)

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Name of a pseudo-method in our own declarations of the runtime. Its result is the key and the item in a step of a `range` loop.
RANGE: Final = "__range__"
_APPLYING: Final = (Op.INSTANTIATION, Op.INDEX)


def static_type(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return the type that a type node means; UNKNOWN for other nodes."""
    code = unit.code
    op, a, b = code[node], code[node + 1], code[node + 2]
    if op == Op.T_NAME:
        named = engine.builtin_value(unit.strings[b])
        return named.instance if isinstance(named, ClassValue) else UNKNOWN
    if op == Op.T_REFERENCE or (op == Op.INSTANTIATION and b >= 0):
        return _generic_type(engine, unit, a, unit.items(b).tolist())
    if op == Op.T_FUNCTION:
        written = unit.functions[a].parameters
        return Callback(engine.returned(unit, a), None, tuple([engine.annotation(unit, each.type) for each in written]))
    if op == Op.T_TUPLE:
        return engine.tuple_of([engine.annotation(unit, each) for each in unit.items(a)])
    if op == Op.T_OBJECT:
        shape = unit.shapes[a]
        if shape.kind == ShapeKind.INTERFACE and not shape.members and not shape.extends:
            return engine.builtin("any")
        return Instance(engine.program.class_info(unit, a))
    if op == Op.T_UNION:
        return union([engine.annotation(unit, each) for each in unit.items(a)])
    return UNKNOWN


def _generic_type(engine: NominalEngine, unit: Unit, name: int, written: list[int]) -> Type:
    given = [engine.annotation(unit, each) for each in written]
    if name >= 0 and unit.code[name] == Op.T_NAME:
        base: Type = engine.builtin_value(unit.strings[unit.code[name + 2]])
    else:
        base = engine.type_of(unit, name)
    for part in parts(base):
        if isinstance(part, ClassValue):
            info = part.instance.cls
            count = len(class_order.class_parameters(engine, info))
            return Instance(info, tuple((given + [UNKNOWN] * count)[:count]))
    alias = imported_values.origin_of(engine, unit, name)
    if alias is None or alias.facts.kind != DeclKind.ALIAS:
        return UNKNOWN
    parameters = [engine.declared(alias.unit, index) for index in alias.unit.items(alias.facts.b)]
    return substitute(engine.annotation(alias.unit, alias.facts.a), dict(zip(parameters, given, strict=False)))


def instantiated(engine: NominalEngine, unit: Unit, node: int) -> Type:
    """Return a type used as a value, or a generic type or function with its type arguments."""
    code = unit.code
    if code[node + 2] < 0:
        return written_types.class_of(engine, engine.annotation(unit, code[node + 1]))
    value = engine.type_of(unit, code[node + 1])
    if isinstance(value, ClassValue):
        return written_types.class_of(engine, engine.annotation(unit, node))
    if isinstance(value, Instance):
        # The grammar reads the index in `hooks[place](order)` as a type argument.
        given = [engine.type_of(unit, each) for each in unit.items(code[node + 2])]
        return call_results.call_result(engine, member_lookup.member_type(engine, value, "__getitem__"), given, {})
    return value


def written_arguments(engine: NominalEngine, unit: Unit, callee: int, kind: Type) -> dict[Type, Type]:
    """Return the type arguments that a call site writes for the type parameters of a function."""
    code = unit.code
    callee = _stored(unit, callee)
    if callee < 0 or code[callee] not in _APPLYING or not isinstance(kind, FunctionValue):
        return {}
    is_list = code[callee] == Op.INSTANTIATION
    written = unit.items(code[callee + 2]).tolist() if is_list else [code[callee + 2]]
    parameters = [engine.declared(kind.unit, index) for index in kind.unit.functions[kind.function].type_parameters]
    given = [engine.annotation(unit, each) for each in written]
    return {
        parameter: argument
        for parameter, argument in zip(parameters, given, strict=False)
        if isinstance(parameter, Variable) and argument is not UNKNOWN
    }


def _stored(unit: Unit, callee: int) -> int:
    """Return the initial value of a called variable, as for `zero` after `zero := Zero[int]`. Other nodes stay unchanged."""
    code = unit.code
    if callee < 0 or code[callee] not in NAME_OPS or code[callee + 1] < 0:
        return callee
    decls = unit.bindings[code[callee + 1]].decls
    decl = unit.decls[decls[0]] if len(decls) == 1 else None
    return decl.b if decl is not None and decl.kind == DeclKind.VARIABLE else callee


def ranged(engine: NominalEngine, kind: Type) -> Type:
    """Return a function whose result is a tuple of the variables of a loop over an iterator function.

    The types of the variables are the parameter types of the `yield` function that the iterator function receives.
    """
    passed: Type = UNKNOWN
    for part in parts(kind):
        if isinstance(part, Instance):
            for each in member_lookup.find_members(engine, part, "__call__"):
                return ranged(engine, each.type) if not isinstance(each.type, Instance) else UNKNOWN
        if isinstance(part, Callback) and part.parameters:
            passed = part.parameters[0]
        elif isinstance(part, FunctionValue):
            place = int(part.receiver is not None)  # the receiver of a method precedes its parameters
            written = part.unit.functions[part.function].parameters
            if place < len(written):
                passed = engine.annotation(part.unit, written[place].type)
                if part.owner is not None:
                    passed = substitute(passed, call_results.arguments_of(engine, part.owner))
    return Callback(engine.tuple_of(list(passed.parameters))) if isinstance(passed, Callback) else UNKNOWN
