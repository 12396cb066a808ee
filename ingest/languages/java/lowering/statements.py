"""Lower statements: the expressions in them, and the variables that they declare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind
from ....facts.operations import ContextKind, Op
from .annotations import lower_annotations
from .context import JavaContext
from .declarations import TYPE_DECLARATIONS, bind_type, lower_type_declaration
from .expressions import expect, lower_expression, lower_given, lower_pattern
from .grammar import child_of_kind, kind_of, parts_of
from .lombok import is_value
from .types import arrays_of, lower_type


def lower_block(cx: JavaContext, node: Node, result: int = -1) -> None:
    """Lower the statements of a block in a new scope. `result` is the declared result type of the method around the block."""
    outer = cx.enter()
    returns = len(cx.returns) if cx.returns is not None else 0
    lower_statements(cx, parts_of(node))
    if result >= 0 and cx.returns is not None:
        for value in cx.returns[returns:]:
            expect(cx, value, ContextKind.ANNOTATED, result)
    cx.visible = outer


def lower_statements(cx: JavaContext, nodes: Sequence[Node]) -> None:
    """Lower statements in the innermost scope."""
    for node in nodes:
        lower_statement(cx, node)


def lower_statement(cx: JavaContext, node: Node) -> None:
    """Lower a statement. If the grammar could not read the statement, lower its readable parts."""
    kind = kind_of(node)
    if kind in TYPE_DECLARATIONS:
        bind_type(cx, node)
        name = node.child_by_field_name("name")
        if name is not None:
            cx.local_types.add(cx.visible.types[cx.name_of(name)])
        lower_type_declaration(cx, node)
        return
    lower = _LOWER.get(kind)
    if lower is not None:
        lower(cx, node)
    else:
        lower_expression(cx, node)


def _block(cx: JavaContext, node: Node) -> None:
    lower_block(cx, node)


def _lower_inner(cx: JavaContext, node: Node) -> None:
    lower_statements(cx, [child for child in parts_of(node) if kind_of(child) != "identifier"])


def _expression(cx: JavaContext, node: Node) -> None:
    for child in parts_of(node):
        lower_statement(cx, child)


def _variables(cx: JavaContext, node: Node) -> None:
    lower_annotations(cx, node)
    for declarator in node.children_by_field_name("declarator"):
        name = declarator.child_by_field_name("name")
        if name is None:
            continue
        written = node.child_by_field_name("type")
        kind = -1 if is_value(cx, written) else arrays_of(cx, lower_type(cx, written), declarator, name.start_byte)
        value = lower_given(cx, declarator.child_by_field_name("value"), kind)
        cx.declare(DeclKind.VARIABLE, cx.name_of(name), kind, value, -1, name.start_byte)


def _return(cx: JavaContext, node: Node) -> None:
    for child in parts_of(node):
        value = lower_expression(cx, child)
        if cx.returns is not None and value >= 0:
            cx.returns.append(value)


def _scoped(cx: JavaContext, node: Node) -> None:
    outer = cx.enter()
    for child in parts_of(node):
        lower_statement(cx, child)
    cx.visible = outer


def _for_each(cx: JavaContext, node: Node) -> None:
    outer = cx.enter()
    value = lower_expression(cx, node.child_by_field_name("value"))
    kind = lower_type(cx, node.child_by_field_name("type"))
    name = node.child_by_field_name("name")
    if name is not None:
        kind = arrays_of(cx, kind, node, name.start_byte)
        item = cx.emit(Op.ITERATED, value, -1, 0, name.start_byte)
        cx.declare(DeclKind.VARIABLE, cx.name_of(name), kind, item, -1, name.start_byte)
    body = node.child_by_field_name("body")
    if body is not None:
        lower_statement(cx, body)
    cx.visible = outer


def _try(cx: JavaContext, node: Node) -> None:
    outer = cx.enter()
    for child in parts_of(node):
        kind = kind_of(child)
        if kind == "resource_specification":
            for resource in parts_of(child):
                _resource(cx, resource)
        elif kind in ("catch_clause", "finally_clause"):
            inner = cx.visible
            cx.visible = outer  # `catch` and `finally` are outside of the scope of the resources
            _clause(cx, child)
            cx.visible = inner
        else:
            lower_statement(cx, child)
    cx.visible = outer


def _resource(cx: JavaContext, node: Node) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        for child in parts_of(node):
            lower_expression(cx, child)
        return
    kind = lower_type(cx, node.child_by_field_name("type"))
    given = lower_given(cx, value, kind)
    cx.declare(DeclKind.VARIABLE, cx.name_of(name), kind, given, -1, name.start_byte)


def _clause(cx: JavaContext, node: Node) -> None:
    outer = cx.enter()
    for child in parts_of(node):
        if kind_of(child) == "catch_formal_parameter":
            name = child.child_by_field_name("name")
            kind = lower_type(cx, child_of_kind(child, "catch_type"))
            if name is not None:
                cx.declare(DeclKind.VARIABLE, cx.name_of(name), kind, -1, -1, name.start_byte)
        else:
            lower_statement(cx, child)
    cx.visible = outer


def lower_switch(cx: JavaContext, node: Node) -> int:
    """Lower a `switch`, and return its value if it is an expression."""
    subject = lower_expression(cx, node.child_by_field_name("condition"))
    outer = cx.enter()
    returns, given = cx.returns, list[int]()
    for group in parts_of(node.child_by_field_name("body")):
        is_rule = kind_of(group) == "switch_rule"
        inner = cx.enter() if is_rule else cx.visible
        for child in parts_of(group):
            if kind_of(child) == "switch_label":
                _label(cx, child, subject)
            elif is_rule and kind_of(child) == "expression_statement":
                given += [lower_expression(cx, each) for each in parts_of(child)]
            else:
                _lower_yielding(cx, child, given)
        if is_rule:
            cx.visible = inner
    cx.visible, cx.returns = outer, returns
    given = [each for each in given if each >= 0]
    made = cx.emit(Op.PHI, cx.list_of(given), -1, -1, node.start_byte)
    for value in given:
        expect(cx, value, ContextKind.SAME, made)
    return made


def _lower_yielding(cx: JavaContext, node: Node, given: list[int]) -> None:
    """Lower a statement in a `switch`, and collect the values that it yields, directly or in its block."""
    if kind_of(node) == "block":
        outer = cx.enter()
        for child in parts_of(node):
            _lower_yielding(cx, child, given)
        cx.visible = outer
    elif kind_of(node) == "yield_statement":
        given += [lower_expression(cx, each) for each in parts_of(node)]
    else:
        lower_statement(cx, node)


def _label(cx: JavaContext, node: Node, subject: int) -> None:
    for child in parts_of(node):
        kind = kind_of(child)
        if kind in ("pattern", "type_pattern", "record_pattern"):
            lower_pattern(cx, child, subject)
        elif kind == "guard":
            for each in parts_of(child):
                lower_expression(cx, each)
        elif kind == "identifier":
            # The label is a constant of an enum, or a constant in scope, depending on the type of the subject.
            cx.emit(Op.LABEL, subject, cx.string(cx.bytes_of(child)), cx.shape, child.start_byte)
        else:
            lower_expression(cx, child)


def _switch(cx: JavaContext, node: Node) -> None:
    lower_switch(cx, node)


def _skip(cx: JavaContext, node: Node) -> None:
    """Lower a statement that consists only of a label."""


_LOWER: Final[dict[str, Callable[[JavaContext, Node], None]]] = {
    "block": _block,
    "constructor_body": _block,
    "expression_statement": _expression,
    "local_variable_declaration": _variables,
    "return_statement": _return,
    "yield_statement": _expression,
    "for_statement": _scoped,
    "enhanced_for_statement": _for_each,
    "try_statement": _try,
    "try_with_resources_statement": _try,
    "switch_expression": _switch,
    "labeled_statement": _lower_inner,
    "break_statement": _skip,
    "continue_statement": _skip,
    "if_statement": _expression,
    "while_statement": _expression,
    "do_statement": _expression,
    "synchronized_statement": _expression,
    "ERROR": _expression,
}
