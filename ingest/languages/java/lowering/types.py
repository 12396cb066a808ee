"""Lower types, and the signatures of methods."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Function, Parameter
from ....facts.operations import MemberFlag, Op, Wildcard
from .context import JavaContext
from .grammar import child_of_kind, kind_of, parts_of

#: Kinds of nodes that are types in every place.
TYPE_KINDS: Final = frozenset(
    (
        "type_identifier",
        "scoped_type_identifier",
        "generic_type",
        "array_type",
        "integral_type",
        "floating_point_type",
        "boolean_type",
        "void_type",
        "annotated_type",
    )
)
_PRIMITIVES: Final = frozenset(("integral_type", "floating_point_type", "boolean_type", "void_type"))
#: Prefix of the names of our own declarations; types of a program do not have this prefix.
_OWN: Final = b"$"
_ARRAY: Final = b"$array"


def lower_type(cx: JavaContext, node: Node | None) -> int:
    """Lower a type; return -1 for None, for `var` and for a wildcard without bounds."""
    if node is None:
        return -1
    kind = kind_of(node)
    if kind in ("type_identifier", "identifier"):
        return -1 if cx.name_of(node) == "var" else cx.type_name(node)
    if kind in _PRIMITIVES:
        return primitive(cx, cx.bytes_of(node), node.start_byte)
    if kind == "generic_type":
        return _generic(cx, node)
    if kind == "array_type":
        return arrays_of(cx, lower_type(cx, node.child_by_field_name("element")), node, node.start_byte)
    if kind == "scoped_type_identifier":
        return _scoped(cx, node)
    if kind == "annotated_type":
        children = [child for child in parts_of(node) if kind_of(child) in TYPE_KINDS]
        return lower_type(cx, children[-1]) if children else -1
    if kind == "wildcard":
        children = [child for child in parts_of(node) if kind_of(child) in TYPE_KINDS]
        return lower_type(cx, children[0]) if children else -1
    if kind == "catch_type":
        return cx.emit(Op.T_UNION, cx.list_of([lower_type(cx, each) for each in parts_of(node)]), -1, -1, node.start_byte)
    return -1


def primitive(cx: JavaContext, name: bytes, position: int) -> int:
    """Emit a type of the language by its keyword."""
    return cx.emit(Op.T_NAME, -1, cx.string(_OWN + name), -1, position)


def arrays_of(cx: JavaContext, element: int, node: Node | None, position: int) -> int:
    """Emit an array type. The node has its dimensions, such as `[][]`."""
    dimensions = child_of_kind(node, "dimensions") if node is not None else None
    count = cx.bytes_of(dimensions).count(b"[") if dimensions is not None else 0
    for _ in range(count):
        element = array_of(cx, element, position)
    return element


def array_of(cx: JavaContext, element: int, position: int) -> int:
    """Emit the array type with an element type."""
    base = cx.emit(Op.T_NAME, -1, cx.string(_ARRAY), -1, position)
    return cx.emit(Op.T_REFERENCE, base, cx.list_of([element]), -1, position)


def _generic(cx: JavaContext, node: Node) -> int:
    children = parts_of(node)
    if not children:
        return -1
    return lower_arguments_of_type(cx, lower_type(cx, children[0]), node)


def lower_arguments_of_type(cx: JavaContext, base: int, node: Node) -> int:
    """Emit a generic type, given the type without arguments and the node with both."""
    written = parts_of(child_of_kind(node, "type_arguments"))
    arguments = [lower_type(cx, each) for each in written]
    return cx.emit(Op.T_REFERENCE, base, cx.list_of(arguments), _wildcards(written), node.start_byte)


def _wildcards(written: list[Node]) -> int:
    """Return the wildcards with bounds among type arguments as bits; -1 if there are none."""
    found = 0
    for place, node in enumerate(written[: Wildcard.MAX_ARGUMENTS]):
        if kind_of(node) == "wildcard" and node.named_child_count:
            is_lower = child_of_kind(node, "super") is not None
            found |= (Wildcard.SUPER if is_lower else Wildcard.EXTENDS) << (2 * place)
    return found or -1


def _scoped(cx: JavaContext, node: Node) -> int:
    children = [child for child in parts_of(node) if kind_of(child) in TYPE_KINDS]
    if len(children) < 2:
        return -1
    return _type_member(cx, lower_type(cx, children[0]), children[-1])


def lower_dotted_type(cx: JavaContext, node: Node) -> int:
    """Lower a type that the grammar takes for a field, such as `Cart.Item` in `Cart.Item::new`."""
    around, name = node.child_by_field_name("object"), node.child_by_field_name("field")
    if around is None or name is None:
        return lower_type(cx, node)
    return _type_member(cx, lower_dotted_type(cx, around), name)


def _type_member(cx: JavaContext, around: int, name: Node) -> int:
    return cx.emit(Op.MEMBER, around, cx.string(cx.bytes_of(name)), MemberFlag.TYPE, name.start_byte)


def lower_type_parameters(cx: JavaContext, node: Node | None) -> list[int]:
    """Declare type parameters in the innermost scope, and return their declarations."""
    listed: list[tuple[int, Node]] = []
    for each in parts_of(node):
        name = child_of_kind(each, "type_identifier") or child_of_kind(each, "identifier")
        if name is not None:
            listed.append((cx.declare_type(DeclKind.TYPE_PARAMETER, cx.name_of(name), -1, name.start_byte), each))
    for index, each in listed:  # bounds may mention all type parameters
        bounds = [lower_type(cx, bound) for bound in parts_of(child_of_kind(each, "type_bound"))]
        if len(bounds) == 1:
            cx.decls[index].a = bounds[0]
        elif bounds:
            cx.decls[index].a = cx.emit(Op.T_UNION, cx.list_of(bounds), -1, -1, each.start_byte)
    return [index for index, _ in listed]


def new_function(cx: JavaContext, symbol: int, position: int) -> int:
    """Add a function without parameters, and return its index."""
    cx.functions.append(Function(symbol, [], [], -1, [], [], -1, False, False, False, False, False, position))
    return len(cx.functions) - 1


def lower_parameters(cx: JavaContext, node: Node | None, function: int) -> None:
    """Declare the parameters of a method in the innermost scope."""
    from .annotations import lower_annotations

    parameters = cx.functions[function].parameters
    for each in parts_of(node):
        kind = kind_of(each)
        if kind not in ("formal_parameter", "spread_parameter"):
            continue
        is_rest = kind == "spread_parameter"
        lower_annotations(cx, each, len(parameters))
        written, name = each.child_by_field_name("type"), each.child_by_field_name("name")
        if is_rest:
            written = next((child for child in parts_of(each) if kind_of(child) in TYPE_KINDS), None)
            declarator = child_of_kind(each, "variable_declarator")
            name = declarator.child_by_field_name("name") if declarator is not None else None
        meant = arrays_of(cx, lower_type(cx, written), each, each.start_byte)
        held = array_of(cx, meant, each.start_byte) if is_rest else meant
        decl = -1
        if name is not None:
            decl = cx.declare(DeclKind.VARIABLE, cx.name_of(name), held, -1, -1, name.start_byte)
        parameters.append(Parameter(cx.name_of(name) if name is not None else "", decl, meant, -1, False, is_rest))
