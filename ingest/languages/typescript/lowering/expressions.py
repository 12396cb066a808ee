"""Lower expressions."""

from __future__ import annotations

import re

from tree_sitter import Node

from ....facts.operations import TAKES_CONTEXT, Cast, ContextKind, Logic, Op, Result, ThisKind
from ....symbols.byte_ranges import between
from ....symbols.states import SymbolState
from ..parsing.blanked_arguments import read_blanked_arguments
from .classes import lower_class, lower_class_value
from .context import Context
from .dispatch import (
    EXPRESSIONS,
    Lowering,
    first_inner,
    grammar_tables,
    inner_nodes,
    lower_expression,
    lower_expressions,
    lower_type,
    lower_type_list,
    lower_unknown,
    two_fields,
)
from .functions import FUNCTION_NODES, describe_function, lower_bound_function, lower_function_value, unwrapped
from .imports import lower_dynamic_import, lower_require, note_immediate, string_value, unquoted
from .jsx import lower_jsx, lower_jsx_value
from .misnested_calls import MISNESTED, apply_operators, true_callee, true_operand, waiting_operators
from .objects import lower_object
from .operators import LOGIC, lower_operation, lower_unary
from .patterns import assign_pattern, mark_written, note_assignment

_MEMBER, _ARGUMENT, _OPTIONAL = Op.MEMBER, ContextKind.ARGUMENT, "optional_chain"
#: Nodes whose templates may be names of members: a key in brackets, and the variable of such a key.
_WITH_NAMES = frozenset(("subscript_expression", "variable_declarator"))
_NAME_PART = re.compile(rb"[\w$]+")
#: Maximum length of a template that is read as a URL, in bytes.
_MAX_URL = 500


def _this(cx: Context, node: Node) -> int:
    function = cx.this_function if cx.this_kind == ThisKind.OBJECT else -1
    made = cx.emit(Op.THIS, cx.this_kind, cx.this_index, function, node.start_byte)
    return cx.narrowed(made, "this")


def _super(cx: Context, node: Node) -> int:
    return cx.emit(Op.SUPER, cx.this_kind, cx.this_index, -1, node.start_byte)


def _member(cx: Context, node: Node) -> int:
    parts = node.children
    if len(parts) != 3:
        return _commented_member(cx, node)
    target, name = parts[0], parts[2]
    value = cx.tables.expressions[target.kind_id](cx, target)
    start = name.start_byte
    string = cx.string(between(cx.data, start, name.end_byte))
    # Two tokens may be between target and name. Only `?.` is a named node in the grammar.
    made = cx.emit(_MEMBER, value, string, int(parts[1].is_named), start)
    if cx.guarded and cx.strings[string] in cx.guarded_ends:
        made = cx.narrowed(made)
    return waiting_operators(cx, node, made) if cx.waiting else made


def _commented_member(cx: Context, node: Node) -> int:
    """Lower a member with comments between its parts, or a broken member."""
    target, name = two_fields(node, "object", "property")
    if target is None or name is None:
        return lower_unknown(cx, node)
    value = lower_expression(cx, target)
    optional = any(part.type == _OPTIONAL for part in node.children)
    made = cx.emit(_MEMBER, value, cx.string(cx.bytes_of(name)), int(optional), name.start_byte)
    made = cx.narrowed(made) if cx.guarded else made
    return waiting_operators(cx, node, made) if cx.waiting else made


def _subscript(cx: Context, node: Node) -> int:
    target, index = node.child_by_field_name("object"), node.child_by_field_name("index")
    if target is None or index is None:
        return lower_unknown(cx, node)
    value = lower_expression(cx, target)
    made = cx.narrowed(cx.emit(Op.INDEX, value, lower_expression(cx, index), 0, index.start_byte))
    return waiting_operators(cx, node, made) if cx.waiting else made


def _type_arguments(cx: Context, node: Node) -> int:
    return lower_type_list(cx, node.child_by_field_name("type_arguments"))


def lower_arguments(cx: Context, node: Node) -> list[int]:
    """Lower the arguments of a call, including spreads."""
    return lower_expressions(cx, node)


