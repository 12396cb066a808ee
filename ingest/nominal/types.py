"""The types of values in nominal languages."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..facts.model import Decl, Member
from ..languages.typescript.resolve.model.unit import Unit


class Type:
    """The type of a value. Types are compared by value."""

    __slots__ = ()


class Unknown(Type):
    """A value of unknown type."""

    __slots__ = ()


class NoneType(Type):
    """The value `None` of Python."""

    __slots__ = ()


UNKNOWN: Final[Type] = Unknown()
NONE: Final[Type] = NoneType()


class ClassInfo:
    """A class that a file declares. Each class has exactly one record."""

    __slots__ = ("_places", "linear", "module", "name", "parameters", "shape", "unit")

    def __init__(self, unit: Unit, shape: int) -> None:
        self.unit: Final = unit
        self.shape: Final = shape
        self.name: Final[str] = unit.shapes[shape].name
        #: Name of the external module that declares the class; "" for a class of the repository.
        self.module: Final[str] = unit.external
        #: The type parameters of the class, and its ancestors in the order of member look-up; filled on first use.
        self.parameters: tuple[Variable, ...] | None = None
        self.linear: Linear | None = None
        self._places: dict[str, list[int]] | None = None

    def member_places(self) -> dict[str, list[int]]:
        """Return the indices in `shapes[shape].members` of the members that the class itself declares, by name."""
        places = self._places
        if places is None:
            places = {}
            for place, member in enumerate(self.unit.shapes[self.shape].members):
                places.setdefault(member.name, []).append(place)
            self._places = places
        return places

    def members_named(self, name: str) -> list[Member]:
        """Return the members of a name that the class itself declares, in source order."""
        members = self.unit.shapes[self.shape].members
        return [members[place] for place in self.member_places().get(name, ())]


class Linear:
    """The ancestors of a class in the order of look-up, each with its type arguments, and whether all ancestors are known."""

    __slots__ = ("is_complete", "order")

    def __init__(self, order: tuple[Instance, ...], is_complete: bool) -> None:
        self.order: Final = order
        self.is_complete: Final = is_complete


class Instance(Type):
    """An instance of a class. `items` are the types of a tuple of known length."""

    __slots__ = ("arguments", "cls", "items")

    def __init__(self, cls: ClassInfo, arguments: tuple[Type, ...] = (), items: tuple[Type, ...] | None = None) -> None:
        self.cls: Final = cls
        self.arguments: Final = arguments
        self.items: Final = items

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Instance)
            and other.cls is self.cls
            and other.arguments == self.arguments
            and other.items == self.items
        )

    def __hash__(self) -> int:
        return hash((id(self.cls), self.arguments, self.items))


class ClassValue(Type):
    """A class itself, as a value."""

    __slots__ = ("instance",)

    def __init__(self, instance: Instance) -> None:
        self.instance: Final = instance

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassValue) and other.instance == self.instance

    def __hash__(self) -> int:
        return hash((1, self.instance))


class FunctionValue(Type):
    """A function or method. `receiver` is the value bound to its first parameter, if any."""

    __slots__ = ("declaration", "function", "owner", "receiver", "unit")

    def __init__(
        self, unit: Unit, function: int, declaration: int, owner: Instance | None = None, receiver: Type | None = None
    ) -> None:
        self.unit: Final = unit
        self.function: Final = function
        #: Index of its `Decl`; -1 for a lambda.
        self.declaration: Final = declaration
        #: The class that declares the function, with the type arguments of the receiver.
        self.owner: Final = owner
        self.receiver: Final = receiver

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FunctionValue)
            and other.unit is self.unit
            and other.function == self.function
            and other.receiver == self.receiver
        )

    def __hash__(self) -> int:
        return hash((2, id(self.unit), self.function))


class Overloads(Type):
    """A function with several signatures."""

    __slots__ = ("functions",)

    def __init__(self, functions: tuple[FunctionValue, ...]) -> None:
        self.functions: Final = functions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Overloads) and other.functions == self.functions

    def __hash__(self) -> int:
        return hash(self.functions)


class Wrapped(Type):
    """A function that a descriptor wraps: a property, a static method or a class method."""

    __slots__ = ("kind", "value")

    PROPERTY: Final = 0
    STATIC: Final = 1
    CLASS: Final = 2

    def __init__(self, kind: int, value: Type) -> None:
        self.kind: Final = kind
        self.value: Final = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wrapped) and other.kind == self.kind and other.value == self.value

    def __hash__(self) -> int:
        return hash((3, self.kind, self.value))


class Callback(Type):
    """A callable value without a declaration; only the types of its signature are known: `Callable[[A], R]`.

    `parameters` are the types of its first arguments, and may be empty. `function` is the decorated function, if the value is
    the result of a decorator.
    """

    __slots__ = ("function", "parameters", "result")

    def __init__(self, result: Type, function: FunctionValue | None = None, parameters: tuple[Type, ...] = ()) -> None:
        self.result: Final = result
        self.function: Final = function
        self.parameters: Final = parameters

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Callback)
            and other.result == self.result
            and other.function == self.function
            and other.parameters == self.parameters
        )

    def __hash__(self) -> int:
        return hash((4, self.result))


class ModuleValue(Type):
    """A module: the file that declares it, or None for a package that is only a folder."""

    __slots__ = ("name", "origin", "unit")

    def __init__(self, name: str, origin: str, unit: Unit | None) -> None:
        #: The name by which the file at the path `origin` imports the module.
        self.name: Final = name
        self.origin: Final = origin
        self.unit: Final = unit

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModuleValue):
            return False
        return other.unit is self.unit if self.unit is not None else other.unit is None and other.name == self.name

    def __hash__(self) -> int:
        return hash((5, id(self.unit), self.name if self.unit is None else ""))


class Variable(Type):
    """A type variable; `key` distinguishes variables with one name."""

    __slots__ = ("bound", "key", "name")

    def __init__(self, name: str, key: tuple[str, int], bound: Type) -> None:
        self.name: Final = name
        self.key: Final = key
        self.bound: Final = bound

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variable) and other.key == self.key

    def __hash__(self) -> int:
        return hash((6, self.key))


class ClassOf(Type):
    """The class that is the value of a type variable: `type[T]`."""

    __slots__ = ("variable",)

    def __init__(self, variable: Variable) -> None:
        self.variable: Final = variable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassOf) and other.variable == self.variable

    def __hash__(self) -> int:
        return hash((9, self.variable))


class Outside(Type):
    """A declaration in a module that is not read. The dotted name of the declaration is known, but its type is not."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path: Final = path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outside) and other.path == self.path

    def __hash__(self) -> int:
        return hash((7, self.path))


