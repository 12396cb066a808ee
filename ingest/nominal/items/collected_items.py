"""The content of containers that start empty: the types of items that code of the same file adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.operations import NAME_OPS, Op
from ...languages.typescript.resolve.model.unit import Unit
from .. import member_lookup
from ..types import UNKNOWN, Instance, Type, parts, union
from . import iteration

if TYPE_CHECKING:
    from ..engine import NominalEngine

#: Classes of the runtime whose instances contain items, with the number of their type arguments. The last type argument is the
#: item.
_CONTAINERS: Final = {
    "list": 1,
    "set": 1,
    "deque": 1,
    "WeakSet": 1,
    "dict": 2,
    "OrderedDict": 2,
    "defaultdict": 2,
    "WeakKeyDictionary": 2,
    "WeakValueDictionary": 2,
}
_MODULES: Final = frozenset(("builtins", "collections", "weakref"))
#: Methods that add each item of their arguments.
_ADDING_ALL: Final = frozenset(("extend", "extendleft", "update"))
#: Methods that add their last argument at an index or a key.
_ADDING_AT: Final = frozenset(("insert", "setdefault"))
#: Maximum number of containers inside containers.
_MAX_DEPTH: Final = 3


class _Addition:
    """An item that code adds to a container, or to a container inside of it."""

    def __init__(self, depth: int, key: Type, item: Type) -> None:
        #: Number of containers around the container that receives the item.
        self.depth: Final = depth
        self.key: Final = key
        self.item: Final = item


def has_unknown_items(kind: Type) -> bool:
    """Return whether a value may be a container with items of unknown type."""
    for part in parts(kind):
        if isinstance(part, Instance) and _is_container(part):
            item = part.arguments[-1] if part.arguments else UNKNOWN
            if item is UNKNOWN or has_unknown_items(item):
                return True
    return False


def _is_container(kind: Instance) -> bool:
    return kind.cls.module in _MODULES and kind.cls.name in _CONTAINERS and kind.items is None


def with_added(engine: NominalEngine, unit: Unit, kind: Type, nodes: list[int]) -> Type:
    """Return a container type with the item types that some nodes add, if its own item types are unknown."""
    if not nodes or not has_unknown_items(kind):
        return kind
    return _filled(kind, [_addition(engine, unit, node) for node in nodes])


def _filled(kind: Type, added: list[_Addition]) -> Type:
    results: list[Type] = []
    for part in parts(kind):
        if not isinstance(part, Instance) or not _is_container(part):
            results.append(part)
            continue
        count = _CONTAINERS[part.cls.name]
        known = list(part.arguments) if len(part.arguments) == count else [UNKNOWN] * count
        item = known[-1]
        if item is UNKNOWN:
            item = union([each.item for each in added if each.depth == 0])
        if count == 2 and known[0] is UNKNOWN:
            known[0] = union([each.key for each in added if each.depth == 0])
        inner = [_Addition(each.depth - 1, each.key, each.item) for each in added if each.depth > 0]
        known[-1] = _filled(item, inner) if inner and has_unknown_items(item) else item
        results.append(Instance(part.cls, tuple(known)))
    return union(results)


def _addition(engine: NominalEngine, unit: Unit, node: int) -> _Addition:
    """Return the item that a node adds: a call of a method, or an ASSIGN node of an item."""
    code = unit.code
    if code[node] == Op.ASSIGN:
        index = code[node + 1]
        key = engine.type_of(unit, code[index + 2])
        return _Addition(_depth(unit, code[index + 1]), key, engine.type_of(unit, code[node + 2]))
    callee = code[node + 1]
    if code[callee] == Op.PHI:
        callee = code[callee + 2]
    depth, name = _depth(unit, code[callee + 1]), unit.strings[code[callee + 2]]
    given = unit.items(code[node + 2]).tolist()
    positional = [each for each in given if code[each] not in (Op.PROP, Op.SPREAD)]
    first = engine.type_of(unit, positional[0]) if positional else UNKNOWN
    if name in _ADDING_AT:
        item = engine.type_of(unit, positional[1]) if len(positional) > 1 else UNKNOWN
        return _Addition(depth, first, item)
    if name not in _ADDING_ALL:
        return _Addition(depth, UNKNOWN, first)
    named = [engine.type_of(unit, code[each + 1]) for each in given if code[each] == Op.PROP]
    if named or member_lookup.member_type(engine, first, "values") is not UNKNOWN:
        return _mapped(engine, depth, first, named)
    return _Addition(depth, UNKNOWN, iteration.iterated(engine, first))


def _mapped(engine: NominalEngine, depth: int, given: Type, named: list[Type]) -> _Addition:
    """Return the entries that `update` adds to a dictionary: the entries of a mapping, and named values."""
    keys: list[Type] = [engine.builtin("str")] if named else []
    values = list(named)
    for part in parts(given):
        if isinstance(part, Instance) and len(part.arguments) == 2:
            keys.append(part.arguments[0])
            values.append(part.arguments[1])
    return _Addition(depth, union(keys), union(values))


def _depth(unit: Unit, node: int) -> int:
    """Return the number of item accesses in an expression: 1 for `groups[key]`, 2 for `groups[key][0]`."""
    code = unit.code
    depth = 0
    while depth <= _MAX_DEPTH and code[node] not in NAME_OPS:
        op = code[node]
        if op == Op.PHI and code[node + 2] >= 0:
            node = code[node + 2]
        elif op == Op.INDEX:
            depth, node = depth + 1, code[node + 1]
        elif op == Op.CALL and code[code[node + 1]] == Op.MEMBER:
            depth, node = depth + 1, code[code[node + 1] + 1]
        else:
            break
    return depth
