"""Lower types."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.model import Decl, DeclKind, Meaning
from ....facts.operations import Op
from ....symbols.byte_ranges import between
from .context import Context
from .dispatch import (
    TYPES,
    Lowering,
    first_inner,
    inner_nodes,
    lower_annotation,
    lower_expression,
    lower_type,
    lower_type_list,
    two_fields,
)
from .functions import lower_constructor_type, lower_function_type
from .imports import add_import, lower_import_type, string_value
from .shapes import lower_object_type
from .union_intersection import lower_combination

_IMPORT = b"import("
_TYPE, _T_QUALIFIED, _T_REFERENCE = Meaning.TYPE, Op.T_QUALIFIED, Op.T_REFERENCE


def _name(cx: Context, node: Node) -> int:
    start = node.start_byte
    text = between(cx.data, start, node.end_byte)
    if text.startswith(_IMPORT) and node.type == "identifier":
        return _repaired_import(cx, node)
    return cx.type_name(text, start, _TYPE)


def _namespace_name(cx: Context, node: Node) -> int:
    """Lower the left side of a qualified name: a namespace, an import or an enum."""
    kind = node.type
    if kind in ("nested_identifier", "member_expression"):
        parts = inner_nodes(node)  # in `import("x").a.b`, the grammar gives the field of the outer name to the inner name
        if len(parts) < 2:
            return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
        left, right = parts[0], parts[-1]
        inner = _namespace_name(cx, left)
        return cx.emit(Op.T_QUALIFIED, inner, cx.string(cx.bytes_of(right)), -1, right.start_byte)
    if kind == "call_expression":
        return _import(cx, node)
    start = node.start_byte
    text = between(cx.data, start, node.end_byte)
    if text.startswith(_IMPORT):
        return _repaired_import(cx, node)
    if b"." in text:
        return _joined_namespaces(cx, text, start)
    return cx.type_name(text, start, Meaning.NAMESPACE)


def _joined_namespaces(cx: Context, text: bytes, start: int) -> int:
    """Lower the `a.b` of `x as a.b.C`, which an edit made one identifier."""
    first, *others = text.split(b".")
    value, position = cx.type_name(first, start, Meaning.NAMESPACE), start + len(first) + 1
    for name in others:
        value = cx.emit(Op.T_QUALIFIED, value, cx.string(name), -1, position)
        position += len(name) + 1
    return value


def _qualified(cx: Context, node: Node) -> int:
    parts = node.children
    left, name = (parts[0], parts[2]) if len(parts) == 3 else two_fields(node, "module", "name")
    if left is None or name is None:
        return _namespace_name(cx, node)
    inner = _namespace_name(cx, left)
    start = name.start_byte
    return cx.emit(_T_QUALIFIED, inner, cx.string(between(cx.data, start, name.end_byte)), -1, start)


def _import(cx: Context, node: Node) -> int:
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if callee is None or arguments is None or callee.type != "import":
        return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
    return lower_import_type(cx, node, arguments)


def _repaired_import(cx: Context, node: Node) -> int:
    """Lower `import("x")` before a name with type arguments.

    The grammar cannot read this type, so an edit made it one identifier.
    """
    specifier = cx.bytes_of(node).partition(b"(")[2].rpartition(b")")[0].strip().strip(b"'\"`").decode("utf-8", "replace")
    index = add_import(cx, specifier, "importType", ["*"], node.start_byte, True)
    return cx.emit(Op.T_IMPORT, index, -1, -1, node.start_byte)


def _generic(cx: Context, node: Node) -> int:
    parts = node.children
    name, arguments = (parts[0], parts[1]) if len(parts) == 2 else two_fields(node, "name", "type_arguments")
    if name is None:
        return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
    target = cx.tables.types[name.kind_id](cx, name)
    return cx.emit(_T_REFERENCE, target, lower_type_list(cx, arguments), -1, node.start_byte)


def _query(cx: Context, node: Node) -> int:
    inner = inner_nodes(node)
    if not inner:
        return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
    target, arguments = inner[0], -1
    if target.type == "instantiation_expression":
        arguments = lower_type_list(cx, target.child_by_field_name("type_arguments"))
        target = inner_nodes(target)[0]
    value = lower_import_value(cx, target)
    return cx.emit(Op.T_QUERY, value, arguments, -1, node.start_byte)


def lower_import_value(cx: Context, node: Node) -> int:
    """Lower the expression of a `typeof`. For `typeof import("x").y`, this is a member of the module."""
    if node.type == "call_expression":
        return _import(cx, node)
    if node.type == "member_expression":
        # In the tree, all names of `a.b.c` are properties of the outer node.
        target, names = node.child_by_field_name("object"), node.children_by_field_name("property")
        if target is not None and names:
            value, name = lower_import_value(cx, target), names[-1]
            return cx.emit(Op.MEMBER, value, cx.string(cx.bytes_of(name)), 0, name.start_byte)
    if node.type == "identifier" and cx.bytes_of(node).startswith(_IMPORT):
        return _repaired_import(cx, node)
    return lower_expression(cx, node)


def _tuple(cx: Context, node: Node) -> int:
    items = []
    for child in inner_nodes(node):
        if child.type in ("required_parameter", "optional_parameter"):
            name = child.child_by_field_name("name")
            item = lower_annotation(cx, child.child_by_field_name("type"))
            if name is not None and name.type == "rest_pattern":
                item = cx.emit(Op.T_REST, item, -1, -1, child.start_byte)
            elif child.type == "optional_parameter":
                item = cx.emit(Op.T_OPTIONAL, item, -1, -1, child.start_byte)
        else:
            item = lower_type(cx, child)
        items.append(item)
    return cx.emit(Op.T_TUPLE, cx.list_of(items), -1, -1, node.start_byte)


def _wrapping(op: int) -> Lowering:
    def lower(cx: Context, node: Node) -> int:
        inner = first_inner(node)
        value = lower_type(cx, inner) if inner is not None else -1
        return cx.emit(op, value, -1, -1, node.start_byte)

    return lower


def _parenthesized(cx: Context, node: Node) -> int:
    for child in node.named_children:
        kind = cx.tables.kinds[child.kind_id]
        if kind != "comment":
            return TYPES.get(kind, lower_type)(cx, child)
    return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)


def _lookup(cx: Context, node: Node) -> int:
    inner = inner_nodes(node)
    if len(inner) < 2:
        return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
    target = lower_type(cx, inner[0])
    return cx.emit(Op.T_INDEXED, target, lower_type(cx, inner[1]), -1, node.start_byte)


def _conditional(cx: Context, node: Node) -> int:
    outer, outer_inferring = cx.open_scope(), cx.inferring
    parts = []
    for name in ("left", "right", "consequence", "alternative"):
        part = node.child_by_field_name(name)
        cx.inferring = cx.scope if name == "right" else outer_inferring
        parts.append(lower_type(cx, part) if part is not None else -1)
    cx.scope, cx.inferring = outer, outer_inferring
    return cx.emit(Op.T_CONDITIONAL, cx.list_of(parts), -1, -1, node.start_byte)


def _infer(cx: Context, node: Node) -> int:
    inner = inner_nodes(node)
    if not inner:
        return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
    text = cx.text(inner[0])
    constraint = lower_type(cx, inner[1]) if len(inner) > 1 else -1
    decl = Decl(DeclKind.TYPE_PARAMETER, text, -1, constraint, -1, -1, inner[0].start_byte)
    return cx.emit(Op.T_INFER, cx.declare(text, Meaning.TYPE, decl, cx.inferring), -1, -1, node.start_byte)


def lower_mapped(cx: Context, clause: Node, value: Node | None, flags: int) -> int:
    """Lower `{ [K in C as N]: V }`; `clause` is the part in brackets."""
    outer = cx.open_scope()
    name, constraint, alias = (clause.child_by_field_name(field) for field in ("name", "type", "alias"))
    text = cx.text(name) if name is not None else ""
    over = lower_annotation(cx, constraint)
    decl = cx.declare(text, Meaning.TYPE, Decl(DeclKind.TYPE_PARAMETER, text, -1, over, -1, -1, clause.start_byte))
    parts = [over, lower_annotation(cx, alias), lower_annotation(cx, value)]
    cx.scope = outer
    return cx.emit(Op.T_MAPPED, decl, cx.list_of(parts), flags, clause.start_byte)


def _object(cx: Context, node: Node) -> int:
    first = first_inner(node)
    members = inner_nodes(node) if first is not None and first.type == "index_signature" else []
    if len(members) == 1:
        inner = inner_nodes(members[0])
        if inner and inner[0].type == "mapped_type_clause":
            value = members[0].child_by_field_name("type")
            kind = value.type if value is not None else ""
            flags = 2 if kind == "omitting_type_annotation" else 1 if kind == "opting_type_annotation" else 0
            return lower_mapped(cx, inner[0], value, flags)
    return lower_object_type(cx, node)


def _literal(cx: Context, node: Node) -> int:
    child = first_inner(node)
    start = node.start_byte
    if child is None:
        return cx.emit(Op.T_UNKNOWN, -1, -1, -1, start)
    kind = cx.tables.kinds[child.kind_id]
    if kind == "string":
        return cx.emit(Op.T_STRING, -1, cx.string(string_value(cx, child)), -1, start)
    if kind in ("number", "unary_expression"):
        return cx.emit(Op.T_NUMBER, -1, cx.string(cx.bytes_of(child)), -1, start)
    if kind in ("true", "false"):
        return cx.emit(Op.T_BOOLEAN, int(kind == "true"), -1, -1, start)
    return cx.emit(Op.T_PRIMITIVE, -1, cx.string(cx.bytes_of(child)), -1, start)


def _primitive(cx: Context, node: Node) -> int:
    start = node.start_byte
    return cx.emit(Op.T_PRIMITIVE, -1, cx.string(between(cx.data, start, node.end_byte)), -1, start)


def _this(cx: Context, node: Node) -> int:
    return cx.emit(Op.T_THIS, cx.this_kind, cx.this_index, -1, node.start_byte)


def _predicate(cx: Context, node: Node) -> int:
    """Lower `x is T`, `asserts x` or `asserts x is T`, also as an annotation."""
    asserts = 0
    while node.type in ("asserts_annotation", "type_predicate_annotation", "asserts"):
        asserts |= int(node.type != "type_predicate_annotation")
        inner = inner_nodes(node)
        if not inner:
            return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
        node = inner[0]
    name = node.child_by_field_name("name") or node
    target = lower_annotation(cx, node.child_by_field_name("type"))
    return cx.emit(Op.T_PREDICATE, target, cx.string(cx.bytes_of(name)), asserts, node.start_byte)


def _template(cx: Context, node: Node) -> int:
    items: list[int] = []
    texts: list[int] = []
    start = node.start_byte + 1
    for part in node.named_children:
        if part.type == "template_type" and (inner := inner_nodes(part)):
            texts.append(cx.string(between(cx.data, start, part.start_byte)))
            items.append(lower_annotation(cx, inner[0]))
            start = part.end_byte
    texts.append(cx.string(between(cx.data, start, max(start, node.end_byte - 1))))
    return cx.emit(Op.T_TEMPLATE, cx.list_of(items), cx.list_of(texts), -1, node.start_byte)


TYPE_TABLE: dict[str, Lowering] = {
    "type_identifier": _name,
    "identifier": _name,
    "nested_type_identifier": _qualified,
    "nested_identifier": _namespace_name,
    "member_expression": _namespace_name,
    "call_expression": _import,
    "generic_type": _generic,
    "type_query": _query,
    "union_type": lower_combination,
    "intersection_type": lower_combination,
    "array_type": _wrapping(Op.T_ARRAY),
    "tuple_type": _tuple,
    "function_type": lower_function_type,
    "constructor_type": lower_constructor_type,
    "object_type": _object,
    "literal_type": _literal,
    "predefined_type": _primitive,
    "existential_type": _primitive,
    "this_type": _this,
    "this": _this,
    "index_type_query": _wrapping(Op.T_KEYOF),
    "lookup_type": _lookup,
    "conditional_type": _conditional,
    "infer_type": _infer,
    "parenthesized_type": _parenthesized,
    "readonly_type": _wrapping(Op.T_READONLY),
    "optional_type": _wrapping(Op.T_OPTIONAL),
    "rest_type": _wrapping(Op.T_REST),
    "template_literal_type": _template,
    "type_predicate": _predicate,
    "type_predicate_annotation": _predicate,
    "asserts": _predicate,
    "asserts_annotation": _predicate,
    "type_annotation": _parenthesized,
    "flow_maybe_type": _parenthesized,
}
