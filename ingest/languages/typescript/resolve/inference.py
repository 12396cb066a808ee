"""Inference of type arguments: matching a declared type that holds type parameters against an actual one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....facts.model import MemberKind, Op
from .inferred_predicates import guard_of, predicate_position
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
    Spread,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
    parts_of,
    union,
)
from .tuples import joined, match, match_array

if TYPE_CHECKING:
    from .engine import Engine
    from .model.program import Unit

#: What type parameters must be.
Findings = dict[Parameter, Type]

#: Patterns that may stand for a type parameter as it is.
_TAKES_PARAMETERS = (TypeParameter, Union, Intersection)

#: Nesting of patterns that inference follows.
_DEEPEST = 6

#: Members compared where types are matched by structure, and looked at where any may be taken.
_MAX_MEMBERS = 12
_MAX_VALUES = 8


def infer(engine: Engine, pattern: Type, actual: Type, found: Findings, depth: int = 0) -> None:
    """Add to `found` what the pattern's type parameters must be for the actual type. Earlier findings are widened to unions."""
    if actual is UNRESOLVED or depth > _DEEPEST:
        return
    match = _MATCHES.get(type(pattern))
    if match is None:
        return
    if isinstance(actual, TypeParameter) and not isinstance(pattern, _TAKES_PARAMETERS):
        actual = engine.constraint(actual)  # of what waits for a type parameter the structure is that of its constraint
    match(engine, pattern, actual, found, depth)


def _parameter(engine: Engine, pattern: TypeParameter, actual: Type, found: Findings, depth: int) -> None:
    _add(found, pattern.key, actual)


def _add(found: Findings, parameter: Parameter, kind: Type) -> None:
    earlier = found.get(parameter)
    if earlier is None:
        found[parameter] = kind
    elif earlier is not kind and earlier != kind:
        found[parameter] = union((earlier, kind))


def _intersection(engine: Engine, pattern: Intersection, actual: Type, found: Findings, depth: int) -> None:
    for part in pattern.parts:
        infer(engine, part, actual, found, depth + 1)


def _instances(engine: Engine, pattern: Instance, actual: Type, found: Findings, depth: int) -> None:
    if pattern.arguments:
        for part in parts_of(actual):
            _instance(engine, pattern, part, found, depth)


def _by_structure(engine: Engine, pattern: Closure | Instance, actual: Type, found: Findings, depth: int) -> None:
    """What signatures and members say. It is remembered: the same interfaces meet again and again."""
    if isinstance(pattern, FunctionType) and isinstance(actual, FunctionType) and _is_generic(actual):
        if engine.free_parameters.waits(pattern):
            _function(engine, pattern, actual, found, depth)
        return
    key = (pattern, actual, depth)
    known = engine.matches.get(key)
    if known is None:
        before = engine.cut_off
        known = {}
        if not engine.free_parameters.waits(pattern):
            pass
        elif isinstance(pattern, FunctionType | ConstructorType):
            _function(engine, pattern, actual, known, depth)
        elif isinstance(pattern, Instance | ObjectShape):
            _members(engine, pattern, actual, known, depth)
        if engine.cut_off == before:
            engine.matches[key] = known
    for parameter, kind in known.items():
        _add(found, parameter, kind)


def _union(engine: Engine, pattern: Union, actual: Type, found: Findings, depth: int) -> None:
    """Parts with structure take what they match; what is left goes to bare type parameters."""
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


def _instance(engine: Engine, pattern: Instance, actual: Type, found: Findings, depth: int) -> None:
    if isinstance(actual, Tuple) and engine.is_lib(pattern, "Array", "ReadonlyArray", "Iterable"):
        infer(engine, pattern.arguments[0], engine.element_type(actual), found, depth + 1)
        return
    base = _as_entity(engine, pattern, actual)
    if base is not None:
        _arguments(engine, pattern, base, found, depth)
    elif isinstance(actual, Intersection):
        bases = [base for part in actual.parts if (base := _as_entity(engine, pattern, part)) is not None]
        for base in bases:  # where a part is what is looked for, members of that name in others say nothing
            _arguments(engine, pattern, base, found, depth)
        for part in actual.parts if not bases else ():
            _instance(engine, pattern, part, found, depth)
    else:
        _by_structure(engine, pattern, actual, found, depth)


def _as_entity(engine: Engine, pattern: Instance, actual: Type) -> Instance | None:
    """What is matched, as an instance of the pattern's class or interface."""
    if not isinstance(actual, Instance):
        return None
    return actual if actual.entity == pattern.entity else engine.find_base(actual, pattern.entity)


def _arguments(engine: Engine, pattern: Instance, actual: Instance, found: Findings, depth: int) -> None:
    for part, argument in zip(pattern.arguments, actual.arguments, strict=False):
        infer(engine, part, argument, found, depth + 1)


def _tuple(engine: Engine, pattern: Tuple, actual: Type, found: Findings, depth: int) -> None:
    def infer_part(part: Type, element: Type) -> None:
        infer(engine, part, element, found, depth + 1)

    for each in parts_of(actual):
        if isinstance(each, Tuple):
            match(pattern, each, infer_part)
        else:
            match_array(engine, pattern, each, infer_part)


def _template(engine: Engine, pattern: Template, actual: Type, found: Findings, depth: int) -> None:
    for source in parts_of(actual):
        for part, piece in zip(pattern.parts, pieces_for(source, pattern) or (), strict=False):
            bound = engine.constraint(part) if isinstance(part, TypeParameter) else UNRESOLVED
            infer(engine, part, as_constrained(piece, bound), found, depth + 1)


