"""Calls with type arguments behind an operator: `await f<T>(x)`, `!f<T>(x)`, `a + f<T>(x)`.

The grammar reads them as calls of what stands before the `<`, operator and all. Here the call gets its callee back, and
the operators go around it.
"""

from __future__ import annotations

from tree_sitter import Node

from ..facts import ContextKind, Op
from .context import Context
from .dispatch import inner_nodes, lower_expression
from .operators import combine, combine_unary

#: Operators that bind less tightly than a call.
MISNESTED = frozenset(("await_expression", "unary_expression", "binary_expression"))


def true_callee(callee: Node) -> tuple[Node, list[Node]]:
    """The innermost right operand, which is what is called, and the operators around it, outermost first."""
    operators: list[Node] = []
    while callee.type in MISNESTED:
        inner = inner_nodes(callee)
        if not inner:
            break
        operators.append(callee)
        callee = inner[-1]
    return callee, operators


def apply_operators(cx: Context, call: int, operators: list[Node]) -> int:
    """The operators' nodes around a call."""
    value = call
    for node in reversed(operators):
        if node.type == "await_expression":
            made = cx.emit(Op.AWAIT, value, -1, -1, node.start_byte)
            cx.expect(value, ContextKind.AWAITED, made)
            value = made
        elif node.type == "unary_expression":
            value = combine_unary(cx, value, _operator(node), node.start_byte)
        else:
            left = node.child_by_field_name("left")
            value = combine(cx, lower_expression(cx, left) if left is not None else -1, value, _operator(node), node.start_byte)
    return value


def _operator(node: Node) -> str:
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""
