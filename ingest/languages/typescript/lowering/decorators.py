"""Lower decorators of classes, members and parameters."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.model import Op, Use
from .context import Context
from .dispatch import inner_nodes, lower_expression
from .patterns import bare_reference


def lower_decorator(cx: Context, node: Node) -> None:
    """Lower `@name` and `@name(…)`. The callee is the factory, or the decorator itself."""
    inner = inner_nodes(node)
    if not inner:
        return
    value = lower_expression(cx, inner[0])
    reference = bare_reference(cx, value)
    if cx.code[reference] in (Op.NAME, Op.MEMBER):
        made = cx.emit(Op.DECORATOR, value, -1, -1, inner[0].start_byte)
        cx.calls.append(made)
        if cx.code[reference] == Op.NAME:
            cx.code[reference + 3] = Use.DECORATOR
