"""Lower interfaces, object types and enums: shapes whose members have types but no bodies."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.model import Decl, DeclKind, Meaning, Member, MemberKind, Shape, ShapeKind
from ....facts.operations import Op, ThisKind
from ....symbols.headers import header, keyword_modifiers, member_state, place
from ....symbols.states import Placement, SymbolState
from .context import Context
from .dispatch import inner_nodes, lower_annotation, lower_expression, lower_type
from .functions import lower_function, lower_type_parameters
from .imports import string_value

#: Kind and name of the symbols of signatures that have no name.
_NAMELESS = {
    MemberKind.CALL: ("callSignature", "()"),
    MemberKind.CONSTRUCT: ("constructSignature", "new ()"),
}
_SIGNATURES = {
    "method_signature": MemberKind.METHOD,
    "call_signature": MemberKind.CALL,
    "construct_signature": MemberKind.CONSTRUCT,
}


def member_name(cx: Context, node: Node | None) -> str:
    """Return the name of a member, without quotes or the brackets of literal computed keys."""
    if node is None:
        return ""
    kind = cx.tables.kinds[node.kind_id]
    if kind == "string":
        return string_value(cx, node).decode("utf-8", "replace")
    if kind == "computed_property_name":
        inner = inner_nodes(node)
        if inner and inner[0].type in ("string", "template_string"):
            return string_value(cx, inner[0]).decode("utf-8", "replace")
        return "".join(cx.text(node).split())
    return cx.text(node)


def lower_computed_key(cx: Context, node: Node | None) -> None:
    """Lower the expressions in a computed key, so that names in the key are not lost."""
    if node is not None and node.type == "computed_property_name":
        for child in inner_nodes(node):
            lower_expression(cx, child)


def lower_members(cx: Context, body: Node, shape: int, are_symbols: bool) -> None:
    """Read the members of an interface or object type into its shape."""
    fact = cx.shapes[shape]
    outer_this, outer_members = (cx.this_kind, cx.this_index), cx.members_have_symbols
    cx.this_kind, cx.this_index = ThisKind.INSTANCE, shape
    cx.members_have_symbols = are_symbols
    comments: list[Node] = []
    for child in body.named_children:
        if child.type == "comment":
            comments.append(child)
            continue
        member = _lower_member(cx, child, comments if are_symbols else None)
        if member is not None:
            fact.members.append(member)
        comments = []
    cx.this_kind, cx.this_index = outer_this
    cx.members_have_symbols = outer_members


def _lower_member(cx: Context, node: Node, comments: list[Node] | None) -> Member | None:
    kind = cx.tables.kinds[node.kind_id]
    name_node = node.child_by_field_name("name")
    parts = {cx.tables.kinds[child.kind_id]: child for child in node.children}
    optional = "?" in parts
    name = member_name(cx, name_node)
    lower_computed_key(cx, name_node)
    if kind == "property_signature":
        symbol = _member_symbol(cx, "property", name, node, name_node, comments)
        annotation = lower_annotation(cx, parts.get("type_annotation") or node.child_by_field_name("type"))
        _close(cx, symbol)
        return Member(name, MemberKind.PROPERTY, False, optional, symbol, -1, annotation, -1, node.start_byte, -1)
    if kind in _SIGNATURES:
        code = _SIGNATURES[kind]
        accessor = [word for word in parts if word in ("get", "set")] if code == MemberKind.METHOD else []
        role = {"get": "getter", "set": "setter"}.get(accessor[0] if accessor else "", "method")
        if name_node is None:
            return _nameless(cx, node, code, comments)
        symbol = _member_symbol(cx, role, name, node, name_node, comments)
        function, _ = lower_function(cx, node, symbol, ThisKind.INSTANCE, cx.this_index)
        _close(cx, symbol)
        if accessor:
            code = MemberKind.GETTER if accessor[0] == "get" else MemberKind.SETTER
        return Member(name, code, False, optional, symbol, function, -1, -1, node.start_byte, -1)
    if kind == "index_signature":
        return lower_index_signature(cx, node, comments)
    return None


def _nameless(cx: Context, node: Node, code: int, comments: list[Node] | None) -> Member:
    """Lower `(): T` and `new (): T`.

    These signatures have symbols, so that outlines list them, but calls refer to the symbol of the type.
    """
    kind, name = _NAMELESS[code]
    symbol = _member_symbol(cx, kind, name, node, None, comments)
    function, _ = lower_function(cx, node, -1, ThisKind.INSTANCE, cx.this_index)
    _close(cx, symbol)
    return Member("", code, False, False, -1, function, -1, -1, node.start_byte, -1)


def lower_index_signature(cx: Context, node: Node, comments: list[Node] | None) -> Member | None:
    """Lower `[key: string]: T`.

    The member is named by the type of its key, because a type may have one index signature for numbers and one for strings.
    """
    key, value = node.child_by_field_name("index_type"), node.child_by_field_name("type")
    inner = inner_nodes(node)
    if inner and inner[0].type == "mapped_type_clause":
        lower_annotation(cx, value)
        return None
    written = header(cx, node.start_byte, node.end_byte)
    name = written[max(written.find("["), 0) : written.find("]") + 1]
    symbol = _member_symbol(cx, "indexSignature", name, node, None, comments)
    key_type = lower_type(cx, key) if key is not None else -1
    annotation = lower_annotation(cx, value)
    _close(cx, symbol)
    text = cx.text(key) if key is not None else ""
    return Member(text, MemberKind.INDEX, False, False, -1, -1, annotation, key_type, node.start_byte, -1)


def _member_symbol(cx: Context, kind: str, name: str, node: Node, name_node: Node | None, comments: list[Node] | None) -> int:
    if comments is None:
        return -1
    state = member_state(cx, kind, name, node, name_node, comments)
    state.signature = header(cx, node.start_byte, node.end_byte)
    return cx.open_symbol(state)


def _close(cx: Context, symbol: int) -> None:
    if symbol >= 0:
        cx.close_symbol()


def lower_object_type(cx: Context, node: Node) -> int:
    """Lower `{ a: A; m(): B }` in type position.

    The members get symbols only if the object type is in the type of an alias, or in the type of a member of an interface.
    """
    shape = len(cx.shapes)
    cx.shapes.append(Shape(ShapeKind.OBJECT_TYPE, "", cx.symbol, -1, [], [], [], [], node.start_byte))
    lower_members(cx, node, shape, cx.members_have_symbols)
    return cx.emit(Op.T_OBJECT, shape, -1, -1, node.start_byte)


def lower_interface(cx: Context, node: Node, placement: Placement) -> int:
    """Lower an interface declaration and return its symbol."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    name = cx.text(name_node) if name_node is not None else ""
    state = SymbolState(name, "interface", -1, node.start_byte, node.end_byte, node.start_byte, (name_node or node).start_byte)
    place(cx, state, placement)
    state.signature = header(cx, node.start_byte, body.start_byte if body is not None else node.end_byte)
    symbol = cx.open_symbol(state)
    shape = len(cx.shapes)
    decl = cx.declare(name, Meaning.TYPE, Decl(DeclKind.INTERFACE, name, symbol, shape, -1, -1, state.name_position))
    fact = Shape(ShapeKind.INTERFACE, name, symbol, decl, [], [], [], [], node.start_byte)
    cx.shapes.append(fact)
    outer = cx.open_scope()
    fact.type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    for child in node.named_children:
        if child.type in ("extends_type_clause", "extends_clause"):
            fact.extends += [lower_type(cx, inner) for inner in inner_nodes(child)]
    if body is not None:
        lower_members(cx, body, shape, True)
    cx.scope = outer
    cx.close_symbol()
    return symbol


