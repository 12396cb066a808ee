"""Lower expressions: names, selectors, calls, literals and other values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from ....facts.operations import Cast, MemberFlag, Op, Result, Use
from ....symbols.byte_ranges import between
from .context import GoContext
from .grammar import NAME_FIELDS, kind_of, last_name, parts_of
from .types import TYPE_KINDS, lower_signature, lower_type

#: Operators whose result is a boolean.
_COMPARISONS: Final = frozenset(("==", "!=", "<", "<=", ">", ">=", "&&", "||"))
#: Literals. An operator with a literal has the type of its other operand.
_LITERALS: Final = frozenset(
    (
        "int_literal",
        "float_literal",
        "imaginary_literal",
        "rune_literal",
        "interpreted_string_literal",
        "raw_string_literal",
        "iota",
    )
)
#: Kind of the NUMBER nodes of literals.
_NUMBERS: Final = {"int_literal": 0, "rune_literal": 0, "iota": 0, "float_literal": 1, "imaginary_literal": 2}
#: Built-in functions whose first argument is the type of their result.
_MAKERS: Final = frozenset(("make", "new"))
#: Expressions that are no types, apart from literals.
_VALUES: Final = frozenset(("binary_expression", "call_expression", "type_assertion_expression", "type_conversion_expression"))
#: Types whose literals have expressions as keys. The keys of other literals are names of fields.
_CONTAINERS: Final = frozenset(("map_type", "slice_type", "array_type", "implicit_length_array_type"))
#: The field of a node that has the name of the called function, by the kind of the node.
_CALLED_FIELDS: Final = {**NAME_FIELDS, "index_expression": "operand"}
_PARENTHESES: Final = frozenset(("parenthesized_expression",))
#: Types around the type that a conversion names: `(*T)(x)` and `(T[A, B])(x)`.
_ENCLOSING_TYPES: Final = frozenset(("pointer_type", "parenthesized_type"))
#: Nodes that may name a declaration, such as the function in a field of a literal.
_NAMING: Final = frozenset((Op.NAME, Op.MEMBER))
#: Nodes that state a path, a method of HTTP or a handler in a table of routes.
_STATING: Final = frozenset((Op.STRING, Op.FUNCTION, Op.CALL, Op.AS))
#: A path or a method of HTTP in a table of routes.
_ROUTE: Final = re.compile(
    rb"[\"`](?:/|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b)|\bMethod(?:Get|Post|Put|Patch|Delete|Head|Options)\b"
)
#: Number of bytes at the start of a literal in which a path or a method is sought.
_MAX_ROUTE: Final = 2_000
#: Types of parts of statements: of SQLBoiler and GORM Gen.
_CONDITIONS: Final = frozenset((b"qm.QueryMod", b"gen.Condition", b"field.Expr", b"field.AssignExpr"))
#: Method of our own declarations that returns the items of a channel.
RECEIVED: Final = b"__receive__"
#: Method of our own declarations that returns an item of a container.
_ITEM: Final = b"__getitem__"


def lower_expression(cx: GoContext, node: Node | None, flags: int = 0) -> int:
    """Lower an expression, or a type in place of an expression; return -1 for None. `flags` are the flags of a selector."""
    if node is None:
        return -1
    kind = kind_of(node)
    if kind == "identifier":
        return cx.name(node, Use.WRITE if flags & MemberFlag.WRITTEN else Use.READ)
    if kind == "selector_expression":
        return _selector(cx, node, flags)
    if kind == "call_expression":
        return _call(cx, node)
    if kind in TYPE_KINDS:
        written = lower_type(cx, node)
        return cx.emit(Op.INSTANTIATION, written, -1, -1, node.start_byte) if written >= 0 else -1
    lower = _LOWER.get(kind)
    return lower(cx, node) if lower is not None else _lower_unreadable(cx, node)


def lower_parts(cx: GoContext, node: Node | None) -> list[int]:
    """Lower each expression of a list."""
    return [lower_expression(cx, each) for each in parts_of(node)]


def _lower_unreadable(cx: GoContext, node: Node) -> int:
    """Lower the children of an expression that the grammar could not read."""
    found = [lower_expression(cx, child) for child in parts_of(node) if child.named_child_count or kind_of(child) == "identifier"]
    found = [each for each in found if each >= 0]
    return cx.emit(Op.UNKNOWN, cx.list_of(found), -1, -1, node.start_byte)


def _selector(cx: GoContext, node: Node, flags: int) -> int:
    field = node.child_by_field_name("field")
    value = lower_expression(cx, node.child_by_field_name("operand"))
    if field is None:
        return value
    return cx.emit(Op.MEMBER, value, cx.string(cx.bytes_of(field)), flags, field.start_byte)


# ---------------------------------------------------------------------- calls


def _call(cx: GoContext, node: Node) -> int:
    function = node.child_by_field_name("function")
    arguments = parts_of(node.child_by_field_name("arguments"))
    callee = lower_expression(cx, function)
    written = node.child_by_field_name("type_arguments")
    if written is not None:
        listed = [lower_type(cx, each) for each in parts_of(written)]
        callee = cx.emit(Op.INSTANTIATION, callee, cx.list_of(listed), -1, node.start_byte)
    is_maker = function is not None and kind_of(function) == "identifier" and cx.name_of(function) in _MAKERS
    is_maker = is_maker and callee >= 0 and cx.code[callee] == Op.NAME and cx.code[callee + 1] < 0
    made = -1
    given: list[int] = []
    for place, argument in enumerate(arguments):
        if is_maker and place == 0 and not _is_value(argument):
            made = _type_argument(cx, argument)
        elif kind_of(argument) == "variadic_argument":
            for part in parts_of(argument):
                given.append(cx.part(lower_expression(cx, part), _ITEM, part.start_byte))
        else:
            given.append(lower_expression(cx, argument))
    call = _called(cx, callee, given, place_of_call(function, node))
    if is_maker and made < 0 and len(given) == 1:
        return given[0]  # the value to which `new(f())` points
    return cx.emit(Op.AS, call, made, Cast.MADE, node.start_byte) if made >= 0 else call


def _called(cx: GoContext, callee: int, given: list[int], position: int) -> int:
    call = cx.emit(Op.CALL, callee, cx.list_of(given), -1, position)
    cx.calls.append(call)
    return call


def _is_value(node: Node) -> bool:
    """Return whether the argument of `new` is certainly no type: https://go.dev/ref/spec#Allocation."""
    kind = kind_of(node)
    return kind in _VALUES or kind.endswith("_literal")


