"""Narrow the types of names and chains after a condition that mentions them."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.operations import Op
from .context import PythonContext, attribute_parts
from .grammar import KINDS

#: Maximum number of narrowed names and chains of a condition.
_MAX_KEYS: Final = 6
_SEARCHED: Final = 60


def assume(cx: PythonContext, condition: Node, lowered: int, holds: bool) -> None:
    """Narrow the values of names to the values for which a lowered condition is true, or false."""
    if lowered < 0 or not cx.flow.is_reached:
        return
    for key, node in _references(cx, condition).items():
        values = cx.held_values(key, node.start_byte)
        if values is None and "." not in key:
            continue  # a name of another scope keeps its type
        before = _chain(cx, node) if values is None else cx.emit(Op.PHI, cx.list_of(values), -1, -1, node.start_byte)
        if before < 0:
            continue
        tested = cx.string(key.encode())
        narrowed = cx.emit(Op.NARROW, before, cx.list_of((lowered, int(holds))), tested, node.start_byte)
        cx.flow.narrow(key, (narrowed,))


def _chain(cx: PythonContext, node: Node) -> int:
    """Lower a chain of attributes again for its value before the condition. The new nodes do not count as a use."""
    target, attribute = attribute_parts(node)
    if target is None or attribute is None:
        return -1
    if KINDS[target.kind_id] == "identifier":
        name = cx.name_of(target)
        values = cx.held_values(name, target.start_byte)
        if values is None:
            binding, _ = cx.find(name)
            inner = cx.emit(Op.DECLARED, -1, binding, -1, target.start_byte)
        else:
            inner = cx.emit(Op.PHI, cx.list_of(values), -1, -1, target.start_byte)
    else:
        inner = _chain(cx, target)
    if inner < 0:
        return -1
    return cx.emit(Op.MEMBER, inner, cx.string(cx.bytes_of(attribute)), 16, attribute.start_byte)


def _references(cx: PythonContext, condition: Node) -> dict[str, Node]:
    """Return the names and chains whose types a condition may narrow."""
    found: dict[str, Node] = {}
    waiting = [condition]
    looked = 0
    while waiting and len(found) < _MAX_KEYS and looked < _SEARCHED:
        node = waiting.pop()
        looked += 1
        kind = KINDS[node.kind_id]
        if kind in ("identifier", "attribute"):
            key = cx.key_of(node)
            if key:
                found.setdefault(key, node)
        elif kind == "named_expression":
            name = node.child_by_field_name("name")
            if name is not None:
                waiting.append(name)
        elif kind == "call":
            arguments = node.child_by_field_name("arguments")
            waiting += arguments.named_children[:1] if arguments is not None else ()
        elif kind in ("boolean_operator", "not_operator", "parenthesized_expression", "comparison_operator"):
            waiting += reversed(node.named_children)
    return found
