"""Find the function that lowers a node of the syntax tree, by the kind of the node, for values and for types.

`expressions` and `annotations` fill the tables, so that modules can call each other without an import cycle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from ....facts.operations import Op
from .context import PythonContext
from .grammar import KINDS

Lowering = Callable[[PythonContext, Node], int]

#: Functions that lower nodes, by `Node.kind_id`. Recursive functions call each other through tables, because the interpreter
#: limits the depth of such calls. Deep direct calls of compiled functions would overflow the stack and end the process.
EXPRESSIONS: Final[dict[int, Lowering]] = {}
#: Functions that lower nodes where a type is expected, for kinds of nodes that `EXPRESSIONS` lowers as values.
ANNOTATIONS: Final[dict[int, Lowering]] = {}


def lower_expression(cx: PythonContext, node: Node | None) -> int:
    """Lower an expression and return its node; -1 without an expression."""
    if node is None:
        return -1
    return EXPRESSIONS[node.kind_id](cx, node)


def lower_annotation(cx: PythonContext, node: Node | None) -> int:
    """Lower an annotation. Quoted types in it are read as code."""
    if node is None:
        return -1
    return ANNOTATIONS.get(node.kind_id, lower_expression)(cx, node)


def lower_parts(cx: PythonContext, node: Node) -> list[int]:
    """Lower the named children of a node, without comments."""
    lowerings, parts = EXPRESSIONS, []
    for child in node.named_children:
        number = child.kind_id
        lower = lowerings[number]
        if lower is not lower_unknown or KINDS[number] != "comment":
            parts.append(lower(cx, child))
    return parts


def first_part(node: Node) -> Node | None:
    """Return the first named child of a node that is not a comment."""
    for child in node.children:
        if child.is_named and KINDS[child.kind_id] != "comment":
            return child
    return None


def lower_unknown(cx: PythonContext, node: Node) -> int:
    """Lower the children of a node without an operation, so that names in the node are still resolved."""
    return cx.emit(Op.UNKNOWN, cx.list_of(lower_parts(cx, node)), -1, -1, node.start_byte)
