"""The inheritance of a class or interface: its shapes and base types, in terms of its own type parameters.

For `class Repo<T> extends Store<T[]>`, the shapes are the shapes of `Repo`, and the shapes of `Store` with `T[]` for its
parameter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....facts.model import DeclKind
from ....facts.operations import Op
from .model.binder import Declared
from .model.type_model import (
    EMPTY,
    UNRESOLVED,
    Env,
    Instance,
    Intersection,
    Mapped,
    ObjectLiteral,
    ObjectShape,
    ShapeInstance,
    Type,
    TypeParameter,
)
from .reduction import mapped_source, substitute

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit

#: Maximum number of bases of one entity that are followed.
_MAX_BASES = 100

#: Placeholder for the bases of a class while they are computed, so that a class that extends itself has no bases.
_IN_PROGRESS: list[Type] = []


@dataclass(slots=True)
class Inheritance:
    """The shapes and base types of an entity, each followed by what it inherits, in terms of the entity's own type parameters."""

    #: The entity, applied to the type parameters of its first declaration.
    itself: Instance
    #: Instance types that it extends or implements.
    bases: list[Instance]
    #: Shapes whose members it has: its own shapes and the extended shapes, each with an env.
    shapes: list[tuple[Unit, int, Env]]
    #: Extended types other than classes and interfaces of known shape.
    others: list[Type]
    #: The constructor functions among the entity and the values that it extends.
    functions: list[Declared]
    #: The shape that declares each member that was looked up, or None.
    places: dict[str, tuple[Unit, int, Env] | None]
    #: The shapes of one interface that declare each method that was looked up, if there are several; the last one comes first.
    merged: dict[str, list[tuple[Unit, int, Env]]]


def instance_shapes(engine: Engine, kind: Instance) -> Iterator[tuple[Unit, int, Env]]:
    """Yield the class and interface declarations of an instance type, each with an env for its type parameters."""
    for unit, index in engine.binder.declarations(kind.entity):
        decl = unit.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
            parameters = unit.shapes[decl.a].type_parameters
            yield unit, decl.a, {(unit.index, p): t for p, t in zip(parameters, kind.arguments, strict=False)}


def bases(engine: Engine, unit: Unit, shape: int) -> list[Type]:
    """Return the types that a class or interface extends, in terms of its own type parameters. The answers are remembered."""
    key = (unit.index, shape)
    known = engine.base_types.get(key)
    if known is _IN_PROGRESS:
        engine.cut_off += 1
    if known is None:
        engine.base_types[key] = _IN_PROGRESS
        found = []
        for node in unit.shapes[shape].extends:
            if unit.code[node] == Op.INSTANTIATION:
                arguments = tuple(engine.declared_type(unit, item) for item in unit.items(unit.code[node + 2]))
                found.append(engine.base_instance(unit, unit.code[node + 1], arguments))
            else:
                found.append(engine.declared_type(unit, node))
        known = engine.base_types[key] = [base for base in found if not _is_unknown(engine, base)]
    return known


def _is_unknown(engine: Engine, base: Type) -> bool:
    """Return whether a base is not known, or is a mapped type over a type that is not known."""
    return base is UNRESOLVED or (isinstance(base, Mapped) and mapped_source(engine, base) is UNRESOLVED)


def inheritance(engine: Engine, entity: Declared) -> Inheritance:
    """Return the shapes and base types of an entity. The answers are remembered."""
    known = engine.inheritances.get(entity)
    if known is None:
        known = engine.inheritances[entity] = _build_inheritance(engine, entity)
    return known


def _build_inheritance(engine: Engine, entity: Declared) -> Inheritance:
    made = Inheritance(_itself(engine, entity), [], [], [], [], {}, {})
    extended: deque[Type] = deque((made.itself,))
    implemented: deque[Type] = deque()
    seen: set[Declared] = set()
    # Extended types come first, because a type that is both extended and implemented counts as extended.
    while (extended or implemented) and len(made.bases) < _MAX_BASES:
        inherits = bool(extended)
        waiting = extended if inherits else implemented
        current = waiting.popleft()
        if isinstance(current, Intersection):
            waiting.extendleft(reversed(current.parts))
            continue
        if isinstance(current, ObjectShape) and inherits:
            made.shapes.append((current.unit, current.index, current.env))
        elif inherits and not isinstance(current, Instance):
            made.others.append(current)
        if not isinstance(current, Instance) or current.entity in seen:
            continue
        seen.add(current.entity)
        if current.entity != entity:
            made.bases.append(current)
        has_shape = False
        above: list[Type] = []
        for unit, shape, env in instance_shapes(engine, current):
            has_shape = True
            if inherits:
                made.shapes.append((unit, shape, env))
            above += (substitute(engine, base, env) for base in bases(engine, unit, shape))
            interfaces = (engine.declared_type(unit, node) for node in unit.shapes[shape].implements)
            implemented += (substitute(engine, base, env) for base in interfaces)
        # What the first base inherits hides what the second base declares, as in the compiler.
        waiting.extendleft(reversed(above))
        if inherits and not has_shape:
            made.functions.append(current.entity)
    return made


def _itself(engine: Engine, entity: Declared) -> Instance:
    """Return the entity, applied to the type parameters of its first declaration."""
    for unit, index in engine.binder.declarations(entity):
        decl = unit.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
            return Instance(entity, tuple(TypeParameter(unit, parameter) for parameter in unit.shapes[decl.a].type_parameters))
    return Instance(entity)


def argument_env(engine: Engine, kind: Instance) -> Env:
    """Return the env that maps an entity's own type parameters to the arguments of an instance type."""
    if not kind.arguments:
        return EMPTY
    own = inheritance(engine, kind.entity).itself.arguments
    return {part.key: given for part, given in zip(own, kind.arguments, strict=False) if isinstance(part, TypeParameter)}


def find_base(engine: Engine, kind: Instance, wanted: Declared) -> Instance | None:
    """Return the base of an instance type that is an instance of an entity, or None."""
    for base in inheritance(engine, kind.entity).bases:
        if base.entity == wanted:
            closed = substitute(engine, base, argument_env(engine, kind))
            return closed if isinstance(closed, Instance) else None
    return None


def shapes_of(engine: Engine, kind: Type) -> Iterator[tuple[Unit, int, Env]]:
    """Yield the shapes whose members a type has: its own first, then inherited ones.

    The envs of an instance type's shapes contain the type parameters of its entity; `close` replaces them by the type arguments.
    """
    if isinstance(kind, ObjectShape):
        yield kind.unit, kind.index, kind.env
    elif isinstance(kind, ObjectLiteral):
        yield kind.unit, kind.unit.code[kind.index + 1], kind.env
    elif isinstance(kind, ShapeInstance):
        yield kind.unit, kind.index, kind.env
    elif isinstance(kind, Instance):
        yield from inheritance(engine, kind.entity).shapes
    elif isinstance(kind, Intersection):
        for part in kind.parts:
            yield from shapes_of(engine, part)


def close(engine: Engine, kind: Type, env: Env) -> Env:
    """Return the env of one of a type's shapes with the type's arguments applied."""
    if not isinstance(kind, Instance) or not kind.arguments:
        return env
    outer = argument_env(engine, kind)
    return {key: substitute(engine, value, outer) for key, value in env.items()}