def _type_argument(cx: GoContext, node: Node) -> int:
    """Lower a type as an expression: a name, a selector, or a type."""
    kind = kind_of(node)
    if kind in TYPE_KINDS:
        return lower_type(cx, node)
    if kind in ("parenthesized_expression", "unary_expression"):
        inner = parts_of(node)
        return _type_argument(cx, inner[0]) if inner else -1
    return lower_expression(cx, node)


def place_of_call(function: Node | None, call: Node) -> int:
    """Return the byte offset of the name of the called function."""
    return (last_name(function, _CALLED_FIELDS, _PARENTHESES) if function is not None else call).start_byte


def _converted(cx: GoContext, node: Node) -> int:
    """Lower a conversion `T(x)`. The grammar also reads calls such as `f[int](x)` and `*f[int](x)` as conversions."""
    written, operand = node.child_by_field_name("type"), node.child_by_field_name("operand")
    while written is not None and kind_of(written) in _ENCLOSING_TYPES and written.named_children:
        written = written.named_children[0]
    if written is not None and kind_of(written) == "generic_type":
        callee = _instantiated(cx, written)
        return _called(cx, callee, [lower_expression(cx, operand)], place_of_call(written, node))
    made = lower_type(cx, written)
    return cx.emit(Op.AS, lower_expression(cx, operand), made, -1, node.start_byte)


def _instantiated(cx: GoContext, node: Node) -> int:
    base = lower_type(cx, node.child_by_field_name("type"))
    arguments = [lower_type(cx, each) for each in parts_of(node.child_by_field_name("type_arguments"))]
    return cx.emit(Op.INSTANTIATION, base, cx.list_of(arguments), -1, node.start_byte)


# ---------------------------------------------------------------------- literals


def _composite(cx: GoContext, node: Node) -> int:
    written, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if written is not None and _is_list_of_texts(cx, written):
        items = [lower_expression(cx, each) for each in map(_unwrapped, parts_of(body)) if each is not None]
        listed = cx.emit(Op.ARRAY, cx.list_of([each for each in items if each >= 0]), -1, -1, node.start_byte)
        return cx.emit(Op.AS, listed, lower_type(cx, written), -1, node.start_byte)
    made = cx.emit(Op.AS, -1, lower_type(cx, written), -1, node.start_byte)
    content = _literal_value(cx, body, made, written)
    if content and body is not None and (_has_route(cx, body) or _is_list_of_conditions(cx, written)):
        cx.emit(Op.ARRAY, cx.list_of(content), -1, made, node.start_byte)
    return made


