"""Lower expressions. Annotations are expressions too; the engine reads them as types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node, Parser

from ....facts.model import DeclKind, Function, Member, MemberKind, Parameter
from ....facts.operations import ContextKind, Display, Logic, Op
from ....symbols.byte_ranges import between
from .added_items import ADDING_METHODS, note_added
from .bound_names import no_names, target_names
from .conditions import assume
from .context import PythonContext, ScopeKind, attribute_parts, last_name
from .flow import ITEMS, Flow
from .grammar import GRAMMAR, KINDS
from .known_items import CHANGING_METHODS, hold_items, note_changes

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
_UNARY: Final = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
#: Flags of MEMBER and INDEX nodes.
WRITTEN: Final = 8
#: Targets of an assignment with parts.
_SEVERAL_TARGETS: Final = frozenset(
    ("pattern_list", "tuple_pattern", "list_pattern", "expression_list", "tuple", "list", "parenthesized_expression")
)
_QUOTES: Final = b"\"'"
#: Names whose subscripts are types wherever they stand, so that strings in them are types, too.
_GENERIC_NAMES: Final = frozenset(
    (
        b"Union",
        b"Optional",
        b"Callable",
        b"Type",
        b"List",
        b"Dict",
        b"Set",
        b"FrozenSet",
        b"Tuple",
        b"Iterable",
        b"Iterator",
        b"Sequence",
        b"Mapping",
        b"MutableMapping",
        b"Awaitable",
        b"Coroutine",
        b"Generator",
        b"AsyncGenerator",
        b"AsyncIterator",
        b"ClassVar",
        b"Annotated",
        b"list",
        b"dict",
        b"set",
        b"frozenset",
        b"tuple",
        b"type",
    )
)
#: Maximum size of a string that is read as an annotation.
_MAX_QUOTED: Final = 400

Lowering = Callable[[PythonContext, Node], int]


def lower_expression(cx: PythonContext, node: Node | None) -> int:
    """Lower an expression and return its node; -1 for none."""
    if node is None:
        return -1
    return _BY_KIND[node.kind_id](cx, node)


def lower_parts(cx: PythonContext, node: Node) -> list[int]:
    """Lower the named children of a node, without comments."""
    lowerings, parts = _BY_KIND, []
    for child in node.named_children:
        number = child.kind_id
        lower = lowerings[number]
        if lower is not _children or KINDS[number] != "comment":
            parts.append(lower(cx, child))
    return parts


def first_part(node: Node) -> Node | None:
    """Return the first named child of a node that is no comment."""
    for child in node.children:
        if child.is_named and KINDS[child.kind_id] != "comment":
            return child
    return None


def _children(cx: PythonContext, node: Node) -> int:
    return cx.emit(Op.UNKNOWN, cx.list_of(lower_parts(cx, node)), -1, -1, node.start_byte)


def _name(cx: PythonContext, node: Node) -> int:
    start = node.start_byte
    return cx.name(between(cx.data, start, node.end_byte), start)


def _member(cx: PythonContext, node: Node) -> int:
    target, attribute = attribute_parts(node)
    if attribute is None:
        return _children(cx, node)
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
    if arguments is not None:
        if KINDS[arguments.kind_id] == "generator_expression":
            given.append(lower_expression(cx, arguments))
        elif text == b"cast" or text == b"TypeVar":
            given = _typing_arguments(cx, arguments)
        else:
            given = lower_parts(cx, arguments)
    call = cx.emit(Op.CALL, callee, cx.list_of(given), -1, position)
    cx.calls.append(call)
    if text in ADDING_METHODS and given and function is not None and KINDS[function.kind_id] == "attribute":
        container = attribute_parts(function)[0]
        if container is not None:
            note_added(cx, container, call)
    if text in CHANGING_METHODS and cx.flow.has_chains and function is not None and KINDS[function.kind_id] == "attribute":
        container = attribute_parts(function)[0]
        changed = cx.key_of(container) if container is not None else ""
        if changed:
            note_changes(cx, changed, text, given)
    for index, argument in enumerate(given):
        value = cx.code[argument + 1] if argument >= 0 and cx.code[argument] == Op.PROP else argument
        if value >= 0 and cx.code[value] == Op.FUNCTION:
            cx.contexts[value] = (ContextKind.ARGUMENT, call, index)
    if text == b"super" and function is not None and KINDS[function.kind_id] == "identifier":
        _note_super(cx, call)
    return call


def _note_super(cx: PythonContext, call: int) -> None:
    """Say in which class `super()` stands, and whether its receiver is the class itself."""
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
    return cx.emit(Op.SPREAD, lower_expression(cx, first_part(node)), -1, kind, node.start_byte)


def _subscript(cx: PythonContext, node: Node) -> int:
    index = _index(cx, node)
    if not cx.flow.has_chains or cx.code[index] != Op.INDEX:
        return index
    key = cx.key_of(node)
    values = cx.flow.get(key) if key else None
    return cx.emit(Op.PHI, cx.list_of(values), index, -1, node.start_byte) if values is not None else index


def _index(cx: PythonContext, node: Node) -> int:
    parts = node.children
    named = node.child_by_field_name("value")
    if named is not None and cx.bytes_of(named).rpartition(b".")[2] in _GENERIC_NAMES:
        return _generic(cx, node)
    if len(parts) == 4:
        value = lower_expression(cx, parts[0])
        return cx.emit(Op.INDEX, value, lower_expression(cx, parts[2]), 0, node.start_byte)
    value = lower_expression(cx, named)
    indices = [lower_expression(cx, child) for child in node.children_by_field_name("subscript")]
    index = indices[0] if len(indices) == 1 else cx.emit(Op.ARRAY, cx.list_of(indices), -1, Display.TUPLE, node.start_byte)
    return cx.emit(Op.INDEX, value, index, 0, node.start_byte)


def _slice(cx: PythonContext, node: Node) -> int:
    parts = [lower_expression(cx, child) for child in node.named_children]
    return cx.emit(Op.SLICE, cx.list_of(parts), -1, -1, node.start_byte)


def _list(cx: PythonContext, node: Node) -> int:
    return _display(cx, node, Display.LIST)


def _tuple(cx: PythonContext, node: Node) -> int:
    return _display(cx, node, Display.TUPLE)


def _set(cx: PythonContext, node: Node) -> int:
    return _display(cx, node, Display.SET)


def _display(cx: PythonContext, node: Node, kind: int) -> int:
    return cx.emit(Op.ARRAY, cx.list_of(lower_parts(cx, node)), -1, kind, node.start_byte)


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
        return _children(cx, node)
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
    """Emit an operator with two operands."""
    return cx.emit(Op.OPERATOR, left, right, cx.string(_OPERATORS.get(operator, "").encode()), position)


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
        # Looking at the children of each string would take a tenth of the time of lowering.
        return cx.emit(Op.STRING, -1, cx.string(between(whole, 1, size - 1)), 0, start)
    parts = node.children
    inner = [child for child in parts if KINDS[child.kind_id] == "interpolation"]
    if inner:
        return cx.emit(Op.TEMPLATE, cx.list_of([_interpolation(cx, part) for part in inner]), -1, -1, start)
    content = [child for child in parts if KINDS[child.kind_id] == "string_content"]
    text = cx.bytes_of(content[0]) if len(content) == 1 else b""
    is_bytes = bool(parts) and b"b" in cx.bytes_of(parts[0]).lower().rstrip(b"'\"")
    return cx.emit(Op.STRING, -1, cx.string(text), int(is_bytes), start)


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
    return lower_expression(cx, parts[0]) if len(parts) == 1 else _children(cx, node)


def _lambda(cx: PythonContext, node: Node) -> int:
    parameters = node.child_by_field_name("parameters")
    defaults = lowered_defaults(cx, parameters)
    bound = no_names()
    body = node.child_by_field_name("body")
    if body is not None:
        bound.local.update(cx.bound(body).local)
    flow, loops = cx.flow, cx.loops
    scope = cx.enter_scope(ScopeKind.FUNCTION, bound)
    cx.flow, cx.loops = Flow(), []
    function = new_function(cx, node.start_byte, is_arrow=True)
    scope.owner = function
    cx.functions[function].parameters = lower_parameters(cx, parameters, function, defaults)
    cx.functions[function].returns = [lower_expression(cx, body)]
    assert scope.parent is not None
    cx.py_scope = scope.parent
    cx.flow, cx.loops = flow, loops
    return cx.emit(Op.FUNCTION, function, -1, -1, node.start_byte)


# ---------------------------------------------------------------------- functions


def new_function(cx: PythonContext, position: int, *, is_arrow: bool = False, symbol: int = -1) -> int:
    """Add a function and return its index."""
    cx.functions.append(Function(symbol, [], [], -1, [], [], -1, False, False, is_arrow, True, False, position))
    return len(cx.functions) - 1


#: Default value and annotation of each parameter, by the offset of the parameter.
Defaults = dict[int, tuple[int, int]]


def lowered_defaults(cx: PythonContext, parameters: Node | None) -> Defaults:
    """Lower default values and annotations, which run in the scope around the function."""
    found: Defaults = {}
    for node in parameters.named_children if parameters is not None else ():
        if KINDS[node.kind_id] == "identifier":
            continue
        annotation, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if annotation is not None or value is not None:
            found[node.start_byte] = (lower_annotation(cx, annotation), lower_expression(cx, value))
    return found


def lower_parameters(cx: PythonContext, parameters: Node | None, function: int, defaults: Defaults) -> list[Parameter]:
    """Declare the parameters of a function in its scope.

    A name of `*` or with one or two stars before it says what the parameter takes; `*` alone, that the others need keywords;
    `/` that the ones before it take none.
    """
    found: list[Parameter] = []
    for node in parameters.named_children if parameters is not None else ():
        kind = KINDS[node.kind_id]
        if kind in ("keyword_separator", "positional_separator"):
            found.append(Parameter("*" if kind == "keyword_separator" else "/", -1, -1, -1, False, False))
            continue
        stars = ""
        name: Node | None = node
        if kind in ("typed_parameter", "default_parameter", "typed_default_parameter"):
            name = node.child_by_field_name("name") or next(iter(node.named_children), None)
        if name is not None and KINDS[name.kind_id] in ("list_splat_pattern", "dictionary_splat_pattern"):
            stars = "*" if KINDS[name.kind_id] == "list_splat_pattern" else "**"
            name = next(iter(name.named_children), None)
        if name is None or KINDS[name.kind_id] != "identifier":
            continue
        annotation, default = defaults.get(node.start_byte, (-1, -1))
        text = cx.name_of(name)
        if text not in cx.py_scope.names:
            cx.py_scope.names[text] = cx.new_binding(text)
        value = cx.emit(Op.PARAMETER, function, -1, len(found), name.start_byte)
        decl = cx.declare(cx.py_scope.names[text], DeclKind.PARAMETER, text, annotation, value, function, name.start_byte)
        found.append(Parameter(stars + text, decl, annotation, default, default >= 0, bool(stars)))
    return found


# ---------------------------------------------------------------------- annotations


def lower_annotation(cx: PythonContext, node: Node | None) -> int:
    """Lower an annotation. Quoted types in it are read as code."""
    if node is None:
        return -1
    return _TYPES_BY_KIND[node.kind_id](cx, node)


def _type(cx: PythonContext, node: Node) -> int:
    inner = [child for child in node.named_children if KINDS[child.kind_id] != "comment"]
    return lower_annotation(cx, inner[0]) if len(inner) == 1 else _children(cx, node)


def _union(cx: PythonContext, node: Node) -> int:
    parts = [lower_annotation(cx, child) for child in node.named_children if KINDS[child.kind_id] != "comment"]
    if len(parts) == 2:
        return cx.emit(Op.OPERATOR, parts[0], parts[1], cx.string(b"__or__"), node.start_byte)
    return cx.emit(Op.UNKNOWN, cx.list_of(parts), -1, -1, node.start_byte)


def _list_of_types(cx: PythonContext, node: Node) -> int:
    return _display_of_types(cx, node, Display.LIST)


def _tuple_of_types(cx: PythonContext, node: Node) -> int:
    return _display_of_types(cx, node, Display.TUPLE)


def _display_of_types(cx: PythonContext, node: Node, kind: int) -> int:
    parts = [lower_annotation(cx, child) for child in node.named_children if KINDS[child.kind_id] != "comment"]
    return cx.emit(Op.ARRAY, cx.list_of(parts), -1, kind, node.start_byte)


def _generic(cx: PythonContext, node: Node) -> int:
    if KINDS[node.kind_id] == "subscript":
        value = lower_expression(cx, node.child_by_field_name("value"))
        arguments = node.children_by_field_name("subscript")
    else:
        parts = node.named_children
        value = lower_annotation(cx, parts[0]) if parts else -1
        arguments = [
            inner for part in parts[1:] for inner in (part.named_children if KINDS[part.kind_id] == "type_parameter" else [part])
        ]
        if KINDS[node.kind_id] == "member_type" and len(parts) == 2:
            return cx.emit(Op.MEMBER, value, cx.string(cx.bytes_of(parts[1])), 0, parts[1].start_byte)
    lower = lower_expression if last_name(cx, value) == "Literal" else lower_annotation
    lowered = [lower(cx, argument) for argument in arguments]
    index = lowered[0] if len(lowered) == 1 else cx.emit(Op.ARRAY, cx.list_of(lowered), -1, Display.TUPLE, node.start_byte)
    return cx.emit(Op.INDEX, value, index, 0, node.start_byte)


def _quoted(cx: PythonContext, node: Node) -> int:
    """Lower `"list[Node]"`: the text is parsed where it stands, so that its names have their places."""
    content = [child for child in node.named_children if KINDS[child.kind_id] == "string_content"]
    if len(content) != 1 or node.start_byte < 0:
        return lower_expression(cx, node)
    lowered = lower_written_type(cx, content[0].start_byte, content[0].end_byte)
    return lowered if lowered >= 0 else lower_expression(cx, node)


def lower_written_type(cx: PythonContext, start: int, end: int) -> int:
    """Lower the type that a string or a comment has from one offset to another; -1 if the text is none."""
    text = between(cx.data, start, end)
    if not text or len(text) > _MAX_QUOTED or b"\\" in text or b"\n" in text:
        return -1
    tree = Parser(GRAMMAR).parse(b"(" + text + b")")
    root = tree.root_node
    statement = root.named_children[0] if not root.has_error and len(root.named_children) == 1 else None
    if statement is None or KINDS[statement.kind_id] != "expression_statement" or len(statement.named_children) != 1:
        return -1
    # Nodes of the small tree have offsets in its own text, so that text is read in place of the file's.
    data, flow = cx.data, cx.flow
    cx.data, cx.flow = b"(" + text + b")", Flow()
    cx.flow.leave()
    first = len(cx.code)
    try:
        inner = statement.named_children[0]
        parts = inner.named_children if KINDS[inner.kind_id] == "parenthesized_expression" else [inner]
        lowered = lower_annotation(cx, parts[0]) if len(parts) == 1 else lower_annotation(cx, inner)
    finally:
        cx.data, cx.flow = data, flow
    for place in range(first + 4, len(cx.code), 5):
        cx.code[place] += start - 1
    return lowered


# ---------------------------------------------------------------------- assignment


def assign(cx: PythonContext, target: Node, value: int, annotation: int = -1) -> None:
    """Bind what a target of an assignment names to a value."""
    kind = KINDS[target.kind_id]
    if kind == "identifier":
        name = cx.name_of(target)
        if cx.py_scope.kind == ScopeKind.CLASS:
            note_assignment(cx, target)
        binding = cx.binding_to_write(name)
        cx.declare(binding, DeclKind.VARIABLE, name, annotation, value, 0, target.start_byte)
        if annotation < 0 and name in cx.py_scope.names:
            hold_items(cx, name, value)
    elif kind in _SEVERAL_TARGETS:
        parts = [child for child in target.named_children if KINDS[child.kind_id] != "comment"]
        if kind == "parenthesized_expression" and len(parts) == 1:
            _ASSIGN[0](cx, parts[0], value)
            return
        rest = next((index for index, part in enumerate(parts) if KINDS[part.kind_id] == "list_splat_pattern"), len(parts))
        for index, part in enumerate(parts):
            if KINDS[part.kind_id] == "list_splat_pattern":
                inner = next(iter(part.named_children), None)
                op = Op.REST_ELEMENT
            else:
                inner, op = part, Op.ELEMENT
            if inner is not None:
                place = index if index <= rest else index - len(parts)
                _ASSIGN[0](cx, inner, cx.emit(op, value, -1, place, inner.start_byte))
    elif kind == "attribute":
        _assign_member(cx, target, value, annotation)
    elif kind == "subscript":
        _assign_item(cx, target, value)
    elif kind == "as_pattern_target" and target.named_children:
        _ASSIGN[0](cx, target.named_children[0], value)
    else:
        lower_expression(cx, target)


def _assign_item(cx: PythonContext, target: Node, value: int) -> None:
    """Bind an item of a container: what is known of other items may be of the same one, unless its index is constant."""
    index = _index(cx, target)
    if cx.code[index] != Op.INDEX:
        return
    cx.code[index + 3] = WRITTEN
    container = target.child_by_field_name("value")
    if container is not None and value >= 0:
        note_added(cx, container, cx.emit(Op.ASSIGN, index, value, -1, target.start_byte))
    key = cx.key_of(target)
    if not key:
        cx.flow.forget_chains((), (ITEMS,))
    elif value >= 0:
        cx.flow.hold(key, (value,))


def _assign_member(cx: PythonContext, target: Node, value: int, annotation: int) -> None:
    inner, attribute = attribute_parts(target)
    if attribute is None:
        lower_expression(cx, target)
        return
    owner = lower_expression(cx, inner)
    cx.emit(Op.MEMBER, owner, cx.string(cx.bytes_of(attribute)), WRITTEN, attribute.start_byte)
    scope = cx.function_scope()
    while scope.parent is not None and not scope.receiver:
        scope = scope.parent
    if inner is not None and KINDS[inner.kind_id] == "identifier" and scope.receiver == cx.name_of(inner) and scope.shape >= 0:
        add_attribute(cx, scope.shape, attribute, value, annotation, is_static=scope.receiver_is_class)
    key = cx.key_of(target)
    if key and value >= 0:
        cx.flow.hold(key, (value,))


def note_assignment(cx: PythonContext, name: Node) -> None:
    """Note which statement assigns to an attribute of a class: perhaps only its name, as in `for self.x in …`."""
    start, end = cx.assignment
    is_within = start <= name.start_byte < end
    cx.assigned_to[name.start_byte] = cx.assignment if is_within else (name.start_byte, name.end_byte)


def add_attribute(cx: PythonContext, shape: int, name: Node, value: int, annotation: int, *, is_static: bool) -> None:
    """Add an attribute that a method assigns to its receiver."""
    note_assignment(cx, name)
    member = Member(cx.name_of(name), MemberKind.PROPERTY, is_static, False, -1, -1, annotation, value, name.start_byte, -1)
    cx.shapes[shape].members.append(member)


_LOWERINGS: Final[dict[str, Lowering]] = {
    "identifier": _name,
    "attribute": _member,
    "call": _call,
    "list_splat": _list_splat,
    "dictionary_splat": _dictionary_splat,
    "parenthesized_list_splat": _list_splat,
    "subscript": _subscript,
    "slice": _slice,
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
    "lambda": _lambda,
    "keyword_argument": _keyword_argument,
    "type": _type,
    "generic_type": _generic,
    "union_type": _union,
}
#: What lowers the nodes of types otherwise than those of values.
_TYPES: Final[dict[str, Lowering]] = {
    "type": _type,
    "string": _quoted,
    "generic_type": _generic,
    "subscript": _generic,
    "member_type": _generic,
    "union_type": _union,
    "binary_operator": _union,
    "list": _list_of_types,
    "tuple": _tuple_of_types,
}
#: The tables by `Node.kind_id`. Functions that call each other without an end call through tables, where the interpreter
#: counts the calls: compiled, direct calls would fill the stack and end the process.
_BY_KIND: Final[dict[int, Lowering]] = {number: _LOWERINGS.get(kind, _children) for number, kind in KINDS.items()}
_TYPES_BY_KIND: Final[dict[int, Lowering]] = {**_BY_KIND, **{n: _TYPES[kind] for n, kind in KINDS.items() if kind in _TYPES}}
_ASSIGN: Final[dict[int, Callable[[PythonContext, Node, int], None]]] = {0: assign}
