"""Lower annotations: types, including types in strings and comments."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node, Parser

from ....facts.operations import Display, Op
from ....symbols.byte_ranges import between
from .context import PythonContext, last_name
from .dispatch import ANNOTATIONS, Lowering, lower_annotation, lower_expression, lower_unknown
from .flow import Flow
from .grammar import GRAMMAR, KINDS

#: Maximum size of a string that is read as an annotation.
_MAX_QUOTED: Final = 400


def lower_type(cx: PythonContext, node: Node) -> int:
    """Lower the type inside a node without a meaning of its own, such as parentheses."""
    inner = [child for child in node.named_children if KINDS[child.kind_id] != "comment"]
    return lower_annotation(cx, inner[0]) if len(inner) == 1 else lower_unknown(cx, node)


def lower_union(cx: PythonContext, node: Node) -> int:
    """Lower `A | B`."""
    parts = [lower_annotation(cx, child) for child in node.named_children if KINDS[child.kind_id] != "comment"]
    if len(parts) == 2:
        return cx.emit(Op.OPERATOR, parts[0], parts[1], cx.string(b"__or__"), node.start_byte)
    return cx.emit(Op.UNKNOWN, cx.list_of(parts), -1, -1, node.start_byte)


def _list_of_types(cx: PythonContext, node: Node) -> int:
    return _display_of_types(cx, node, Display.LIST)


def _tuple_of_types(cx: PythonContext, node: Node) -> int:
    return _display_of_types(cx, node, Display.TUPLE)


def _display_of_types(cx: PythonContext, node: Node, kind: int) -> int:
    parts = [lower_annotation(cx, child) for child in node.named_children if KINDS[child.kind_id] != "comment"]
    return cx.emit(Op.ARRAY, cx.list_of(parts), -1, kind, node.start_byte)


def lower_generic(cx: PythonContext, node: Node) -> int:
    """Lower a type with arguments: `dict[str, Node]`."""
    if KINDS[node.kind_id] == "subscript":
        value = lower_expression(cx, node.child_by_field_name("value"))
        arguments = node.children_by_field_name("subscript")
    else:
        parts = node.named_children
        value = lower_annotation(cx, parts[0]) if parts else -1
        arguments = [
            inner for part in parts[1:] for inner in (part.named_children if KINDS[part.kind_id] == "type_parameter" else [part])
        ]
        if KINDS[node.kind_id] == "member_type" and len(parts) == 2:
            return cx.emit(Op.MEMBER, value, cx.string(cx.bytes_of(parts[1])), 0, parts[1].start_byte)
    if last_name(cx, value) == "Literal":
        lowered = [lower_expression(cx, _inside_type(argument)) for argument in arguments]
    else:
        lowered = [lower_annotation(cx, argument) for argument in arguments]
    index = lowered[0] if len(lowered) == 1 else cx.emit(Op.ARRAY, cx.list_of(lowered), -1, Display.TUPLE, node.start_byte)
    return cx.emit(Op.INDEX, value, index, 0, node.start_byte)


def _inside_type(node: Node) -> Node:
    """Return the node that the grammar wraps as a type: the value in `Literal["left"]` is none."""
    return node.named_children[0] if KINDS[node.kind_id] == "type" and len(node.named_children) == 1 else node


def _quoted(cx: PythonContext, node: Node) -> int:
    """Lower `"list[Node]"`. The text is parsed with its offset, so that names have their positions in the file."""
    content = [child for child in node.named_children if KINDS[child.kind_id] == "string_content"]
    if len(content) != 1 or node.start_byte < 0:
        return lower_expression(cx, node)
    lowered = lower_written_type(cx, content[0].start_byte, content[0].end_byte)
    return lowered if lowered >= 0 else lower_expression(cx, node)


def lower_written_type(cx: PythonContext, start: int, end: int) -> int:
    """Lower the type in a string or a comment, between two offsets; return -1 if the text is not a type."""
    text = between(cx.data, start, end)
    if not text or len(text) > _MAX_QUOTED or b"\\" in text or b"\n" in text:
        return -1
    tree = Parser(GRAMMAR).parse(b"(" + text + b")")
    root = tree.root_node
    statement = root.named_children[0] if not root.has_error and len(root.named_children) == 1 else None
    if statement is None or KINDS[statement.kind_id] != "expression_statement" or len(statement.named_children) != 1:
        return -1
    # Nodes of the small tree have offsets in the text of the type. During their lowering, this text replaces the text of the
    # file.
    data, flow = cx.data, cx.flow
    cx.data, cx.flow = b"(" + text + b")", Flow()
    cx.flow.leave()
    first = len(cx.code)
    try:
        inner = statement.named_children[0]
        parts = inner.named_children if KINDS[inner.kind_id] == "parenthesized_expression" else [inner]
        lowered = lower_annotation(cx, parts[0]) if len(parts) == 1 else lower_annotation(cx, inner)
    finally:
        cx.data, cx.flow = data, flow
    for place in range(first + 4, len(cx.code), 5):
        cx.code[place] += start - 1
    return lowered


#: Functions that lower nodes whose meaning in a type differs from their meaning in a value.
_TYPES: Final[dict[str, Lowering]] = {
    "type": lower_type,
    "string": _quoted,
    "generic_type": lower_generic,
    "subscript": lower_generic,
    "member_type": lower_generic,
    "union_type": lower_union,
    "binary_operator": lower_union,
    "list": _list_of_types,
    "tuple": _tuple_of_types,
}
ANNOTATIONS.update({number: _TYPES[kind] for number, kind in KINDS.items() if kind in _TYPES})
