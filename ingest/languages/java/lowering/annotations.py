"""Lower annotations: the type of an annotation, and its arguments."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.operations import MemberFlag, Op
from .context import JavaContext
from .grammar import child_of_kind, kind_of, parts_of

#: Kinds of the nodes of annotations.
ANNOTATIONS: Final = ("marker_annotation", "annotation")


def lower_annotations(cx: JavaContext, node: Node, parameter: int = -1) -> None:
    """Lower the annotations of the current symbol, or of its parameter at the position `parameter`."""
    modifiers = child_of_kind(node, "modifiers")
    if modifiers is None:
        return
    for each in parts_of(modifiers):
        if kind_of(each) in ANNOTATIONS:
            _annotation(cx, each, parameter)


def _annotation(cx: JavaContext, node: Node, parameter: int) -> int:
    name = node.child_by_field_name("name")
    if name is None:
        return -1
    callee = lower_qualified_name(cx, name)
    listed = child_of_kind(node, "annotation_argument_list")
    arguments = -1 if listed is None else cx.list_of([_argument(cx, each) for each in parts_of(listed)])
    return cx.emit(Op.DECORATOR, callee, arguments, parameter, name.start_byte)


def lower_qualified_name(cx: JavaContext, node: Node) -> int:
    """Emit the name of a type, perhaps qualified by a package or an enclosing type."""
    scope, last = node.child_by_field_name("scope"), node.child_by_field_name("name")
    if scope is None or last is None:
        return cx.type_name(node)
    names = [last]
    while kind_of(scope) == "scoped_identifier":
        outer, inner = scope.child_by_field_name("scope"), scope.child_by_field_name("name")
        if outer is None or inner is None:
            break
        names.append(inner)
        scope = outer
    found = cx.name(scope)
    for each in reversed(names):
        flags = MemberFlag.NO_USE if each is not last and not cx.name_of(each)[:1].isupper() else 0
        found = cx.emit(Op.MEMBER, found, cx.string(cx.bytes_of(each)), flags, each.start_byte)
    return found


def _argument(cx: JavaContext, node: Node) -> int:
    if kind_of(node) == "element_value_pair":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is None or value is None:
            return -1
        return cx.emit(Op.PROP, _value(cx, value), cx.string(cx.bytes_of(key)), -1, key.start_byte)
    return _value(cx, node)


def lower_default(cx: JavaContext, node: Node) -> None:
    """Lower the default value of an element of an annotation type.

    If the value is an annotation, it does not annotate the element.
    """
    value = node.child_by_field_name("value")
    if value is not None:
        cx.emit(Op.ARRAY, cx.list_of([_value(cx, value)]), -1, -1, value.start_byte)


def _value(cx: JavaContext, node: Node) -> int:
    from .expressions import lower_expression

    kind = kind_of(node)
    if kind == "element_value_array_initializer":
        return cx.emit(Op.ARRAY, cx.list_of([_value(cx, each) for each in parts_of(node)]), -1, -1, node.start_byte)
    if kind in ANNOTATIONS:
        return _annotation(cx, node, -1)
    return lower_expression(cx, node)
