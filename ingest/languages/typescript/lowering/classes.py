"""Lower classes: heritage, members, parameter properties and decorators."""

from __future__ import annotations

from itertools import takewhile

from tree_sitter import Node

from ....facts.model import Decl, DeclKind, Meaning, Member, MemberKind, Shape, ShapeKind
from ....facts.nodes import bare_reference
from ....facts.operations import ContextKind, Op, ThisKind, Use
from ....symbols.headers import doc_comment, header, keyword_modifiers, member_state, place, written_modifiers, written_start
from ....symbols.states import Placement, SymbolState
from .context import Context
from .dispatch import inner_nodes, lower_annotation, lower_expression, lower_statement, lower_type, lower_type_list
from .functions import (
    describe_function,
    inner_function,
    lower_decorator,
    lower_function,
    lower_inner_function,
    lower_type_parameters,
    place_name,
)
from .shapes import lower_computed_key, lower_index_signature, member_name

CLASS_NODES = frozenset(("class", "class_declaration", "abstract_class_declaration"))
_FIELDS = frozenset(("public_field_definition", "field_definition"))
_METHODS = frozenset(("method_definition", "method_signature", "abstract_method_signature"))


def lower_class(cx: Context, node: Node, state: SymbolState, declares: bool) -> tuple[int, int]:
    """Lower a class, open its symbol from `state`, and return its shape and symbol.

    The name is visible outside the class if `declares` is true.
    """
    cx.nest()
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    state.body = body.start_byte if body is not None else -1
    state.has_body = True
    state.modifiers += keyword_modifiers(cx, node)
    if node.type == "abstract_class_declaration" and "abstract" not in state.modifiers:
        state.modifiers.append("abstract")
    symbol = cx.open_symbol(state)
    # The lookup of a parent takes time in proportion to the depth, and is needed only for a declaration, which may be in an
    # `export`.
    parent = node.parent if declares or state.parent < 0 else None
    for holder in (parent, node) if parent is not None and parent.type == "export_statement" else (node,):
        for decorator in holder.children_by_field_name("decorator"):
            lower_decorator(cx, decorator)
    shape = len(cx.shapes)
    fact = Shape(ShapeKind.CLASS, state.name, symbol, -1, [], [], [], [], node.start_byte)
    cx.shapes.append(fact)
    decl = Decl(DeclKind.CLASS, state.name, symbol, shape, -1, -1, state.name_position)
    if declares and state.name:
        fact.decl = cx.declare(state.name, Meaning.VALUE | Meaning.TYPE, decl)
    outer = cx.open_scope()
    if not declares and name_node is not None:  # a named class expression sees its own name
        fact.decl = cx.declare(cx.text(name_node), Meaning.VALUE | Meaning.TYPE, decl)
    elif fact.decl < 0:
        fact.decl = len(cx.decls)
        cx.decls.append(decl)
    fact.type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    _lower_heritage(cx, node, fact)
    if cx.documented is not None:
        cx.documented.describe_class(cx, node, fact)
    if body is not None:
        _lower_body(cx, body, shape)
    cx.scope = outer
    cx.close_symbol()
    cx.nesting -= 1
    return shape, symbol