def _call(cx: Context, node: Node) -> int:
    parts = node.children
    is_plain = len(parts) == 2
    callee, arguments = (parts[0], parts[1]) if is_plain else two_fields(node, "function", "arguments")
    if callee is None or arguments is None:
        return lower_unknown(cx, node)
    kind = cx.tables.kinds[callee.kind_id]
    if kind == "import":
        return lower_dynamic_import(cx, node, arguments)
    if kind == "identifier" and cx.bytes_of(callee) == b"require":
        made = lower_require(cx, node, arguments)
        if made >= 0:
            return made
    elif not cx.frame.deferred:
        note_immediate(cx, callee, kind, arguments)
    if cx.tables.kinds[arguments.kind_id] == "template_string":
        return _tagged(cx, node, callee, arguments)
    operators: list[Node] = []
    position, end = node.start_byte, callee.end_byte
    if kind in MISNESTED:
        callee, operators = true_callee(callee)
        kind, position = callee.type, callee.start_byte
    target = EXPRESSIONS.get(kind, lower_unknown)(cx, callee)
    given = lower_expressions(cx, arguments)
    types = -1 if is_plain else _type_arguments(cx, node)
    if types < 0 and not is_plain and cx.is_repaired:
        types = _blanked_arguments(cx, end, arguments.start_byte)
    call = finish_call(cx, Op.CALL, target, given, types, position)
    if cx.waiting:
        call = waiting_operators(cx, node, call)
    return apply_operators(cx, call, operators) if operators else call


def finish_call(cx: Context, op: int, callee: int, arguments: list[int], type_arguments: int, position: int) -> int:
    """Emit a call, and record the call and the position of each argument."""
    made = cx.emit(op, callee, cx.list_of(arguments), type_arguments, position)
    code, contexts = cx.code, cx.contexts
    if code[callee] == Op.FUNCTION:
        cx.expect(callee, ContextKind.CALLED, made)
    for index, argument in enumerate(arguments):
        if code[argument] in TAKES_CONTEXT:
            contexts[argument] = (_ARGUMENT, made, index)
    cx.calls.append(made)
    return made


def _blanked_arguments(cx: Context, start: int, end: int) -> int:
    """Lower the type arguments between a tag and its template, or before `?.(`, which an edit blanked before the parse."""
    gap = between(cx.source, start, end)
    written = gap.lstrip()
    if not written.startswith(b"<"):
        return -1
    known = cx.blanked_arguments
    if known is None or known.source is not cx.source:
        known = cx.blanked_arguments = read_blanked_arguments(cx.source)
    node = known.nodes.get(start + len(gap) - len(written))
    if node is None:
        return -1
    outer = cx.data, cx.tables
    cx.data, cx.tables = known.parsed.data, grammar_tables(known.parsed.tree.language)
    made = lower_type_list(cx, node)
    cx.data, cx.tables = outer
    return made


def _tagged(cx: Context, node: Node, callee: Node, template: Node) -> int:
    target = lower_expression(cx, callee)
    parts = _substitutions(cx, template)
    arguments = _type_arguments(cx, node)
    if arguments < 0:
        arguments = _blanked_arguments(cx, callee.end_byte, template.start_byte)
    made = cx.emit(Op.TAGGED, target, cx.list_of(parts), arguments, node.start_byte)
    cx.calls.append(made)
    return waiting_operators(cx, node, made) if cx.waiting else made


def _substitutions(cx: Context, template: Node) -> list[int]:
    found = []
    for child in template.named_children:
        if child.type == "template_substitution":
            found += [lower_expression(cx, inner) for inner in child.named_children if inner.type != "comment"]
    return found


def _new(cx: Context, node: Node) -> int:
    callee = node.child_by_field_name("constructor")
    if callee is None:
        return lower_unknown(cx, node)
    target = lower_expression(cx, callee)
    arguments = node.child_by_field_name("arguments")
    lowered = lower_arguments(cx, arguments) if arguments is not None else []
    return finish_call(cx, Op.NEW, target, lowered, _type_arguments(cx, node), node.start_byte)


def _parenthesized(cx: Context, node: Node) -> int:
    cast = cx.documented.cast(cx, node) if cx.documented is not None else None
    if cast is not None:
        return cast
    inner = inner_nodes(node)
    if len(inner) == 1:
        return lower_expression(cx, inner[0])
    if len(inner) == 2 and inner[1].type == "type_annotation":  # Flow's cast `(x: T)`
        return _cast(cx, inner[0], inner[1], Cast.AS, node.start_byte)
    return lower_unknown(cx, node)