def lower_enum(cx: Context, node: Node, placement: Placement) -> int:
    """Lower an enum declaration and return its symbol."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    name = cx.text(name_node) if name_node is not None else ""
    state = SymbolState(name, "enum", -1, node.start_byte, node.end_byte, node.start_byte, (name_node or node).start_byte)
    state.modifiers = keyword_modifiers(cx, node)
    place(cx, state, placement)
    state.signature = header(cx, node.start_byte, body.start_byte if body is not None else node.end_byte)
    symbol = cx.open_symbol(state)
    shape = len(cx.shapes)
    meaning = Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE
    decl = cx.declare(name, meaning, Decl(DeclKind.ENUM, name, symbol, shape, -1, -1, state.name_position))
    fact = Shape(ShapeKind.ENUM, name, symbol, decl, [], [], [], [], node.start_byte)
    cx.shapes.append(fact)
    outer = cx.open_scope()  # members refer to each other by their plain names
    comments: list[Node] = []
    for child in body.named_children if body is not None else ():
        if child.type == "comment":
            comments.append(child)
            continue
        _enum_member(cx, child, shape, comments)
        comments = []
    cx.scope = outer
    cx.close_symbol()
    return symbol


def _enum_member(cx: Context, node: Node, shape: int, comments: list[Node]) -> None:
    assigned = node.type == "enum_assignment"
    name_node = node.child_by_field_name("name") if assigned else node
    if name_node is None:
        return
    name = member_name(cx, name_node)
    state = member_state(cx, "enumMember", name, node, name_node, comments)
    state.signature = header(cx, node.start_byte, node.end_byte)
    symbol = cx.open_symbol(state)
    value_node = node.child_by_field_name("value") if assigned else None
    value = lower_expression(cx, value_node) if value_node is not None else -1
    cx.close_symbol()
    members = cx.shapes[shape].members
    decl = Decl(DeclKind.ENUM_MEMBER, name, symbol, shape, len(members), -1, name_node.start_byte)
    index = cx.declare(name, Meaning.VALUE | Meaning.TYPE, decl)
    members.append(Member(name, MemberKind.PROPERTY, True, False, symbol, -1, -1, value, node.start_byte, index))