def _function(engine: Engine, pattern: FunctionType | ConstructorType, actual: Type, found: Findings, depth: int) -> None:
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
        _guarded(engine, pattern, signature, found, depth)
    elif fact.return_type >= 0:
        wanted = engine.declared_type(unit, fact.return_type, pattern.env)
        infer(engine, wanted, engine.signature_result(signature), found, depth + 1)


def _is_generic(kind: FunctionType) -> bool:
    return bool(kind.unit.functions[kind.index].type_parameters)


def _instantiated(
    engine: Engine, pattern: FunctionType | ConstructorType, signature: Signature, found: Findings, depth: int
) -> Signature:
    """A generic function in the place of a function type: its type parameters are what the parameters of the place say of them
    (the checker's `instantiateSignatureInContextOf`)."""
    unit, function = signature.unit, signature.function
    own = unit.functions[function].type_parameters
    keys = {(unit.index, parameter) for parameter in own}
    outer = {key: value for key, value in signature.env.items() if key not in keys}
    inner: Findings = {}
    theirs = unit.functions[function].parameters
    for position, mine in enumerate(pattern.unit.functions[pattern.index].parameters[: len(theirs)]):
        if mine.type < 0 or mine.rest or theirs[position].rest or theirs[position].type < 0:
            continue
        given = engine.substituted(engine.declared_type(pattern.unit, mine.type, pattern.env), found)
        infer(engine, engine.parameter_type(unit, function, position, outer), given, inner, depth + 1)
    env = {**outer, **{key: value for key, value in inner.items() if key in keys}}
    return Signature(unit, function, env, signature.instance, signature.class_parameters)


def _parameters_from(engine: Engine, signature: Signature, position: int) -> Type | None:
    """The parameters of a signature from one on, as a tuple; None when they have not all a type written down."""
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


def _guarded(engine: Engine, pattern: FunctionType | ConstructorType, signature: Signature, found: Findings, depth: int) -> None:
    """`(value: T) => value is S` against a guard: S is what that says of the same parameter."""
    position = predicate_position(pattern.unit, pattern.index)
    guard = guard_of(engine, signature) if position >= 0 else None
    if guard is not None and guard.position == position:
        wanted = pattern.unit.code[pattern.unit.functions[pattern.index].return_type + 1]
        infer(engine, engine.declared_type(pattern.unit, wanted, pattern.env), guard.kind, found, depth + 1)


def _members(engine: Engine, pattern: Instance | ObjectShape, actual: Type, found: Findings, depth: int) -> None:
    """Member by member: how structural types give their arguments away."""
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


def _mapped(engine: Engine, pattern: Mapped, actual: Type, found: Findings, depth: int) -> None:
    """`{ [K in keyof T]: V }` against an object: T's members are those of the object."""
    unit = pattern.unit
    over, _, value = unit.items(unit.code[pattern.index + 2])
    if over < 0 or not isinstance(actual, Instance | ObjectShape | ObjectLiteral | Tuple | Mapped | Intersection):
        return
    keys = [part for part in _parts(unit, over) if unit.code[part] == Op.T_KEYOF]
    for key in keys:
        target = engine.declared_type(unit, unit.code[key + 1], pattern.env)
        if isinstance(target, TypeParameter) and target.key not in found:
            whole = _unmapped(engine, pattern, target, actual, value, depth) if isinstance(actual, Tuple) else actual
            found[target.key] = whole
    if keys:
        return
    wanted = engine.declared_type(unit, value, pattern.env)
    over_type = engine.declared_type(unit, over, pattern.env)
    if isinstance(over_type, TypeParameter):  # `Record<K, V>`: the keys are found as well, and V from any object
        names = engine.member_names(actual) or []
        given: list[Type] = [Literal(STRING, name) for name in names] or engine.index_keys(actual)[:1]
        infer(engine, over_type, union(given), found, depth + 1)
        for name in names[:_MAX_VALUES] if isinstance(actual, Instance) else ():
            infer(engine, wanted, engine.property_type(actual, name), found, depth + 1)
    _indexed(engine, wanted, actual, found, depth)


def _indexed(engine: Engine, wanted: Type, actual: Type, found: Findings, depth: int) -> None:
    """What an object says of the type of an index signature: its own signature, and the members of anything but classes and
    interfaces, which the compiler does not take for one."""
    names = () if isinstance(actual, Instance) else engine.member_names(actual) or ()
    for name in names[:_MAX_VALUES]:
        infer(engine, wanted, engine.property_type(actual, name), found, depth + 1)
    if STRING in engine.index_keys(actual):
        infer(engine, wanted, engine.index_type(actual, STRING), found, depth + 1)


def _parts(unit: Unit, node: int) -> Sequence[int]:
    """The parts of a union as it is written; another type alone."""
    return unit.items(unit.code[node + 1]) if unit.code[node] == Op.T_UNION else (node,)


def _unmapped(engine: Engine, pattern: Mapped, target: TypeParameter, actual: Tuple, value: int, depth: int) -> Type:
    """The tuple T behind `{ [K in keyof T]: V }`: each element from what V says of T[K], for which T itself stands in."""
    unit = pattern.unit
    standing_in = Tuple([target] * len(actual.elements))
    given = {target.key: standing_in, **{key: standing_in if part == target else part for key, part in pattern.env.items()}}
    elements: list[Type] = []
    for place, element in enumerate(actual.elements):
        env = {**given, (unit.index, unit.code[pattern.index + 1]): Literal(NUMBER, str(place))}
        inner: Findings = {}
        infer(engine, engine.declared_type(unit, value, env), element, inner, depth + 1)
        elements.append(inner.get(target.key, UNRESOLVED))
    return Tuple(elements)


#: How a pattern of some kind is matched; other patterns hold no type parameters that could be found.
_MATCHES: dict[type[Type], Callable[[Engine, Any, Type, Findings, int], None]] = {
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
}
