"""Lower expressions: names, members, calls, lambdas and other values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Parameter
from ....facts.operations import ContextKind, MemberFlag, Op, Result, ThisKind, Use
from .completion import may_end
from .context import JavaContext
from .declarations import give_context, lower_construction
from .grammar import child_of_kind, kind_of, parts_of
from .types import (
    TYPE_KINDS,
    array_of,
    arrays_of,
    lower_arguments_of_type,
    lower_dotted_type,
    lower_parameters,
    lower_type,
    new_function,
)

#: Expressions whose type may depend on the expected type.
_POLY: Final = frozenset((Op.FUNCTION, Op.REFERS, Op.CALL, Op.NEW, Op.CONDITIONAL, Op.PHI))
_COMPARISONS: Final = frozenset(("==", "!=", "<", "<=", ">", ">=", "&&", "||"))
#: Kinds of NUMBER nodes: int, long, float, double, char.
_INT, _LONG, _FLOAT, _DOUBLE, _CHAR = range(5)


def expect(cx: JavaContext, node: int, kind: int, a: int, b: int = -1) -> None:
    """Record the context of an expression whose type may depend on the context."""
    if node >= 0 and cx.code[node] in _POLY:
        cx.contexts[node] = (kind, a, b)


def lower_given(cx: JavaContext, node: Node | None, wanted: int) -> int:
    """Lower the value assigned to a variable. `wanted` is the declared type of the variable, -1 for an inferred type."""
    if node is not None and kind_of(node) == "array_initializer":
        for each in parts_of(node):
            lower_given(cx, each, _element(cx, wanted))
        return cx.emit(Op.AS, -1, wanted, -1, node.start_byte)
    value = lower_expression(cx, node)
    if wanted >= 0:
        expect(cx, value, ContextKind.ANNOTATED, wanted)
    return value


def _element(cx: JavaContext, wanted: int) -> int:
    """Return the item type of an array type."""
    if wanted >= 0 and cx.code[wanted] == Op.T_REFERENCE:
        items = cx.items(cx.code[wanted + 2])
        return items[0] if len(items) == 1 else -1
    return -1


def lower_expression(cx: JavaContext, node: Node | None, flags: int = 0) -> int:
    """Lower an expression; return -1 for None. `flags` are the flags of a member access."""
    if node is None:
        return -1
    kind = kind_of(node)
    if kind == "identifier":
        return cx.name(node, Use.WRITE if flags & MemberFlag.WRITTEN else Use.READ)
    if kind == "field_access":
        return _field(cx, node, flags)
    if kind in TYPE_KINDS:
        return lower_type(cx, node)
    lower = _LOWER.get(kind)
    return lower(cx, node) if lower is not None else _lower_children(cx, node)


def _lower_children(cx: JavaContext, node: Node) -> int:
    """Lower the children of an expression of an unknown kind."""
    for child in parts_of(node):
        lower_expression(cx, child)
    return cx.emit(Op.UNKNOWN, -1, -1, -1, node.start_byte)


def _field(cx: JavaContext, node: Node, flags: int) -> int:
    field = node.child_by_field_name("field")
    value = lower_expression(cx, node.child_by_field_name("object"))
    if field is None:
        return value
    if kind_of(field) == "this":
        flags |= MemberFlag.NO_USE
    return cx.emit(Op.MEMBER, value, cx.string(cx.bytes_of(field)), flags, field.start_byte)


def _this(cx: JavaContext, node: Node) -> int:
    return cx.emit(Op.THIS, ThisKind.INSTANCE, cx.shape, -1, node.start_byte)


def _super(cx: JavaContext, node: Node) -> int:
    return cx.emit(Op.SUPER, ThisKind.INSTANCE, cx.shape, -1, node.start_byte)


# ---------------------------------------------------------------------- calls


def lower_arguments(cx: JavaContext, node: Node | None) -> list[int]:
    """Lower the arguments of a call."""
    return [lower_expression(cx, each) for each in parts_of(node)]


def _called(cx: JavaContext, callee: int, node: Node, position: int) -> int:
    arguments = lower_arguments(cx, node.child_by_field_name("arguments"))
    written = node.child_by_field_name("type_arguments")
    types = cx.list_of([lower_type(cx, each) for each in parts_of(written)]) if written is not None else -1
    call = cx.emit(Op.CALL, callee, cx.list_of(arguments), types, position)
    cx.calls.append(call)
    for place, argument in enumerate(arguments):
        give_context(cx, argument, call, place)
    return call


def _invocation(cx: JavaContext, node: Node) -> int:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("object")
    if name is None:
        return _lower_children(cx, node)
    text, position = cx.string(cx.bytes_of(name)), name.start_byte
    if value is None and cx.bytes_of(name) in (b"super", b"this"):  # not the first statement of a constructor
        called = _super(cx, name) if cx.bytes_of(name) == b"super" else _this(cx, name)
        return _called(cx, called, node, position)
    if value is None:
        callee = cx.emit(Op.LEXICAL, cx.shape, text, Use.CALL, position)
    else:
        receiver = lower_expression(cx, value)
        if any(kind_of(each) == "super" for each in node.children) and kind_of(value) != "super":  # `Outer.super.m()`
            receiver = cx.emit(Op.MEMBER, receiver, cx.string(b"super"), MemberFlag.NO_USE, position)
        callee = cx.emit(Op.MEMBER, receiver, text, 0, position)
    return _called(cx, callee, node, position)


def lower_explicit_constructor(cx: JavaContext, node: Node) -> int:
    """Lower `this(…)` or `super(…)`."""
    called = node.child_by_field_name("constructor")
    lower_expression(cx, node.child_by_field_name("object"))
    if called is None:
        return _lower_children(cx, node)
    return _called(cx, lower_expression(cx, called), node, called.start_byte)


def _creation(cx: JavaContext, node: Node) -> int:
    written = node.child_by_field_name("type")
    body = child_of_kind(node, "class_body")
    children = parts_of(node)
    is_inner = (
        bool(children)
        and children[0] != written
        and kind_of(children[0]) not in ("type_arguments", "marker_annotation", "annotation")
    )
    name = _type_name(written)
    if is_inner and name is not None:
        around = lower_expression(cx, children[0])
        made = cx.emit(Op.MEMBER, around, cx.string(cx.bytes_of(name)), 0, name.start_byte)
        if written is not None and kind_of(written) == "generic_type":
            made = lower_arguments_of_type(cx, made, written)
    else:
        made = lower_type(cx, written)
    arguments = lower_arguments(cx, node.child_by_field_name("arguments"))
    return lower_construction(cx, made, arguments, name.start_byte if name is not None else node.start_byte, body)


def _type_name(node: Node | None) -> Node | None:
    """Return the last name of a type."""
    while node is not None and kind_of(node) != "type_identifier":
        inner = [child for child in parts_of(node) if kind_of(child) in TYPE_KINDS]
        if not inner:
            return None
        node = inner[0] if kind_of(node) == "generic_type" else inner[-1]
    return node


# ---------------------------------------------------------------------- functions


def _lambda(cx: JavaContext, node: Node) -> int:
    from .statements import lower_block

    outer, returns = cx.enter(), cx.returns
    function = new_function(cx, -1, node.start_byte)
    facts = cx.functions[function]
    facts.is_arrow = True
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    if parameters is not None and kind_of(parameters) == "formal_parameters":
        lower_parameters(cx, parameters, function)
        for place, each in enumerate(facts.parameters):
            if each.type < 0 and each.decl >= 0:  # `var`
                _infer(cx, each.decl, function, place)
    else:
        names = [parameters] if parameters is not None and kind_of(parameters) == "identifier" else parts_of(parameters)
        for place, name in enumerate(names):
            decl = cx.declare(DeclKind.VARIABLE, cx.name_of(name), -1, -1, -1, name.start_byte)
            _infer(cx, decl, function, place)
            facts.parameters.append(Parameter(cx.name_of(name), decl, -1, -1, False, False))
    made = cx.emit(Op.FUNCTION, function, -1, -1, node.start_byte)
    cx.returns = facts.returns
    if body is not None and kind_of(body) == "block":
        facts.has_body = True
        lower_block(cx, body)
        facts.falls_through = not facts.returns and may_end(body)
        for value in facts.returns:
            expect(cx, value, ContextKind.RETURN, made)
    else:
        value = lower_expression(cx, body)
        if value >= 0:
            facts.returns.append(value)
            expect(cx, value, ContextKind.RETURN, made)
    cx.visible, cx.returns = outer, returns
    return made


def _infer(cx: JavaContext, decl: int, function: int, place: int) -> None:
    """Mark a parameter of a lambda whose type follows from the expected type of the lambda."""
    facts = cx.decls[decl]
    facts.kind = DeclKind.PARAMETER
    facts.b, facts.c = cx.emit(Op.PARAMETER, function, -1, place, facts.position), function


def _reference(cx: JavaContext, node: Node) -> int:
    children = parts_of(node)
    if not children:
        return _lower_children(cx, node)
    owner, last = children[0], node.children[-1]
    kind, is_new = kind_of(owner), last.type == "new"
    is_type = kind in TYPE_KINDS or (is_new and kind == "identifier")
    if is_new and kind == "field_access":
        value = lower_dotted_type(cx, owner)
    else:
        value = lower_type(cx, owner) if is_type else lower_expression(cx, owner)
    named = owner.child_by_field_name("field") if kind == "field_access" else _type_name(owner)
    position = last.start_byte if not is_new else (named or owner).start_byte
    made = cx.emit(Op.REFERS, value, cx.string(b"<init>" if is_new else cx.bytes_of(last)), -1, position)
    cx.calls.append(made)
    return made


# ---------------------------------------------------------------------- literals and operators


def _integer(cx: JavaContext, node: Node) -> int:
    text = cx.bytes_of(node)
    kind = _LONG if text[-1:] in (b"l", b"L") else _INT
    return cx.emit(Op.NUMBER, -1, cx.string(text), kind, node.start_byte)


def _float(cx: JavaContext, node: Node) -> int:
    text = cx.bytes_of(node)
    kind = _FLOAT if text[-1:] in (b"f", b"F") else _DOUBLE
    return cx.emit(Op.NUMBER, -1, cx.string(text), kind, node.start_byte)


def _character(cx: JavaContext, node: Node) -> int:
    return cx.emit(Op.NUMBER, -1, cx.string(cx.bytes_of(node)), _CHAR, node.start_byte)


def _string(cx: JavaContext, node: Node) -> int:
    return cx.emit(Op.STRING, -1, cx.string(cx.bytes_of(node)), 0, node.start_byte)


def _boolean(cx: JavaContext, node: Node) -> int:
    return cx.emit(Op.BOOLEAN, int(kind_of(node) == "true"), -1, -1, node.start_byte)


def _null(cx: JavaContext, node: Node) -> int:
    return cx.emit(Op.NULL, -1, -1, -1, node.start_byte)


def _class_literal(cx: JavaContext, node: Node) -> int:
    children = parts_of(node)
    kind = lower_type(cx, children[0]) if children else -1
    return cx.emit(Op.MEMBER, kind, cx.string(b"class"), MemberFlag.NO_USE, node.start_byte)


def _binary(cx: JavaContext, node: Node) -> int:
    one = lower_expression(cx, node.child_by_field_name("left"))
    two = lower_expression(cx, node.child_by_field_name("right"))
    operator = node.child_by_field_name("operator")
    symbol = operator.type if operator is not None else ""
    kind = Result.BOOLEAN if symbol in _COMPARISONS else Result.ADDITION if symbol == "+" else Result.NUMBER
    if symbol in ("<<", ">>", ">>>"):
        return cx.emit(Op.UNARY, one, -1, Result.NUMBER, node.start_byte)
    if symbol in ("==", "!=") and any(each >= 0 and cx.code[each] == Op.NULL for each in (one, two)):
        return cx.emit(Op.EQUALITY, one, two, int(symbol == "=="), node.start_byte)
    return cx.emit(Op.BINARY, one, two, kind, node.start_byte)


def _unary(cx: JavaContext, node: Node) -> int:
    value = lower_expression(cx, node.child_by_field_name("operand"))
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type == "!":
        return cx.emit(Op.NOT, value, -1, -1, node.start_byte)
    return cx.emit(Op.UNARY, value, -1, Result.NUMBER, node.start_byte)


def _update(cx: JavaContext, node: Node) -> int:
    children = parts_of(node)
    return lower_expression(cx, children[0], MemberFlag.WRITTEN) if children else -1


def _assignment(cx: JavaContext, node: Node) -> int:
    target = lower_expression(cx, node.child_by_field_name("left"), MemberFlag.WRITTEN)
    value = lower_expression(cx, node.child_by_field_name("right"))
    expect(cx, value, ContextKind.ASSIGNED, target)
    return cx.emit(Op.ASSIGN, target, value, -1, node.start_byte)


def _inner(cx: JavaContext, node: Node) -> int:
    children = parts_of(node)
    return lower_expression(cx, children[0]) if children else -1


def _cast(cx: JavaContext, node: Node) -> int:
    kinds = [lower_type(cx, each) for each in node.children_by_field_name("type")]
    kind = kinds[0] if len(kinds) == 1 else cx.emit(Op.T_UNION, cx.list_of(kinds), -1, -1, node.start_byte)
    value = lower_expression(cx, node.child_by_field_name("value"))
    expect(cx, value, ContextKind.ANNOTATED, kind)
    return cx.emit(Op.AS, value, kind, -1, node.start_byte)


def _ternary(cx: JavaContext, node: Node) -> int:
    condition, one, two = [
        lower_expression(cx, node.child_by_field_name(field)) for field in ("condition", "consequence", "alternative")
    ]
    made = cx.emit(Op.CONDITIONAL, condition, one, two, node.start_byte)
    for value in (one, two):
        expect(cx, value, ContextKind.SAME, made)
    return made


def _access(cx: JavaContext, node: Node) -> int:
    value = lower_expression(cx, node.child_by_field_name("array"))
    return cx.emit(Op.INDEX, value, lower_expression(cx, node.child_by_field_name("index")), 0, node.start_byte)


def _new_array(cx: JavaContext, node: Node) -> int:
    kind = lower_type(cx, node.child_by_field_name("type"))
    for each in parts_of(node):
        if kind_of(each) == "dimensions_expr":
            kind = array_of(cx, kind, node.start_byte)
            for inner in parts_of(each):
                lower_expression(cx, inner)
    kind = arrays_of(cx, kind, node, node.start_byte)
    value = node.child_by_field_name("value")
    if value is not None:
        return lower_given(cx, value, kind)
    return cx.emit(Op.AS, -1, kind, -1, node.start_byte)


def _instanceof(cx: JavaContext, node: Node) -> int:
    value = lower_expression(cx, node.child_by_field_name("left"))
    written, name = node.child_by_field_name("right"), node.child_by_field_name("name")
    kind = lower_type(cx, written)
    if name is not None:
        cx.declare(DeclKind.VARIABLE, cx.name_of(name), kind, -1, -1, name.start_byte)
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        lower_pattern(cx, pattern, value)
    return cx.emit(Op.INSTANCEOF, value, kind, -1, node.start_byte)


def lower_pattern(cx: JavaContext, node: Node, value: int) -> None:
    """Declare the variables of a pattern against which a value is matched."""
    kind = kind_of(node)
    children = [each for each in parts_of(node) if kind_of(each) != "modifiers"]
    if kind in ("pattern", "parenthesized_pattern"):
        for each in children:
            lower_pattern(cx, each, value)
    elif kind in ("type_pattern", "record_pattern_component") and children:
        if kind_of(children[0]) in ("record_pattern", "pattern"):
            lower_pattern(cx, children[0], value)
            return
        written = lower_type(cx, children[0])
        if len(children) > 1 and kind_of(children[1]) == "identifier":
            name = children[1]
            cx.declare(DeclKind.VARIABLE, cx.name_of(name), written, value, -1, name.start_byte)
    elif kind == "record_pattern" and children:
        written = _record_of(cx, children[0])
        seen = cx.emit(Op.AS, value, written, -1, node.start_byte)
        body = child_of_kind(node, "record_pattern_body")
        for place, each in enumerate(parts_of(body)):
            lower_pattern(cx, each, cx.emit(Op.ELEMENT, seen, -1, place, each.start_byte))


def _record_of(cx: JavaContext, node: Node) -> int:
    """Lower the type in a record pattern. A dotted name is one node, see `parsing.py`."""
    text = cx.bytes_of(node)
    if kind_of(node) != "identifier" or b"." not in text:
        return lower_type(cx, node)
    position = node.start_byte
    first, *rest = text.split(b".")
    found = cx.emit(Op.LEXICAL, cx.shape, cx.string(first), Use.TYPE, position)
    for each in rest:
        position += len(first) + 1
        found, first = cx.emit(Op.MEMBER, found, cx.string(each), 0, position), each
    return found


def _switch(cx: JavaContext, node: Node) -> int:
    from .statements import lower_switch

    return lower_switch(cx, node)


_LOWER: Final[dict[str, Callable[[JavaContext, Node], int]]] = {
    "this": _this,
    "super": _super,
    "method_invocation": _invocation,
    "object_creation_expression": _creation,
    "explicit_constructor_invocation": lower_explicit_constructor,
    "lambda_expression": _lambda,
    "method_reference": _reference,
    "parenthesized_expression": _inner,
    "decimal_integer_literal": _integer,
    "hex_integer_literal": _integer,
    "octal_integer_literal": _integer,
    "binary_integer_literal": _integer,
    "decimal_floating_point_literal": _float,
    "hex_floating_point_literal": _float,
    "character_literal": _character,
    "string_literal": _string,
    "true": _boolean,
    "false": _boolean,
    "null_literal": _null,
    "class_literal": _class_literal,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": _update,
    "assignment_expression": _assignment,
    "cast_expression": _cast,
    "ternary_expression": _ternary,
    "array_access": _access,
    "array_creation_expression": _new_array,
    "instanceof_expression": _instanceof,
    "switch_expression": _switch,
}
