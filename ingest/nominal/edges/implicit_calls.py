"""The methods that statements and operators run without naming them: `for`, `with`, `raise`, `a + b`, `a[b]`, `a in b`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...facts.operations import MemberFlag, Op
from ...languages.typescript.resolve.model.unit import Unit
from .. import call_results, expressions, member_lookup
from ..engine import NominalEngine
from ..types import ClassValue, Found, FunctionValue, Instance, Overloads, Type, bounded, parts

_OPS: Final = frozenset((Op.ITERATED, Op.ENTERED, Op.OPERATOR, Op.EQUALITY, Op.IN, Op.INDEX, Op.AWAIT, Op.RAISED))


def implicit_nodes(unit: Unit) -> list[int]:
    """Return the nodes of a file that may run methods which they do not name."""
    code = unit.code
    return [node for node in range(0, len(code), 5) if code[node] in _OPS]


def implicit_places(engine: NominalEngine, unit: Unit, node: int) -> Iterator[tuple[Unit, int]]:
    """Yield the file and the symbol of each method of the repository that a node runs."""
    if unit.code[node] == Op.RAISED:
        yield from _raised_constructor(engine, engine.type_of(unit, unit.code[node + 1]))
        return
    for each in _run(engine, unit, node):
        yield each.unit, each.symbol


def _raised_constructor(engine: NominalEngine, kind: Type) -> Iterator[tuple[Unit, int]]:
    """Yield the function that creates an instance of a raised class: its own `__init__`, else the class."""
    for part in parts(kind):
        if isinstance(part, ClassValue) and not part.instance.cls.unit.external:
            info = part.instance.cls
            own = [member.symbol for member in info.members_named("__init__") if member.symbol >= 0]
            symbol = own[0] if own else info.unit.shapes[info.shape].symbol
            if symbol >= 0:
                yield info.unit, symbol


def _run(engine: NominalEngine, unit: Unit, node: int) -> Iterator[Found]:
    code = unit.code
    op, receiver, flag = code[node], code[node + 1], code[node + 3]
    if op == Op.ITERATED:
        yield from _iterated(engine, engine.type_of(unit, receiver), is_async=flag == 1)
    elif op == Op.ENTERED:
        names = ("__aenter__", "__aexit__") if flag == 1 else ("__enter__", "__exit__")
        for name in names:
            yield from _methods(engine, engine.type_of(unit, receiver), name)
    elif op == Op.OPERATOR:
        yield from _operated(engine, unit, node)
    elif op == Op.EQUALITY:
        kind = engine.type_of(unit, receiver)
        unequal = [] if flag else list(_methods(engine, kind, "__ne__"))
        yield from unequal or _methods(engine, kind, "__eq__")
    elif op == Op.IN:
        kind = engine.type_of(unit, code[node + 2])
        found = list(_methods(engine, kind, "__contains__"))
        yield from found or _iterated(engine, kind, is_async=False)
    elif op == Op.INDEX:
        name = "__setitem__" if flag & MemberFlag.WRITTEN else "__getitem__"
        yield from _methods(engine, engine.type_of(unit, receiver), name)
    elif op == Op.AWAIT:
        yield from _methods(engine, engine.type_of(unit, receiver), "__await__")


def _methods(engine: NominalEngine, kind: Type, name: str) -> Iterator[Found]:
    """Yield the methods with a name that the class of a value declares or inherits, if they are in the repository."""
    for part in parts(bounded(kind)):
        if isinstance(part, Instance):
            members = member_lookup.find_members(engine, part, name)
        elif isinstance(part, ClassValue):
            members = member_lookup.metaclass_members(engine, part, name)
        else:
            continue
        for each in members:
            if not each.unit.external and each.symbol >= 0 and isinstance(each.type, (FunctionValue, Overloads)):
                yield each


def _iterated(engine: NominalEngine, kind: Type, *, is_async: bool) -> Iterator[Found]:
    first, following = ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__")
    for part in parts(bounded(kind)):
        found = list(_methods(engine, part, first))
        yield from found
        if found:
            iterator = call_results.call_result(engine, member_lookup.member_type(engine, part, first), [], {})
            yield from _methods(engine, iterator, following)
        elif not is_async and isinstance(part, Instance) and not member_lookup.find_members(engine, part, first):
            yield from _methods(engine, part, "__getitem__")


def _operated(engine: NominalEngine, unit: Unit, node: int) -> Iterator[Found]:
    """Yield the operator's method of the left operand; if there is none, the reflected method of the right operand."""
    code = unit.code
    name = unit.strings[code[node + 3]]
    if not name:
        return
    left = engine.type_of(unit, code[node + 1])
    if code[node + 2] < 0:
        yield from _methods(engine, left, name)
        return
    for part in parts(bounded(left)):
        yield from _methods(engine, part, expressions.operator_of(engine, part, name))
    name = expressions.plain_operator(name)
    for part in parts(bounded(left)):
        if isinstance(part, Instance) and not member_lookup.find_members(engine, part, name):
            yield from _methods(engine, engine.type_of(unit, code[node + 2]), f"__r{name[2:]}")
