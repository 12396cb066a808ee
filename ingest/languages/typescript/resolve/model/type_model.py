"""Types as the engine knows them: small immutable values. Structure is read lazily from the facts they point at.

Env: what type parameters stand for. A type that has structure of its own (object types, functions) keeps the env it was
made in; substitution composes envs instead of copying structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from .binder import Declared, Entity
from .program import Unit


class Type:
    """Base of all types."""

    __slots__ = ()

    #: Levels of types inside types.
    depth: int = 0
    #: True for types that tell nothing about members: any, unknown, unresolved.
    opaque: bool = False
    #: True for void, undefined and null.
    nullish: bool = False


#: A type parameter: file index and declaration.
Parameter = tuple[int, int]
Env = Mapping[Parameter, Type]
EMPTY: Env = {}

#: Key of the receiver's own type in an env, for `this` types.
THIS: Parameter = (-1, -1)


#: Levels of types inside types that are kept; what lies deeper is unresolved. Recursive types would grow without end.
MAX_TYPE_DEPTH = 12


@dataclass(frozen=True, slots=True, eq=False)
class Primitive(Type):
    """string, number, boolean, bigint, symbol, void, undefined, null, never, any, unknown, object.

    There is one of each, compared by identity.
    """

    name: str
    opaque: bool = False
    nullish: bool = False


STRING, NUMBER, BOOLEAN, BIGINT, SYMBOL = (Primitive(name) for name in ("string", "number", "boolean", "bigint", "symbol"))
VOID, UNDEFINED, NULL = (Primitive(name, nullish=True) for name in ("void", "undefined", "null"))
NEVER, OBJECT = Primitive("never"), Primitive("object")
ANY, UNKNOWN = Primitive("any", opaque=True), Primitive("unknown", opaque=True)
#: What the engine could not work out; unlike `any` it says nothing about the code.
UNRESOLVED = Primitive("unresolved", opaque=True)
#: Stands in memory for what is being worked out.
IN_HAND = Primitive("in hand")
PRIMITIVES = {
    kind.name: kind for kind in (STRING, NUMBER, BOOLEAN, BIGINT, SYMBOL, VOID, UNDEFINED, NULL, NEVER, ANY, UNKNOWN, OBJECT)
} | {"unique symbol": SYMBOL}


class Keyed(Type):
    """Base of types that are compared all the time: their hash is computed once."""

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
    """Base of types made of types. Their depth is computed once as well."""

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
            return tuple([part if part.depth < MAX_TYPE_DEPTH else _pruned(part) for part in kept])
    return kept


def _pruned(kind: Type) -> Type:
    """A type that is too deep, without what lies deepest in it: where it is declared stays known."""
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
    """The value of a declared name that has members of its own: a class, an enum, a namespace, a function with properties."""

    entity: Declared


@dataclass(frozen=True, slots=True)
class ModuleType(Type):
    """A module or package as an object."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class External(Type):
    """A value or instance of something declared in a package whose declarations are not read."""

    package: str
    path: tuple[str, ...]


class ClosedEnv(dict[Parameter, Type]):
    """An env as closures hold it, not to be changed. Hash and depth are computed once, for all closures that share it."""

    __slots__ = ("_hash", "depth")

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self._hash = hash(frozenset(self.items()))
        self.depth = max([part.depth for part in self.values()], default=0)

    def __hash__(self) -> int:  # type: ignore[override]  # what is never changed can be a key
        return self._hash


class Closure(Compound):
    """Base of types whose structure stands in the facts, with an env for the type parameters in it."""

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
    """A mapped type that is not reduced to its members: `index` is the T_MAPPED node."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ClassExpression(Type):
    """The value of a class without a declared name: a shape of a file."""

    unit: Unit
    shape: int


@dataclass(frozen=True, slots=True)
class ShapeInstance(Type):
    """An instance of a class without a declared name."""

    unit: Unit
    shape: int


class TypeParameter(Keyed):
    """A type parameter that nothing has been put in for. `key` is its key in an env."""

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


class Union(Compound):
    """One of several types; no unions inside, at least two."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Type]) -> None:
        self.parts = _shallow(parts)
        self._seal((self.parts,), self.parts)


