"""The utility types that the engine computes itself instead of reading their declarations.

Examples are `Partial`, `Pick` and `ReturnType`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING

from .model.free_parameters import is_open
from .model.type_model import (
    NEVER,
    STRING,
    UNRESOLVED,
    ConstructorType,
    FunctionType,
    Instance,
    Instantiated,
    Intersection,
    Literal,
    ObjectShape,
    Overloads,
    Picked,
    ShapeInstance,
    Spread,
    Static,
    Type,
    non_nullish,
    parts_of,
    union,
)
from .reduction import literal_names, picked_type, substitute
from .relations import assignable
from .tuples import joined

if TYPE_CHECKING:
    from .engine import Engine

Arguments = tuple[Type, ...]
#: Maximum number of types with a method `then` whose value has such a method, too.
_MAX_THENABLES = 5


def _first(engine: Engine, arguments: Arguments) -> Type:
    return arguments[0] if arguments else UNRESOLVED


def _partial(engine: Engine, arguments: Arguments) -> Type:
    """Return a type with its members made optional. Types without declared members, such as arrays, remain as they are."""
    return union(_optional(engine, part) for part in parts_of(_first(engine, arguments)))


def _optional(engine: Engine, kind: Type) -> Type:
    if is_open(kind) or not isinstance(kind, ObjectShape | ShapeInstance | Instance | Picked | Intersection):
        return kind
    return kind if engine.is_lib(kind, "Array", "ReadonlyArray") else Picked(kind, frozenset(), False, True)


def _pick(engine: Engine, arguments: Arguments) -> Type:
    return _filtered(arguments, True)


def _omit(engine: Engine, arguments: Arguments) -> Type:
    return _filtered(arguments, False)


def _filtered(arguments: Arguments, keeps: bool) -> Type:
    if len(arguments) < 2:
        return UNRESOLVED
    names = literal_names(arguments[1])
    return picked_type(arguments[0], names, keeps) if names is not None else arguments[0]


def _non_nullable(engine: Engine, arguments: Arguments) -> Type:
    return non_nullish(_first(engine, arguments))


def _exclude(engine: Engine, arguments: Arguments) -> Type:
    return union(part for part in parts_of(arguments[0]) if assignable(engine, part, arguments[1]) is not True)


def _extract(engine: Engine, arguments: Arguments) -> Type:
    kept = [part for part in parts_of(arguments[0]) if assignable(engine, part, arguments[1]) is not False]
    return union(kept) if kept else NEVER


def _distributed(apply: Callable[[Engine, Type], Type]) -> Callable[[Engine, Arguments], Type]:
    """Return the utility type that applies a function to each part of a union."""
    return lambda engine, arguments: union(apply(engine, part) for part in parts_of(arguments[0]))


def _return_type(engine: Engine, kind: Type) -> Type:
    if isinstance(kind, Overloads):
        kind = kind.signatures[-1]
    if isinstance(kind, FunctionType):
        return substitute(engine, engine.return_type(kind.unit, kind.index), kind.env)
    if isinstance(kind, Instantiated | Static):
        return next((engine.signature_result(found) for found in reversed(engine.signatures(kind, False))), UNRESOLVED)
    return UNRESOLVED


def _parameters(engine: Engine, kind: Type) -> Type:
    if isinstance(kind, Overloads):
        kind = kind.signatures[-1]
    if isinstance(kind, Instantiated):
        found = engine.signatures(kind, False)
        kind = FunctionType(found[-1].unit, found[-1].function, found[-1].env) if found and found[-1].function >= 0 else kind
    if not isinstance(kind, FunctionType | ConstructorType):
        return UNRESOLVED
    parameters = kind.unit.functions[kind.index].parameters
    read = [(entry, engine.declared_type(kind.unit, entry.type, kind.env)) for entry in parameters]
    optional = len(list(takewhile(lambda entry: entry.optional, reversed([entry for entry in parameters if not entry.rest]))))
    return joined(engine, [Spread(part) if entry.rest else part for entry, part in read], optional)


def _instance_type(engine: Engine, kind: Type) -> Type:
    if isinstance(kind, ConstructorType):
        return substitute(engine, engine.return_type(kind.unit, kind.index), kind.env)
    return engine.instance_of(kind)


def awaited(engine: Engine, kind: Type, depth: int = 0) -> Type:
    """Return the type of `Awaited<T>`: the type of an `await` expression."""
    found = []
    for part in parts_of(kind):
        if engine.is_lib(part, "Promise", "PromiseLike") and isinstance(part, Instance) and part.arguments:
            found.append(awaited(engine, part.arguments[0], depth))
        else:
            found.append(_thenable(engine, part, depth))
    return union(found)


def _thenable(engine: Engine, kind: Type, depth: int) -> Type:
    """Return the type of the value of a promise, if a class extends Promise, or if a type has a method `then`.

    Such a method passes the value to its first argument. Any other type is returned as it is.
    """
    if isinstance(kind, Instance):
        for name in ("Promise", "PromiseLike"):
            wanted = engine.lib(name)
            base = engine.find_base(kind, wanted.entity) if isinstance(wanted, Instance) else None
            if base is not None and base.arguments:
                return awaited(engine, base.arguments[0], depth)
    if kind.opaque or depth >= _MAX_THENABLES:
        return kind
    passed = _passed_by_then(engine, kind)
    return kind if passed is UNRESOLVED or passed is kind else awaited(engine, passed, depth + 1)


def _passed_by_then(engine: Engine, kind: Type) -> Type:
    """Return the type of the value that the method `then` of a type passes to its first argument; `UNRESOLVED` without one."""
    for signature in engine.signatures(engine.property_type(kind, "then"), False)[:1]:
        callback = non_nullish(engine.parameter_type(signature.unit, signature.function, 0, signature.env))
        for inner in engine.signatures(callback, False)[:1]:
            return engine.parameter_type(inner.unit, inner.function, 0, inner.env)
    return UNRESOLVED


def _awaited(engine: Engine, arguments: Arguments) -> Type:
    return awaited(engine, _first(engine, arguments))


def _spelled(change: Callable[[str], str]) -> Callable[[Engine, Arguments], Type]:
    """Return the utility type that changes the spelling of string literals."""

    def apply(engine: Engine, arguments: Arguments) -> Type:
        return union(
            Literal(STRING, change(part.value)) if isinstance(part, Literal) and part.base is STRING else part
            for part in parts_of(arguments[0])
        )

    return apply


#: The utility types, by name. `Required` and similar types keep the members of their argument.
UTILITIES: dict[str, Callable[[Engine, Arguments], Type]] = {
    "Partial": _partial,
    "Required": _first,
    "Readonly": _first,
    "NoInfer": _first,
    "Pick": _pick,
    "Omit": _omit,
    "Exclude": _exclude,
    "Extract": _extract,
    "NonNullable": _non_nullable,
    "ReturnType": _distributed(_return_type),
    "Parameters": _distributed(_parameters),
    "ConstructorParameters": _distributed(_parameters),
    "InstanceType": _distributed(_instance_type),
    "Awaited": _awaited,
    "Uppercase": _spelled(str.upper),
    "Lowercase": _spelled(str.lower),
    "Capitalize": _spelled(lambda text: text[:1].upper() + text[1:]),
    "Uncapitalize": _spelled(lambda text: text[:1].lower() + text[1:]),
}

#: Utility types that need their whole argument. They are not applied until the argument is known.
DEFERRED_UTILITIES = frozenset(UTILITIES) - {"Partial", "Required", "Readonly", "NoInfer", "Pick", "Omit", "NonNullable"}


def utility_type(engine: Engine, name: str, arguments: Arguments) -> Type:
    """Return a utility type applied to its arguments; a utility type with an unknown argument is returned as it is."""
    if not arguments or (name in ("Exclude", "Extract") and len(arguments) < 2):
        return UNRESOLVED
    if name in DEFERRED_UTILITIES and is_open(arguments[0]):
        return engine.lib(name, *arguments)
    return UTILITIES[name](engine, arguments)