def _has_route(cx: GoContext, body: Node) -> bool:
    """Return whether the start of a literal has a path or a method of HTTP. Only the content of such literals is kept."""
    start = body.start_byte
    return _ROUTE.search(between(cx.data, start, min(body.end_byte, start + _MAX_ROUTE))) is not None


def _is_list_of_conditions(cx: GoContext, written: Node | None) -> bool:
    """Return whether a type is a list of parts of statements. Rules of object mappers read literals of this type."""
    element = written.child_by_field_name("element") if written is not None and kind_of(written) == "slice_type" else None
    return element is not None and cx.bytes_of(element) in _CONDITIONS


def _is_list_of_texts(cx: GoContext, written: Node) -> bool:
    """Return whether a type is `[]string`. Rules of frameworks read literals of this type, which usually have no keys."""
    element = written.child_by_field_name("element") if kind_of(written) == "slice_type" else None
    return element is not None and cx.bytes_of(element) == b"string" and cx.find("string") < 0


def _literal_value(cx: GoContext, node: Node | None, made: int, written: Node | None) -> list[int]:
    """Lower the content of a literal's braces, and return it: values, PROP nodes of fields, and ARRAY nodes of a key and a value.

    `made` is the value of the literal, `written` its type.
    """
    position = cx.code[made + 4]
    kind = kind_of(written) if written is not None else ""
    has_keys = kind in _CONTAINERS
    inside = written.child_by_field_name("value" if kind == "map_type" else "element") if written is not None else None
    item = -1
    content: list[int] = []
    for element in parts_of(node):
        key: Node | None = None
        value: Node | None = element
        if kind_of(element) == "keyed_element":
            key, value = element.child_by_field_name("key"), element.child_by_field_name("value")
        inner = _unwrapped(key)
        field = b""
        written_key = given = -1
        if inner is not None and kind_of(inner) == "identifier" and not has_keys:
            field = cx.bytes_of(inner)
            cx.emit(Op.MEMBER, made, cx.string(cx.bytes_of(inner)), MemberFlag.WRITTEN, inner.start_byte)
        elif inner is not None and kind_of(inner) == "literal_value":
            made_key = cx.emit(Op.AS, -1, _key_type(cx, written), -1, position)
            _literal_value(cx, inner, made_key, None)
        elif inner is not None:
            written_key = lower_expression(cx, inner)
        inner = _unwrapped(value)
        if inner is not None and kind_of(inner) == "literal_value":
            item = item if item >= 0 else cx.part(made, _ITEM, position)
            inside_content = _literal_value(cx, inner, item, inside)
            if not inside_content or not _has_route(cx, inner):
                continue
            given = cx.emit(Op.ARRAY, cx.list_of(inside_content), -1, -1, inner.start_byte)
        elif inner is not None:
            given = lower_expression(cx, inner)
        if given < 0:
            continue
        if field:
            is_name = cx.code[given] in _NAMING
            if is_name or cx.code[given] in _STATING:
                given = cx.emit(Op.PROP, given, cx.string(field), made if is_name else -1, cx.code[given + 4])
        elif written_key >= 0 and kind == "map_type":
            given = cx.emit(Op.ARRAY, cx.list_of((written_key, given)), -1, -1, cx.code[given + 4])
        content.append(given)
    return content


def _key_type(cx: GoContext, written: Node | None) -> int:
    return lower_type(cx, written.child_by_field_name("key")) if written is not None else -1


def _unwrapped(node: Node | None) -> Node | None:
    if node is not None and kind_of(node) == "literal_element":
        children = parts_of(node)
        return children[0] if children else None
    return node


def _number(cx: GoContext, node: Node) -> int:
    return cx.emit(Op.NUMBER, -1, cx.string(cx.bytes_of(node)), _NUMBERS[kind_of(node)], node.start_byte)


def _string(cx: GoContext, node: Node) -> int:
    return cx.emit(Op.STRING, -1, cx.string(cx.bytes_of(node)), 0, node.start_byte)


def _boolean(cx: GoContext, node: Node) -> int:
    return cx.emit(Op.BOOLEAN, int(kind_of(node) == "true"), -1, -1, node.start_byte)


def _nil(cx: GoContext, node: Node) -> int:
    return cx.emit(Op.NULL, -1, -1, -1, node.start_byte)


