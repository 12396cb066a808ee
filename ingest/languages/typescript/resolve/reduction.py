"""Substitution of type parameters, and the reduction of type operators whose operands become known by the substitution.

With T = `"a" | "b"`, `T extends string ? T[] : never` becomes `"a"[] | "b"[]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....facts.operations import Op
from .inference import Inferences, infer
from .model.free_parameters import is_deferred, is_open
from .model.template_literals import template_type
from .model.type_model import (
    ANY,
    NEVER,
    NUMBER,
    STRING,
    UNRESOLVED,
    ClassExpression,
    Closure,
    Conditional,
    ConstructorType,
    EnumMember,
    Env,
    FunctionType,
    Indexed,
    Instance,
    Instantiated,
    Intersection,
    KeyOf,
    Literal,
    Mapped,
    ObjectLiteral,
    ObjectShape,
    Overloads,
    Parameter,
    Picked,
    ShapeInstance,
    Static,
    Template,
    Tuple,
    Type,
    TypeParameter,
    Union,
    intersection,
    parts_of,
    union,
)
from .relations import assignable
from .tuples import has_spread, substituted

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit


def substitute(engine: Engine, kind: Type, env: Env) -> Type:
    """Return a type with the env's types in place of type parameters.

    Closures keep the env instead of copying structure.
    """
    if not env:
        return kind
    if type(kind) is TypeParameter:
        return env.get(kind.key, kind)
    put_in = _SUBSTITUTIONS.get(type(kind))
    if put_in is None or (type(kind) is Instance and not kind.arguments):
        return kind
    if not engine.enter():
        return UNRESOLVED
    found = put_in(engine, kind, env)
    engine.leave()
    return found


def _in_instance(engine: Engine, kind: Instance, env: Env) -> Type:
    return engine.reduced(Instance(kind.entity, [substitute(engine, argument, env) for argument in kind.arguments]))


def _in_class(engine: Engine, kind: ClassExpression | Static, env: Env) -> Type:
    """Return a class that extends a value of type T, joined with the type that replaces T."""
    parameter = engine.mixed_in(kind)
    given = env.get(parameter) if parameter is not None else None
    made = _close(engine, kind, env) if isinstance(kind, ClassExpression) else kind
    return made if given is None or given.opaque else intersection((made, given))


def _in_union(engine: Engine, kind: Union, env: Env) -> Type:
    return union([substitute(engine, part, env) for part in kind.parts])


def _in_intersection(engine: Engine, kind: Intersection, env: Env) -> Type:
    return engine.intersected([substitute(engine, part, env) for part in kind.parts])


def _in_tuple(engine: Engine, kind: Tuple, env: Env) -> Type:
    return substituted(engine, kind, lambda part: substitute(engine, part, env))


def _in_template(engine: Engine, kind: Template, env: Env) -> Type:
    return template_type(kind.texts, [substitute(engine, part, env) for part in kind.parts])


def _in_overloads(engine: Engine, kind: Overloads, env: Env) -> Type:
    return Overloads([substitute(engine, part, env) for part in kind.signatures])


def _in_instantiated(engine: Engine, kind: Instantiated, env: Env) -> Type:
    return Instantiated(substitute(engine, kind.target, env), [substitute(engine, part, env) for part in kind.arguments])


def _in_key(engine: Engine, kind: KeyOf, env: Env) -> Type:
    return key_type(engine, substitute(engine, kind.target, env))


def _in_indexed(engine: Engine, kind: Indexed, env: Env) -> Type:
    return indexed_type(engine, substitute(engine, kind.target, env), substitute(engine, kind.index, env))


def _in_picked(engine: Engine, kind: Picked, env: Env) -> Type:
    return picked_type(substitute(engine, kind.target, env), kind.names, kind.keeps, kind.optional)


def _close(engine: Engine, kind: Closure, env: Env) -> Type:
    outer = engine.free_parameters.relevant(kind, env)
    inner = kind.env
    if not outer and not any(is_open(value) for value in inner.values()):
        return kind
    merged = {**outer, **{key: substitute(engine, value, env) for key, value in inner.items()}}
    if merged == inner:
        return kind
    made = type(kind)(kind.unit, kind.index, merged)
    if isinstance(made, Mapped):
        return mapped_type(engine, made)
    return conditional_type(engine, made) if isinstance(made, Conditional) else made


def compose(engine: Engine, inner: Env, outer: Env) -> Env:
    """Return the env that applies `inner` first, and then `outer` to the result."""
    if not inner:
        return outer
    if not outer:
        return inner
    return {**outer, **{key: substitute(engine, value, outer) for key, value in inner.items()}}


def key_type(engine: Engine, target: Type) -> Type:
    """Return the type of `keyof T`."""
    if is_open(target):
        return KeyOf(target)
    names = engine.member_names(target)
    if names is None:
        return union((STRING, NUMBER))
    return union([*(Literal(STRING, name) for name in names), *engine.index_keys(target)])


def indexed_type(engine: Engine, target: Type, index: Type) -> Type:
    """Return the type of `T[K]`."""
    if isinstance(index, Union):
        return union(indexed_type(engine, target, part) for part in index.parts)
    # The members of object types in the runtime's declarations are not listed, so that these types seem to have no keys.
    if index is NEVER and isinstance(target, Instance):
        return NEVER
    if isinstance(index, Literal):
        return Indexed(target, index) if has_constraint(engine, target) else engine.property_type(target, index.value)
    if is_open(target) or is_open(index):
        return Indexed(target, index)
    return engine.index_type(target, index)


def has_constraint(engine: Engine, kind: Type) -> bool:
    """Return whether a type is a type parameter, a member of a type parameter, or a deferred utility type."""
    return isinstance(kind, TypeParameter | Indexed) or engine.is_deferred_utility(kind)


def picked_type(target: Type, names: frozenset[str], keeps: bool, optional: bool = False) -> Type:
    """Return the result of Pick or Omit with literal names, or of Partial if the members are `optional`.

    A union is handled part by part.
    """
    return union(Picked(part, names, keeps, optional) for part in parts_of(target))


def literal_names(kind: Type) -> frozenset[str] | None:
    """Return the names in a union of string literals; None for other types."""
    parts = parts_of(kind)
    if not all(isinstance(part, Literal) for part in parts):
        return None
    return frozenset(part.value for part in parts if isinstance(part, Literal))


def conditional_type(engine: Engine, kind: Conditional) -> Type:
    """Return the type of `C extends E ? A : B`, distributed over a union in place of a bare type parameter."""
    unit, env = kind.unit, kind.env
    check_node, extends_node, true_node, false_node = unit.items(unit.code[kind.index + 1])
    check = engine.declared_type(unit, check_node, env)
    has_open = is_open(check)
    if has_open and is_deferred(check):
        return kind
    parameter = _naked_parameter(kind, check_node)
    if parameter is not None and isinstance(check, Union):
        return union(conditional_type(engine, Conditional(unit, kind.index, {**env, parameter: part})) for part in check.parts)
    if check is NEVER and parameter is not None:
        return NEVER
    pattern = engine.declared_type(unit, extends_node, env)
    inferred = _inferred(engine, pattern, check)
    answer = _are_bounded(engine, unit, inferred, env) and assignable(engine, check, substitute(engine, pattern, inferred))
    if has_open and answer is None:
        return kind
    if check is ANY or answer is None:
        branches = (engine.declared_type(unit, node, {**env, **inferred}) for node in (true_node, false_node))
        return union(branches)
    return engine.declared_type(unit, true_node, {**env, **inferred}) if answer else engine.declared_type(unit, false_node, env)


def _inferred(engine: Engine, pattern: Type, check: Type) -> Inferences:
    """Return the types of the `infer` parameters in a pattern.

    If the checked type is a union of functions, their parameter types are intersected, and their result types are united.
    """
    found: Inferences = {}
    if not isinstance(check, Union) or not isinstance(pattern, FunctionType | ConstructorType):
        infer(engine, pattern, check, found)
        return found
    result = pattern.unit.functions[pattern.index].return_type
    given = engine.free_parameters.of_node(pattern.unit, result) if result >= 0 else None
    for part in check.parts:
        each: Inferences = {}
        infer(engine, pattern, part, each)
        for parameter, kind in each.items():
            earlier = found.get(parameter)
            if earlier is not None:
                kind = union((earlier, kind)) if given and parameter in given else engine.intersected((earlier, kind))
            found[parameter] = kind
    return found


def _are_bounded(engine: Engine, unit: Unit, inferred: dict[Parameter, Type], env: Env) -> bool:
    """Return False if a type found for `infer N extends B` does not fit B."""
    for (file, index), found in inferred.items():
        bound = unit.decls[index].a if file == unit.index else -1
        if bound >= 0 and assignable(engine, found, engine.declared_type(unit, bound, {**env, **inferred})) is False:
            return False
    return True


def _naked_parameter(kind: Conditional, node: int) -> Parameter | None:
    code = kind.unit.code
    if code[node] != Op.T_NAME or code[node + 1] < 0:
        return None
    for index in kind.unit.bindings[code[node + 1]].decls:
        if (kind.unit.index, index) in kind.env:
            return (kind.unit.index, index)
    return None


def mapped_value(engine: Engine, kind: Mapped, key: Type) -> Type:
    """Return the type of the member that a mapped type has for a key."""
    unit = kind.unit
    value = unit.items(unit.code[kind.index + 2])[2]
    return engine.declared_type(unit, value, {**kind.env, (unit.index, unit.code[kind.index + 1]): key})


def mapped_member(engine: Engine, kind: Mapped, name: str) -> Type:
    """Return the type of one member of a mapped type."""
    return mapped_value(engine, kind, _computed_key(engine, kind, name) if name.startswith("[") else Literal(STRING, name))


def _computed_key(engine: Engine, kind: Mapped, name: str) -> Type:
    """Return the key that `[Kind.Text]` denotes: a member of the enum that is mapped over, else the union of the keys."""
    over = kind.unit.items(kind.unit.code[kind.index + 2])[0]
    keys = engine.declared_type(kind.unit, over, kind.env) if over >= 0 else UNRESOLVED
    owner, _, member = name.strip("[]").rpartition(".")
    for key in parts_of(keys):
        if isinstance(key, Instance | EnumMember) and key.entity.facts.name == owner.rpartition(".")[2]:
            if isinstance(key, EnumMember) and key.name == member:
                return key
            if isinstance(key, Instance) and member in (engine.member_names(Static(key.entity)) or ()):
                return EnumMember(key.entity, member)
    return keys


def mapped_source(engine: Engine, kind: Mapped) -> Type | None:
    """Return the T of a mapped type over `keyof T`; None for other mapped types."""
    unit = kind.unit
    over = unit.items(unit.code[kind.index + 2])[0]
    if over < 0:
        return None
    if unit.code[over] == Op.T_KEYOF:
        return engine.declared_type(unit, unit.code[over + 1], kind.env)
    constraint = engine.declared_type(unit, over, kind.env)
    if isinstance(constraint, KeyOf):
        return constraint.target
    if isinstance(constraint, TypeParameter) and constraint.unit.decls[constraint.decl].a >= 0:
        bound = engine.declared_type(constraint.unit, constraint.unit.decls[constraint.decl].a, kind.env)
        return bound.target if isinstance(bound, KeyOf) else None
    return None


def is_renaming(kind: Mapped) -> bool:
    """Return whether a mapped type has an `as` clause."""
    return kind.unit.items(kind.unit.code[kind.index + 2])[1] >= 0


def renamed_keys(engine: Engine, kind: Mapped) -> dict[str, Literal] | None:
    """Return the original key of each member of a mapped type with `as`, or None if they cannot be listed."""
    unit = kind.unit
    over, name_node, _ = unit.items(unit.code[kind.index + 2])
    if over < 0:
        return None
    source = mapped_source(engine, kind)
    keys = literal_names(engine.declared_type(unit, over, kind.env)) if source is None else engine.member_names(source)
    if keys is None:
        return None
    found: dict[str, Literal] = {}
    for key in sorted(keys):
        literal = Literal(STRING, key)
        named = engine.declared_type(unit, name_node, {**kind.env, (unit.index, unit.code[kind.index + 1]): literal})
        for part in parts_of(named):
            if isinstance(part, Literal):
                found[part.value] = literal
            elif part is not NEVER:
                return None
    return found


def mapped_elements(engine: Engine, kind: Mapped) -> Type | None:
    """Return the element type of a mapped type over a type parameter whose constraint is an array or tuple, else None."""
    source = mapped_source(engine, kind)
    bound = engine.constraint(source) if isinstance(source, TypeParameter) else UNRESOLVED
    is_array = isinstance(bound, Tuple) or engine.is_lib(bound, "Array", "ReadonlyArray")
    return mapped_value(engine, kind, NUMBER) if is_array else None


def mapped_type(engine: Engine, kind: Mapped) -> Type:
    """Return a mapped type; over a tuple or array, the result is a tuple or array."""
    source = mapped_source(engine, kind)
    if isinstance(source, Tuple):
        if has_spread(source):
            return kind
        rest = mapped_member(engine, kind, str(len(source.elements))) if source.rest is not None else None
        return Tuple((mapped_member(engine, kind, str(index)) for index in range(len(source.elements))), rest, source.optional)
    if source is not None and engine.is_lib(source, "Array", "ReadonlyArray"):
        return engine.lib("Array", mapped_member(engine, kind, "0"))
    return kind


#: The function that substitutes type parameters in each kind of type.
_SUBSTITUTIONS: dict[type[Type], Callable[[Engine, Any, Env], Type]] = {
    Instance: _in_instance,
    ClassExpression: _in_class,
    ShapeInstance: _close,
    Static: _in_class,
    Union: _in_union,
    Intersection: _in_intersection,
    ObjectShape: _close,
    ObjectLiteral: _close,
    FunctionType: _close,
    ConstructorType: _close,
    Mapped: _close,
    Conditional: _close,
    Tuple: _in_tuple,
    Template: _in_template,
    Overloads: _in_overloads,
    Instantiated: _in_instantiated,
    KeyOf: _in_key,
    Indexed: _in_indexed,
    Picked: _in_picked,
}