class Intersection(Compound):
    """All of several types; no intersections inside, at least two."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Type]) -> None:
        self.parts = _shallow(parts)
        self._seal((self.parts,), self.parts)


class Tuple(Compound):
    """A tuple. `rest` is the element type of a rest element, which stands last; of the elements the last `optional` may be
    missing, and what is spread of a type parameter is a `Spread` among them."""

    __slots__ = ("elements", "optional", "rest")

    def __init__(self, elements: Iterable[Type], rest: Type | None = None, optional: int = 0) -> None:
        self.elements = _shallow(elements)
        self.rest = rest
        self.optional = optional
        self._seal((self.elements, rest, optional), (*self.elements, *(() if rest is None else (rest,))))


class Spread(Compound):
    """`...T` in a tuple, of a T that is not known yet."""

    __slots__ = ("target",)

    def __init__(self, target: Type) -> None:
        self.target = target
        self._seal((target,), (target,))


class KeyOf(Compound):
    """`keyof T` of a T that is not known yet."""

    __slots__ = ("target",)

    def __init__(self, target: Type) -> None:
        self.target = target
        self._seal((target,), (target,))


class Indexed(Compound):
    """`T[K]` of a T or K that is not known yet."""

    __slots__ = ("index", "target")

    def __init__(self, target: Type, index: Type) -> None:
        self.target = target
        self.index = index
        self._seal((target, index), (target, index))


class Template(Compound):
    """A template literal type: `texts` around `parts`, one more than these, which are `string`, `number`, `bigint`, or wait."""

    __slots__ = ("parts", "texts")

    def __init__(self, texts: Iterable[str], parts: Iterable[Type]) -> None:
        self.texts = tuple(texts)
        self.parts = _shallow(parts)
        self._seal((self.texts, self.parts), self.parts)


class Conditional(Closure):
    """A conditional type whose check is not known yet: `index` is the T_CONDITIONAL node."""

    __slots__ = ()


class Picked(Compound):
    """Members of a type: `names` kept (Pick) or left out (Omit)."""

    __slots__ = ("keeps", "names", "target")

    def __init__(self, target: Type, names: frozenset[str], keeps: bool) -> None:
        self.target = target
        self.names = names
        self.keeps = keeps
        self._seal((target, names, keeps), (target,))

    def has(self, name: str) -> bool:
        """Whether a member of the target stays."""
        return (name in self.names) == self.keeps


#: Largest number of parts of a union that is kept; beyond it the parts tell little.
MAX_PARTS = 64


def union(parts: Iterable[Type]) -> Type:
    """The union of types, flattened, without repetition; `never` vanishes and an unresolved part is left out."""
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
    kept = tuple(seen)[:MAX_PARTS]
    return kept[0] if len(kept) == 1 else Union(kept)


def intersection(parts: Iterable[Type]) -> Type:
    """The intersection of types, flattened, and spread over the parts of unions; `any` makes all of it any, unknown parts are
    left out."""
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
    """The union that an intersection with unions is: `A & (B | C)` is `A & B | A & C`; None without unions, or of too many."""
    sizes = [len(part.parts) for part in parts if isinstance(part, Union)]
    if not sizes or prod(sizes) > MAX_PARTS:
        return None
    return union(
        intersection(each) if all(_may_miss(part) for part in each) or not any(part.nullish for part in each) else NEVER
        for each in product(*[parts_of(part) for part in parts])
    )


def _may_miss(kind: Type) -> bool:
    """False for types that hold neither null nor undefined."""
    return kind.nullish or kind.opaque or isinstance(kind, TypeParameter | Indexed | Conditional | KeyOf | Mapped)


def _common(parts: Sequence[Type]) -> Type | None:
    """What literals, primitives and unions of them have in common; None when another type is among the parts."""
    sets = [parts_of(part) for part in parts]
    if not all(isinstance(member, Literal | Primitive) for members in sets for member in members):
        return None
    common = sets[0]
    for members in sets[1:]:
        common = tuple(narrow for one in common for other in members if (narrow := _narrower(one, other)) is not None)
    return union(common) if common else NEVER


def _narrower(one: Type, other: Type) -> Type | None:
    """The narrower of a literal or primitive and another one that holds it."""
    if one == other or (isinstance(one, Literal) and one.base == other):
        return one
    return other if isinstance(other, Literal) and other.base == one else None


def parts_of(kind: Type) -> tuple[Type, ...]:
    """The parts of a union; the type itself for anything else."""
    return kind.parts if isinstance(kind, Union) else (kind,)


def non_nullish(kind: Type) -> Type:
    """The type without null, undefined and void."""
    if isinstance(kind, Union):
        return union(part for part in kind.parts if not part.nullish)
    return kind


def widened(kind: Type) -> Type:
    """Literal types become their primitives."""
    if isinstance(kind, Literal):
        return kind.base
    if isinstance(kind, EnumMember):
        return Instance(kind.entity)
    if isinstance(kind, Union):
        return union(widened(part) for part in kind.parts)
    return kind
