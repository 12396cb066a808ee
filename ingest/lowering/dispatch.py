"""One table per syntactic category: node type of the grammar -> the function that lowers it.

The tables are filled by `lowering.tables`, so that the modules beside this one can call each other without a cycle.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from ..facts import Op
from .context import Context

Lowering = Callable[[Context, Node], int]
Statement = Callable[[Context, Node], None]

EXPRESSIONS: dict[str, Lowering] = {}
TYPES: dict[str, Lowering] = {}
STATEMENTS: dict[str, Statement] = {}

#: Syntax that holds no expression.
_SKIPPED = frozenset(
    ("comment", "string_fragment", "escape_sequence", "optional_chain", "regex_pattern", "regex_flags", "jsx_text")
)


def lower_expression(cx: Context, node: Node) -> int:
    """Lower an expression; its node. Unknown syntax becomes an UNKNOWN over what could be read."""
    return EXPRESSIONS.get(node.type, lower_unknown)(cx, node)


def lower_type(cx: Context, node: Node) -> int:
    """Lower a type; its node."""
    return TYPES.get(node.type, _unknown_type)(cx, node)


def lower_statement(cx: Context, node: Node) -> None:
    """Lower a statement. Anything that is none is read as an expression."""
    handler = STATEMENTS.get(node.type)
    if handler is not None:
        handler(cx, node)
    elif node.type not in _SKIPPED:
        lower_expression(cx, node)


def lower_unknown(cx: Context, node: Node) -> int:
    """Keep the names and calls inside syntax that has no operation of its own, such as what an error leaves."""
    children = []
    for child in node.named_children:
        if child.type in STATEMENTS:
            STATEMENTS[child.type](cx, child)
        elif child.type not in _SKIPPED:
            children.append(lower_expression(cx, child))
    return cx.emit(Op.UNKNOWN, cx.list_of(children) if children else -1, -1, -1, node.start_byte)


def _unknown_type(cx: Context, node: Node) -> int:
    for child in node.named_children:
        if child.type in TYPES:
            lower_type(cx, child)
    return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)


def inner_nodes(node: Node) -> list[Node]:
    """The named children without comments."""
    return [child for child in node.named_children if child.type != "comment"]


def lower_type_list(cx: Context, node: Node | None) -> int:
    """The list of the types in a `<…>`; -1 for None."""
    return cx.list_of([lower_type(cx, child) for child in inner_nodes(node)]) if node is not None else -1


def lower_annotation(cx: Context, node: Node | None) -> int:
    """The type behind a `:`; -1 for None."""
    if node is None:
        return -1
    if node.type in TYPES:
        return lower_type(cx, node)
    inner = inner_nodes(node)
    return lower_type(cx, inner[0]) if inner else -1
