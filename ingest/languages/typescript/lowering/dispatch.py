"""Map each node type of the grammar to the function that lowers it, with one table for each syntactic category.

`lowering.source_file.tables` fills the tables, so that the modules of this package can call each other without an import cycle.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tree_sitter import Language, Node

from ....facts.operations import Op
from .context import Context

Lowering = Callable[[Context, Node], int]
Statement = Callable[[Context, Node], None]

EXPRESSIONS: dict[str, Lowering] = {}
TYPES: dict[str, Lowering] = {}
STATEMENTS: dict[str, Statement] = {}

#: `kind_id` of error nodes.
_ERROR = 65535

#: Node types without expressions.
_SKIPPED = frozenset(
    ("comment", "string_fragment", "escape_sequence", "optional_chain", "regex_pattern", "regex_flags", "jsx_text")
)


class GrammarTables:
    """The tables of a grammar by `Node.kind_id`, which is cheaper to read than `Node.type`."""

    __slots__ = ("expressions", "kinds", "types")

    def __init__(self, language: Language) -> None:
        names = {kind: language.node_kind_for_id(kind) or "" for kind in range(language.node_kind_count)}
        #: Node type by kind.
        self.kinds: dict[int, str] = {**names, _ERROR: "ERROR"}
        self.expressions: dict[int, Lowering] = {kind: EXPRESSIONS.get(name, lower_unknown) for kind, name in self.kinds.items()}
        self.types: dict[int, Lowering] = {kind: TYPES.get(name, _unknown_type) for kind, name in self.kinds.items()}


@cache
def grammar_tables(language: Language) -> GrammarTables:
    """Return the tables of a grammar. Call this only after `fill_tables`."""
    return GrammarTables(language)


def lower_expression(cx: Context, node: Node) -> int:
    """Lower an expression and return its node. Unknown syntax becomes an UNKNOWN with its readable parts."""
    return cx.tables.expressions[node.kind_id](cx, node)


def lower_type(cx: Context, node: Node) -> int:
    """Lower a type and return its node."""
    return cx.tables.types[node.kind_id](cx, node)


def lower_statement(cx: Context, node: Node) -> None:
    """Lower a statement. A node of another category is read as an expression."""
    kind = cx.tables.kinds[node.kind_id]
    handler = STATEMENTS.get(kind)
    if handler is not None:
        handler(cx, node)
    elif kind not in _SKIPPED:
        lower_expression(cx, node)


def lower_unknown(cx: Context, node: Node) -> int:
    """Lower the names and calls inside syntax without an operation, such as an error node."""
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
    """Return the named children without comments."""
    return [child for child in node.named_children if child.type != "comment"]


def two_fields(node: Node, one: str, other: str) -> tuple[Node | None, Node | None]:
    """Return the children in two fields.

    Access by index is faster, and is used where the number of children determines the indices.
    """
    return node.child_by_field_name(one), node.child_by_field_name(other)


def first_inner(node: Node) -> Node | None:
    """Return the first named child that is not a comment."""
    for child in node.children:
        if child.is_named and child.type != "comment":
            return child
    return None


def last_inner(node: Node) -> Node | None:
    """Return the last named child that is not a comment."""
    for child in reversed(node.children):
        if child.is_named and child.type != "comment":
            return child
    return None


def lower_expressions(cx: Context, node: Node) -> list[int]:
    """Lower the named children of a node as expressions."""
    return _lowered(cx, node, cx.tables.expressions, lower_unknown)


def lower_types(cx: Context, node: Node) -> list[int]:
    """Lower the named children of a node as types."""
    return _lowered(cx, node, cx.tables.types, _unknown_type)


def _lowered(cx: Context, node: Node, table: dict[int, Lowering], unknown: Lowering) -> list[int]:
    """Lower the named children of a node with a table. Only a child without a handler can be a comment."""
    made: list[int] = []
    for child in node.named_children:
        handler = table[child.kind_id]
        if handler is not unknown or child.type != "comment":
            made.append(handler(cx, child))
    return made


def lower_type_list(cx: Context, node: Node | None) -> int:
    """Return the list of the types in a `<…>`, or -1 for None."""
    return cx.list_of(lower_types(cx, node)) if node is not None else -1


def lower_annotation(cx: Context, node: Node | None) -> int:
    """Return the type after a `:`, or -1 for None."""
    if node is None:
        return -1
    kind = cx.tables.kinds[node.kind_id]
    if kind == "type_annotation" and len(parts := node.children) == 2:
        node = parts[1]
        return cx.tables.types[node.kind_id](cx, node)
    handler = TYPES.get(kind)
    if handler is not None:
        return handler(cx, node)
    inner = first_inner(node)
    return lower_type(cx, inner) if inner is not None else -1