def _array(cx: Context, node: Node) -> int:
    items = lower_expressions(cx, node)
    made = cx.emit(Op.ARRAY, cx.list_of(items), -1, -1, node.start_byte)
    for index, item in enumerate(items):
        cx.expect(item, ContextKind.ELEMENT, made, index)
    return made


def _string(cx: Context, node: Node) -> int:
    return cx.emit(Op.STRING, -1, cx.string(unquoted(cx.bytes_of(node))), -1, node.start_byte)


def _number(cx: Context, node: Node) -> int:
    text = cx.bytes_of(node)
    return cx.emit(Op.BIGINT if text.endswith(b"n") else Op.NUMBER, -1, cx.string(text), -1, node.start_byte)


def _template(cx: Context, node: Node) -> int:
    parts = _substitutions(cx, node)
    if not parts and node.named_child_count <= 1:
        return _string(cx, node)
    return cx.emit(Op.TEMPLATE, cx.list_of(parts), _text(cx, node, len(parts)), -1, node.start_byte)


def _text(cx: Context, template: Node, substitutions: int) -> int:
    """Return the string of a template that may be a URL, a path or the name of a member, with `{}` in place of each
    substitution; -1 for other templates.

    A template of substitutions alone may be a path: `${base}${path}`. The name of a member is a key, or the value of a variable.
    """
    start, end = template.start_byte, template.end_byte
    if end - start > _MAX_URL:
        return -1
    texts: list[bytes] = []
    start += 1
    for child in template.named_children:
        if child.type == "template_substitution":
            texts.append(between(cx.data, start, child.start_byte))
            start = child.end_byte
    texts.append(between(cx.data, start, end - 1))
    text = b"{}".join(texts)
    written = b"".join(texts)
    is_path = b"/" in written or not written
    is_whole = len(texts) == substitutions + 1
    is_url = is_whole and is_path and b"{}" not in written and len(text.split()) == 1
    parent = template.parent
    is_name = is_whole and parent is not None and parent.type in _WITH_NAMES and _NAME_PART.fullmatch(written) is not None
    return cx.string(text) if is_url or is_name else -1


def _constant(op: int, a: int = -1) -> Lowering:
    def lower(cx: Context, node: Node) -> int:
        return cx.emit(op, a, -1, -1, node.start_byte)

    return lower


def _meta(cx: Context, node: Node) -> int:
    is_import = cx.data.startswith(b"import", node.start_byte)
    return cx.emit(Op.META, int(is_import), -1, -1, node.start_byte)


def _spread(cx: Context, node: Node) -> int:
    inner = first_inner(node)
    value = lower_expression(cx, inner) if inner is not None else -1
    made = cx.emit(Op.SPREAD, value, -1, -1, node.start_byte)
    cx.expect(value, ContextKind.SPREAD, made)
    return made


def _ternary(cx: Context, node: Node) -> int:
    parts = node.children
    condition = parts[0] if len(parts) == 5 else node.child_by_field_name("condition")
    then, other = (parts[2], parts[4]) if len(parts) == 5 else two_fields(node, "consequence", "alternative")
    if condition is None or then is None or other is None:
        return lower_unknown(cx, node)
    test = lower_expression(cx, condition)
    mark = cx.guard_mark()
    cx.guard(test, True)
    yes = lower_expression(cx, then)
    cx.release_guards(mark)
    cx.guard(test, False)
    no = lower_expression(cx, other)
    cx.release_guards(mark)
    made = cx.emit(Op.CONDITIONAL, test, yes, no, node.start_byte)
    cx.expect(yes, ContextKind.SAME, made)
    cx.expect(no, ContextKind.SAME, made)
    return made


def _binary(cx: Context, node: Node) -> int:
    # Long chains such as `a + b + c + …` nest deeply to the left, so they are read in a loop without recursion.
    spine: list[tuple[Node, Node | None, Node | None]] = []
    left: Node | None = node
    while left is not None and cx.tables.kinds[left.kind_id] == "binary_expression":
        parts = left.children
        if len(parts) == 3:
            spine.append((left, parts[1], parts[2]))
            left = parts[0]
        else:
            spine.append((left, left.child_by_field_name("operator"), left.child_by_field_name("right")))
            left = left.child_by_field_name("left")
    value = lower_expression(cx, left) if left is not None else -1
    for part, operator, right in reversed(spine):
        if right is None or operator is None:
            return lower_unknown(cx, node)
        value = lower_operation(cx, value, operator.type, right, part.start_byte)
    return value


