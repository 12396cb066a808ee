"""Lists of members: the members that a type has, and the members that a value must have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ....facts.model import DeclKind, Member, MemberKind, Shape
from ....facts.operations import Op
from .base_types import argument_env, inheritance, shapes_of
from .model.binder import LoadedFiles, Module
from .model.type_model import (
    EMPTY,
    NUMBER,
    OBJECT,
    PRIMITIVES,
    STRING,
    UNRESOLVED,
    Env,
    Instance,
    Intersection,
    Literal,
    Mapped,
    ModuleType,
    ObjectLiteral,
    ObjectShape,
    Picked,
    Primitive,
    ShapeInstance,
    Static,
    Type,
    Union,
    parts_of,
)
from .reduction import is_renaming, literal_names, mapped_source, substitute

if TYPE_CHECKING:
    from .engine import Engine
    from .model.unit import Unit


def own_members(engine: Engine, kind: Type) -> list[tuple[str, int]]:
    """Return (name, `MemberKind`) of the members in a type's shapes, without static members."""
    if isinstance(kind, Picked):
        return [entry for entry in own_members(engine, kind.target) if _is_picked(kind, *entry)]
    found: dict[tuple[str, int], None] = {}
    for unit, shape, _ in shapes_of(engine, kind):
        if unit is engine.program.lib and not isinstance(kind, Instance):
            continue
        for member in _visible(unit.shapes[shape]):
            is_index = member.kind == MemberKind.INDEX
            name = index_key(engine, unit, member) if is_index else engine.computed_keys.of(unit, member.name)
            found[(name, member.kind)] = None
    return list(found)


def index_key(engine: Engine, unit: Unit, member: Member) -> str:
    """Return the key type of an index signature, "string" or "number". The signature may write it as a type name or a union."""
    if member.name in PRIMITIVES or member.value < 0:
        return member.name
    keys = parts_of(engine.declared_type(unit, member.value))
    return "string" if STRING in keys else "number" if NUMBER in keys else member.name


def _is_picked(kind: Picked, name: str, code: int) -> bool:
    """Return whether Pick or Omit keeps a member. Among members without a name, Omit keeps only index signatures."""
    return kind.has(name) if code <= MemberKind.SETTER else code == MemberKind.INDEX and not kind.keeps


def _visible(shape: Shape) -> Iterator[Member]:
    return (member for member in shape.members if not member.static and member.kind != MemberKind.CONSTRUCTOR)


def member_names(engine: Engine, kind: Type) -> list[str] | None:
    """Return the names of a type's members, or None if they cannot be listed."""
    return _names(engine, kind, set())


def _names(engine: Engine, kind: Type, listed: set[tuple[int, int] | Type]) -> list[str] | None:
    """Return the names of a type's members.

    `listed` are the object literals whose names are already listed, because a literal may be spread into itself, as in
    `all.found = { ...all.found, ...more }`, and the mapped types around this one, because a mapped type may map itself.
    """
    if isinstance(kind, Static):
        return _static_names(engine, kind) or None
    if isinstance(kind, ModuleType):
        if isinstance(kind.entity, LoadedFiles):
            return engine.program.loaded_names(kind.entity.unit, kind.entity.index)
        return engine.binder.export_names(kind.entity.unit) if isinstance(kind.entity, Module) else None
    if isinstance(kind, Mapped):
        return _mapped_names(engine, kind, listed)
    if isinstance(kind, Picked):
        known = _names(engine, kind.target, listed)
        return [name for name in known if kind.has(name)] if known is not None else None
    if isinstance(kind, Intersection):
        lists = [_names(engine, part, listed) for part in kind.parts]
        known_lists = [each for each in lists if each is not None]
        return list(dict.fromkeys(chain.from_iterable(known_lists))) if len(known_lists) == len(lists) else None
    if not isinstance(kind, ObjectShape | ObjectLiteral | ShapeInstance | Instance):
        return None
    names = [name for name, code in own_members(engine, kind) if code <= MemberKind.SETTER and name]
    for base in _other_bases(engine, kind):
        names += _names(engine, base, listed) or []
    if isinstance(kind, ObjectLiteral) and (kind.unit.index, kind.index) not in listed:
        listed.add((kind.unit.index, kind.index))
        for spread in kind.unit.items(kind.unit.code[kind.index + 2]):
            names += _names(engine, engine.type_of(kind.unit, kind.unit.code[spread + 1]), listed) or []
    return list(dict.fromkeys(names))