def lower_class_declaration(cx: Context, node: Node, placement: Placement) -> int:
    """Lower a class declaration and return its symbol."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    name = cx.text(name_node) if name_node is not None else "default"
    state = SymbolState(name, "class", -1, node.start_byte, node.end_byte, node.start_byte, (name_node or node).start_byte)
    place(cx, state, placement)
    state.signature = header(cx, _after_decorators(node), body.start_byte if body is not None else node.end_byte)
    return lower_class(cx, node, state, True)[1]


def lower_class_value(cx: Context, node: Node) -> int:
    """Lower a class expression that no declaration names."""
    name_node = node.child_by_field_name("name")
    name = cx.text(name_node) if name_node is not None else place_name(cx, node, "class")
    state = SymbolState(name, "class", -1, node.start_byte, node.end_byte, node.start_byte, (name_node or node).start_byte)
    describe_function(cx, state, node, node.start_byte)
    shape, _ = lower_class(cx, node, state, False)
    return cx.emit(Op.CLASS, shape, -1, -1, node.start_byte)


def _after_decorators(node: Node) -> int:
    for child in node.children:
        if child.type not in ("decorator", "comment"):
            return child.start_byte
    return node.start_byte


def _lower_heritage(cx: Context, node: Node, fact: Shape) -> None:
    for clause in node.named_children:
        if clause.type != "class_heritage":
            continue
        for child in inner_nodes(clause):
            if child.type == "extends_clause":
                _extends(cx, child, fact)
            elif child.type == "implements_clause":
                fact.implements += [lower_type(cx, inner) for inner in inner_nodes(child)]
            else:  # in JavaScript the child is the expression
                _base(cx, child, None, fact)


def _extends(cx: Context, clause: Node, fact: Shape) -> None:
    arguments = clause.child_by_field_name("type_arguments")
    value = clause.child_by_field_name("value")
    if value is not None:
        _base(cx, value, arguments, fact)


def _base(cx: Context, value: Node, arguments: Node | None, fact: Shape) -> None:
    base = lower_expression(cx, value)
    reference = bare_reference(cx.code, base)
    if cx.code[reference] == Op.NAME:
        cx.code[reference + 3] = Use.HERITAGE
    fact.extends.append(cx.emit(Op.INSTANTIATION, base, lower_type_list(cx, arguments), -1, value.start_byte))


def _lower_body(cx: Context, body: Node, shape: int) -> None:
    outer_this = cx.this_kind, cx.this_index
    comments: list[Node] = []
    decorators: list[Node] = []
    members = cx.shapes[shape].members
    for child in body.named_children:
        kind = child.type
        if kind == "comment":
            comments.append(child)
            continue
        if kind == "decorator":
            decorators.append(child)
            continue
        if kind in _METHODS:
            members.append(_method(cx, child, shape, comments, decorators))
        elif kind in _FIELDS:
            members.append(_field(cx, child, shape, comments, decorators))
        elif kind == "index_signature":
            cx.this_kind, cx.this_index = ThisKind.INSTANCE, shape
            member = lower_index_signature(cx, child, comments)
            if member is not None:
                members.append(member)
        elif kind == "class_static_block":
            _static_block(cx, child, shape, comments)
        else:
            lower_statement(cx, child)
        comments, decorators = [], []
    cx.this_kind, cx.this_index = outer_this


def _static_block(cx: Context, node: Node, shape: int, comments: list[Node]) -> None:
    cx.this_kind, cx.this_index = ThisKind.STATIC, shape
    state = member_state(cx, "method", "static block", node, None, comments)
    state.has_body = True
    describe_function(cx, state, node, node.start_byte)
    state.modifiers = ["static"]
    cx.open_symbol(state)
    outer = cx.open_scope(True)
    body = node.child_by_field_name("body")
    if body is not None:
        lower_statement(cx, body)
    cx.scope = outer
    cx.close_symbol()


def _method(cx: Context, node: Node, shape: int, comments: list[Node], decorators: list[Node]) -> Member:
    name_node = node.child_by_field_name("name")
    name = member_name(cx, name_node)
    lower_computed_key(cx, name_node)
    tokens = {child.type for child in node.children}
    static = "static" in tokens
    code, kind = MemberKind.METHOD, "method"
    if "get" in tokens:
        code, kind = MemberKind.GETTER, "getter"
    elif "set" in tokens:
        code, kind = MemberKind.SETTER, "setter"
    elif name == "constructor" and not static:
        code, kind = MemberKind.CONSTRUCTOR, "constructor"
    state = _class_member_state(cx, kind, name, node, name_node, comments, decorators)
    state.has_body = node.child_by_field_name("body") is not None
    describe_function(cx, state, node, written_start(cx, node, name_node, _after_decorators(node)))
    this = ThisKind.STATIC if static else ThisKind.INSTANCE
    cx.this_kind, cx.this_index = this, shape
    symbol = cx.open_symbol(state)
    for decorator in [*decorators, *node.children_by_field_name("decorator")]:
        lower_decorator(cx, decorator)
    if cx.documented is not None:
        for overload in cx.documented.overloads(cx, node, symbol):
            cx.shapes[shape].members.append(Member(name, code, static, False, symbol, overload, -1, -1, node.start_byte, -1))
    function, frame = lower_function(cx, node, symbol, this, shape)
    cx.close_symbol()
    for parameter, decl, annotation in frame.properties:
        cx.shapes[shape].members.append(_parameter_property(cx, parameter, decl, annotation))
    return Member(name, code, static, "?" in tokens, symbol, function, -1, -1, node.start_byte, -1)


def _class_member_state(
    cx: Context, kind: str, name: str, node: Node, name_node: Node | None, comments: list[Node], decorators: list[Node]
) -> SymbolState:
    first = decorators[0] if decorators else node
    above = [comment for comment in comments if comment.start_byte < first.start_byte]
    state = member_state(cx, kind, name, first, name_node, above)
    state.end = node.end_byte
    if not state.doc and (between := comments[len(above) :] or _inner_comments(node)):
        state.doc = doc_comment(cx, between)
    state.modifiers = written_modifiers(cx, node, name_node)
    if node.type == "abstract_method_signature" and "abstract" not in state.modifiers:
        state.modifiers.append("abstract")
    return state


def _inner_comments(node: Node) -> list[Node]:
    """Return the comments between the decorators of a member and the member."""
    children = node.children
    if children[0].type != "decorator":
        return []
    return [
        child for child in takewhile(lambda child: child.type in ("decorator", "comment"), children) if child.type == "comment"
    ]


def _parameter_property(cx: Context, node: Node, decl: int, annotation: int) -> Member:
    name = cx.decls[decl].name
    pattern = node.child_by_field_name("pattern")
    state = member_state(cx, "property", name, node, pattern, ())
    state.signature = header(cx, node.start_byte, node.end_byte)
    symbol = cx.leaf_symbol(state)
    optional = node.type == "optional_parameter"
    value = cx.decls[decl].b
    cx.decls[decl].symbol = symbol
    return Member(name, MemberKind.PROPERTY, False, optional, symbol, -1, annotation, value, node.start_byte, decl)


def _field(cx: Context, node: Node, shape: int, comments: list[Node], decorators: list[Node]) -> Member:
    name_node = node.child_by_field_name("name") or node.child_by_field_name("property")
    name = member_name(cx, name_node)
    lower_computed_key(cx, name_node)
    tokens = {child.type for child in node.children}
    static = "static" in tokens
    cx.this_kind, cx.this_index = (ThisKind.STATIC if static else ThisKind.INSTANCE), shape
    value_node = node.child_by_field_name("value")
    function = inner_function(cx, value_node)
    is_class = value_node is not None and value_node.type == "class"
    kind = "method" if function is not None else "class" if is_class else "property"
    state = _class_member_state(cx, kind, name, node, name_node, comments, decorators)
    start = written_start(cx, node, name_node, _after_decorators(node))
    if function is not None:
        state.has_body = True
        describe_function(cx, state, function, start)
    elif value_node is not None and is_class:
        describe_function(cx, state, value_node, start)
    else:
        state.signature = header(cx, start, value_node.start_byte if value_node is not None else node.end_byte)
    for decorator in [*decorators, *node.children_by_field_name("decorator")]:
        lower_decorator(cx, decorator)
    annotation = lower_annotation(cx, node.child_by_field_name("type"))
    if annotation < 0 and cx.documented is not None:
        annotation = cx.documented.declared_type(cx, node)
    if value_node is not None and is_class:
        made_shape, symbol = lower_class(cx, value_node, state, False)
        value = cx.emit(Op.CLASS, made_shape, -1, -1, value_node.start_byte)
    else:
        symbol = cx.open_symbol(state)
        value = _field_value(cx, value_node, function, symbol)
        cx.close_symbol()
    if annotation >= 0:
        cx.expect(value, ContextKind.ANNOTATED, annotation)
    else:
        cx.expect(value, ContextKind.MEMBER, shape, len(cx.shapes[shape].members))
    return Member(name, MemberKind.PROPERTY, static, "?" in tokens, symbol, -1, annotation, value, node.start_byte, -1)


def _field_value(cx: Context, node: Node | None, function: Node | None, symbol: int) -> int:
    if node is None:
        return -1
    if function is not None:
        return lower_inner_function(cx, node, function, symbol)
    return lower_expression(cx, node)
