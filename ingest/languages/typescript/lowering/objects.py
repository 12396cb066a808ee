"""Lower object literals."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.model import Member, MemberKind, Shape, ShapeKind
from ....facts.operations import ContextKind, Op, ThisKind
from ....symbols.headers import member_state
from .context import Context
from .dispatch import inner_nodes, lower_expression, two_fields
from .functions import describe_function, inner_function, lower_function, lower_inner_function
from .shapes import lower_computed_key, member_name

#: Node types of keys that refer to a member of the expected type.
_PLAIN_KEYS = frozenset(("property_identifier", "private_property_identifier", "shorthand_property_identifier", "number"))
_QUOTED = frozenset(("string", "template_string"))

#: Node types of names in brackets, which may be names of members: `[KEY]`, `[Symbol.iterator]`.
_COMPUTED_NAMES = frozenset(("identifier", "member_expression"))

_ACCESSORS = {"get": (MemberKind.GETTER, "getter"), "set": (MemberKind.SETTER, "setter")}


def lower_object(cx: Context, node: Node) -> int:
    """Lower `{ a, b: 1, m() {}, get x() {}, ...rest }`. Functions among the values are symbols."""
    shape = len(cx.shapes)
    fact = Shape(ShapeKind.OBJECT_LITERAL, "", cx.symbol, -1, [], [], [], [], node.start_byte)
    cx.shapes.append(fact)
    spreads: list[int] = []
    comments: list[Node] = []
    for child in node.named_children:
        kind = cx.tables.kinds[child.kind_id]
        if kind == "comment":
            comments.append(child)
            continue
        if kind == "pair":
            fact.members.append(_pair(cx, child, shape, comments))
        elif kind == "shorthand_property_identifier":
            value = cx.name(cx.bytes_of(child), child.start_byte)
            fact.members.append(_property(cx.text(child), value, child))
        elif kind == "method_definition":
            fact.members.append(_method(cx, child, shape, comments))
        elif kind == "spread_element":
            spreads.append(lower_expression(cx, child))
        else:  # the rest of a syntax error
            lower_expression(cx, child)
        comments = []
    made = cx.emit(Op.OBJECT, shape, cx.list_of(spreads) if spreads else -1, -1, node.start_byte)
    for member in fact.members:
        if member.value >= 0:
            if member.type >= 0:
                cx.expect(member.value, ContextKind.ANNOTATED, member.type)
            else:
                cx.expect(member.value, ContextKind.PROPERTY, made, cx.string(member.name.encode("utf-8", "replace")))
    return made


def _property(name: str, value: int, node: Node, key: Node | None = None, annotation: int = -1) -> Member:
    return Member(name, MemberKind.PROPERTY, False, False, -1, -1, annotation, value, node.start_byte, _key_position(key or node))


def _key_position(key: Node | None) -> int:
    """Return the offset of a key's name, without brackets and quotes; -1 for a computed key that is not a name."""
    if key is not None and key.type == "computed_property_name":
        inner = inner_nodes(key)
        key = inner[0] if inner else None
        if key is not None and key.type in _COMPUTED_NAMES:
            return key.start_byte
    if key is not None and key.type in _QUOTED:
        return key.start_byte + 1
    return key.start_byte if key is not None and key.type in _PLAIN_KEYS else -1


def _pair(cx: Context, node: Node, shape: int, comments: list[Node]) -> Member:
    parts = node.children
    key, value_node = (parts[0], parts[2]) if len(parts) == 3 else two_fields(node, "key", "value")
    name = member_name(cx, key)
    lower_computed_key(cx, key)
    if value_node is None:
        return _property(name, -1, node, key)
    annotation = cx.documented.declared_type(cx, node) if cx.documented is not None else -1
    function = inner_function(cx, value_node)
    if function is None:
        return _property(name, lower_expression(cx, value_node), node, key, annotation)
    state = member_state(cx, "method", name, node, key, comments)
    state.has_body = True
    describe_function(cx, state, function, node.start_byte)
    symbol = cx.open_symbol(state)
    value = lower_inner_function(cx, value_node, function, symbol, ThisKind.OBJECT, shape)
    cx.close_symbol()
    return Member(name, MemberKind.PROPERTY, False, False, symbol, -1, annotation, value, node.start_byte, _key_position(key))


def _method(cx: Context, node: Node, shape: int, comments: list[Node]) -> Member:
    name_node = node.child_by_field_name("name")
    name = member_name(cx, name_node)
    lower_computed_key(cx, name_node)
    accessor = next((child.type for child in node.children if child.type in _ACCESSORS), "")
    code, kind = _ACCESSORS.get(accessor, (MemberKind.METHOD, "method"))
    state = member_state(cx, kind, name, node, name_node, comments)
    state.has_body = True
    describe_function(cx, state, node, node.start_byte)
    symbol = cx.open_symbol(state)
    function, _ = lower_function(cx, node, symbol, ThisKind.OBJECT, shape)
    cx.close_symbol()
    return Member(name, code, False, False, symbol, function, -1, -1, node.start_byte, _key_position(name_node))
