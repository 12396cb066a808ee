"""Results of iteration over a value, of `await` and of `with`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import call_results, class_order, member_lookup
from ..types import UNKNOWN, ClassInfo, ClassValue, FunctionValue, Instance, Type, bounded, parts, substitute, union

if TYPE_CHECKING:
    from ..engine import NominalEngine


def iterated(engine: NominalEngine, kind: Type, *, is_async: bool = False) -> Type:
    """Return the items of iterating over a value."""
    results: list[Type] = []
    for part in parts(bounded(kind)):
        items = items_of(engine, part)
        if items is not None:
            results.append(union(list(items)))
            continue
        if isinstance(part, ClassValue) and is_enum(engine, part.instance.cls):
            results.append(part.instance)
            continue
        names = ("AsyncIterable",) if is_async else ("Iterable",)
        item = member_lookup.argument_of(engine, part, names)
        if item is None and isinstance(part, (Instance, ClassValue)):
            iterator = call_results.call_result(
                engine, member_lookup.member_type(engine, part, "__aiter__" if is_async else "__iter__"), [], {}
            )
            item = member_lookup.argument_of(engine, iterator, names)
            if item is None:
                item = call_results.call_result(
                    engine, member_lookup.member_type(engine, iterator, "__anext__" if is_async else "__next__"), [], {}
                )
                item = awaited(engine, item) if is_async else item
            if item is UNKNOWN and iterator is UNKNOWN and not is_async:
                item = call_results.call_result(
                    engine, member_lookup.member_type(engine, part, "__getitem__"), [engine.builtin("int")], {}
                )
        results.append(item if item is not None else UNKNOWN)
    return union(results)


def entries(engine: NominalEngine, kind: Type) -> tuple[Type, Type]:
    """Return the types of the keys and of the values of a mapping."""
    found: list[Instance] = []
    wanted = engine.builtin("Mapping", (), "typing")
    for part in parts(bounded(kind)):
        seen = (
            class_order.as_class(engine, part, wanted.cls)
            if isinstance(part, Instance) and isinstance(wanted, Instance)
            else None
        )
        found += [seen] if seen is not None and len(seen.arguments) == 2 else []
    return union([each.arguments[0] for each in found]), union([each.arguments[1] for each in found])


def items_of(engine: NominalEngine, kind: Type) -> list[Type] | None:
    """Return the types of the items in a tuple of known length, also in a named tuple; None for other values."""
    if not isinstance(kind, Instance):
        return None
    if kind.items is not None:
        return list(kind.items)
    if kind.cls.module:
        return None
    order = class_order.linear_order(engine, kind.cls).order
    for place, each in enumerate(order):
        if each.cls.name == "NamedTuple" and each.cls.module == "typing" and place > 0:
            owner = order[place - 1]
            unit, arguments = owner.cls.unit, call_results.arguments_of(engine, owner)
            fields = [member for member in unit.shapes[owner.cls.shape].members if member.type >= 0 and member.static]
            return [substitute(engine.annotation(unit, field.type), arguments) for field in fields]
    return None


def is_typed_dict(engine: NominalEngine, info: ClassInfo) -> bool:
    """Return whether a class is a `TypedDict`."""
    return any(
        each.cls.name == "TypedDict" and each.cls.module == "typing" for each in class_order.linear_order(engine, info).order
    )


def is_enum(engine: NominalEngine, info: ClassInfo) -> bool:
    """Return whether a class is an enum."""
    return any(each.cls.module == "enum" for each in class_order.linear_order(engine, info).order)


def awaited(engine: NominalEngine, kind: Type) -> Type:
    """Return the result of awaiting a value."""
    results: list[Type] = []
    for part in parts(bounded(kind)):
        item = member_lookup.argument_of(engine, part, ("Awaitable",))
        if item is not None and isinstance(part, Instance):
            coroutine = engine.builtin("Coroutine", (), "typing")
            seen = class_order.as_class(engine, part, coroutine.cls) if isinstance(coroutine, Instance) else None
            item = seen.arguments[2] if seen is not None and len(seen.arguments) == 3 else item
        elif isinstance(part, Instance):
            made = call_results.call_result(engine, member_lookup.member_type(engine, part, "__await__"), [], {})
            item = made.arguments[2] if isinstance(made, Instance) and len(made.arguments) == 3 else UNKNOWN
        results.append(item if item is not None else UNKNOWN)
    return union(results)


def entered(engine: NominalEngine, kind: Type, *, is_async: bool) -> Type:
    """Return the value that `with value as …` binds."""
    name = "__aenter__" if is_async else "__enter__"
    results: list[Type] = []
    for part in parts(kind):
        method = member_lookup.member_type(engine, part, name)
        if method is UNKNOWN and isinstance(part, Instance) and not class_order.linear_order(engine, part.cls).is_complete:
            results.append(part)  # type checkers assume the same if an ancestor is unknown
            continue
        result = call_results.call_result(engine, method, [], {})
        result = awaited(engine, result) if is_async else result
        if result is UNKNOWN and isinstance(part, Instance) and not part.cls.module:
            # The `__enter__` that a class inherits from `AbstractContextManager` returns the object itself.
            is_inherited = isinstance(method, FunctionValue) and method.unit.external == "contextlib"
            result = part if is_inherited else UNKNOWN
        results.append(result)
    return union(results)