def _update(cx: Context, node: Node) -> int:
    argument = node.child_by_field_name("argument")
    value = lower_expression(cx, argument) if argument is not None else -1
    mark_written(cx, value)
    return cx.emit(Op.UNARY, value, -1, Result.NUMBER, node.start_byte)


def _assignment(cx: Context, node: Node) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return lower_unknown(cx, node)
    if left.type in ("object_pattern", "array_pattern"):
        value = lower_expression(cx, right)
        assign_pattern(cx, left, value)
        return value
    target = lower_expression(cx, left)
    mark_written(cx, target)
    state, bound, symbol = _assigned_state(cx, node, left, right), unwrapped(right), -1
    if state is None:
        value = lower_expression(cx, right)
    elif bound.type == "class":
        shape, symbol = lower_class(cx, bound, state, False)
        value = cx.emit_class(shape, bound.start_byte)
    else:
        symbol = cx.open_symbol(state)
        value = lower_bound_function(cx, bound, symbol)
        cx.close_symbol()
    if cx.documented is not None:
        value = cx.documented.assigned(cx, node, value)
    made = cx.emit(Op.ASSIGN, target, value, -1, node.start_byte)
    cx.expect(value, ContextKind.ASSIGNED, target)
    note_assignment(cx, target, value, symbol)
    return made


def _assigned_name(left: Node) -> Node | None:
    """Return the name to which `a = …`, `a.b = …` or `a["b"] = …` assigns, or None for a key that may change."""
    if left.type == "subscript_expression":
        index = left.child_by_field_name("index")
        return index if index is not None and index.type == "string" else None
    return left.child_by_field_name("property") if left.type == "member_expression" else left


def assigned_function(node: Node) -> bool:
    """Return whether an expression declares a function or class by assignment, as in `a.b = function () {}`."""
    if node.type != "assignment_expression":
        return False
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type not in ("identifier", "member_expression", "subscript_expression"):
        return False
    name = _assigned_name(left)
    if name is None or name.is_missing:  # `a. = function () {}`, half typed
        return False
    return unwrapped(right).type in FUNCTION_NODES or unwrapped(right).type == "class"


def _assigned_state(cx: Context, node: Node, left: Node, right: Node) -> SymbolState | None:
    """Return a symbol for `a.b = function () {}` and similar, or None if the value is not a function or class."""
    value = unwrapped(right)
    if not assigned_function(node):
        return None
    name = _assigned_name(left)
    if name is None or name.type not in ("identifier", "property_identifier", "private_property_identifier", "string"):
        return None
    own_name = value.child_by_field_name("name")
    is_module = cx.text(left) == "module.exports"
    written = string_value(cx, name).decode("utf-8", "replace") if name.type == "string" else cx.text(name)
    text = cx.text(left) if is_module and own_name is None else cx.text(own_name) if is_module and own_name else written
    state = SymbolState(
        text,
        "class" if value.type == "class" else "function",
        -1,
        node.start_byte,
        node.end_byte,
        node.start_byte,
        name.start_byte,
        has_body=True,
    )
    describe_function(cx, state, value, node.start_byte)
    return state


def _augmented(cx: Context, node: Node) -> int:
    left, right, operator = (node.child_by_field_name(f) for f in ("left", "right", "operator"))
    if left is None or right is None or operator is None:
        return lower_unknown(cx, node)
    target = lower_expression(cx, left)
    mark_written(cx, target)
    value = lower_expression(cx, right)
    logic = LOGIC.get(operator.type, Logic.OTHER)
    made = cx.emit(Op.ASSIGN, target, value, logic, node.start_byte)
    if logic != Logic.OTHER:
        cx.expect(value, ContextKind.ASSIGNED, target)
        note_assignment(cx, target, value)
    return made


def _await(cx: Context, node: Node) -> int:
    inner = first_inner(node)
    if inner is not None and not cx.frame.deferred:
        cx.immediate.add(inner.start_byte)
    value = lower_expression(cx, inner) if inner is not None else -1
    made = cx.emit(Op.AWAIT, value, -1, -1, node.start_byte)
    cx.expect(value, ContextKind.AWAITED, made)
    return made


