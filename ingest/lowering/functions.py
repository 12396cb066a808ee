"""Functions of every form: their parameters, type parameters, results and bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tree_sitter import Node

from ..facts import ContextKind, Decl, DeclKind, Function, Meaning, Op, Parameter, ThisKind
from .context import Context, FunctionFrame, SymbolState
from .dispatch import inner_nodes, lower_annotation, lower_expression, lower_statement, lower_type
from .headers import header
from .patterns import bind_pattern

FUNCTION_NODES = frozenset(("arrow_function", "function_expression", "generator_function"))

#: Longest name made up for an anonymous function.
_LONGEST_NAME = 60


def describe_function(cx: Context, state: SymbolState, node: Node, start: int) -> None:
    """Fill in what a symbol says about the function or class bound to it: signature, body, modifiers."""
    body = node.child_by_field_name("body")
    state.body = body.start_byte if body is not None else -1
    state.signature = header(cx, start, state.body if body is not None else node.end_byte)
    if node.child_count and node.children[0].type == "async" and "async" not in state.modifiers:
        state.modifiers.append("async")


class Operands(NamedTuple):
    """More operands of a union or intersection, by its operation."""

    op: int
    types: Sequence[Node]


def lower_function(
    cx: Context,
    node: Node,
    symbol: int,
    this_kind: int = ThisKind.FUNCTION,
    this_index: int = -1,
    behind: Sequence[Operands] = (),
) -> tuple[int, FunctionFrame]:
    """Lower a function-like node with its body; the function's index and what its body held.

    Arrow functions keep the `this` around them; a plain function gets its own, which is the function itself. `behind` is what
    the type of the result is combined with.
    """
    is_arrow = node.type == "arrow_function"
    index = len(cx.functions)
    fact = Function(symbol, [], [], -1, [], [], -1, False, False, is_arrow, False, False, node.start_byte)
    cx.functions.append(fact)
    outer_scope, outer_frame, outer_this = cx.scope, cx.frame, (cx.this_kind, cx.this_index)
    _declare_own_name(cx, node, symbol, index)
    cx.open_scope(True)
    cx.frame = FunctionFrame()
    cx.level += 1
    if not is_arrow:
        cx.this_kind = this_kind
        cx.this_index = index if this_kind == ThisKind.FUNCTION else this_index
    for child in node.children:
        kind = child.type
        if kind == "async":
            fact.is_async = True
        elif kind == "*":
            fact.is_generator = True
        elif kind == "formal_parameters":
            break
    if node.type in ("generator_function", "generator_function_declaration"):
        fact.is_generator = True
    fact.type_parameters = lower_type_parameters(cx, node.child_by_field_name("type_parameters"))
    if cx.documented is not None:
        cx.documented.enter_function(cx, node, index)
    _lower_parameters(cx, node, fact, index)
    fact.return_type = lower_annotation(cx, node.child_by_field_name("return_type"))
    if fact.return_type < 0 and cx.documented is not None:
        fact.return_type = cx.documented.return_type(cx, index)
    if fact.return_type < 0 and node.type in ("construct_signature", "constructor_type"):
        fact.return_type = lower_annotation(cx, node.child_by_field_name("type"))
    for op, types in behind:
        combined = [fact.return_type, *[lower_type(cx, part) for part in types]]
        fact.return_type = cx.emit(op, cx.list_of(combined), -1, -1, node.start_byte)
    body = node.child_by_field_name("body")
    if body is not None:
        fact.has_body = True
        _lower_body(cx, body, fact, index)
    frame = cx.frame
    fact.returns, fact.yields = frame.returns, frame.yields
    cx.scope, cx.frame = outer_scope, outer_frame
    cx.level -= 1
    cx.this_kind, cx.this_index = outer_this
    return index, frame


def _declare_own_name(cx: Context, node: Node, symbol: int, function: int) -> None:
    """The name of a function expression is visible inside it, whatever else the function is bound to."""
    name = node.child_by_field_name("name") if node.type in FUNCTION_NODES else None
    if name is not None:
        cx.open_scope()
        text = cx.text(name)
        cx.declare(text, Meaning.VALUE, Decl(DeclKind.FUNCTION, text, symbol, function, -1, -1, name.start_byte))


def _lower_body(cx: Context, body: Node, fact: Function, index: int) -> None:
    if body.type == "statement_block":
        lower_statement(cx, body)
        last = inner_nodes(body)[-1:]
        fact.falls_through = not last or last[0].type not in ("return_statement", "throw_statement")
    else:
        cx.frame.returns.append(lower_expression(cx, body))
    for value in cx.frame.returns:
        cx.expect(value, ContextKind.RETURN, index)
    for value in cx.frame.yields:
        cx.expect(cx.code[value + 1], ContextKind.YIELDED, index)


def lower_type_parameters(cx: Context, node: Node | None) -> list[int]:
    """Declare type parameters; their declarations. All names exist before a constraint is read."""
    if node is None:
        return []
    found = []
    for child in inner_nodes(node):
        name = child.child_by_field_name("name")
        if child.type == "type_parameter" and name is not None:
            text = cx.text(name)
            found.append(
                (child, cx.declare(text, Meaning.TYPE, Decl(DeclKind.TYPE_PARAMETER, text, -1, -1, -1, -1, name.start_byte)))
            )
    for child, decl in found:
        constraint, default = child.child_by_field_name("constraint"), child.child_by_field_name("value")
        cx.decls[decl].a = lower_annotation(cx, constraint)
        cx.decls[decl].b = lower_annotation(cx, default)
    return [decl for _, decl in found]


def _lower_parameters(cx: Context, node: Node, fact: Function, index: int) -> None:
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        single = node.child_by_field_name("parameter")
        if single is not None:
            _lower_parameter(cx, single, fact, index)
        return
    for child in inner_nodes(parameters):
        _lower_parameter(cx, child, fact, index)


def _lower_parameter(cx: Context, node: Node, fact: Function, index: int) -> None:
    wrapped = node.type in ("required_parameter", "optional_parameter")
    pattern = (node.child_by_field_name("pattern") or node.child_by_field_name("name")) if wrapped else node
    if pattern is None:
        return
    annotation = lower_annotation(cx, node.child_by_field_name("type")) if wrapped else -1
    if pattern.type == "this":
        fact.this_type = annotation
        cx.this_kind, cx.this_index = ThisKind.FUNCTION, index
        return
    default_node = node.child_by_field_name("value") if wrapped else None
    if pattern.type == "assignment_pattern":
        default_node, pattern = pattern.child_by_field_name("right"), pattern.child_by_field_name("left") or pattern
    rest = pattern.type == "rest_pattern"
    inner = inner_nodes(pattern)
    if rest and inner:
        pattern = inner[0]
    if annotation < 0 and cx.documented is not None:
        annotation = cx.documented.parameter_type(cx, index, node, pattern)
    default = lower_expression(cx, default_node) if default_node is not None else -1
    for decorator in node.children_by_field_name("decorator") if wrapped else ():
        lower_expression(cx, decorator)
    position = len(fact.parameters)
    optional = node.type == "optional_parameter" or default >= 0
    parameter = Parameter(cx.text(pattern) if pattern.type == "identifier" else "", -1, annotation, default, optional, rest)
    fact.parameters.append(parameter)
    value = cx.emit(Op.PARAMETER, index, -1, position, pattern.start_byte)
    cx.expect(default, ContextKind.DEFAULT, value)
    if default >= 0 and annotation < 0:
        value = cx.emit(Op.DEFAULTED, value, default, -1, pattern.start_byte)

    def declare(name: Node, part: int) -> None:
        text = cx.text(name)
        own_type = annotation if name.id == pattern.id else -1
        decl = cx.declare(text, Meaning.VALUE, Decl(DeclKind.PARAMETER, text, -1, own_type, part, index, name.start_byte))
        if name.id == pattern.id:
            parameter.decl = decl

    bind_pattern(cx, pattern, value, declare)
    if wrapped and is_parameter_property(node) and parameter.decl >= 0:
        cx.frame.properties.append((node, parameter.decl, annotation))


def is_parameter_property(node: Node) -> bool:
    """True for `constructor(private x: T)`."""
    return any(child.type in ("accessibility_modifier", "readonly", "override_modifier") for child in node.children)


def lower_bound_function(cx: Context, node: Node, symbol: int, this_kind: int = ThisKind.FUNCTION, this_index: int = -1) -> int:
    """A function expression that a variable, member or assignment names; its FUNCTION node. Inside, it also sees its own name."""
    outer = cx.scope
    name = node.child_by_field_name("name")
    if name is not None and node.type in FUNCTION_NODES:
        cx.open_scope()
        text = cx.text(name)
        cx.declare(text, Meaning.VALUE, Decl(DeclKind.FUNCTION, text, symbol, len(cx.functions), -1, -1, name.start_byte))
    index, _ = lower_function(cx, node, symbol, this_kind, this_index)
    cx.scope = outer
    return cx.emit_function(index, node.start_byte)


def lower_function_value(cx: Context, node: Node) -> int:
    """A function expression or arrow that no declaration names: a symbol of its own when its body spans lines."""
    body = node.child_by_field_name("body")
    name = node.child_by_field_name("name")
    spans = body is not None and body.type == "statement_block" and body.end_point[0] > body.start_point[0]
    if not spans and name is None:
        index, _ = lower_function(cx, node, -1)
        return cx.emit(Op.FUNCTION, index, -1, -1, node.start_byte)
    made_up = name is None
    state = SymbolState(
        _place_name(cx, node) if name is None else cx.text(name),
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


def _place_name(cx: Context, node: Node) -> str:
    """The name a person would give an anonymous function from its place."""
    parent = node.parent
    while parent is not None and parent.type in ("parenthesized_expression", "as_expression", "satisfies_expression"):
        node, parent = parent, parent.parent
    if parent is None:
        return "anonymous function"
    if parent.type == "arguments" and parent.parent is not None:
        return _callback_name(cx, parent.parent, parent)
    if parent.type == "call_expression":
        return "IIFE"
    if parent.type == "jsx_expression" and parent.parent is not None and parent.parent.type == "jsx_attribute":
        return f"{cx.text(parent.parent.named_children[0])} handler"
    if parent.type in ("return_statement", "arrow_function"):
        return "returned function"
    return "anonymous function"


def _callback_name(cx: Context, call: Node, arguments: Node) -> str:
    callee = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    if callee is None:
        return "callback"
    if callee.type == "member_expression":
        callee = callee.child_by_field_name("property") or callee
    name = cx.text(callee).splitlines()[0] if callee.type in ("identifier", "property_identifier") else ""
    given = inner_nodes(arguments)
    if name and given and given[0].type in ("string", "template_string"):
        name = f"{name}({cx.text(given[0]).splitlines()[0]})"
    return f"{name[:_LONGEST_NAME]} callback".strip()


def lower_function_type(cx: Context, node: Node) -> int:
    """`(a: A) => B` in type position."""
    index, _ = lower_function(cx, node, -1)
    return cx.emit(Op.T_FUNCTION, index, -1, -1, node.start_byte)


def lower_constructor_type(cx: Context, node: Node, behind: Sequence[Operands] = ()) -> int:
    """`new (a: A) => B` in type position; `behind` is what B is combined with."""
    index, _ = lower_function(cx, node, -1, behind=behind)
    return cx.emit(Op.T_CONSTRUCTOR, index, -1, -1, node.start_byte)
