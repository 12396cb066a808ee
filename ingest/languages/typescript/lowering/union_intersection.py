"""Lower unions and intersections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from ....facts.operations import Op
from .context import Context
from .dispatch import Lowering, inner_nodes, lower_type
from .functions import Operands, lower_constructor_type

COMBINATIONS: Final = {"union_type": Op.T_UNION, "intersection_type": Op.T_INTERSECTION}


def operands(node: Node) -> list[Node]:
    """Return the operands of a union or intersection. The syntax of both nests to the left."""
    parts: list[Node] = []
    spine, kind = node, node.type
    while True:
        inner = inner_nodes(spine)
        parts += reversed(inner[1:])
        if not inner or inner[0].type != kind:
            return [*inner[:1], *reversed(parts)]
        spine = inner[0]


def lower_combination(cx: Context, node: Node, lower_operand: Lowering = lower_type, trailing: Sequence[Operands] = ()) -> int:
    """Lower a union or intersection and return its node.

    `trailing` are further operands for the result of a constructor type at the end. In `new () => A & B`, the grammar ends the
    constructor type before the `&`, but in TypeScript its result is `A & B`.
    """
    op = COMBINATIONS[node.type]
    parts = operands(node)
    lowered = []
    for index, part in enumerate(parts):
        if _ends_in_constructor_type(part):
            rest = parts[index + 1 :]
            following = (*((Operands(op, rest),) if rest else ()), *trailing)
            if part.type in COMBINATIONS:
                lowered.append(lower_combination(cx, part, lower_type, following))
            else:
                lowered.append(lower_constructor_type(cx, part, following))
            break
        lowered.append(lower_operand(cx, part))
    return lowered[0] if len(lowered) == 1 else cx.emit(op, cx.list_of(lowered), -1, -1, node.start_byte)


def _ends_in_constructor_type(node: Node) -> bool:
    """Return whether a type ends in a constructor type. The result of this type includes the following operands."""
    return node.type == "constructor_type" or (node.type in COMBINATIONS and any(map(_ends_in_constructor_type, operands(node))))
