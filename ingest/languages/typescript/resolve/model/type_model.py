"""The types of the engine: small immutable values that refer to structure in the facts.

An env maps type parameters to types. A type with its own structure, such as a function type, keeps the env with which it was
made. Substitution composes envs instead of copying structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from .binder import Declared, Entity
from .unit import Unit


class Type:
    """Base of all types."""

    __slots__ = ()

    #: Levels of types inside this type.
    depth: int = 0
    #: Whether the members are unknown: any, unknown, unresolved.
    opaque: bool = False
    #: Whether the type is void, undefined or null.
    nullish: bool = False


#: A type parameter: index of its file and of its declaration.
Parameter = tuple[int, int]
Env = Mapping[Parameter, Type]
EMPTY: Env = {}

#: Key of the receiver's own type in an env, for `this` types.
THIS: Parameter = (-1, -1)


#: Maximum depth of types inside types. Deeper types are unresolved, because recursive types would grow without end.
MAX_TYPE_DEPTH = 12


@dataclass(frozen=True, slots=True, eq=False)
class Primitive(Type):
    """A primitive or a special type, such as string, void, never, any or unknown.

    There is one object of each, compared by identity.
    """

    name: str
    opaque: bool = False
    nullish: bool = False


STRING = Primitive("string")
NUMBER = Primitive("number")
BOOLEAN = Primitive("boolean")
BIGINT = Primitive("bigint")
SYMBOL = Primitive("symbol")
VOID = Primitive("void", nullish=True)
UNDEFINED = Primitive("undefined", nullish=True)
NULL = Primitive("null", nullish=True)
NEVER = Primitive("never")
OBJECT = Primitive("object")
ANY = Primitive("any", opaque=True)
UNKNOWN = Primitive("unknown", opaque=True)
#: A type that the engine could not compute; unlike `any`, it is never written in the code.
UNRESOLVED = Primitive("unresolved", opaque=True)
#: Marks an answer in memory that is being computed.
IN_PROGRESS = Primitive("in progress")
PRIMITIVES = {
    kind.name: kind for kind in (STRING, NUMBER, BOOLEAN, BIGINT, SYMBOL, VOID, UNDEFINED, NULL, NEVER, ANY, UNKNOWN, OBJECT)
} | {"unique symbol": SYMBOL}


class Keyed(Type):
    """Base of types that are compared often: their hash is computed once."""

    __slots__ = ("_hash", "_key")

    _key: tuple[object, ...]
    _hash: int

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and isinstance(other, Keyed) and self._hash == other._hash and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._key!r}"


class Literal(Keyed):
    """A string, number or boolean literal; `base` is its primitive."""

    __slots__ = ("base", "value")

    def __init__(self, base: Primitive, value: str) -> None:
        self.base = base
        self.value = value
        self._key = (base, value)
        self._hash = hash((Literal, base, value))


class Compound(Keyed):
    """Base of types that contain types. Their depth is also computed only once."""

    __slots__ = ("depth",)

    def _seal(self, key: tuple[object, ...], parts: Iterable[Type]) -> None:
        self._key = key
        self._hash = hash((type(self), key))
        depth = 0
        for part in parts:
            if part.depth > depth:
                depth = part.depth
        self.depth = depth + 1


def _shallow(parts: Iterable[Type]) -> tuple[Type, ...]:
    kept = tuple(parts)
    for part in kept:
        if part.depth >= MAX_TYPE_DEPTH:
            return tuple([part if part.depth < MAX_TYPE_DEPTH else _without_deepest_parts(part) for part in kept])
    return kept


def _without_deepest_parts(kind: Type) -> Type:
    """Return a copy of a type that is too deep, in which the deepest parts are unresolved. The declaration is kept."""
    if isinstance(kind, Instance):
        return Instance(kind.entity, [_unless_deep(part) for part in kind.arguments])
    if isinstance(kind, Closure):
        return type(kind)(kind.unit, kind.index, {key: _unless_deep(part) for key, part in kind.env.items()})
    return UNRESOLVED


def _unless_deep(part: Type) -> Type:
    return part if part.depth < MAX_TYPE_DEPTH - 2 else UNRESOLVED


class Instance(Compound):
    """An instance of a class, interface or enum, with the arguments of its type parameters."""

    __slots__ = ("arguments", "entity")

    def __init__(self, entity: Declared, arguments: Iterable[Type] = ()) -> None:
        self.entity = entity
        self.arguments = _shallow(arguments)
        self._seal((entity, self.arguments), self.arguments)


@dataclass(frozen=True, slots=True)
class EnumMember(Type):
    """One member of an enum."""

    entity: Declared
    name: str


@dataclass(frozen=True, slots=True)
class Static(Type):
    """The value of a declared name that has members of its own: a class, enum, namespace, or function with properties."""

    entity: Declared


@dataclass(frozen=True, slots=True)
class ModuleType(Type):
    """A module or package as an object."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class External(Type):
    """A value or instance of a declaration in a package that is not read."""

    package: str
    path: tuple[str, ...]


