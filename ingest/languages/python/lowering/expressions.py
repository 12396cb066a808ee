"""Lower expressions to nodes of the facts."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.model import Member
from ....facts.operations import ContextKind, Display, Logic, Op
from ....symbols.byte_ranges import between
from .added_items import ADDING_METHODS, note_added
from .annotations import lower_generic, lower_type, lower_union
from .assignment import assign
from .bound_names import no_names, target_names
from .conditions import assume
from .context import PythonContext, ScopeKind, attribute_parts
from .dispatch import EXPRESSIONS, Lowering, first_part, lower_annotation, lower_expression, lower_parts, lower_unknown
from .functional_classes import lower_fields, makes_class, note_class
from .functions import lower_lambda
from .grammar import KINDS
from .known_items import CHANGING_METHODS, note_changes
from .module_calls import IMPORTERS, LOADERS, imported_module, note_loaded
from .subscripts import lower_slice, lower_subscript

_OPERATORS: Final = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "@": "__matmul__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
}
_COMPARISONS: Final = frozenset(("__lt__", "__le__", "__gt__", "__ge__"))
#: Methods of operators that assign their result.
_IN_PLACE: Final = {f"{operator}=": f"__i{name[2:]}" for operator, name in _OPERATORS.items() if name not in _COMPARISONS}
_UNARY: Final = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
_STAR: Final = ord("*")
_QUOTES: Final = b"\"'"
#: Maximum length of an f-string that is read as a URL, in bytes.
_MAX_URL: Final = 500


def _name(cx: PythonContext, node: Node) -> int:
    start = node.start_byte
    return cx.name(between(cx.data, start, node.end_byte), start)


def _member(cx: PythonContext, node: Node) -> int:
    target, attribute = attribute_parts(node)
    if attribute is None:
        return lower_unknown(cx, node)
    value = lower_expression(cx, target)
    start = attribute.start_byte
    member = cx.emit(Op.MEMBER, value, cx.string(between(cx.data, start, attribute.end_byte)), 0, start)
    if not cx.flow.has_chains:
        return member
    key = cx.key_of(node)
    values = cx.flow.get(key) if key else None
    if values is not None:
        return cx.emit(Op.PHI, cx.list_of(values), member, -1, start)
    return member


def _call(cx: PythonContext, node: Node) -> int:
    parts = node.children
    is_plain = len(parts) == 2
    function = parts[0] if is_plain else node.child_by_field_name("function")
    arguments = parts[1] if is_plain else node.child_by_field_name("arguments")
    callee = lower_expression(cx, function)
    position, text = node.start_byte, b""
    if function is not None:
        kind = KINDS[function.kind_id]
        name = attribute_parts(function)[1] if kind == "attribute" else function
        name = name if name is not None else function
        position = name.start_byte
        text = between(cx.data, position, name.end_byte) if kind in ("identifier", "attribute") else b""
    given: list[int] = []
    members: list[Member] | None = None
    if arguments is not None:
        if KINDS[arguments.kind_id] == "generator_expression":
            given.append(lower_expression(cx, arguments))
        elif text and makes_class(cx, node, text, arguments):
            given, members = lower_fields(cx, text, arguments)
        elif text == b"cast" or text == b"TypeVar":
            given = _typing_arguments(cx, arguments)
        else:
            given = lower_parts(cx, arguments)
    call = cx.emit(Op.CALL, callee, cx.list_of(given), -1, position)
    cx.calls.append(call)
    if members:
        note_class(cx, call, members)
    if text in ADDING_METHODS and given and function is not None and KINDS[function.kind_id] == "attribute":
        container = attribute_parts(function)[0]
        if container is not None:
            note_added(cx, container, call)
    if text in CHANGING_METHODS and cx.flow.has_chains and function is not None and KINDS[function.kind_id] == "attribute":
        container = attribute_parts(function)[0]
        changed = cx.key_of(container) if container is not None else ""
        if changed:
            note_changes(cx, changed, text, given)
    if text in IMPORTERS and given:
        module = imported_module(cx, text, given, call)
        if module >= 0:
            return module
    elif text in LOADERS and given:
        note_loaded(cx, text, given, call)
    for index, argument in enumerate(given):
        value = cx.code[argument + 1] if argument >= 0 and cx.code[argument] == Op.PROP else argument
        if value >= 0 and cx.code[value] == Op.FUNCTION:
            cx.contexts[value] = (ContextKind.ARGUMENT, call, index)
    if text == b"super" and function is not None and KINDS[function.kind_id] == "identifier":
        _note_super(cx, call)
    return call


def _note_super(cx: PythonContext, call: int) -> None:
    """Record the class around `super()`, and whether its receiver is the class itself."""
    scope = cx.function_scope()
    while scope.parent is not None and not (scope.kind == ScopeKind.FUNCTION and scope.shape >= 0):
        scope = scope.parent
    if scope.shape >= 0:
        cx.contexts[call] = (ContextKind.SUPER, scope.shape, int(scope.receiver_is_class))


def _typing_arguments(cx: PythonContext, arguments: Node) -> list[int]:
    """Lower arguments in which strings may be types: `cast("Node", x)`, `TypeVar("T", bound="Node")`."""
    given: list[int] = []
    for index, node in enumerate(arguments.named_children):
        kind = KINDS[node.kind_id]
        if kind == "keyword_argument":
            given.append(_keyword(cx, node, names_types=True))
        elif index == 0 and kind in ("string", "subscript", "binary_operator"):
            given.append(lower_annotation(cx, node))
        elif kind != "comment":
            given.append(lower_expression(cx, node))
    return given


def _keyword_argument(cx: PythonContext, node: Node) -> int:
    return _keyword(cx, node, names_types=False)


def _keyword(cx: PythonContext, node: Node, *, names_types: bool) -> int:
    parts = node.children
    is_plain = len(parts) == 3
    name = parts[0] if is_plain else node.child_by_field_name("name")
    value = parts[2] if is_plain else node.child_by_field_name("value")
    text = cx.bytes_of(name) if name is not None else b""
    lowered = lower_annotation(cx, value) if names_types and text == b"bound" else lower_expression(cx, value)
    return cx.emit(Op.PROP, lowered, cx.string(text), -1, node.start_byte)


def _list_splat(cx: PythonContext, node: Node) -> int:
    return _splat(cx, node, 0)


def _dictionary_splat(cx: PythonContext, node: Node) -> int:
    return _splat(cx, node, 1)


def _splat(cx: PythonContext, node: Node, kind: int) -> int:
    value = lower_expression(cx, first_part(node))
    if node.parent is not None and KINDS[node.parent.kind_id] in ("attribute", "call", "subscript"):
        return value  # for the grammar, `[*a.b()]` is `[(*a).b()]`
    return cx.emit(Op.SPREAD, value, -1, kind, node.start_byte)


def _list(cx: PythonContext, node: Node) -> int:
    return _display(cx, node, Display.LIST)


def _tuple(cx: PythonContext, node: Node) -> int:
    return _display(cx, node, Display.TUPLE)


def _set(cx: PythonContext, node: Node) -> int:
    return _display(cx, node, Display.SET)


def _display(cx: PythonContext, node: Node, kind: int) -> int:
    parts: list[int] = []
    for child in node.named_children:
        if KINDS[child.kind_id] == "comment":
            continue
        part = lower_expression(cx, child)
        if cx.data[child.start_byte] == _STAR and cx.code[part] != Op.SPREAD:
            part = cx.emit(Op.SPREAD, part, -1, 0, child.start_byte)
        parts.append(part)
    return cx.emit(Op.ARRAY, cx.list_of(parts), -1, kind, node.start_byte)


def _dictionary(cx: PythonContext, node: Node) -> int:
    keys: list[int] = []
    values: list[int] = []
    unpacked: list[int] = []
    for child in node.named_children:
        kind = KINDS[child.kind_id]
        if kind == "pair":
            key, value = pair_parts(child)
            keys.append(lower_expression(cx, key))
            values.append(lower_expression(cx, value))
        elif kind == "dictionary_splat":
            unpacked.append(lower_expression(cx, first_part(child)))
    return cx.emit(Op.DICT, cx.list_of(keys), cx.list_of(values), cx.list_of(unpacked), node.start_byte)


def pair_parts(node: Node) -> tuple[Node | None, Node | None]:
    """Return the key and the value of an entry."""
    parts = node.children
    plain = len(parts) == 3
    return (
        parts[0] if plain else node.child_by_field_name("key"),
        parts[2] if plain else node.child_by_field_name("value"),
    )


def _list_comprehension(cx: PythonContext, node: Node) -> int:
    return _comprehension(cx, node, Display.LIST)


def _set_comprehension(cx: PythonContext, node: Node) -> int:
    return _comprehension(cx, node, Display.SET)


def _dictionary_comprehension(cx: PythonContext, node: Node) -> int:
    return _comprehension(cx, node, Display.DICT)


def _generator(cx: PythonContext, node: Node) -> int:
    return _comprehension(cx, node, Display.GENERATOR)


def _comprehension(cx: PythonContext, node: Node, kind: int) -> int:
    clauses = [child for child in node.named_children if KINDS[child.kind_id] in ("for_in_clause", "if_clause")]
    bound = no_names()
    for clause in clauses:
        left = clause.child_by_field_name("left") if KINDS[clause.kind_id] == "for_in_clause" else None
        for name in target_names(left) if left is not None else ():
            bound.local.setdefault(cx.name_of(name))
    before = cx.flow.place()
    is_first = True
    outer = cx.py_scope
    first_decl = len(cx.decls)
    for clause in clauses:
        if KINDS[clause.kind_id] == "for_in_clause":
            sequence = lower_expression(cx, clause.child_by_field_name("right"))
            if is_first:
                cx.enter_scope(ScopeKind.COMPREHENSION, bound)
                is_first = False
            is_async = any(KINDS[child.kind_id] == "async" for child in clause.children)
            item = cx.emit(Op.ITERATED, sequence, -1, int(is_async), clause.start_byte)
            left = clause.child_by_field_name("left")
            if left is not None:
                assign(cx, left, item)
        else:
            inner = first_part(clause)
            if inner is not None:
                assume(cx, inner, lower_expression(cx, inner), True)
    body = node.child_by_field_name("body")
    second = -1
    if kind == Display.DICT and body is not None:
        key, value = pair_parts(body)
        first, second = lower_expression(cx, key), lower_expression(cx, value)
    else:
        first = lower_expression(cx, body)
    cx.py_scope = outer
    cx.flow.go_to(before)
    if cx.names_in_expressions:
        cx.hold_perhaps(first_decl)
    return cx.emit(Op.COMPREHENSION, first, second, kind, node.start_byte)


def _conditional(cx: PythonContext, node: Node) -> int:
    parts = [child for child in node.named_children if KINDS[child.kind_id] != "comment"]
    if len(parts) != 3:
        return lower_unknown(cx, node)
    value, condition, other = parts
    test = lower_expression(cx, condition)
    before = cx.flow.place()
    assume(cx, condition, test, True)
    one = lower_expression(cx, value)
    after = cx.flow.place()
    cx.flow.go_to(before)
    assume(cx, condition, test, False)
    two = lower_expression(cx, other)
    cx.flow.join((after, cx.flow.place()))
    return cx.emit(Op.CONDITIONAL, test, one, two, node.start_byte)


def _boolean(cx: PythonContext, node: Node) -> int:
    left, operator, right = operands(node)
    is_and = operator is not None and KINDS[operator.kind_id] == "and"
    one = lower_expression(cx, left)
    before = cx.flow.place()
    if left is not None:
        assume(cx, left, one, is_and)
    two = lower_expression(cx, right)
    cx.flow.join((before, cx.flow.place()))
    return cx.emit(Op.LOGICAL, one, two, Logic.AND if is_and else Logic.OR, node.start_byte)


def _not(cx: PythonContext, node: Node) -> int:
    return cx.emit(Op.NOT, lower_expression(cx, node.child_by_field_name("argument")), -1, -1, node.start_byte)


def _comparison(cx: PythonContext, node: Node) -> int:
    lowered = lower_parts(cx, node)
    parts = node.children
    operators = [KINDS[child.kind_id] for child in ([parts[1]] if len(parts) == 3 else node.children_by_field_name("operators"))]
    if len(lowered) != 2 or len(operators) != 1:
        return cx.emit(Op.UNKNOWN, cx.list_of(lowered), -1, 1, node.start_byte)
    left, right = lowered
    operator, position = operators[0], node.start_byte
    if operator in ("is", "is not"):
        return cx.emit(Op.COMPARED, left, right, int(operator == "is"), position)
    if operator in ("==", "!=", "<>"):
        return cx.emit(Op.EQUALITY, left, right, int(operator == "=="), position)
    if operator in ("in", "not in"):
        inside = cx.emit(Op.IN, left, right, -1, position)
        return inside if operator == "in" else cx.emit(Op.NOT, inside, -1, -1, position)
    return cx.emit(Op.OPERATOR, left, right, cx.string(_OPERATORS.get(operator, "").encode()), position)


def _operator(cx: PythonContext, node: Node) -> int:
    one, operator, other = operands(node)
    left, right = lower_expression(cx, one), lower_expression(cx, other)
    return operation(cx, KINDS[operator.kind_id] if operator is not None else "", left, right, node.start_byte)


def operands(node: Node) -> tuple[Node | None, Node | None, Node | None]:
    """Return the left operand, the operator and the right operand of an operation."""
    parts = node.children
    plain = len(parts) == 3
    return (
        parts[0] if plain else node.child_by_field_name("left"),
        parts[1] if plain else node.child_by_field_name("operator"),
        parts[2] if plain else node.child_by_field_name("right"),
    )


def operation(cx: PythonContext, operator: str, left: int, right: int, position: int) -> int:
    """Emit a binary operator, with or without assignment."""
    name = _OPERATORS.get(operator) or _IN_PLACE.get(operator, "")
    return cx.emit(Op.OPERATOR, left, right, cx.string(name.encode()), position)


def _unary(cx: PythonContext, node: Node) -> int:
    operator = node.child_by_field_name("operator")
    value = lower_expression(cx, node.child_by_field_name("argument"))
    name = _UNARY.get(KINDS[operator.kind_id], "") if operator is not None else ""
    return cx.emit(Op.OPERATOR, value, -1, cx.string(name.encode()), node.start_byte)


def _await(cx: PythonContext, node: Node) -> int:
    return cx.emit(Op.AWAIT, lower_expression(cx, first_part(node)), -1, -1, node.start_byte)


def _yield(cx: PythonContext, node: Node) -> int:
    value = lower_expression(cx, first_part(node))
    is_from = any(KINDS[child.kind_id] == "from" for child in node.children)
    result = cx.emit(Op.YIELD, value, -1, int(is_from), node.start_byte)
    cx.function_scope().yields.append(result)
    return result


def _walrus(cx: PythonContext, node: Node) -> int:
    value = lower_expression(cx, node.child_by_field_name("value"))
    name = node.child_by_field_name("name")
    if name is not None:
        assign(cx, name, value)
    return cx.emit(Op.ASSIGN, -1, value, -1, node.start_byte)


def _string(cx: PythonContext, node: Node) -> int:
    start = node.start_byte
    whole = between(cx.data, start, node.end_byte)
    size = len(whole)
    if size > 2 and whole[0] in _QUOTES and whole[1] != whole[0] and whole[size - 1] == whole[0]:
        # To read the children of each string would take 10% of the time of lowering.
        return cx.emit(Op.STRING, -1, cx.string(between(whole, 1, size - 1)), 0, start)
    parts = node.children
    inner = [child for child in parts if KINDS[child.kind_id] == "interpolation"]
    if inner:
        values = [_interpolation(cx, part) for part in inner]
        return cx.emit(Op.TEMPLATE, cx.list_of(values), _url(cx, node, parts[0], inner), -1, start)
    content = [child for child in parts if KINDS[child.kind_id] == "string_content"]
    text = cx.bytes_of(content[0]) if len(content) == 1 else b""
    is_bytes = bool(parts) and b"b" in cx.bytes_of(parts[0]).lower().rstrip(b"'\"")
    return cx.emit(Op.STRING, -1, cx.string(text), int(is_bytes), start)


def _url(cx: PythonContext, whole: Node, opening: Node, interpolations: list[Node]) -> int:
    """Return the string of an f-string that may be a URL or a path, with `{}` in place of each value; -1 for other f-strings."""
    if whole.end_byte - whole.start_byte > _MAX_URL:
        return -1
    texts: list[bytes] = []
    start = opening.end_byte
    for value in interpolations:
        texts.append(between(cx.data, start, value.start_byte))
        start = value.end_byte
    texts.append(between(cx.data, start, whole.end_byte).rstrip(_QUOTES))
    text = b"{}".join(texts)
    written = b"".join(texts)
    is_url = (b"/" in written or not written) and b"{" not in written and len(text.split()) == 1
    return cx.string(text) if is_url else -1


def _interpolation(cx: PythonContext, node: Node) -> int:
    parts = [lower_expression(cx, child) for child in node.named_children if KINDS[child.kind_id] != "type_conversion"]
    return parts[0] if len(parts) == 1 else cx.emit(Op.UNKNOWN, cx.list_of(parts), -1, -1, node.start_byte)


def _concatenated(cx: PythonContext, node: Node) -> int:
    parts = [lower_expression(cx, child) for child in node.named_children if KINDS[child.kind_id] == "string"]
    return cx.emit(Op.TEMPLATE, cx.list_of(parts), -1, -1, node.start_byte)


def _true(cx: PythonContext, node: Node) -> int:
    return cx.emit(Op.BOOLEAN, 1, -1, -1, node.start_byte)


def _false(cx: PythonContext, node: Node) -> int:
    return cx.emit(Op.BOOLEAN, 0, -1, -1, node.start_byte)


def _none(cx: PythonContext, node: Node) -> int:
    return cx.emit(Op.NULL, -1, -1, -1, node.start_byte)


def _ellipsis(cx: PythonContext, node: Node) -> int:
    return cx.emit(Op.UNDEFINED, -1, -1, -1, node.start_byte)


def _number(cx: PythonContext, node: Node) -> int:
    text = cx.bytes_of(node)
    kind = 0 if KINDS[node.kind_id] == "integer" else 1
    return cx.emit(Op.NUMBER, -1, cx.string(text), 2 if text.endswith((b"j", b"J")) else kind, node.start_byte)


def _inner(cx: PythonContext, node: Node) -> int:
    parts = [child for child in node.named_children if KINDS[child.kind_id] != "comment"]
    return lower_expression(cx, parts[0]) if len(parts) == 1 else lower_unknown(cx, node)


_LOWERINGS: Final[dict[str, Lowering]] = {
    "identifier": _name,
    "attribute": _member,
    "call": _call,
    "list_splat": _list_splat,
    "dictionary_splat": _dictionary_splat,
    "parenthesized_list_splat": _list_splat,
    "subscript": lower_subscript,
    "slice": lower_slice,
    "list": _list,
    "tuple": _tuple,
    "expression_list": _tuple,
    "set": _set,
    "dictionary": _dictionary,
    "list_comprehension": _list_comprehension,
    "set_comprehension": _set_comprehension,
    "dictionary_comprehension": _dictionary_comprehension,
    "generator_expression": _generator,
    "conditional_expression": _conditional,
    "boolean_operator": _boolean,
    "not_operator": _not,
    "comparison_operator": _comparison,
    "binary_operator": _operator,
    "unary_operator": _unary,
    "await": _await,
    "yield": _yield,
    "named_expression": _walrus,
    "string": _string,
    "concatenated_string": _concatenated,
    "integer": _number,
    "float": _number,
    "true": _true,
    "false": _false,
    "none": _none,
    "ellipsis": _ellipsis,
    "parenthesized_expression": _inner,
    "lambda": lower_lambda,
    "keyword_argument": _keyword_argument,
    "type": lower_type,
    "generic_type": lower_generic,
    "union_type": lower_union,
}
EXPRESSIONS.update({number: _LOWERINGS.get(kind, lower_unknown) for number, kind in KINDS.items()})
