"""Inference of type arguments: match a pattern (a declared type with type parameters) against an actual type.

Matching `Promise<T>` against `Promise<User>` finds T = User.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....facts.model import MemberKind
from ....facts.operations import Op
from .model.properties import Signature
from .model.template_literals import as_constrained, pieces_for
from .model.type_model import (
    NUMBER,
    PRIMITIVES,
    STRING,
    UNRESOLVED,
    Closure,
    ConstructorType,
    FunctionType,
    Instance,
    Intersection,
    Literal,
    Mapped,
    ObjectLiteral,
    ObjectShape,
    Overloads,
    Parameter,
    Picked,
    Spread,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
    parts_of,
    union,
)
from .narrowing.inferred_predicates import guard_of, predicate_position
from .tuples import joined, match, match_array

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

#: Types inferred for type parameters.
Inferences = dict[Parameter, Type]

#: Patterns that match an actual type parameter itself. Other patterns match its constraint.
_TAKES_PARAMETERS = (TypeParameter, Union, Intersection)

#: Maximum number of levels of nested patterns that inference follows.
_MAX_PATTERN_DEPTH = 6

#: Maximum number of members that are compared when types are matched by structure.
_MAX_MEMBERS = 12

#: Maximum number of members from whose types the value type of an index signature is inferred.
_MAX_VALUES = 8


def infer(engine: Engine, pattern: Type, actual: Type, found: Inferences, depth: int = 0) -> None:
    """Add to `found` the types of the pattern's type parameters that follow from the actual type.

    If a type was already found for a parameter, the result is the union of both types.
    """
    if actual is UNRESOLVED or depth > _MAX_PATTERN_DEPTH:
        return
    match = _MATCHES.get(type(pattern))
    if match is None:
        return
    if isinstance(actual, TypeParameter) and not isinstance(pattern, _TAKES_PARAMETERS):
        actual = engine.constraint(actual)  # a type parameter has the structure of its constraint
    match(engine, pattern, actual, found, depth)


def _parameter(engine: Engine, pattern: TypeParameter, actual: Type, found: Inferences, depth: int) -> None:
    _add(found, pattern.key, actual)


def _add(found: Inferences, parameter: Parameter, kind: Type) -> None:
    earlier = found.get(parameter)
    if earlier is None:
        found[parameter] = kind
    elif earlier is not kind and earlier != kind:
        found[parameter] = union((earlier, kind))


def _intersection(engine: Engine, pattern: Intersection, actual: Type, found: Inferences, depth: int) -> None:
    for part in pattern.parts:
        infer(engine, part, actual, found, depth + 1)


def _instances(engine: Engine, pattern: Instance, actual: Type, found: Inferences, depth: int) -> None:
    if pattern.arguments:
        for part in parts_of(actual):
            _instance(engine, pattern, part, found, depth)


def _by_structure(engine: Engine, pattern: Closure | Instance, actual: Type, found: Inferences, depth: int) -> None:
    """Infer type parameters from signatures and members.

    The answers are remembered, since the same interfaces are often compared.
    """
    if isinstance(pattern, FunctionType) and isinstance(actual, FunctionType) and _is_generic(actual):
        if engine.free_parameters.mentions_parameter(pattern):
            _function(engine, pattern, actual, found, depth)
        return
    key = (pattern, actual, depth)
    known = engine.matches.get(key)
    if known is None:
        before = engine.cut_off
        known = {}
        if not engine.free_parameters.mentions_parameter(pattern):
            pass
        elif isinstance(pattern, FunctionType | ConstructorType):
            _function(engine, pattern, actual, known, depth)
        elif isinstance(pattern, Instance | ObjectShape):
            _members(engine, pattern, actual, known, depth)
        if engine.cut_off == before:
            engine.matches[key] = known
    for parameter, kind in known.items():
        _add(found, parameter, kind)


def _union(engine: Engine, pattern: Union, actual: Type, found: Inferences, depth: int) -> None:
    """Match the parts of a union. Parts with structure come first. Bare type parameters match the remaining actual parts."""
    closed = [part for part in pattern.parts if not isinstance(part, TypeParameter)]
    naked = [part for part in pattern.parts if isinstance(part, TypeParameter)]
    left = []
    for part in parts_of(actual):
        before = dict(found)
        if part in closed or part.nullish:
            continue
        for candidate in closed:
            infer(engine, candidate, part, found, depth + 1)
        if found == before:
            left.append(part)
    if left:
        for parameter in naked:
            infer(engine, parameter, union(left), found, depth + 1)


def _instance(engine: Engine, pattern: Instance, actual: Type, found: Inferences, depth: int) -> None:
    if isinstance(actual, Tuple) and engine.is_lib(pattern, "Array", "ReadonlyArray", "Iterable"):
        infer(engine, pattern.arguments[0], engine.element_type(actual), found, depth + 1)
        return
    base = _as_entity(engine, pattern, actual)
    if base is not None:
        _arguments(engine, pattern, base, found, depth)
    elif isinstance(actual, Intersection):
        bases = [base for part in actual.parts if (base := _as_entity(engine, pattern, part)) is not None]
        for base in bases:  # if some parts are instances of the class, only these parts count
            _arguments(engine, pattern, base, found, depth)
        for part in actual.parts if not bases else ():
            _instance(engine, pattern, part, found, depth)
    else:
        _by_structure(engine, pattern, actual, found, depth)


def _as_entity(engine: Engine, pattern: Instance, actual: Type) -> Instance | None:
    """Return an actual type as an instance of the class or interface of a pattern, or None."""
    if not isinstance(actual, Instance):
        return None
    return actual if actual.entity == pattern.entity else engine.find_base(actual, pattern.entity)


def _arguments(engine: Engine, pattern: Instance, actual: Instance, found: Inferences, depth: int) -> None:
    for part, argument in zip(pattern.arguments, actual.arguments, strict=False):
        infer(engine, part, argument, found, depth + 1)


def _tuple(engine: Engine, pattern: Tuple, actual: Type, found: Inferences, depth: int) -> None:
    def infer_part(part: Type, element: Type) -> None:
        infer(engine, part, element, found, depth + 1)

    for each in parts_of(actual):
        if isinstance(each, Tuple):
            match(pattern, each, infer_part)
        else:
            match_array(engine, pattern, each, infer_part)


def _template(engine: Engine, pattern: Template, actual: Type, found: Inferences, depth: int) -> None:
    for source in parts_of(actual):
        for part, piece in zip(pattern.parts, pieces_for(source, pattern) or (), strict=False):
            bound = engine.constraint(part) if isinstance(part, TypeParameter) else UNRESOLVED
            infer(engine, part, as_constrained(piece, bound), found, depth + 1)


def _function(engine: Engine, pattern: FunctionType | ConstructorType, actual: Type, found: Inferences, depth: int) -> None:
    if isinstance(actual, Overloads):
        actual = actual.signatures[-1]
    signatures = engine.signatures(actual, isinstance(pattern, ConstructorType))
    if not signatures:
        return
    signature = signatures[-1]
    unit, fact = pattern.unit, pattern.unit.functions[pattern.index]
    if isinstance(actual, FunctionType) and _is_generic(actual) and not fact.type_parameters:
        signature = _instantiated(engine, pattern, signature, found, depth)
    if signature.function >= 0:
        theirs = signature.unit.functions[signature.function].parameters
        for position, mine in enumerate(fact.parameters):
            if mine.rest and mine.type >= 0:
                left = _parameters_from(engine, signature, position)
                if left is not None:
                    infer(engine, engine.declared_type(unit, mine.type, pattern.env), left, found, depth + 1)
            if position >= len(theirs):
                break
            other = theirs[position]
            if mine.type < 0 or mine.rest or other.rest:
                continue
            actual_parameter = engine.parameter_type(signature.unit, signature.function, position, signature.env)
            if other.type >= 0:
                infer(engine, engine.declared_type(unit, mine.type, pattern.env), actual_parameter, found, depth + 1)
    if fact.return_type >= 0 and unit.code[fact.return_type] == Op.T_PREDICATE:
        _infer_guard(engine, pattern, signature, found, depth)
    elif fact.return_type >= 0:
        wanted = engine.declared_type(unit, fact.return_type, pattern.env)
        infer(engine, wanted, engine.signature_result(signature), found, depth + 1)


def _is_generic(kind: FunctionType) -> bool:
    return bool(kind.unit.functions[kind.index].type_parameters)


def _instantiated(
    engine: Engine, pattern: FunctionType | ConstructorType, signature: Signature, found: Inferences, depth: int
) -> Signature:
    """Return the signature of a generic function, with type parameters inferred from a function type as the pattern.

    This corresponds to `instantiateSignatureInContextOf` in TypeScript's checker.
    """
    unit, function = signature.unit, signature.function
    own = unit.functions[function].type_parameters
    keys = {(unit.index, parameter) for parameter in own}
    outer = {key: value for key, value in signature.env.items() if key not in keys}
    inner: Inferences = {}
    theirs = unit.functions[function].parameters
    for position, mine in enumerate(pattern.unit.functions[pattern.index].parameters[: len(theirs)]):
        if mine.type < 0 or mine.rest or theirs[position].rest or theirs[position].type < 0:
            continue
        given = engine.substituted(engine.declared_type(pattern.unit, mine.type, pattern.env), found)
        infer(engine, engine.parameter_type(unit, function, position, outer), given, inner, depth + 1)
    env = {**outer, **{key: value for key, value in inner.items() if key in keys}}
    return Signature(unit, function, env, signature.instance, signature.class_parameters)


def _parameters_from(engine: Engine, signature: Signature, position: int) -> Type | None:
    """Return the parameters of a signature from a position on, as a tuple; None if one of them has no annotation."""
    parts: list[Type] = []
    optional = 0
    for place, entry in enumerate(signature.unit.functions[signature.function].parameters[position:], position):
        if entry.type < 0:
            return None
        if entry.rest:
            parts.append(Spread(engine.declared_type(signature.unit, entry.type, signature.env)))
        else:
            parts.append(engine.parameter_type(signature.unit, signature.function, place, signature.env))
            optional = optional + 1 if entry.optional else 0
    return joined(engine, parts, optional)


def _infer_guard(
    engine: Engine, pattern: FunctionType | ConstructorType, signature: Signature, found: Inferences, depth: int
) -> None:
    """Match `(value: T) => value is S` against a type guard: S becomes the type that the guard checks for."""
    position = predicate_position(pattern.unit, pattern.index)
    guard = guard_of(engine, signature) if position >= 0 else None
    if guard is not None and guard.position == position:
        wanted = pattern.unit.code[pattern.unit.functions[pattern.index].return_type + 1]
        infer(engine, engine.declared_type(pattern.unit, wanted, pattern.env), guard.kind, found, depth + 1)


def _members(engine: Engine, pattern: Instance | ObjectShape, actual: Type, found: Inferences, depth: int) -> None:
    """Match the members of a structural type one by one."""
    if isinstance(actual, Closure) and actual == pattern:
        return
    for name, kind in engine.own_members(pattern)[:_MAX_MEMBERS]:
        if kind == MemberKind.INDEX:
            _indexed(engine, engine.index_type(pattern, PRIMITIVES.get(name, STRING)), actual, found, depth)
            continue
        if kind in (MemberKind.CALL, MemberKind.CONSTRUCT):
            made = FunctionType if kind == MemberKind.CALL else ConstructorType
            for signature in engine.signatures(pattern, kind == MemberKind.CONSTRUCT)[:1]:
                infer(engine, made(signature.unit, signature.function, signature.env), actual, found, depth + 2)
            continue
        theirs = engine.property_type(actual, name)
        if theirs is not UNRESOLVED:
            mine = engine.property_type(pattern, name)
            infer(engine, mine.signatures[-1] if isinstance(mine, Overloads) else mine, theirs, found, depth + 2)


def _picked(engine: Engine, pattern: Picked, actual: Type, found: Inferences, depth: int) -> None:
    """Match the members that `Pick` or `Omit` leaves of a type: `Omit<Options<S>, "id">`."""
    if not engine.free_parameters.mentions_parameter(pattern):
        return
    for name in (engine.member_names(pattern) or [])[:_MAX_MEMBERS]:
        theirs = engine.property_type(actual, name)
        if theirs is not UNRESOLVED:
            infer(engine, engine.property_type(pattern, name), theirs, found, depth + 1)


def _mapped(engine: Engine, pattern: Mapped, actual: Type, found: Inferences, depth: int) -> None:
    """Match `{ [K in keyof T]: V }` against an object, whose type becomes T.

    If the keys are known, as in `{ [K in "state" | "actions"]: Options<S>[K] }`, the members are matched one by one.
    """
    unit = pattern.unit
    over, _, value = unit.items(unit.code[pattern.index + 2])
    if over < 0 or not isinstance(actual, Instance | ObjectShape | ObjectLiteral | Tuple | Mapped | Intersection):
        return
    keys = [part for part in _parts(unit, over) if unit.code[part] == Op.T_KEYOF]
    for key in keys:
        target = engine.declared_type(unit, unit.code[key + 1], pattern.env)
        if isinstance(target, TypeParameter) and target.key not in found:
            whole = _infer_mapped_tuple(engine, pattern, target, actual, value, depth) if isinstance(actual, Tuple) else actual
            found[target.key] = whole
        elif not isinstance(target, TypeParameter):
            _keyed(engine, pattern, engine.member_names(target) or [], value, actual, found, depth)
    if keys:
        return
    wanted = engine.declared_type(unit, value, pattern.env)
    over_type = engine.declared_type(unit, over, pattern.env)
    known = [part.value for part in parts_of(over_type) if isinstance(part, Literal)]
    if known and len(known) == len(parts_of(over_type)):
        _keyed(engine, pattern, known, value, actual, found, depth)
        return
    if isinstance(over_type, TypeParameter):  # `Record<K, V>`: K is inferred from the names, and V from any object
        names = engine.member_names(actual) or []
        given: list[Type] = [Literal(STRING, name) for name in names] or engine.index_keys(actual)[:1]
        infer(engine, over_type, union(given), found, depth + 1)
        for name in names[:_MAX_VALUES] if isinstance(actual, Instance) else ():
            infer(engine, wanted, engine.property_type(actual, name), found, depth + 1)
    _indexed(engine, wanted, actual, found, depth)


def _keyed(
    engine: Engine, pattern: Mapped, names: Sequence[str], value: int, actual: Type, found: Inferences, depth: int
) -> None:
    """Match the members that a mapped type has for known keys."""
    unit = pattern.unit
    key = (unit.index, unit.code[pattern.index + 1])
    for name in names[:_MAX_MEMBERS]:
        theirs = engine.property_type(actual, name)
        if theirs is not UNRESOLVED:
            mine = engine.declared_type(unit, value, {**pattern.env, key: Literal(STRING, name)})
            infer(engine, mine, theirs, found, depth + 1)


def _indexed(engine: Engine, wanted: Type, actual: Type, found: Inferences, depth: int) -> None:
    """Infer the value type of an index signature from the index signature and the members of an object.

    Members of classes and interfaces do not count, as in the compiler.
    """
    names = () if isinstance(actual, Instance) else engine.member_names(actual) or ()
    for name in names[:_MAX_VALUES]:
        infer(engine, wanted, engine.property_type(actual, name), found, depth + 1)
    if STRING in engine.index_keys(actual):
        infer(engine, wanted, engine.index_type(actual, STRING), found, depth + 1)


def _parts(unit: Unit, node: int) -> Sequence[int]:
    """Return the written parts of a union, or the node itself."""
    return unit.items(unit.code[node + 1]) if unit.code[node] == Op.T_UNION else (node,)


def _infer_mapped_tuple(engine: Engine, pattern: Mapped, target: TypeParameter, actual: Tuple, value: int, depth: int) -> Type:
    """Return the tuple T for which `{ [K in keyof T]: V }` is the actual tuple.

    To infer an element of T, V is matched against the actual element, with T in place of T[K].
    """
    unit = pattern.unit
    standing_in = Tuple([target] * len(actual.elements))
    given = {target.key: standing_in, **{key: standing_in if part == target else part for key, part in pattern.env.items()}}
    elements: list[Type] = []
    for place, element in enumerate(actual.elements):
        env = {**given, (unit.index, unit.code[pattern.index + 1]): Literal(NUMBER, str(place))}
        inner: Inferences = {}
        infer(engine, engine.declared_type(unit, value, env), element, inner, depth + 1)
        elements.append(inner.get(target.key, UNRESOLVED))
    return Tuple(elements)


#: How to match each kind of pattern; other patterns have no type parameters that can be inferred.
_MATCHES: dict[type[Type], Callable[[Engine, Any, Type, Inferences, int], None]] = {
    TypeParameter: _parameter,
    Union: _union,
    Intersection: _intersection,
    Instance: _instances,
    Tuple: _tuple,
    Template: _template,
    FunctionType: _by_structure,
    ConstructorType: _by_structure,
    ObjectShape: _by_structure,
    Mapped: _mapped,
    Picked: _picked,
}