class ClosedEnv(dict[Parameter, Type]):
    """An immutable env of closures. Its hash and depth are computed once for all closures that share it."""

    __slots__ = ("_hash", "depth")

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self._hash = hash(frozenset(self.items()))
        self.depth = max([part.depth for part in self.values()], default=0)

    def __hash__(self) -> int:  # type: ignore[override]  # an env that never changes can be a key
        return self._hash


class Closure(Compound):
    """Base of types whose structure is in the facts, with an env for the type parameters in it."""

    __slots__ = ("env", "index", "unit")

    def __init__(self, unit: Unit, index: int, env: Env) -> None:
        self.unit = unit
        self.index = index
        if env:
            closed = env if type(env) is ClosedEnv else ClosedEnv(env)
            if closed.depth >= MAX_TYPE_DEPTH:
                closed = ClosedEnv(dict(zip(closed, _shallow(closed.values()), strict=True)))
            self.env: Env = closed
            self._key = (unit.index, index, closed)
            self._hash = hash((type(self), unit.index, index, closed))
            self.depth = closed.depth + 1
        else:
            self.env = EMPTY
            self._key = (unit.index, index)
            self._hash = hash((type(self), unit.index, index))
            self.depth = 1


class ObjectShape(Closure):
    """An object type or object literal: `index` is the shape."""

    __slots__ = ()


class ObjectLiteral(Closure):
    """An object literal with spreads: `index` is the OBJECT node."""

    __slots__ = ()


class FunctionType(Closure):
    """A function type, expression or declaration: `index` is the function."""

    __slots__ = ()


class ConstructorType(Closure):
    """`new (…) => T`: `index` is the function."""

    __slots__ = ()


class Mapped(Closure):
    """A mapped type whose members are not computed: `index` is the T_MAPPED node."""

    __slots__ = ()


class ClassExpression(Closure):
    """The value of a class without a declared name, or of a class inside a generic function: `index` is its shape."""

    __slots__ = ()


class ShapeInstance(Closure):
    """An instance of a class without a declared name, or of a class inside a generic function."""

    __slots__ = ()


class TypeParameter(Keyed):
    """A type parameter that was not replaced. `key` is its key in an env."""

    __slots__ = ("decl", "key", "unit")

    def __init__(self, unit: Unit, decl: int) -> None:
        self.unit = unit
        self.decl = decl
        self.key: Parameter = (unit.index, decl)
        self._key = self.key
        self._hash = hash((TypeParameter, unit.index, decl))


class Overloads(Compound):
    """A function with several signatures, in order."""

    __slots__ = ("signatures",)

    def __init__(self, signatures: Iterable[Type]) -> None:
        self.signatures = _shallow(signatures)
        self._seal((self.signatures,), self.signatures)


class Instantiated(Compound):
    """A class or generic function with type arguments that its calls do not decide any more: `Box<Item>` as a value."""

    __slots__ = ("arguments", "target")

    def __init__(self, target: Type, arguments: Iterable[Type]) -> None:
        self.target = target
        self.arguments = _shallow(arguments)
        self._seal((target, self.arguments), (target, *self.arguments))


class Union(Compound):
    """A union of at least two types, none of which is a union."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Type]) -> None:
        self.parts = _shallow(parts)
        self._seal((self.parts,), self.parts)


class Intersection(Compound):
    """An intersection of at least two types, none of which is an intersection."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Type]) -> None:
        self.parts = _shallow(parts)
        self._seal((self.parts,), self.parts)


class Tuple(Compound):
    """A tuple. The last `optional` elements may be missing, and `rest` is the type of the elements after them.

    The spread of a type parameter is a `Spread` among the elements.
    """

    __slots__ = ("elements", "optional", "rest")

    def __init__(self, elements: Iterable[Type], rest: Type | None = None, optional: int = 0) -> None:
        self.elements = _shallow(elements)
        self.rest = rest
        self.optional = optional
        self._seal((self.elements, rest, optional), (*self.elements, *(() if rest is None else (rest,))))


class Spread(Compound):
    """`...T` in a tuple, for a T that is not known yet."""

    __slots__ = ("target",)

    def __init__(self, target: Type) -> None:
        self.target = target
        self._seal((target,), (target,))


class KeyOf(Compound):
    """`keyof T`, for a T that is not known yet."""

    __slots__ = ("target",)

    def __init__(self, target: Type) -> None:
        self.target = target
        self._seal((target,), (target,))


class Indexed(Compound):
    """`T[K]`, for a T or K that is not known yet."""

    __slots__ = ("index", "target")

    def __init__(self, target: Type, index: Type) -> None:
        self.target = target
        self.index = index
        self._seal((target, index), (target, index))


class Template(Compound):
    """A template literal type: `texts` around `parts`, one more text than parts.

    Each part is `string`, `number`, `bigint`, or not known yet.
    """

    __slots__ = ("parts", "texts")

    def __init__(self, texts: Iterable[str], parts: Iterable[Type]) -> None:
        self.texts = tuple(texts)
        self.parts = _shallow(parts)
        self._seal((self.texts, self.parts), self.parts)


