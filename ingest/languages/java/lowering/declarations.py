"""Lower declarations of types, and of their members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Member, MemberKind, Parameter, Shape, ShapeKind
from ....facts.operations import ContextKind, Op, ThisKind
from .annotations import lower_annotations, lower_default
from .context import JavaContext
from .grammar import child_of_kind, kind_of, modifiers_of, parts_of
from .lombok import add_lombok_members
from .types import array_of, arrays_of, lower_parameters, lower_type, lower_type_parameters, new_function

TYPE_DECLARATIONS: Final = {
    "class_declaration": ShapeKind.CLASS,
    "record_declaration": ShapeKind.CLASS,
    "enum_declaration": ShapeKind.ENUM,
    "interface_declaration": ShapeKind.INTERFACE,
    "annotation_type_declaration": ShapeKind.INTERFACE,
}
#: The types that declarations of a kind derive from without naming them.
_IMPLICIT_BASES: Final = {
    "annotation_type_declaration": "java.lang.annotation.Annotation",
    "record_declaration": "java.lang.Record",
}
#: Name of the members that are constructors.
CONSTRUCTOR: Final = "<init>"
_FIELDS: Final = ("field_declaration", "constant_declaration")


def bind_type(cx: JavaContext, node: Node) -> None:
    """Bind the name of a type, so that earlier code finds the type."""
    kind = TYPE_DECLARATIONS.get(kind_of(node))
    name = node.child_by_field_name("name")
    if kind is None or name is None:
        return
    shape = new_shape(cx, kind, cx.name_of(name), name.start_byte)
    cx.shapes[shape].implicit_base = _IMPLICIT_BASES.get(kind_of(node), "")
    cx.shapes[shape].decl = cx.declare_type(DeclKind.CLASS, cx.name_of(name), shape, name.start_byte)


def new_shape(cx: JavaContext, kind: int, name: str, position: int) -> int:
    """Add a type without members inside the current type, and return its index."""
    shape = Shape(kind, name, cx.symbol_places.get(position, -1), -1, [], [], [], [], position)
    shape.outer = cx.shape
    cx.shapes.append(shape)
    return len(cx.shapes) - 1


def lower_type_declaration(cx: JavaContext, node: Node) -> None:
    """Lower a type whose name is bound."""
    name = node.child_by_field_name("name")
    binding = cx.visible.types.get(cx.name_of(name)) if name is not None else None
    if binding is None:
        return
    index = cx.decls[cx.bindings[binding].decls[-1]].a
    shape = cx.shapes[index]
    owner = cx.own(shape.symbol if shape.symbol >= 0 else cx.symbol)
    outer, around, returns = cx.enter(), cx.shape, cx.returns
    lower_annotations(cx, node)
    shape.type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    if kind_of(node) == "class_declaration" and "static" not in modifiers_of(node):
        _add_outer_parameters(cx, shape)
    # The bases of a type are searched in the scope around the type, which already contains the type parameters.
    for parent in parts_of(child_of_kind(node, "superclass")):
        shape.extends.append(lower_type(cx, parent))
    _interfaces(cx, node, shape)
    cx.shape, cx.returns = index, None
    if kind_of(node) == "record_declaration":
        _components(cx, node, shape)
    lower_body(cx, index, node.child_by_field_name("body"))
    if kind_of(node) == "record_declaration":
        _canonical(cx, node, shape)
    add_lombok_members(cx, node, index)
    if shape.kind == ShapeKind.ENUM:
        _enum_members(cx, index)
    cx.visible, cx.shape, cx.returns = outer, around, returns
    cx.own(owner)


def _add_outer_parameters(cx: JavaContext, shape: Shape) -> None:
    """Add the type parameters of the class around an inner class, because each inner instance belongs to an outer instance."""
    if shape.outer >= 0 and cx.shapes[shape.outer].kind != ShapeKind.INTERFACE:
        shape.type_parameters += cx.shapes[shape.outer].type_parameters


def _interfaces(cx: JavaContext, node: Node, shape: Shape) -> None:
    for kind in ("super_interfaces", "extends_interfaces"):
        listed = child_of_kind(node, kind)
        if listed is None:
            continue
        for parent in parts_of(child_of_kind(listed, "type_list")):
            (shape.extends if shape.kind == ShapeKind.INTERFACE else shape.implements).append(lower_type(cx, parent))
    permitted = child_of_kind(node, "permits")
    for child in parts_of(child_of_kind(permitted, "type_list")) if permitted is not None else ():
        lower_type(cx, child)


def lower_body(cx: JavaContext, index: int, body: Node | None) -> None:
    """Lower the members of the current type."""
    members = _members(body)
    for member in members:
        if kind_of(member) in TYPE_DECLARATIONS:
            bind_type(cx, member)
    shape = cx.shapes[index]
    for name, binding in cx.visible.types.items():
        decl = cx.bindings[binding].decls[-1]
        if cx.decls[decl].kind == DeclKind.CLASS:
            place = cx.decls[decl].position
            shape.members.append(
                Member(name, MemberKind.TYPE, True, False, cx.symbol_places.get(place, -1), -1, -1, -1, place, decl)
            )
    for member in members:
        _lower_member(cx, index, member)


def _members(body: Node | None) -> list[Node]:
    found: list[Node] = []
    for child in parts_of(body):
        found += parts_of(child) if kind_of(child) in ("enum_body_declarations", "ERROR") else [child]
    return found


def _lower_member(cx: JavaContext, index: int, node: Node) -> None:
    from .statements import lower_block

    kind = kind_of(node)
    if kind in TYPE_DECLARATIONS:
        lower_type_declaration(cx, node)
    elif kind in _FIELDS:
        _fields(cx, index, node)
    elif kind in ("method_declaration", "annotation_type_element_declaration"):
        _method(cx, index, node)
    elif kind in ("constructor_declaration", "compact_constructor_declaration"):
        _constructor(cx, index, node)
    elif kind == "enum_constant":
        _enum_constant(cx, index, node)
    elif kind == "static_initializer":
        for child in parts_of(node):
            lower_block(cx, child)
    elif kind == "block":
        lower_block(cx, node)


def _fields(cx: JavaContext, index: int, node: Node) -> None:
    from .expressions import lower_given

    modifiers = modifiers_of(node)
    is_static = "static" in modifiers or kind_of(node) == "constant_declaration"
    shape = cx.shapes[index]
    is_static = is_static or shape.kind == ShapeKind.INTERFACE
    is_constant = is_static or "final" in modifiers
    declarators = [each for each in parts_of(node) if kind_of(each) == "variable_declarator"]
    for declarator in declarators:
        name = declarator.child_by_field_name("name")
        if name is None:
            continue
        position = name.start_byte
        symbol = cx.symbol_places.get(position, -1)
        owner = cx.own(symbol if symbol >= 0 else cx.symbol)
        if declarator == declarators[0]:
            lower_annotations(cx, node)
        meant = arrays_of(cx, lower_type(cx, node.child_by_field_name("type")), declarator, position)
        is_private = "private" in modifiers
        member = Member(cx.name_of(name), MemberKind.PROPERTY, is_static, is_private, symbol, -1, meant, -1, position, -1)
        shape.members.append(member)
        outer = cx.enter()
        value = lower_given(cx, declarator.child_by_field_name("value"), meant)
        if is_constant and value >= 0 and cx.code[value] in (Op.STRING, Op.BINARY):
            member.value = value  # annotations and requests refer to the constant
        cx.visible = outer
        cx.own(owner)


def _method(cx: JavaContext, index: int, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is None or name.is_missing:
        return
    modifiers = modifiers_of(node)
    position = name.start_byte
    symbol = cx.symbol_places.get(position, -1)
    owner, outer = cx.own(symbol if symbol >= 0 else cx.symbol), cx.enter()
    lower_annotations(cx, node)
    function = new_function(cx, symbol, position)
    facts = cx.functions[function]
    facts.type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    lower_thrown(cx, node)
    lower_parameters(cx, node.child_by_field_name("parameters"), function)
    facts.return_type = arrays_of(cx, lower_type(cx, node.child_by_field_name("type")), node, position)
    text = cx.name_of(name)
    decl = cx.add_declaration(DeclKind.FUNCTION, text, function, -1, -1, position)
    cx.shapes[index].members.append(
        Member(text, MemberKind.METHOD, "static" in modifiers, "private" in modifiers, symbol, function, -1, -1, position, decl)
    )
    lower_default(cx, node)
    lower_method_body(cx, node.child_by_field_name("body"), function)
    # Our own declarations have no bodies.
    facts.has_body = facts.has_body or bool(modifiers & {"default", "static"})
    cx.visible = outer
    cx.own(owner)


def lower_thrown(cx: JavaContext, node: Node) -> None:
    """Lower the exception types in the `throws` clause of a method or constructor."""
    for each in parts_of(child_of_kind(node, "throws")):
        lower_type(cx, each)


def lower_method_body(cx: JavaContext, body: Node | None, function: int) -> None:
    """Lower the body of a method or constructor, whose parameters are in the innermost scope."""
    from .statements import lower_block

    facts = cx.functions[function]
    facts.has_body = body is not None
    outer, cx.returns = cx.returns, facts.returns
    if body is not None:
        lower_block(cx, body, facts.return_type)
    cx.returns = outer


def _constructor(cx: JavaContext, index: int, node: Node) -> None:
    name = node.child_by_field_name("name")
    if name is None:
        return
    position = name.start_byte
    symbol = cx.symbol_places.get(position, -1)
    owner, outer = cx.own(symbol if symbol >= 0 else cx.symbol), cx.enter()
    lower_annotations(cx, node)
    function = new_function(cx, symbol, position)
    facts = cx.functions[function]
    facts.type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    lower_thrown(cx, node)
    parameters = node.child_by_field_name("parameters")
    shape = cx.shapes[index]
    if parameters is None:  # a compact constructor has the record's components as parameters
        lower_parameters(cx, _record_parameters(node), function)
    else:
        lower_parameters(cx, parameters, function)
    _add_constructor(cx, shape, function, symbol, position, "private" in modifiers_of(node))
    lower_method_body(cx, node.child_by_field_name("body"), function)
    cx.visible = outer
    cx.own(owner)


def _add_constructor(cx: JavaContext, shape: Shape, function: int, symbol: int, position: int, is_private: bool) -> None:
    decl = cx.add_declaration(DeclKind.FUNCTION, CONSTRUCTOR, function, -1, -1, position)
    shape.members.append(Member(CONSTRUCTOR, MemberKind.CONSTRUCTOR, False, is_private, symbol, function, -1, -1, position, decl))


def _record_parameters(node: Node) -> Node | None:
    body = node.parent
    record = body.parent if body is not None else None
    return record.child_by_field_name("parameters") if record is not None else None


def _components(cx: JavaContext, node: Node, shape: Shape) -> None:
    """Add the fields of a record, and the methods that read them."""
    body = node.child_by_field_name("body")
    written = {cx.name_of(each) for member in parts_of(body) if (each := member.child_by_field_name("name")) is not None}
    for each in parts_of(node.child_by_field_name("parameters")):
        name = each.child_by_field_name("name")
        if name is None:
            continue
        meant = arrays_of(cx, lower_type(cx, each.child_by_field_name("type")), each, each.start_byte)
        text, position = cx.name_of(name), name.start_byte
        symbol = cx.symbol_places.get(position, -1)
        shape.members.append(Member(text, MemberKind.PROPERTY, False, False, symbol, -1, meant, -1, position, -1))
        if text not in written:
            _given_method(cx, shape, text, [], meant, symbol, position)


def _given_method(
    cx: JavaContext,
    shape: Shape,
    name: str,
    parameters: Sequence[int],
    result: int,
    symbol: int,
    position: int,
    *,
    is_static: bool = False,
) -> None:
    """Add an implicit method of a type."""
    function = new_function(cx, symbol, position)
    facts = cx.functions[function]
    facts.return_type, facts.has_body = result, True
    facts.parameters = [Parameter("", -1, each, -1, False, False) for each in parameters]
    decl = cx.add_declaration(DeclKind.FUNCTION, name, function, -1, -1, position)
    shape.members.append(Member(name, MemberKind.METHOD, is_static, False, symbol, function, -1, -1, position, decl))


def _canonical(cx: JavaContext, node: Node, shape: Shape) -> None:
    """Add the canonical constructor of a record, if the record does not declare it."""
    count = len([each for each in parts_of(node.child_by_field_name("parameters")) if kind_of(each) == "formal_parameter"])
    written = [each for each in shape.members if each.kind == MemberKind.CONSTRUCTOR]
    if any(len(cx.functions[each.function].parameters) == count for each in written):
        return
    outer = cx.enter()
    function = new_function(cx, shape.symbol, shape.position)
    lower_parameters(cx, node.child_by_field_name("parameters"), function)
    cx.visible = outer
    _add_constructor(cx, shape, function, shape.symbol, shape.position, is_private=False)


def _enum_members(cx: JavaContext, index: int) -> None:
    """Add the methods `values` and `valueOf` to an enum."""
    shape = cx.shapes[index]
    own = cx.emit(Op.THIS, ThisKind.INSTANCE, index, -1, shape.position)
    text = cx.emit(Op.T_NAME, -1, cx.string(b"$String"), -1, shape.position)
    _given_method(cx, shape, "values", [], array_of(cx, own, shape.position), -1, shape.position, is_static=True)
    _given_method(cx, shape, "valueOf", [text], own, -1, shape.position, is_static=True)


def _enum_constant(cx: JavaContext, index: int, node: Node) -> None:
    from .expressions import lower_arguments

    name = node.child_by_field_name("name")
    if name is None:
        return
    position = name.start_byte
    symbol = cx.symbol_places.get(position, -1)
    own = cx.emit(Op.THIS, ThisKind.INSTANCE, index, -1, position)
    cx.shapes[index].members.append(Member(cx.name_of(name), MemberKind.PROPERTY, True, False, symbol, -1, own, -1, position, -1))
    owner, outer = cx.own(symbol if symbol >= 0 else cx.symbol), cx.enter()
    lower_construction(
        cx, own, lower_arguments(cx, node.child_by_field_name("arguments")), position, node.child_by_field_name("body")
    )
    cx.visible = outer
    cx.own(owner)


def lower_construction(cx: JavaContext, kind: int, arguments: Sequence[int], position: int, body: Node | None) -> int:
    """Emit a construction with `new`, and lower the body of its anonymous class, if there is one."""
    shape = -1
    if body is not None:
        shape = new_shape(cx, ShapeKind.CLASS, "", body.start_byte)
    call = cx.emit(Op.NEW, kind, cx.list_of(arguments), shape, position)
    cx.calls.append(call)
    for place, argument in enumerate(arguments):
        give_context(cx, argument, call, place)
    if body is not None:
        cx.shapes[shape].extends.append(kind)
        outer, around, returns = cx.enter(), cx.shape, cx.returns
        cx.shape, cx.returns = shape, None
        lower_body(cx, shape, body)
        cx.visible, cx.shape, cx.returns = outer, around, returns
    return call


def give_context(cx: JavaContext, argument: int, call: int, place: int) -> None:
    """Record that an expression is an argument of a call, because the call determines its expected type."""
    from .expressions import expect

    expect(cx, argument, ContextKind.ARGUMENT, call, place)
