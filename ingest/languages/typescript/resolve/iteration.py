"""The types of iteration over a value, and of delegation to an iterator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model.type_model import STRING, UNRESOLVED, Instance, Literal, Template, Tuple, Type, Union, parts_of, union

if TYPE_CHECKING:
    from .engine import Engine

_YIELDS_FIRST_ARGUMENT = (
    "Array",
    "ReadonlyArray",
    "Set",
    "ReadonlySet",
    "Iterable",
    "IterableIterator",
    "Iterator",
    "Generator",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterableIterator",
    "IteratorObject",
    "ArrayIterator",
    "MapIterator",
    "SetIterator",
    "StringIterator",
    "RegExpStringIterator",
)


def iterated(engine: Engine, kind: Type) -> Type:
    """Return the type of the elements in `for (… of value)` and `...value`."""
    if isinstance(kind, Union):
        return union(iterated(engine, part) for part in kind.parts if not part.nullish)
    if isinstance(kind, Tuple):
        return engine.element_type(kind)
    if kind is STRING or isinstance(kind, Template) or (isinstance(kind, Literal) and kind.base is STRING):
        return STRING
    if isinstance(kind, Instance) and engine.is_lib(kind, *_YIELDS_FIRST_ARGUMENT):
        return kind.arguments[0] if kind.arguments else UNRESOLVED
    if isinstance(kind, Instance) and engine.is_lib(kind, "Map", "ReadonlyMap") and len(kind.arguments) > 1:
        return Tuple(kind.arguments[:2])
    iterator = _iterator(engine, kind)
    if iterator.opaque:
        return UNRESOLVED
    if engine.is_lib(iterator, *_YIELDS_FIRST_ARGUMENT):
        return iterated(engine, iterator)
    return union(_result_part(engine, iterator, "IteratorYieldResult"))


def _iterator(engine: Engine, kind: Type) -> Type:
    for name in ("[Symbol.iterator]", "[Symbol.asyncIterator]"):
        for found in engine.properties(kind, name):
            for signature in engine.signatures(found.type(), False):
                return engine.signature_result(signature)
    return UNRESOLVED


def _result_part(engine: Engine, iterator: Type, name: str) -> list[Type]:
    found = []
    for entry in engine.properties(iterator, "next"):
        for signature in engine.signatures(entry.type(), False)[:1]:
            for part in parts_of(engine.signature_result(signature)):
                if isinstance(part, Instance) and engine.is_lib(part, name) and part.arguments:
                    found.append(part.arguments[0])
    return found


def generator_result(engine: Engine, kind: Type) -> Type:
    """Return the type of `yield* value`: the type of the value that the iterator returns at its end."""
    if isinstance(kind, Union):
        return union(generator_result(engine, part) for part in kind.parts)
    if not (isinstance(kind, Instance) and engine.is_lib(kind, "Generator", "AsyncGenerator")):
        kind = _iterator(engine, kind)
    if isinstance(kind, Instance) and engine.is_lib(kind, "Generator", "AsyncGenerator"):
        return kind.arguments[1] if len(kind.arguments) > 1 else UNRESOLVED
    return union(_result_part(engine, kind, "IteratorReturnResult")) if not kind.opaque else UNRESOLVED