class Conditional(Closure):
    """A conditional type whose check is not known yet: `index` is the T_CONDITIONAL node."""

    __slots__ = ()


class Picked(Compound):
    """A type whose members are picked or omitted by name: `names` are kept if `keeps` is true, else left out.

    If `optional` is true, no value needs the members: `Partial<T>` omits no member of T and makes all of them optional.
    """

    __slots__ = ("keeps", "names", "optional", "target")

    def __init__(self, target: Type, names: frozenset[str], keeps: bool, optional: bool = False) -> None:
        self.target = target
        self.names = names
        self.keeps = keeps
        self.optional = optional
        self._seal((target, names, keeps, optional), (target,))

    def has(self, name: str) -> bool:
        """Return whether a member of the target remains."""
        return (name in self.names) == self.keeps


#: Maximum number of parts of a union. A longer union is of little use to readers.
MAX_PARTS = 64
#: Maximum number of parts in a union of literals, such as the keys of a type.
MAX_LITERALS = 2048


def may_lack_parts(parts: Sequence[Type]) -> bool:
    """Return whether the parts are those of a union of the maximum length, which may have had more."""
    return len(parts) in (MAX_PARTS, MAX_LITERALS)


def union(parts: Iterable[Type]) -> Type:
    """Return the union of types, flattened and without repetition.

    `never` and unresolved parts are left out.
    """
    flat: list[Type] = []
    for part in parts:
        if isinstance(part, Union):
            flat += part.parts
        else:
            flat.append(part)
    if len(flat) == 1:
        return flat[0]
    seen: dict[Type, None] = {}
    unresolved = False
    for part in flat:
        if part is UNRESOLVED:
            unresolved = True
        elif part is ANY:
            return ANY
        elif part is not NEVER:
            seen[part] = None
    if not seen:
        return UNRESOLVED if unresolved else NEVER
    kept = tuple(seen)
    if len(kept) > MAX_PARTS:
        is_literal = all(isinstance(part, Literal) for part in kept)
        kept = kept[: MAX_LITERALS if is_literal else MAX_PARTS]
    return kept[0] if len(kept) == 1 else Union(kept)


def intersection(parts: Iterable[Type]) -> Type:
    """Return the intersection of types, flattened and distributed over unions.

    The intersection is `any` if one of the types is `any`. Unresolved and unknown parts are left out.
    """
    seen: dict[Type, None] = {}
    for part in parts:
        if part is ANY:
            return ANY
        for inner in part.parts if isinstance(part, Intersection) else (part,):
            if not inner.opaque:
                seen[inner] = None
    if not seen:
        return UNRESOLVED
    kept = tuple(seen)
    if len(kept) == 1:
        return kept[0]
    return _common(kept) or _spread_over(kept) or Intersection(kept)


def _spread_over(parts: Sequence[Type]) -> Type | None:
    """Return an intersection with unions as a union of intersections: `A & (B | C)` is `A & B | A & C`.

    Return None if there are no unions, or too many parts.
    """
    sizes = [len(part.parts) for part in parts if isinstance(part, Union)]
    if not sizes or prod(sizes) > MAX_PARTS:
        return None
    return union(
        intersection(each) if all(_may_miss(part) for part in each) or not any(part.nullish for part in each) else NEVER
        for each in product(*[parts_of(part) for part in parts])
    )


def _may_miss(kind: Type) -> bool:
    """Return False for types without null and undefined."""
    return kind.nullish or kind.opaque or isinstance(kind, TypeParameter | Indexed | Conditional | KeyOf | Mapped)


def _common(parts: Sequence[Type]) -> Type | None:
    """Return the common values of literals, primitives and their unions; None if a part is another type."""
    sets = [parts_of(part) for part in parts]
    if not all(isinstance(member, Literal | Primitive) for members in sets for member in members):
        return None
    common = sets[0]
    for members in sets[1:]:
        common = tuple(narrow for one in common for other in members if (narrow := _narrower(one, other)) is not None)
    return union(common) if common else NEVER


def _narrower(one: Type, other: Type) -> Type | None:
    """Return the narrower of two literals or primitives if one includes the other, else None."""
    if one == other or (isinstance(one, Literal) and one.base == other):
        return one
    return other if isinstance(other, Literal) and other.base == one else None


def parts_of(kind: Type) -> tuple[Type, ...]:
    """Return the parts of a union, or the type itself."""
    return kind.parts if isinstance(kind, Union) else (kind,)


def non_nullish(kind: Type) -> Type:
    """Return a type without null, undefined and void."""
    if isinstance(kind, Union):
        return union(part for part in kind.parts if not part.nullish)
    return kind


def widened(kind: Type) -> Type:
    """Return a type with its literal types replaced by their primitives."""
    if isinstance(kind, Literal):
        return kind.base
    if isinstance(kind, EnumMember):
        return Instance(kind.entity)
    if isinstance(kind, Union):
        return union(widened(part) for part in kind.parts)
    return kind