def _static_names(engine: Engine, kind: Static) -> list[str]:
    """Return the names of an enum's members, of a class's own static members and of a namespace's exports."""
    names: list[str] = []
    for unit, index in engine.binder.declarations(kind.entity):
        decl = unit.decls[index]
        if decl.kind == DeclKind.ENUM:
            names += [member.name for member in unit.shapes[decl.a].members]
        elif decl.kind == DeclKind.CLASS:
            names += [member.name for member in unit.shapes[decl.a].members if member.static and member.name]
        elif decl.kind == DeclKind.NAMESPACE:
            names += unit.scopes[decl.a].exported
    return names


def _mapped_names(engine: Engine, kind: Mapped, listed: set[tuple[int, int] | Type]) -> list[str] | None:
    """Return the names of a mapped type's members, or None if any string is a key."""
    if is_renaming(kind):
        renamed = engine.renamed_keys(kind)
        return list(renamed) if renamed is not None else None
    source = mapped_source(engine, kind)
    if source is not None and kind in listed:
        return None
    if source is not None:
        listed.add(kind)
        names_of_source = _names(engine, source, listed)
        listed.discard(kind)
        return names_of_source
    over = kind.unit.items(kind.unit.code[kind.index + 2])[0]
    names = literal_names(engine.declared_type(kind.unit, over, kind.env)) if over >= 0 else None
    return sorted(names) if names is not None else None


def index_keys(engine: Engine, kind: Type) -> list[Type]:
    """Return the key types of a type's index signatures. A string key also admits numbers."""
    if isinstance(kind, Mapped):
        return _mapped_keys(engine, kind)
    if isinstance(kind, Picked):
        return [] if kind.keeps else index_keys(engine, kind.target)
    if isinstance(kind, Intersection):
        return [key for part in kind.parts for key in index_keys(engine, part)]
    found: list[Type] = [PRIMITIVES.get(name, UNRESOLVED) for name, code in own_members(engine, kind) if code == MemberKind.INDEX]
    for base in _other_bases(engine, kind):
        found += index_keys(engine, base)
    return [*found, NUMBER] if STRING in found else found


def _mapped_keys(engine: Engine, kind: Mapped) -> list[Type]:
    source = mapped_source(engine, kind)
    if source is not None:
        return engine.index_keys(source)
    over = kind.unit.items(kind.unit.code[kind.index + 2])[0]
    keys = parts_of(engine.declared_type(kind.unit, over, kind.env)) if over >= 0 and not is_renaming(kind) else ()
    return [key for key in keys if key is STRING or key is NUMBER]


def _other_bases(engine: Engine, kind: Type) -> Iterator[Type]:
    """Yield the types, other than classes and interfaces, that an interface extends, such as mapped types."""
    if isinstance(kind, Instance):
        for base in inheritance(engine, kind.entity).others:
            yield substitute(engine, base, argument_env(engine, kind))


def required_members(engine: Engine, kind: Type) -> dict[str, Type] | None:
    """Return the members that a value must have to fit a type, or None if they are not known.

    The type of a member is unresolved unless it can distinguish union parts.
    """
    if isinstance(kind, Mapped):
        return None
    if isinstance(kind, Picked):
        whole = required_members(engine, kind.target) if not kind.optional else {}
        return {name: value for name, value in whole.items() if kind.has(name)} if whole is not None else None
    found: dict[str, Type] = {}
    seen = False
    for unit, shape, env in shapes_of(engine, kind):
        seen = True
        for member in _visible(unit.shapes[shape]):
            if member.kind in (MemberKind.CALL, MemberKind.CONSTRUCT, MemberKind.INDEX) or member.optional or not member.name:
                continue
            found[member.name] = _discriminant_type(engine, unit, member.type, env if isinstance(kind, ObjectShape) else EMPTY)
    return found if seen else None