class Parent(Type):
    """The value of `super()`: member look-up begins after the class `behind` in the class order of `receiver`."""

    __slots__ = ("behind", "receiver")

    def __init__(self, receiver: Type, behind: ClassInfo) -> None:
        self.receiver: Final = receiver
        self.behind: Final = behind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parent) and other.receiver == self.receiver and other.behind is self.behind

    def __hash__(self) -> int:
        return hash((8, self.receiver, id(self.behind)))


class Union(Type):
    """One of several types. Only `union` creates this type."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Type, ...]) -> None:
        self.members: Final = members

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Union) and other.members == self.members

    def __hash__(self) -> int:
        return hash(self.members)


#: Maximum number of types in a union; a union of more types is UNKNOWN.
MAX_UNION: Final = 40


def union(types: list[Type]) -> Type:
    """Return the union of types. Unknown types add nothing to known ones."""
    found: dict[Type, None] = {}
    for each in types:
        if isinstance(each, Union):
            found.update(dict.fromkeys(each.members))
        elif each is not UNKNOWN:
            found[each] = None
    if not found:
        return UNKNOWN
    if len(found) == 1:
        return next(iter(found))
    return Union(tuple(found)) if len(found) <= MAX_UNION else UNKNOWN


def parts(kind: Type) -> tuple[Type, ...]:
    """Return the types that a value may have."""
    return kind.members if isinstance(kind, Union) else (kind,)


def substitute(kind: Type, mapping: dict[Type, Type]) -> Type:
    """Replace type variables."""
    if not mapping:
        return kind
    if isinstance(kind, Variable):
        return mapping.get(kind, kind)
    if isinstance(kind, Instance):
        if not kind.arguments and kind.items is None:
            return kind
        items = tuple([substitute(each, mapping) for each in kind.items]) if kind.items is not None else None
        return Instance(kind.cls, tuple([substitute(each, mapping) for each in kind.arguments]), items)
    if isinstance(kind, ClassValue):
        inner = substitute(kind.instance, mapping)
        return ClassValue(inner) if isinstance(inner, Instance) else kind
    if isinstance(kind, Union):
        return union([substitute(each, mapping) for each in kind.members])
    if isinstance(kind, ClassOf):
        given = mapping.get(kind.variable)
        if isinstance(given, Variable):
            return ClassOf(given)
        return ClassValue(given) if isinstance(given, Instance) else UNKNOWN if given is not None else kind
    if isinstance(kind, Callback):
        parameters = tuple([substitute(each, mapping) for each in kind.parameters])
        return Callback(substitute(kind.result, mapping), kind.function, parameters)
    return kind


class Declaration(NamedTuple):
    """A declaration of a file."""

    unit: Unit
    place: int

    @property
    def facts(self) -> Decl:
        """The facts of the file."""
        return self.unit.decls[self.place]


class Found:
    """A member that a look-up found. Compared by identity."""

    __slots__ = ("owner", "position", "symbol", "type", "unit")

    def __init__(self, unit: Unit, symbol: int, kind: Type, owner: ClassInfo | None, position: int) -> None:
        self.unit: Final = unit
        #: The symbol of the member; -1 if it has none.
        self.symbol: Final = symbol
        self.type: Final = kind
        self.owner: Final = owner
        #: Byte offset of the member's name.
        self.position: Final = position


#: Represents the receiver of a method: `typing.Self`.
SELF_TYPE: Final = Variable("Self", ("", -1), UNKNOWN)


def bounded(kind: Type) -> Type:
    """Replace type variables by their bounds, and the class of a type variable by the class of its bound."""
    return union([_bounded_part(part) for part in parts(kind)])


def _bounded_part(kind: Type) -> Type:
    if isinstance(kind, ClassOf):
        bound = kind.variable.bound
        return ClassValue(bound) if isinstance(bound, Instance) else kind
    return kind.bound if isinstance(kind, Variable) else kind
