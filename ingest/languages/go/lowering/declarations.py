"""Lower declarations of types, variables, constants, functions and methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Member, MemberKind, Shape, ShapeKind
from ....facts.operations import Op
from .context import GoContext
from .expressions import lower_body, lower_expression
from .grammar import kind_of, parts_of
from .types import fill_shape, lower_signature, lower_type, lower_type_parameters, written_types

#: Expressions that may have several results; the grammar reads `f[T](x)` as a conversion.
_CALLS: Final = frozenset(("call_expression", "type_conversion_expression"))


def _symbol_at(cx: GoContext, node: Node) -> int:
    """Return the symbol whose name is at a node, or else the symbol around the current place."""
    return cx.symbol_places.get(node.start_byte, cx.symbol)


# ---------------------------------------------------------------------- types


def lower_type_declaration(cx: GoContext, node: Node) -> None:
    """Lower a defined type or an alias, without methods."""
    name, written = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is None:
        return
    text, position = cx.name_of(name), name.start_byte
    owner = cx.own(_symbol_at(cx, name))
    if kind_of(node) == "type_alias":
        outer = cx.enter()
        parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
        meant = lower_type(cx, written)
        cx.visible = outer
        cx.declare(DeclKind.ALIAS, text, meant, cx.list_of(parameters), -1, position)
        cx.own(owner)
        return
    shape = len(cx.shapes)
    kind = ShapeKind.INTERFACE if written is not None and kind_of(written) == "interface_type" else ShapeKind.CLASS
    cx.shapes.append(Shape(kind, text, cx.symbol_places.get(position, -1), -1, [], [], [], [], position))
    cx.shapes[shape].decl = cx.declare(DeclKind.CLASS, text, shape, -1, -1, position)
    outer = cx.enter()
    cx.shapes[shape].type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    if written is not None:
        fill_shape(cx, shape, written)
    cx.visible = outer
    cx.own(owner)


# ---------------------------------------------------------------------- variables and constants


def lower_values(cx: GoContext, node: Node) -> None:
    """Lower the variables or constants of one line."""
    names = node.children_by_field_name("name")
    listed = parts_of(node.child_by_field_name("value"))
    owner = cx.own(_symbol_at(cx, names[0]) if names else cx.symbol)
    kind = lower_type(cx, node.child_by_field_name("type"))
    values = lowered_values(cx, listed, len(names))
    cx.own(owner)
    _declare_values(cx, names, kind, values)


def _declare_values(cx: GoContext, names: Sequence[Node], kind: int, values: Sequence[int]) -> None:
    for place, name in enumerate(names):
        value = values[place] if place < len(values) and kind < 0 else -1
        cx.declare(DeclKind.VARIABLE, cx.name_of(name), kind, value, -1, name.start_byte)


def lowered_values(cx: GoContext, nodes: Sequence[Node], count: int) -> list[int]:
    """Lower the values assigned to `count` names: one value per name, or the parts of one value."""
    if len(nodes) == count or len(nodes) != 1:
        return [lower_expression(cx, node) for node in nodes]
    node = nodes[0]
    while kind_of(node) == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    value = lower_expression(cx, node)
    if kind_of(node) not in _CALLS:  # `v, ok := x.(T)`, `v, ok := m[k]` and `v, ok := <-ch`
        return [value, cx.emit(Op.BOOLEAN, 1, -1, -1, node.start_byte)]
    return [cx.emit(Op.ELEMENT, value, -1, place, node.start_byte) for place in range(count)]


def lower_constants(cx: GoContext, node: Node) -> None:
    """Lower constants. A line without values repeats the values of the previous line and their type."""
    kind = -1
    values: list[int] = []
    for spec in parts_of(node):
        names = [each for each in spec.children_by_field_name("name") if kind_of(each) == "identifier"]
        listed = parts_of(spec.child_by_field_name("value"))
        owner = cx.own(_symbol_at(cx, names[0]) if names else cx.symbol)
        if listed:
            kind = lower_type(cx, spec.child_by_field_name("type"))
            values = [lower_expression(cx, each) for each in listed]
        cx.own(owner)
        _declare_values(cx, names, kind, values)


# ---------------------------------------------------------------------- functions


def lower_function(cx: GoContext, node: Node) -> None:
    """Lower a function. The name `init` is not bound, because code cannot use it and a package may declare it several times."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    text, position = cx.name_of(name), name.start_byte
    symbol = cx.symbol_places.get(position, -1)
    owner = cx.own(symbol if symbol >= 0 else cx.symbol)
    if text != "init":
        cx.declare(DeclKind.FUNCTION, text, len(cx.functions), -1, -1, position)
    outer = cx.enter()
    function = lower_signature(cx, node, symbol, None)
    lower_body(cx, node.child_by_field_name("body"), function)
    cx.visible = outer
    cx.own(owner)


def lower_method(cx: GoContext, node: Node) -> None:
    """Lower a method: a member of the type of its receiver, which another file of the package may declare."""
    name, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
    if name is None:
        return
    text, position = cx.name_of(name), name.start_byte
    symbol = cx.symbol_places.get(position, -1)
    owner = cx.own(symbol if symbol >= 0 else cx.symbol)
    outer = cx.enter()
    extended, parameters, is_pointer = _receiver_type(cx, receiver)
    decl = cx.add_declaration(DeclKind.FUNCTION, text, len(cx.functions), -1, -1, position)
    function = lower_signature(cx, node, symbol, receiver)
    cx.functions[function].written = written_types(cx, node)
    if extended:
        member = Member(text, MemberKind.METHOD, False, False, symbol, function, -1, -1, position, decl, is_pointer)
        cx.shapes[_extension(cx, extended, parameters, position)].members.append(member)
    lower_body(cx, node.child_by_field_name("body"), function)
    cx.visible = outer
    cx.own(owner)


def _receiver_type(cx: GoContext, receiver: Node | None) -> tuple[str, list[int], bool]:
    """Return the type of a method's receiver, the declared type parameters, and whether the receiver is a pointer."""
    listed = parts_of(receiver)
    node = listed[0].child_by_field_name("type") if listed else None
    is_pointer = False
    while node is not None and kind_of(node) in ("pointer_type", "parenthesized_type"):
        is_pointer = is_pointer or kind_of(node) == "pointer_type"
        children = parts_of(node)
        node = children[0] if children else None
    if node is None:
        return "", [], is_pointer
    if kind_of(node) != "generic_type":
        return cx.name_of(node) if kind_of(node) == "type_identifier" else "", [], is_pointer
    base = node.child_by_field_name("type")
    found: list[int] = []
    for argument in parts_of(node.child_by_field_name("type_arguments")):
        found.append(cx.declare(DeclKind.TYPE_PARAMETER, cx.name_of(argument), -1, -1, -1, argument.start_byte))
    return cx.name_of(base) if base is not None else "", found, is_pointer


def _extension(cx: GoContext, name: str, parameters: list[int], position: int) -> int:
    """Return the shape for a method of a type: a shared shape, or a new shape if the receiver declares type parameters."""
    known = cx.extensions.get(name) if not parameters else None
    if known is None:
        known = len(cx.shapes)
        cx.shapes.append(Shape(ShapeKind.EXTENSION, name, -1, -1, parameters, [], [], [], position))
        if not parameters:
            cx.extensions[name] = known
        for place, parameter in enumerate(parameters):
            cx.decls[parameter].b, cx.decls[parameter].c = known, place
    return known