def lacks_common_members(engine: Engine, kind: Type, target: Type) -> bool:
    """Return whether a target type has only optional members, and the other type has members, but none of these.

    Such a value does not fit, although it lacks nothing: the weak type detection of TypeScript.
    """
    if not isinstance(target, ObjectShape | Instance):
        return False
    if not isinstance(kind, ObjectShape | ObjectLiteral | ShapeInstance | Instance | Picked | Mapped):
        return False
    wanted = _weak_names(engine, target)
    if not wanted or engine.index_keys(kind) or engine.signatures(kind, False) or engine.signatures(kind, True):
        return False
    # The names of members with computed keys are not known.
    if any(not name for name, _ in own_members(engine, kind)) or (isinstance(kind, Instance) and engine.has_other_bases(kind)):
        return False
    if not engine.member_names(kind):
        return False
    return not any(name and engine.properties(kind, name) for name in wanted)


def _weak_names(engine: Engine, kind: Type) -> list[str]:
    """Return the names of the members of a type all of whose members are optional properties; an empty list for other types.

    A member with a computed key has the name "".
    """
    found: list[str] = []
    for unit, shape, _ in shapes_of(engine, kind):
        for member in _visible(unit.shapes[shape]):
            if member.kind in (MemberKind.CALL, MemberKind.CONSTRUCT, MemberKind.INDEX) or not member.optional:
                return []
            found.append(member.name)
    return found


def optional_literals(engine: Engine, kind: Type) -> dict[str, Type]:
    """Return the members that a value may lack, but that only have the given literals if the value has them."""
    if isinstance(kind, Picked):
        found = dict(engine.optional_literals(kind.target))
        if kind.optional:
            required = engine.required_members(kind.target) or {}
            found |= {name: value for name, value in required.items() if literal_names(value) is not None}
        return {name: value for name, value in found.items() if kind.has(name)}
    found = {}
    for unit, shape, env in shapes_of(engine, kind):
        for member in _visible(unit.shapes[shape]):
            if member.optional and member.name and member.kind == MemberKind.PROPERTY:
                value = _discriminant_type(engine, unit, member.type, env if isinstance(kind, ObjectShape) else EMPTY)
                if literal_names(value) is not None:
                    found[member.name] = value
    return found


def _discriminant_type(engine: Engine, unit: Unit, node: int, env: Env) -> Type:
    """Return the type of a member if it is a literal, a union of literals, or may contain a literal; else unresolved.

    An object type may contain a literal, and an env may map a type parameter to a literal.
    """
    op = unit.code[node] if node >= 0 else -1
    if op in (Op.T_STRING, Op.T_NUMBER, Op.T_BOOLEAN, Op.T_OBJECT):
        return engine.declared_type(unit, node, env)
    if op == Op.T_UNION:
        given = engine.declared_type(unit, node, env)
        return given if all(isinstance(part, Literal) or part.nullish for part in parts_of(given)) else UNRESOLVED
    if op == Op.T_NAME and env:
        given = engine.declared_type(unit, node, env)
        return given if isinstance(given, Literal) else UNRESOLVED
    return UNRESOLVED


def admits(engine: Engine, kind: Type, name: str) -> bool:
    """Return whether an object literal for a type may have a member.

    The type declares the member, accepts any name, or has members that are not known.
    """
    if isinstance(kind, Union | Intersection):
        return any(admits(engine, part, name) for part in kind.parts)
    if isinstance(kind, Picked):
        return kind.has(name) and admits(engine, kind.target, name)
    if isinstance(kind, Primitive):
        return kind is OBJECT or kind.opaque
    if not isinstance(kind, ObjectShape | ShapeInstance | Instance) or engine.is_lib(kind, "Object"):
        return True
    if isinstance(kind, Instance) and engine.has_other_bases(kind):
        return True
    names = engine.member_names(kind)
    return not names or name in names or bool(engine.index_keys(kind))


def is_optional(engine: Engine, kind: Type, name: str) -> bool:
    """Return whether a type declares a member as optional."""
    if isinstance(kind, Picked):
        return kind.has(name) and (kind.optional or is_optional(engine, kind.target, name))
    for unit, shape, _ in shapes_of(engine, kind):
        for member in unit.shapes[shape].members:
            if member.name == name and not member.static and member.kind <= MemberKind.SETTER:
                return member.optional
    return False
