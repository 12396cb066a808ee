"""What a class or interface is and inherits: its shapes and bases, over its own type parameters."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....facts.model import DeclKind, Op
from .model.binder import Declared
from .model.type_model import (
    EMPTY,
    UNRESOLVED,
    Env,
    Instance,
    Intersection,
    ObjectLiteral,
    ObjectShape,
    ShapeInstance,
    Type,
    TypeParameter,
)
from .reduction import substitute

if TYPE_CHECKING:
    from .engine import Engine
    from .model.program import Unit

#: Bases of one entity that are looked at.
_MAX_BASES = 100

#: Bases of a class while they are looked for: a class that extends itself has none.
_IN_HAND: list[Type] = []


@dataclass(slots=True)
class Lineage:
    """What an entity is and inherits, nearest first, over its own type parameters."""

    #: The entity over the type parameters of its first declaration.
    itself: Instance
    #: Everything it extends or implements.
    bases: list[Instance]
    #: Shapes whose members it has: its own and those it extends.
    shapes: list[tuple[Unit, int, Env]]
    #: What it extends that is no class or interface of known shape.
    others: list[Type]
    #: Constructor functions among what it is and extends.
    functions: list[Declared]
    #: The shape that declares a member, by name, as far as it was asked for.
    places: dict[str, tuple[Unit, int, Env] | None]


def instance_shapes(engine: Engine, kind: Instance) -> Iterator[tuple[Unit, int, Env]]:
    """The class and interface declarations of an instance type, each with an env for its type parameters."""
    for unit, index in engine.linker.declarations(kind.entity):
        decl = unit.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
            parameters = unit.shapes[decl.a].type_parameters
            yield unit, decl.a, {(unit.index, p): t for p, t in zip(parameters, kind.arguments, strict=False)}


def bases(engine: Engine, unit: Unit, shape: int) -> list[Type]:
    """What a class or interface extends, as instance types over its own type parameters."""
    key = (unit.index, shape)
    known = engine.base_types.get(key)
    if known is _IN_HAND:
        engine.cut_off += 1
    if known is None:
        engine.base_types[key] = _IN_HAND
        found = []
        for node in unit.shapes[shape].extends:
            if unit.code[node] == Op.INSTANTIATION:
                arguments = tuple(engine.declared_type(unit, item) for item in unit.items(unit.code[node + 2]))
                found.append(engine.base_instance(unit, unit.code[node + 1], arguments))
            else:
                found.append(engine.declared_type(unit, node))
        known = engine.base_types[key] = [base for base in found if base is not UNRESOLVED]
    return known


def lineage(engine: Engine, entity: Declared) -> Lineage:
    """Everything an entity extends or implements, over its own type parameters. Remembered."""
    known = engine.lineages.get(entity)
    if known is None:
        known = engine.lineages[entity] = _lineage(engine, entity)
    return known


def _lineage(engine: Engine, entity: Declared) -> Lineage:
    made = Lineage(_itself(engine, entity), [], [], [], [], {})
    extended: deque[Type] = deque((made.itself,))
    implemented: deque[Type] = deque()
    seen: set[Declared] = set()
    # What is extended comes first: a class may implement what its base extends, and has its members then.
    while (extended or implemented) and len(made.bases) < _MAX_BASES:
        inherits = bool(extended)
        waiting = extended if inherits else implemented
        current = waiting.popleft()
        if isinstance(current, Intersection):
            waiting += current.parts
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
        for unit, shape, env in instance_shapes(engine, current):
            has_shape = True
            if inherits:
                made.shapes.append((unit, shape, env))
            waiting += (substitute(engine, base, env) for base in bases(engine, unit, shape))
            interfaces = (engine.declared_type(unit, node) for node in unit.shapes[shape].implements)
            implemented += (substitute(engine, base, env) for base in interfaces)
        if inherits and not has_shape:
            made.functions.append(current.entity)
    return made


def _itself(engine: Engine, entity: Declared) -> Instance:
    """The entity over the type parameters of its first declaration."""
    for unit, index in engine.linker.declarations(entity):
        decl = unit.decls[index]
        if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
            return Instance(entity, tuple(TypeParameter(unit, parameter) for parameter in unit.shapes[decl.a].type_parameters))
    return Instance(entity)


def argument_env(engine: Engine, kind: Instance) -> Env:
    """What an instance type puts in for the parameters that its lineage is told in."""
    if not kind.arguments:
        return EMPTY
    own = lineage(engine, kind.entity).itself.arguments
    return {part.key: given for part, given in zip(own, kind.arguments, strict=False) if isinstance(part, TypeParameter)}


def find_base(engine: Engine, kind: Instance, wanted: Declared) -> Instance | None:
    """The base of an instance type that is an instance of an entity."""
    for base in lineage(engine, kind.entity).bases:
        if base.entity == wanted:
            closed = substitute(engine, base, argument_env(engine, kind))
            return closed if isinstance(closed, Instance) else None
    return None


def shapes_of(engine: Engine, kind: Type) -> Iterator[tuple[Unit, int, Env]]:
    """The shapes whose members a type has, its own ones first, then inherited ones. The envs of an instance type's shapes
    are over its own type parameters: `close` puts in its arguments."""
    if isinstance(kind, ObjectShape):
        yield kind.unit, kind.index, kind.env
    elif isinstance(kind, ObjectLiteral):
        yield kind.unit, kind.unit.code[kind.index + 1], kind.env
    elif isinstance(kind, ShapeInstance):
        yield kind.unit, kind.shape, EMPTY
    elif isinstance(kind, Instance):
        yield from lineage(engine, kind.entity).shapes
    elif isinstance(kind, Intersection):
        for part in kind.parts:
            yield from shapes_of(engine, part)


def close(engine: Engine, kind: Type, env: Env) -> Env:
    """The env of one of a type's shapes with the type's arguments put in."""
    if not isinstance(kind, Instance) or not kind.arguments:
        return env
    outer = argument_env(engine, kind)
    return {key: substitute(engine, value, outer) for key, value in env.items()}
