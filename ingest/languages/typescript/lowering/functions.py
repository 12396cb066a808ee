"""Lower functions of every form: parameters, type parameters, results and bodies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from ....facts.model import Decl, DeclKind, Function, Meaning, Parameter
from ....facts.nodes import bare_reference
from ....facts.operations import ContextKind, Op, ThisKind, Use
from ....symbols.byte_ranges import between
from ....symbols.headers import header
from ....symbols.states import FunctionFrame, SymbolState
from .context import Context
from .dispatch import (
    EXPRESSIONS,
    STATEMENTS,
    first_inner,
    inner_nodes,
    last_inner,
    lower_annotation,
    lower_expression,
    lower_type,
    two_fields,
)
from .patterns import bind_pattern

FUNCTION_NODES = frozenset(("arrow_function", "function_expression", "generator_function"))

#: Maximum length in characters of the name of an anonymous function.
_MAX_NAME_LENGTH = 60


def describe_function(cx: Context, state: SymbolState, node: Node, start: int) -> None:
    """Fill in the signature, body and modifiers of the symbol of a function or class."""
    body = body_of(node)
    state.body = body.start_byte if body is not None else -1
    state.signature = header(cx, start, state.body if body is not None else node.end_byte).rstrip("; ")
    if node.child_count and node.children[0].type == "async" and "async" not in state.modifiers:
        state.modifiers.append("async")


#: Node types around an expression that do not change its value.
_AROUND = frozenset(
    ("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion")
)


def unwrapped(node: Node) -> Node:
    """Return the expression inside parentheses and casts."""
    while node.type in _AROUND:
        inner = last_inner(node) if node.type == "type_assertion" else first_inner(node)
        if inner is None:
            return node
        node = inner
    return node


def inner_function(cx: Context, node: Node | None) -> Node | None:
    """Return a value that is a function expression, without its parentheses and casts; None for other values."""
    if node is None:
        return None
    kind = cx.tables.kinds[node.kind_id]
    if kind in _AROUND:
        node = unwrapped(node)
        kind = node.type
    return node if kind in FUNCTION_NODES else None


class Operands(NamedTuple):
    """Further operands of a union or intersection, and its operation."""

    op: int
    types: Sequence[Node]


def body_of(node: Node) -> Node | None:
    """Return the body of a function or class; for an arrow function, its last child."""
    return node.children[-1] if node.type == "arrow_function" else node.child_by_field_name("body")


def lower_function(
    cx: Context,
    node: Node,
    symbol: int,
    this_kind: int = ThisKind.FUNCTION,
    this_index: int = -1,
    trailing: Sequence[Operands] = (),
) -> tuple[int, FunctionFrame]:
    """Lower a function-like node with its body. Return the index of the function and the frame of its body.

    An arrow function has the `this` of the code around it; a plain function has its own `this`. `trailing` are operands of a
    union or intersection with the result type.
    """
    kind = cx.tables.kinds[node.kind_id]
    is_arrow = kind == "arrow_function"
    index = len(cx.functions)
    fact = Function(symbol, [], [], -1, [], [], -1, False, False, is_arrow, False, False, node.start_byte)
    cx.functions.append(fact)
    outer_scope, outer_frame, outer_this = cx.scope, cx.frame, (cx.this_kind, cx.this_index, cx.this_function)
    if not is_arrow and kind in FUNCTION_NODES:
        _declare_own_name(cx, node, symbol, index)
    cx.open_scope(True)
    cx.frame = FunctionFrame(deferred=outer_frame.deferred or node.start_byte not in cx.immediate)
    cx.level += 1
    outer_members, cx.members_have_symbols = cx.members_have_symbols, False
    if not is_arrow:
        cx.this_kind = this_kind
        cx.this_index = index if this_kind == ThisKind.FUNCTION else this_index
        cx.this_function = index
    # One pass over the children and their types is faster than access to each field.
    children = node.children
    kinds = cx.tables.kinds
    parts = {kinds[child.kind_id]: child for child in children}
    fact.is_async = "async" in parts
    fact.is_generator = "*" in parts
    if "type_parameters" in parts:
        fact.type_parameters = lower_type_parameters(cx, parts["type_parameters"])
    if cx.documented is not None:
        cx.documented.enter_function(cx, node, index)
    parameters = parts.get("formal_parameters")
    if parameters is not None:
        for child in parameters.named_children:
            if (child_kind := kinds[child.kind_id]) != "comment":
                _lower_parameter(cx, child, child_kind, fact, index)
    elif (single := node.child_by_field_name("parameter")) is not None:
        _lower_parameter(cx, single, single.type, fact, index)
    annotation = parts.get("type_annotation")
    if annotation is None and not (is_arrow and len(children) == 3):
        annotation = node.child_by_field_name("type" if kind == "constructor_type" else "return_type")
    if annotation is not None:
        cx.members_have_symbols = outer_members
        fact.return_type = lower_annotation(cx, annotation)
        cx.members_have_symbols = False
    if fact.return_type < 0 and cx.documented is not None:
        fact.return_type = cx.documented.return_type(cx, index)
    for op, types in trailing:
        combined = [fact.return_type, *[lower_type(cx, part) for part in types]]
        fact.return_type = cx.emit(op, cx.list_of(combined), -1, -1, node.start_byte)
    body = children[-1] if is_arrow else parts.get("statement_block")
    if body is not None:
        fact.has_body = True
        _lower_body(cx, body, fact, index)
    frame = cx.frame
    fact.returns, fact.yields = frame.returns, frame.yields
    cx.scope, cx.frame = outer_scope, outer_frame
    cx.members_have_symbols = outer_members
    cx.level -= 1
    cx.this_kind, cx.this_index, cx.this_function = outer_this
    return index, frame


def _declare_own_name(cx: Context, node: Node, symbol: int, function: int) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        cx.open_scope()
        text = cx.text(name)
        cx.declare(text, Meaning.VALUE, Decl(DeclKind.FUNCTION, text, symbol, function, -1, -1, name.start_byte))


def _lower_body(cx: Context, body: Node, fact: Function, index: int) -> None:
    kind = cx.tables.kinds[body.kind_id]
    if kind == "statement_block":
        STATEMENTS[kind](cx, body)
        last = last_inner(body)
        fact.falls_through = last is None or last.type not in ("return_statement", "throw_statement")
    else:
        cx.frame.returns.append(EXPRESSIONS.get(kind, lower_expression)(cx, body))
    for value in cx.frame.returns:
        cx.expect(value, ContextKind.RETURN, index)
    for value in cx.frame.yields:
        cx.expect(cx.code[value + 1], ContextKind.YIELDED, index)


def lower_type_parameters(cx: Context, node: Node | None) -> list[int]:
    """Declare type parameters and return their declarations. All names are declared before a constraint is read."""
    if node is None:
        return []
    found = []
    for child in node.named_children:
        if child.type != "type_parameter":
            continue
        parts = child.children
        name = parts[0] if len(parts) == 1 else child.child_by_field_name("name")
        if name is not None:
            text = cx.text(name)
            constant = int(len(parts) > 1 and any(part.type == "const" for part in parts))
            decl = Decl(DeclKind.TYPE_PARAMETER, text, -1, -1, -1, constant, name.start_byte)
            found.append((child, decl, cx.declare(text, Meaning.TYPE, decl)))
    for child, decl, _ in found:
        if child.child_count > 1:
            decl.a = lower_annotation(cx, child.child_by_field_name("constraint"))
            decl.b = lower_annotation(cx, child.child_by_field_name("value"))
    return [index for _, _, index in found]


def _lower_parameter(cx: Context, node: Node, kind: str, fact: Function, index: int) -> None:
    # Most parameters are `a`, `a: T` or `a?: T`. Access to all possible fields of a parameter takes longer than the rest.
    pattern: Node | None = node
    annotation_node: Node | None = None
    default_node: Node | None = None
    is_plain = True
    if kind in ("required_parameter", "optional_parameter"):
        parts = node.children
        if len(parts) == 1:
            pattern = parts[0]
        elif cx.tables.kinds[parts[-1].kind_id] == "type_annotation" and (
            len(parts) == 2 or (len(parts) == 3 and cx.tables.kinds[parts[1].kind_id] == "?")
        ):
            pattern, annotation_node = parts[0], parts[-1]
        else:
            is_plain = False
            pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
            annotation_node, default_node = two_fields(node, "type", "value")
    if pattern is None:
        return
    annotation = lower_annotation(cx, annotation_node) if annotation_node is not None else -1
    pattern_kind = cx.tables.kinds[pattern.kind_id]
    if pattern_kind == "this":
        fact.this_type = annotation
        cx.this_kind, cx.this_index = ThisKind.FUNCTION, index
        return
    if pattern_kind == "assignment_pattern":
        default_node, pattern = pattern.child_by_field_name("right"), pattern.child_by_field_name("left") or pattern
        pattern_kind = pattern.type
    rest = pattern_kind == "rest_pattern"
    if rest and (bound := first_inner(pattern)) is not None:
        pattern, pattern_kind = bound, bound.type
    if annotation < 0 and cx.documented is not None:
        annotation = cx.documented.parameter_type(cx, index, node, pattern)
    default = lower_expression(cx, default_node) if default_node is not None else -1
    if not is_plain:
        for decorator in node.children_by_field_name("decorator"):
            lower_decorator(cx, decorator)
    name = cx.text(pattern) if pattern_kind == "identifier" else ""
    optional = kind == "optional_parameter" or default >= 0
    parameter = Parameter(name, -1, annotation, default, optional, rest)
    start = pattern.start_byte
    parameters = fact.parameters
    value = cx.emit(Op.PARAMETER, index, -1, len(parameters), start)
    parameters.append(parameter)
    if default >= 0:
        cx.expect(default, ContextKind.DEFAULT, value)
        if annotation < 0:
            value = cx.emit(Op.DEFAULTED, value, default, -1, start)
    if name:
        decl = Decl(DeclKind.PARAMETER, name, -1, annotation, value, index, start)
        parameter.decl = cx.declare(name, Meaning.VALUE, decl)
    else:
        _bind_parameter(cx, pattern, value, parameter, index)
    if not is_plain and parameter.decl >= 0 and is_parameter_property(node):
        cx.frame.properties.append((node, parameter.decl, annotation))


def _bind_parameter(cx: Context, pattern: Node, value: int, parameter: Parameter, index: int) -> None:
    """Declare the names in the pattern of a parameter."""

    def declare(target: Node, part: int) -> None:
        text = cx.text(target)
        decl = Decl(DeclKind.PARAMETER, text, -1, -1, part, index, target.start_byte)
        declared = cx.declare(text, Meaning.VALUE, decl)
        if target.id == pattern.id:
            decl.a = parameter.type
            parameter.decl = declared

    bind_pattern(cx, pattern, value, declare)


def is_parameter_property(node: Node) -> bool:
    """Return whether a parameter is also a property, as in `constructor(private x: T)`."""
    return any(child.type in ("accessibility_modifier", "readonly", "override_modifier") for child in node.children)


def lower_bound_function(cx: Context, node: Node, symbol: int, this_kind: int = ThisKind.FUNCTION, this_index: int = -1) -> int:
    """Lower a function expression that a variable, member or assignment names, and return its FUNCTION node.

    Inside, the function also sees its own name.
    """
    outer = cx.scope
    kind = node.type
    name = node.child_by_field_name("name") if kind in FUNCTION_NODES and kind != "arrow_function" else None
    if name is not None:
        cx.open_scope()
        text = cx.text(name)
        cx.declare(text, Meaning.VALUE, Decl(DeclKind.FUNCTION, text, symbol, len(cx.functions), -1, -1, name.start_byte))
    index, _ = lower_function(cx, node, symbol, this_kind, this_index)
    cx.scope = outer
    return cx.emit_function(index, node.start_byte)


def lower_inner_function(
    cx: Context, node: Node, function: Node, symbol: int, this_kind: int = ThisKind.FUNCTION, this_index: int = -1
) -> int:
    """Lower the value of a declaration: `function`, possibly in parentheses and casts."""
    if function == node:
        return lower_bound_function(cx, node, symbol, this_kind, this_index)
    cx.bound_functions[function.start_byte] = (symbol, this_kind, this_index)
    return lower_expression(cx, node)


def lower_function_value(cx: Context, node: Node) -> int:
    """Lower a function expression or arrow function that no declaration names.

    The function is a symbol if it has a name or its body spans lines.
    """
    held = cx.bound_functions.pop(node.start_byte, None) if cx.bound_functions else None
    if held is not None:
        return lower_bound_function(cx, node, *held)
    body = body_of(node)
    name = node.child_by_field_name("name") if node.type != "arrow_function" else None
    spans = body is not None and body.type == "statement_block" and body.end_point[0] > body.start_point[0]
    if not spans and name is None:
        index, _ = lower_function(cx, node, -1)
        return cx.emit(Op.FUNCTION, index, -1, -1, node.start_byte)
    made_up = name is None
    state = SymbolState(
        place_name(cx, node, "function") if name is None else cx.text(name),
        "function",
        -1,
        node.start_byte,
        node.end_byte,
        node.start_byte,
        (name or node).start_byte,
        has_body=True,
    )
    describe_function(cx, state, node, node.start_byte)
    if made_up:
        state.modifiers.append("callback")
    symbol = cx.open_symbol(state)
    index, _ = lower_function(cx, node, symbol)
    cx.close_symbol()
    return cx.emit(Op.FUNCTION, index, -1, -1, node.start_byte)


def place_name(cx: Context, node: Node, what: str) -> str:
    """Return a name for an anonymous function or class (`what`) by the place of its use."""
    parent = node.parent
    while parent is not None and parent.type in _TRANSPARENT:
        parent = parent.parent
    if parent is None:
        return f"anonymous {what}"
    kind = parent.type
    if kind == "arguments" and parent.parent is not None:
        return _callback_name(cx, parent.parent, parent) if what == "function" else f"anonymous {what}"
    if what == "function" and _is_called(cx, parent):
        return "body" if cx.symbol >= 0 and cx.symbols[cx.symbol].name == "IIFE" else "IIFE"
    if kind == "jsx_expression" and parent.parent is not None:
        return _markup_name(cx, parent.parent)
    if kind == "template_substitution":
        return _substitution_name(cx, parent)
    if kind in ("return_statement", "arrow_function", "yield_expression"):
        return f"returned {what}"
    if kind == "array":
        return f"{_owner_name(cx, parent) or 'array'} item"[:_MAX_NAME_LENGTH]
    owner = _named_by(cx, parent) if kind != "member_expression" else _owner_name(cx, parent)
    return (f"{owner} default" if kind in _DEFAULTED else owner)[:_MAX_NAME_LENGTH] or f"anonymous {what}"


def _is_called(cx: Context, parent: Node) -> bool:
    """Return whether a node immediately calls the function inside it, as `f()` and `f.call(this)` do, but not `f.bind(this)`."""
    if parent.type != "member_expression":
        return parent.type == "call_expression"
    outer, name = parent.parent, parent.child_by_field_name("property")
    return outer is not None and outer.type == "call_expression" and (name is None or cx.text(name) != "bind")


def _substitution_name(cx: Context, substitution: Node) -> str:
    """Name a function in `${…}`: "x handler" after the attribute before it, else "x part" after the tag of the template."""
    before = between(cx.source, max(0, substitution.start_byte - _MAX_NAME_LENGTH), substitution.start_byte)
    attribute = _ATTRIBUTE.search(before)
    if attribute is not None:
        return f"{attribute.group(1).decode('utf-8', 'replace')} handler"
    template = substitution.parent
    tagged = template.parent if template is not None else None
    tag = tagged.child_by_field_name("function") if tagged is not None else None
    while tag is not None and tag.type in ("call_expression", "member_expression"):
        tag = tag.child_by_field_name("function") or tag.child_by_field_name("object")
    return f"{cx.text(tag)} part" if tag is not None and tag.type == "identifier" else "template part"


#: An attribute before a function in a markup template.
_ATTRIBUTE = re.compile(rb"([@.?]?[A-Za-z][\w:.-]*)=[\"']?\Z")
#: Node types around a function that do not change its name.
_TRANSPARENT = frozenset(
    (
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "type_assertion",
        "ternary_expression",
        "binary_expression",
        "sequence_expression",
    )
)
#: Node types of parameters, and of parts of patterns, with a default.
_DEFAULTED = frozenset(("required_parameter", "optional_parameter", "assignment_pattern", "object_assignment_pattern"))
#: Node types between a list and the variable or property whose value is the list.
_LISTS = _TRANSPARENT | frozenset(("array", "arguments", "call_expression", "new_expression", "await_expression"))


def _named_by(cx: Context, node: Node) -> str:
    """Return the name of a variable, property, parameter or assignment target, or "" for any other node."""
    for field in ("name", "key", "property", "pattern", "left"):
        name = node.child_by_field_name(field)
        if name is not None:
            last = name.child_by_field_name("property") or name.child_by_field_name("index") or name
            return cx.text(last).split("\n", 1)[0].strip("'\"")
    return ""


def _owner_name(cx: Context, node: Node) -> str:
    """Return the name of the variable or property whose value is a list."""
    outer = node.parent
    while outer is not None and outer.type in _LISTS:
        outer = outer.parent
    return _named_by(cx, outer) if outer is not None else ""


def _markup_name(cx: Context, holder: Node) -> str:
    """Name a function in braces: "x handler" for the attribute `x`, "x child" for a child of the element `x`."""
    if holder.type == "jsx_attribute":
        return f"{cx.text(holder.named_children[0])} handler"
    opening = holder.child_by_field_name("open_tag")
    tag = opening.child_by_field_name("name") if opening is not None else None
    return f"{cx.text(tag)} child" if tag is not None else "child function"


def _callback_name(cx: Context, call: Node, arguments: Node) -> str:
    callee = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    if callee is None:
        return "callback"
    while callee.type == "call_expression" and (function := callee.child_by_field_name("function")) is not None:
        callee = function  # `it.each([1, 2])("adds", callback)`
    if callee.type == "member_expression":
        callee = callee.child_by_field_name("property") or callee
    name = cx.text(callee).splitlines()[0] if callee.type in ("identifier", "property_identifier") else ""
    given = first_inner(arguments) if name else None
    if given is not None and given.type in ("string", "template_string"):
        name = f"{name}({cx.text(given).splitlines()[0]})"
    around = cx.symbols[cx.symbol].name if cx.symbol >= 0 else ""
    is_one_call = around.count("(") <= 1
    if name and (around in (name, f"{name}()") or (is_one_call and around.endswith((f".{name}", f".{name}()", f" {name}()")))):
        return "callback"  # name of the statement that consists of this call
    return f"{name[:_MAX_NAME_LENGTH]} callback".strip()


def lower_function_type(cx: Context, node: Node) -> int:
    """Lower `(a: A) => B` in type position."""
    index, _ = lower_function(cx, node, -1)
    return cx.emit(Op.T_FUNCTION, index, -1, -1, node.start_byte)


def lower_constructor_type(cx: Context, node: Node, trailing: Sequence[Operands] = ()) -> int:
    """Lower `new (a: A) => B` in type position; `trailing` are operands of a union or intersection with B."""
    index, _ = lower_function(cx, node, -1, trailing=trailing)
    return cx.emit(Op.T_CONSTRUCTOR, index, -1, -1, node.start_byte)


def lower_decorator(cx: Context, node: Node) -> None:
    """Lower `@name`, `@name(…)` and `@(expression)`. The callee is the factory, or the decorator itself."""
    inner = inner_nodes(node)
    callee = inner[0].child_by_field_name("function") if inner else None
    if callee is not None and cx.bytes_of(callee) == b"@":
        # The repair of the grammar made `@_(expression)` of ` @(expression)`.
        arguments = inner[0].child_by_field_name("arguments")
        inner = inner_nodes(arguments) if arguments is not None else []
    if not inner:
        return
    value = lower_expression(cx, inner[0])
    reference = bare_reference(cx.code, value)
    if cx.code[reference] in (Op.NAME, Op.MEMBER):
        made = cx.emit(Op.DECORATOR, value, -1, -1, inner[0].start_byte)
        cx.calls.append(made)
        if cx.code[reference] == Op.NAME:
            cx.code[reference + 3] = Use.DECORATOR
