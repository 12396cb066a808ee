"""Lower types, and the signatures of functions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Function, Member, MemberKind, Parameter, Shape, ShapeKind
from ....facts.operations import Op, Use
from .context import GoContext
from .grammar import kind_of, parts_of

#: Kinds of nodes that are types in every place.
TYPE_KINDS: Final = frozenset(
    (
        "type_identifier",
        "qualified_type",
        "generic_type",
        "pointer_type",
        "slice_type",
        "array_type",
        "implicit_length_array_type",
        "map_type",
        "channel_type",
        "function_type",
        "struct_type",
        "interface_type",
        "parenthesized_type",
        "negated_type",
        "type_elem",
        "type_constraint",
    )
)
#: The package before the name of a type.
_PACKAGE: Final = re.compile(r"\b[^\W\d]\w*+\.(?!\.)")
#: Names of our own declarations for types with their own syntax in Go, such as `[]T` and `map[K]V`.
SLICE: Final = b"__slice__"
_MAP: Final = b"__map__"
_CHANNEL: Final = b"__chan__"


def lower_type(cx: GoContext, node: Node | None) -> int:
    """Lower a type; return -1 for None. A pointer is lowered as its target type, which has the same members."""
    if node is None:
        return -1
    kind = kind_of(node)
    if kind in ("type_identifier", "identifier", "package_identifier"):
        return cx.name(node, Use.TYPE)
    if kind == "qualified_type":
        return _qualified(cx, node)
    if kind in ("pointer_type", "parenthesized_type", "negated_type", "type_elem", "type_constraint"):
        return _inner(cx, node)
    if kind in ("slice_type", "array_type", "implicit_length_array_type"):
        _name_constants(cx, node.child_by_field_name("length"))
        return applied(cx, SLICE, (lower_type(cx, node.child_by_field_name("element")),), node.start_byte)
    if kind == "map_type":
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        return applied(cx, _MAP, (lower_type(cx, key), lower_type(cx, value)), node.start_byte)
    if kind == "channel_type":
        return applied(cx, _CHANNEL, (lower_type(cx, node.child_by_field_name("value")),), node.start_byte)
    if kind == "generic_type":
        base = lower_type(cx, node.child_by_field_name("type"))
        arguments = [lower_type(cx, each) for each in parts_of(node.child_by_field_name("type_arguments"))]
        return _index(cx, base, arguments, node.start_byte)
    if kind == "function_type":
        outer = cx.enter()
        function = lower_signature(cx, node, -1, None)
        cx.visible = outer
        return cx.emit(Op.T_FUNCTION, function, -1, -1, node.start_byte)
    if kind in ("struct_type", "interface_type"):
        return _anonymous(cx, node)
    return -1


def _name_constants(cx: GoContext, length: Node | None) -> None:
    waiting = [length] if length is not None else []
    while waiting:
        node = waiting.pop()
        kind = kind_of(node)
        if kind == "identifier":
            cx.name(node)
        elif kind == "selector_expression":
            operand, field = node.child_by_field_name("operand"), node.child_by_field_name("field")
            if operand is not None and field is not None and kind_of(operand) == "identifier":
                cx.emit(Op.MEMBER, cx.name(operand), cx.string(cx.bytes_of(field)), 0, field.start_byte)
        else:
            waiting += reversed(parts_of(node))


def _qualified(cx: GoContext, node: Node) -> int:
    package, name = node.child_by_field_name("package"), node.child_by_field_name("name")
    if package is None or name is None:
        return -1
    return cx.emit(Op.MEMBER, cx.name(package), cx.string(cx.bytes_of(name)), 0, name.start_byte)


def _inner(cx: GoContext, node: Node) -> int:
    """Lower the type inside a node. For a union, which occurs only in constraints, lower all parts."""
    found = [lower_type(cx, child) for child in parts_of(node)]
    found = [each for each in found if each >= 0]
    if len(found) == 1:
        return found[0]
    return cx.emit(Op.T_UNION, cx.list_of(found), -1, -1, node.start_byte) if found else -1


def applied(cx: GoContext, name: bytes, arguments: Sequence[int], position: int) -> int:
    """Emit one of our own generic types with its arguments."""
    base = cx.emit(Op.T_NAME, -1, cx.string(name), -1, position)
    return _index(cx, base, arguments, position)


def _index(cx: GoContext, base: int, arguments: Sequence[int], position: int) -> int:
    return cx.emit(Op.T_REFERENCE, base, cx.list_of(arguments), -1, position)


def _anonymous(cx: GoContext, node: Node) -> int:
    kind = ShapeKind.INTERFACE if kind_of(node) == "interface_type" else ShapeKind.OBJECT_TYPE
    shape = len(cx.shapes)
    cx.shapes.append(Shape(kind, "", -1, -1, [], [], [], [], node.start_byte))
    fill_shape(cx, shape, node)
    return cx.emit(Op.T_OBJECT, shape, -1, -1, node.start_byte)


# ---------------------------------------------------------------------- shapes


def fill_shape(cx: GoContext, shape: int, node: Node) -> None:
    """Lower the members and embedded types of a struct or interface, or the underlying type of another defined type."""
    kind, facts = kind_of(node), cx.shapes[shape]
    if kind == "struct_type":
        for child in parts_of(node):
            for field in parts_of(child):
                _field(cx, facts, field)
    elif kind == "interface_type":
        for child in parts_of(node):
            if kind_of(child) == "method_elem":
                _method(cx, facts, child)
            else:
                facts.extends.append(lower_type(cx, child))
    else:
        made_of = lower_type(cx, node)
        facts.implements.append(made_of)
        if kind == "function_type":
            facts.members.append(Member("__call__", MemberKind.PROPERTY, False, False, -1, -1, made_of, -1, node.start_byte, -1))


def _field(cx: GoContext, facts: Shape, node: Node) -> None:
    names, written = node.children_by_field_name("name"), node.child_by_field_name("type")
    if written is None:
        return
    outer = cx.symbol
    if names:
        cx.own(cx.symbol_places.get(names[0].start_byte, outer))
    kind = lower_type(cx, written)
    cx.own(outer)
    for name in names:
        position = name.start_byte
        symbol = cx.symbol_places.get(position, -1)
        facts.members.append(Member(cx.name_of(name), MemberKind.PROPERTY, False, False, symbol, -1, kind, -1, position, -1))
    if not names:
        facts.extends.append(kind)
        last = _last_name(written)
        if last is not None:
            is_pointer = any(kind_of(child) == "*" for child in node.children) or kind_of(written) == "pointer_type"
            facts.members.append(
                Member(cx.name_of(last), MemberKind.PROPERTY, False, False, -1, -1, kind, -1, last.start_byte, -1, is_pointer)
            )


def _last_name(node: Node) -> Node | None:
    """Return the node with the field name of a type that a struct embeds: `Cart` for `*shop.Cart`."""
    while kind_of(node) != "type_identifier":
        inner = node.child_by_field_name("name") or node.child_by_field_name("type")
        if inner is None:
            children = parts_of(node)
            inner = children[0] if children else None
        if inner is None:
            return None
        node = inner
    return node


def _method(cx: GoContext, facts: Shape, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    position = name.start_byte
    symbol = cx.symbol_places.get(position, -1)
    owner = cx.own(symbol if symbol >= 0 else cx.symbol)
    outer = cx.enter()
    function = lower_signature(cx, node, symbol, None)
    cx.functions[function].written = written_types(cx, node)
    cx.visible = outer
    cx.functions[function].position = position
    cx.own(owner)
    text = cx.name_of(name)
    decl = cx.add_declaration(DeclKind.FUNCTION, text, function, -1, -1, position)
    # The receiver is the first parameter, as in methods of other types. Its type is the interface.
    cx.functions[function].parameters.insert(0, Parameter("", -1, -1, -1, False, False))
    facts.members.append(Member(text, MemberKind.METHOD, False, False, symbol, function, -1, -1, position, decl))


# ---------------------------------------------------------------------- functions


def lower_signature(cx: GoContext, node: Node, symbol: int, receiver: Node | None) -> int:
    """Lower the parameters and results of a function, declare their names in the innermost scope, and return the function.

    The receiver is the first parameter of a method. Types in the signature never mean its parameters: `func run(action string)
    action` returns the type `action`.
    """
    index = len(cx.functions)
    function = Function(symbol, [], [], -1, [], [], -1, False, False, False, False, False, node.start_byte)
    cx.functions.append(function)
    named: list[tuple[str, int]] = []
    for parameter in parts_of(receiver):
        _parameters(cx, parameter, index, named)
    function.type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    for parameter in parts_of(node.child_by_field_name("parameters")):
        _parameters(cx, parameter, index, named)
    function.return_type = _results(cx, node.child_by_field_name("result"), named)
    for name, decl in named:
        cx.name_declaration(name, decl)
    return index


def written_types(cx: GoContext, node: Node) -> str:
    """Return the types of the parameters and results of a method as they are written, without packages: "int,*int;error"."""
    result = node.child_by_field_name("result")
    is_list = result is not None and kind_of(result) == "parameter_list"
    results = parts_of(result) if is_list else [result] if result is not None else []
    taken = ",".join(_written(cx, each) for each in parts_of(node.child_by_field_name("parameters")))
    return f"{taken};{','.join(_written(cx, each) if is_list else _plain(cx, each) for each in results)}"


def _written(cx: GoContext, node: Node) -> str:
    """Return the type of parameters or results, once for each name, as in `a, b *int`."""
    kind = node.child_by_field_name("type")
    text = _plain(cx, kind) if kind is not None else ""
    dots = "..." if kind_of(node) == "variadic_parameter_declaration" else ""
    return ",".join([dots + text] * max(len(node.children_by_field_name("name")), 1))


def _plain(cx: GoContext, node: Node) -> str:
    return _PACKAGE.sub("", "".join(cx.text(node).split()))


def _parameters(cx: GoContext, node: Node, function: int, named: list[tuple[str, int]]) -> None:
    """Lower parameters that share one type, `a, b int`, and add their names and declarations to `named`."""
    parameters = cx.functions[function].parameters
    names = node.children_by_field_name("name")
    kind = lower_type(cx, node.child_by_field_name("type"))
    is_variadic = kind_of(node) == "variadic_parameter_declaration"
    held = applied(cx, SLICE, (kind,), node.start_byte) if is_variadic else kind
    star = "*" if is_variadic else ""
    for name in names:
        text = cx.name_of(name)
        decl = cx.add_declaration(DeclKind.VARIABLE, text, held, -1, -1, name.start_byte)
        named.append((text, decl))
        parameters.append(Parameter(star + text, decl, kind, -1, False, is_variadic))
    if not names:
        parameters.append(Parameter("*_" if is_variadic else "", -1, kind, -1, False, is_variadic))


def _results(cx: GoContext, node: Node | None, named: list[tuple[str, int]]) -> int:
    """Lower the results of a function, one type or a tuple of several, and add their names and declarations to `named`."""
    if node is None:
        return -1
    if kind_of(node) != "parameter_list":
        return lower_type(cx, node)
    found: list[int] = []
    for result in parts_of(node):
        names = result.children_by_field_name("name")
        kind = lower_type(cx, result.child_by_field_name("type"))
        for name in names:
            text = cx.name_of(name)
            named.append((text, cx.add_declaration(DeclKind.VARIABLE, text, kind, -1, -1, name.start_byte)))
        found += [kind] * max(len(names), 1)
    if len(found) == 1:
        return found[0]
    return cx.emit(Op.T_TUPLE, cx.list_of(found), -1, -1, node.start_byte) if found else -1


def lower_type_parameters(cx: GoContext, node: Node | None) -> list[int]:
    """Declare type parameters in the innermost scope, and return their declarations."""
    found: list[int] = []
    listed = [(name, each) for each in parts_of(node) for name in each.children_by_field_name("name")]
    for name, _ in listed:
        cx.bind(cx.name_of(name))  # constraints may mention all type parameters
    for name, each in listed:
        constraint = lower_type(cx, each.child_by_field_name("type"))
        found.append(cx.declare(DeclKind.TYPE_PARAMETER, cx.name_of(name), constraint, -1, -1, name.start_byte))
    return found
