"""Lower JSX elements. Components are called, but intrinsic tags are not. Attributes and children are values."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.operations import ContextKind, Op, Use
from .context import Context
from .dispatch import inner_nodes, lower_expression, lower_type_list


def lower_jsx(cx: Context, node: Node) -> int:
    """Lower an element, a self-closing element or a fragment."""
    opening = node.child_by_field_name("open_tag") if node.type == "jsx_element" else node
    tag, attributes = -1, []
    position = node.start_byte
    if opening is not None:
        name = opening.child_by_field_name("name")
        if name is not None:
            tag = _tag(cx, name)
            position = name.start_byte
            if (written := opening.child_by_field_name("type_arguments")) is not None:
                types = lower_type_list(cx, written)
                tag = cx.emit(Op.INSTANTIATION, tag, types, -1, position) if tag >= 0 else -1
        attributes = [
            lowered for child in opening.children_by_field_name("attribute") if (lowered := _attribute(cx, child)) is not None
        ]
    children = [
        lower_expression(cx, child)
        for child in node.named_children
        if child.type in ("jsx_element", "jsx_self_closing_element", "jsx_expression", "jsx_fragment")
        and (opening is None or node.type == "jsx_element")
        and inner_nodes(child)
    ]
    _closing_tag(cx, node)
    tags = _intrinsic_tags(cx, node, opening) if tag < 0 else []
    made = cx.emit(Op.JSX, tag, cx.list_of(attributes), cx.list_of([*children, *tags]), position)
    for attribute in attributes:
        if cx.code[attribute] == Op.PROP:
            cx.expect(cx.code[attribute + 1], ContextKind.ATTRIBUTE, made, cx.code[attribute + 2])
    for child_value in children:
        cx.expect(child_value, ContextKind.CHILD, made)
    if tag >= 0:
        cx.calls.append(made)
    return made


def _intrinsic_tags(cx: Context, node: Node, opening: Node | None) -> list[int]:
    """Lower the names in `<div></div>`, to which `JSX.IntrinsicElements` of the repository may give a meaning."""
    closing = node.child_by_field_name("close_tag") if node.type == "jsx_element" else None
    names = [tag.child_by_field_name("name") for tag in (opening, closing) if tag is not None]
    return [
        cx.emit(Op.STRING, -1, cx.string(cx.bytes_of(name)), Use.JSX, name.start_byte)
        for name in names
        if name is not None and name.type == "identifier"
    ]


def _closing_tag(cx: Context, node: Node) -> None:
    """Record the name in `</Name>` as a further use of the component."""
    closing = node.child_by_field_name("close_tag")
    name = closing.child_by_field_name("name") if closing is not None else None
    if name is None:
        return
    tag = _tag(cx, name)
    if tag >= 0:
        cx.use_as(tag, Use.JSX)


def _tag(cx: Context, name: Node) -> int:
    """Lower the name of a component; return -1 for intrinsic and namespaced tags."""
    if name.type == "identifier":
        text = cx.bytes_of(name)
        return -1 if text[:1].islower() or b"-" in text else cx.name(text, name.start_byte)
    return lower_expression(cx, name) if name.type in ("member_expression", "nested_identifier") else -1


def _attribute(cx: Context, node: Node) -> int | None:
    inner = inner_nodes(node)
    if node.type != "jsx_attribute":
        return lower_expression(cx, inner[0]) if inner else None
    value = lower_jsx_value(cx, inner[1]) if len(inner) > 1 else cx.emit(Op.BOOLEAN, 1, -1, -1, node.start_byte)
    return cx.emit(Op.PROP, value, cx.string(cx.bytes_of(inner[0])), -1, node.start_byte)


def lower_jsx_value(cx: Context, node: Node) -> int:
    """Lower the value in braces, a string or an element."""
    if node.type == "jsx_expression":
        inner = inner_nodes(node)
        return lower_expression(cx, inner[0]) if inner else cx.emit(Op.UNDEFINED, -1, -1, -1, node.start_byte)
    return lower_expression(cx, node)