def _yield(cx: Context, node: Node) -> int:
    inner = first_inner(node)
    value = lower_expression(cx, inner) if inner is not None else -1
    delegates = int(any(child.type == "*" for child in node.children))
    made = cx.emit(Op.YIELD, value, -1, delegates, node.start_byte)
    cx.frame.yields.append(made)
    return made


def _cast(cx: Context, value_node: Node, type_node: Node | None, cast: int, position: int) -> int:
    value = lower_expression(cx, value_node)
    if type_node is None or type_node.type == "const":
        made = cx.emit(Op.AS, value, -1, Cast.CONST, position)
        cx.expect(value, ContextKind.SAME, made)
        return made
    target = lower_type(cx, type_node)
    made = cx.emit(Op.AS, value, target, cast, position)
    cx.expect(value, ContextKind.ANNOTATED, target)
    return made


def _as(cx: Context, node: Node) -> int:
    inner = inner_nodes(node)
    if not inner:
        return lower_unknown(cx, node)
    cast = Cast.SATISFIES if node.type == "satisfies_expression" else Cast.AS
    return _cast(cx, inner[0], inner[1] if len(inner) > 1 else None, cast, node.start_byte)


def _type_assertion(cx: Context, node: Node) -> int:
    inner = inner_nodes(node)
    if len(inner) < 2:
        return lower_unknown(cx, node)
    types = [child for child in inner[0].named_children if child.type != "comment"]
    return _cast(cx, inner[1], types[0] if types else None, Cast.AS, node.start_byte)


def _non_null(cx: Context, node: Node) -> int:
    inner = inner_nodes(node)
    if not inner:
        return lower_unknown(cx, node)
    operand = true_operand(cx, node, inner[0]) if inner[0].type in MISNESTED else inner[0]
    value = lower_expression(cx, operand)
    made = cx.emit(Op.NON_NULL, value, -1, -1, operand.start_byte)
    cx.expect(value, ContextKind.SAME, made)
    return waiting_operators(cx, node, made) if cx.waiting else made


def _sequence(cx: Context, node: Node) -> int:
    items = lower_expressions(cx, node)
    made = cx.emit(Op.SEQUENCE, cx.list_of(items), -1, -1, node.start_byte)
    if items:
        cx.expect(items[-1], ContextKind.SAME, made)
    return made


def _instantiation(cx: Context, node: Node) -> int:
    inner = [child for child in node.named_children if child.type not in ("comment", "type_arguments")]
    if not inner:
        return lower_unknown(cx, node)
    value = lower_expression(cx, inner[0])
    return cx.emit(Op.INSTANTIATION, value, _type_arguments(cx, node), -1, node.start_byte)


EXPRESSION_TABLE: dict[str, Lowering] = {
    "identifier": Context.identifier,
    "undefined": _constant(Op.UNDEFINED),
    "this": _this,
    "super": _super,
    "member_expression": _member,
    "subscript_expression": _subscript,
    "call_expression": _call,
    "new_expression": _new,
    "parenthesized_expression": _parenthesized,
    "arrow_function": lower_function_value,
    "function_expression": lower_function_value,
    "generator_function": lower_function_value,
    "class": lower_class_value,
    "object": lower_object,
    "array": _array,
    "string": _string,
    "template_string": _template,
    "number": _number,
    "true": _constant(Op.BOOLEAN, 1),
    "false": _constant(Op.BOOLEAN, 0),
    "null": _constant(Op.NULL),
    "regex": _constant(Op.REGEX),
    "meta_property": _meta,
    "spread_element": _spread,
    "ternary_expression": _ternary,
    "binary_expression": _binary,
    "unary_expression": lower_unary,
    "update_expression": _update,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
    "await_expression": _await,
    "yield_expression": _yield,
    "as_expression": _as,
    "satisfies_expression": _as,
    "type_assertion": _type_assertion,
    "non_null_expression": _non_null,
    "sequence_expression": _sequence,
    "instantiation_expression": _instantiation,
    "jsx_element": lower_jsx,
    "jsx_self_closing_element": lower_jsx,
    "jsx_fragment": lower_jsx,
    "jsx_expression": lower_jsx_value,
}
