"""Lower subscripts: items of containers, slices, and types with arguments."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.operations import Display, Op
from .annotations import lower_generic
from .context import PythonContext
from .dispatch import lower_expression

#: Names of generic types. Strings in their subscripts are types.
_GENERIC_NAMES: Final = frozenset(
    (
        b"Union",
        b"Optional",
        b"Callable",
        b"Type",
        b"List",
        b"Dict",
        b"Set",
        b"FrozenSet",
        b"Tuple",
        b"Iterable",
        b"Iterator",
        b"Sequence",
        b"Mapping",
        b"MutableMapping",
        b"Awaitable",
        b"Coroutine",
        b"Generator",
        b"AsyncGenerator",
        b"AsyncIterator",
        b"ClassVar",
        b"Annotated",
        b"list",
        b"dict",
        b"set",
        b"frozenset",
        b"tuple",
        b"type",
    )
)


def lower_subscript(cx: PythonContext, node: Node) -> int:
    """Lower `a[i]`, or use the known value of the item."""
    index = lower_index(cx, node)
    if not cx.flow.has_chains or cx.code[index] != Op.INDEX:
        return index
    key = cx.key_of(node)
    values = cx.flow.get(key) if key else None
    return cx.emit(Op.PHI, cx.list_of(values), index, -1, node.start_byte) if values is not None else index


def lower_index(cx: PythonContext, node: Node) -> int:
    """Lower `a[i]` or, if `a` is the name of a generic type, a type with arguments."""
    parts = node.children
    named = node.child_by_field_name("value")
    if named is not None and cx.bytes_of(named).rpartition(b".")[2] in _GENERIC_NAMES:
        return lower_generic(cx, node)
    if len(parts) == 4:
        value = lower_expression(cx, parts[0])
        return cx.emit(Op.INDEX, value, lower_expression(cx, parts[2]), 0, node.start_byte)
    value = lower_expression(cx, named)
    indices = [lower_expression(cx, child) for child in node.children_by_field_name("subscript")]
    index = indices[0] if len(indices) == 1 else cx.emit(Op.ARRAY, cx.list_of(indices), -1, Display.TUPLE, node.start_byte)
    return cx.emit(Op.INDEX, value, index, 0, node.start_byte)


def lower_slice(cx: PythonContext, node: Node) -> int:
    """Lower `a:b:c`."""
    parts = [lower_expression(cx, child) for child in node.named_children]
    return cx.emit(Op.SLICE, cx.list_of(parts), -1, -1, node.start_byte)
