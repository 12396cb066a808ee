"""Lower operators with lowered operands."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.operations import ContextKind, Logic, Op, Result
from .context import Context
from .dispatch import lower_expression, lower_unknown

LOGIC = {"&&": Logic.AND, "||": Logic.OR, "??": Logic.NULLISH, "&&=": Logic.AND, "||=": Logic.OR, "??=": Logic.NULLISH}
_EQUALITY = {"===": 1, "==": 1, "!==": 0, "!=": 0}
_COMPARISONS = frozenset(("<", ">", "<=", ">="))


def lower_operation(cx: Context, left: int, operator: str, right: Node, position: int) -> int:
    """Lower the right side of a binary operation and combine both sides.

    In `&&` and `||`, the left side narrows the right side.
    """
    logic = LOGIC.get(operator)
    if logic is None or logic == Logic.NULLISH or left < 0:
        return combine(cx, left, lower_expression(cx, right), operator, position)
    mark = cx.guard_mark()
    cx.guard(left, logic == Logic.AND)
    other = lower_expression(cx, right)
    cx.release_guards(mark)
    return combine(cx, left, other, operator, position)


def combine(cx: Context, left: int, right: int, operator: str, position: int) -> int:
    """Emit a binary operation on two values."""
    logic = LOGIC.get(operator)
    if logic is not None:
        made = cx.emit(Op.LOGICAL, left, right, logic, position)
        cx.expect(left, ContextKind.SAME, made)
        cx.expect(right, ContextKind.SAME, made)
        return made
    if operator in _EQUALITY:
        return cx.emit(Op.EQUALITY, left, right, _EQUALITY[operator], position)
    if operator == "instanceof":
        return cx.emit(Op.INSTANCEOF, left, right, -1, position)
    if operator == "in":
        return cx.emit(Op.IN, left, right, -1, position)
    result = Result.ADDITION if operator == "+" else Result.BOOLEAN if operator in _COMPARISONS else Result.NUMBER
    return cx.emit(Op.BINARY, left, right, result, position)


def lower_unary(cx: Context, node: Node) -> int:
    """Lower `!a`, `typeof a`, `-a`, `void a` or `delete a`."""
    argument, operator = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    if argument is None or operator is None:
        return lower_unknown(cx, node)
    return combine_unary(cx, lower_expression(cx, argument), operator.type, node.start_byte)


def combine_unary(cx: Context, value: int, operator: str, position: int) -> int:
    """Emit a unary operation on a value."""
    if operator == "!":
        return cx.emit(Op.NOT, value, -1, -1, position)
    if operator == "typeof":
        return cx.emit(Op.TYPEOF, value, -1, -1, position)
    result = Result.UNDEFINED if operator == "void" else Result.BOOLEAN if operator == "delete" else Result.NUMBER
    return cx.emit(Op.UNARY, value, -1, result, position)