def _function(cx: GoContext, node: Node) -> int:
    outer = cx.enter()
    function = lower_signature(cx, node, -1, None)
    lower_body(cx, node.child_by_field_name("body"), function)
    cx.visible = outer
    return cx.emit(Op.FUNCTION, function, -1, -1, node.start_byte)


def lower_body(cx: GoContext, body: Node | None, function: int) -> None:
    """Lower the body of a function, whose parameters are in the innermost scope."""
    from .statements import lower_block

    facts = cx.functions[function]
    facts.has_body = body is not None
    outer, cx.returns = cx.returns, []
    if body is not None:
        lower_block(cx, body)
    facts.returns = cx.returns
    cx.returns = outer


# ---------------------------------------------------------------------- operators


def _unary(cx: GoContext, node: Node) -> int:
    operand = node.child_by_field_name("operand")
    value = lower_expression(cx, operand)
    operator = kind_of(node.children[0])
    if operator == "<-":
        return cx.part(value, RECEIVED, node.start_byte)
    if operator == "!":
        return cx.emit(Op.NOT, value, -1, -1, node.start_byte)
    return value  # a pointer has the members of its target


def _binary(cx: GoContext, node: Node) -> int:
    """Lower a binary operator. The result has the type of the operand that is not a literal."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    one, two = lower_expression(cx, left), lower_expression(cx, right)
    operator = node.child_by_field_name("operator")
    symbol = kind_of(operator) if operator is not None else ""
    if symbol in _COMPARISONS:
        return cx.emit(Op.EQUALITY, one, two, int(symbol != "!="), node.start_byte)
    if symbol == "+" and any(each >= 0 and cx.code[each] in (Op.STRING, Op.BINARY) for each in (one, two)):
        is_literal = _is_text(cx, one) and _is_text(cx, two)
        return cx.emit(Op.BINARY, one, two, Result.STRING if is_literal else Result.ADDITION, node.start_byte)
    is_shift = symbol in ("<<", ">>")
    return one if is_shift or left is None or kind_of(left) not in _LITERALS else two


def _is_text(cx: GoContext, node: int) -> bool:
    """Return whether a value is a string literal, or an addition of such literals."""
    code = cx.code
    return node >= 0 and (code[node] == Op.STRING or (code[node] == Op.BINARY and code[node + 3] == Result.STRING))


def _inner(cx: GoContext, node: Node) -> int:
    children = parts_of(node)
    return lower_expression(cx, children[0]) if children else -1


def _asserted(cx: GoContext, node: Node) -> int:
    value = lower_expression(cx, node.child_by_field_name("operand"))
    kind = lower_type(cx, node.child_by_field_name("type"))
    cx.emit(Op.INSTANCEOF, value, kind, -1, node.start_byte)
    return cx.emit(Op.AS, value, kind, -1, node.start_byte)


def _indexed(cx: GoContext, node: Node) -> int:
    """Lower `a[i]`: an item, or a generic function or type with its type arguments."""
    value = lower_expression(cx, node.child_by_field_name("operand"))
    index = _type_argument_or_value(cx, node.child_by_field_name("index"))
    return cx.emit(Op.INDEX, value, index, 0, node.start_byte)


def _type_argument_or_value(cx: GoContext, node: Node | None) -> int:
    if node is not None and kind_of(node) in TYPE_KINDS:
        return lower_type(cx, node)
    return lower_expression(cx, node)


def _sliced(cx: GoContext, node: Node) -> int:
    value = lower_expression(cx, node.child_by_field_name("operand"))
    for bound in ("start", "end", "capacity"):
        lower_expression(cx, node.child_by_field_name(bound))
    return value


def _type_instantiated(cx: GoContext, node: Node) -> int:
    children = parts_of(node)
    base = lower_type(cx, children[0]) if children else -1
    listed = [lower_type(cx, each) for each in children[1:]]
    return cx.emit(Op.INSTANTIATION, base, cx.list_of(listed), -1, node.start_byte)


_LOWER: Final[dict[str, Callable[[GoContext, Node], int]]] = {
    "parenthesized_expression": _inner,
    "type_conversion_expression": _converted,
    "composite_literal": _composite,
    "func_literal": _function,
    "int_literal": _number,
    "float_literal": _number,
    "imaginary_literal": _number,
    "rune_literal": _number,
    "iota": _number,
    "interpreted_string_literal": _string,
    "raw_string_literal": _string,
    "true": _boolean,
    "false": _boolean,
    "nil": _nil,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "type_assertion_expression": _asserted,
    "index_expression": _indexed,
    "slice_expression": _sliced,
    "type_instantiation_expression": _type_instantiated,
}
