"""Find the references that a condition may narrow."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from ....facts.nodes import bare_reference
from ....facts.operations import Op

if TYPE_CHECKING:
    from .context import Context

#: Operations that make the value of a constant a condition. A constant whose value is a name or a member is not a condition.
CONDITIONS = frozenset((Op.LOGICAL, Op.NOT, Op.EQUALITY, Op.INSTANCEOF, Op.IN, Op.CALL))

#: Maximum number of examined parts of a condition. Each part of an `&&` chain is also a condition of the parts after it.
_MAX_PARTS = 100


def condition_keys(cx: Context, condition: int) -> set[str]:
    """Return the keys of references that a condition may narrow; in a long chain, only the references in the last parts."""
    code = cx.code
    keys: set[str] = set()
    waiting, left = [condition], _MAX_PARTS
    while waiting and left:
        node, left = waiting.pop(), left - 1
        op = code[node]
        if op == Op.LOGICAL:
            waiting += (code[node + 1], code[node + 2])
        elif op in (Op.NOT, Op.NARROW, Op.NON_NULL):
            waiting.append(code[node + 1])
        elif op == Op.EQUALITY:
            _add_compared(cx, code[node + 1], keys)
            _add_compared(cx, code[node + 2], keys)
        elif op == Op.CASE:
            _add_compared(cx, code[node + 1], keys)
        elif op == Op.INSTANCEOF or op == Op.MEMBER:
            _add(cx, code[node + 1], keys)
        elif op == Op.IN:
            _add(cx, code[node + 2], keys)
        elif op == Op.NAME and cx.conditions:
            keys |= _keys_of_constant(cx, cx.strings[code[node + 2]])
        elif op == Op.CALL:
            for argument in cx.items(code[node + 2]):
                _add(cx, argument, keys)
            if code[code[node + 1]] == Op.MEMBER:
                _add(cx, code[code[node + 1] + 1], keys)
    return keys


def _keys_of_constant(cx: Context, name: str) -> Set[str]:
    """Return the keys that the condition in a visible constant narrows."""
    scope = cx.scope
    while scope >= 0:
        if (scope, name) in cx.conditions:
            return cx.conditions[scope, name]
        if name in cx.scopes[scope].names:
            break
        scope = cx.scopes[scope].parent
    return frozenset()


def _add_compared(cx: Context, node: int, keys: set[str]) -> None:
    """Add the keys of one side of a comparison: the reference, and the object that its property discriminates."""
    code = cx.code
    node = bare_reference(code, node)
    if code[node] == Op.TYPEOF:
        _add(cx, code[node + 1], keys)
        return
    _add(cx, node, keys)
    if code[node] == Op.MEMBER:
        _add(cx, code[node + 1], keys)


def _add(cx: Context, node: int, keys: set[str]) -> None:
    key = cx.reference_key(node)
    if key:
        keys.add(key)
