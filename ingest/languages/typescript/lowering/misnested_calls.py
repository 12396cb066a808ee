"""Repair calls and members after an operator whose operand has type arguments or a `!`: `await f<T>(x)`, `a + b!.c(x)`.

For the grammar, the whole text before the `<` or the `!` is the callee or object, including the operator. This module finds the
true callee or object and applies the operators to the result.
"""

from __future__ import annotations

from tree_sitter import Node

from ....facts.operations import ContextKind, Logic, Op
from .context import Context
from .dispatch import inner_nodes, lower_expression
from .operators import LOGIC, combine, combine_unary

#: Operators with a lower precedence than a call.
MISNESTED = frozenset(("await_expression", "unary_expression", "binary_expression"))

#: Node types that continue a chain, and the field with the continued part.
_CHAINED = {"member_expression": "object", "subscript_expression": "object", "call_expression": "function"}


def true_callee(callee: Node) -> tuple[Node, list[Node]]:
    """Return the innermost right operand, which is the callee, and the operators around it, outermost first."""
    operators: list[Node] = []
    while callee.type in MISNESTED:
        inner = inner_nodes(callee)
        if not inner:
            break
        operators.append(callee)
        callee = inner[-1]
    return callee, operators


def apply_operators(cx: Context, call: int, operators: list[Node]) -> int:
    """Apply operators to a call and return the outermost node."""
    value = call
    for node in reversed(operators):
        left = node.child_by_field_name("left") if node.type == "binary_expression" else None
        value = _apply_operator(cx, node, lower_expression(cx, left) if left is not None else -1, value)
    return value


def true_operand(cx: Context, node: Node, inner: Node) -> Node:
    """Return the operand that the `!` of a node follows.

    The operators around the operand are applied at the end of the chain that begins with the operand. Their left sides are
    lowered here, because they narrow the operand.
    """
    operand, operators = true_callee(inner)
    mark = cx.guard_mark()
    lefts = []
    for operator in operators:
        left = operator.child_by_field_name("left") if operator.type == "binary_expression" else None
        lefts.append(lower_expression(cx, left) if left is not None else -1)
        logic = LOGIC.get(_operator(operator)) if left is not None else None
        if logic is not None and logic != Logic.NULLISH:
            cx.guard(lefts[-1], logic == Logic.AND)
    end = _end_of_chain(node)
    cx.waiting[end.start_byte, end.end_byte] = (operators, lefts, mark)
    return operand


def waiting_operators(cx: Context, node: Node, value: int) -> int:
    """Apply the operators before a chain to the value at the end of the chain."""
    waiting = cx.waiting.pop((node.start_byte, node.end_byte), None)
    if waiting is None:
        return value
    operators, lefts, mark = waiting
    cx.release_guards(mark)
    for operator, left in zip(reversed(operators), reversed(lefts), strict=True):
        value = _apply_operator(cx, operator, left, value)
    return value


def _end_of_chain(node: Node) -> Node:
    """Return the last member, call or `!` of the chain that begins with a node."""
    while (parent := node.parent) is not None:
        if parent.type != "non_null_expression":
            field = _CHAINED.get(parent.type)
            first = parent.child_by_field_name(field) if field is not None else None
            if first is None or first.id != node.id:
                break
        node = parent
    return node


def _apply_operator(cx: Context, node: Node, left: int, value: int) -> int:
    """Apply one operator to a value; `left` is the left side of a binary operator."""
    if node.type == "await_expression":
        made = cx.emit(Op.AWAIT, value, -1, -1, node.start_byte)
        cx.expect(value, ContextKind.AWAITED, made)
        return made
    if node.type == "unary_expression":
        return combine_unary(cx, value, _operator(node), node.start_byte)
    return combine(cx, left, value, _operator(node), node.start_byte)


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""
