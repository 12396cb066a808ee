"""The kinds of nodes by `Node.kind_id`, which is faster to read than `Node.type`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import tree_sitter_go
from tree_sitter import Language, Node

GRAMMAR: Final = Language(tree_sitter_go.language())
#: Kind of nodes for broken code.
_ERROR: Final = 65535
#: `Node.type` by `Node.kind_id`.
KINDS: Final[dict[int, str]] = {
    **{number: GRAMMAR.node_kind_for_id(number) or "" for number in range(GRAMMAR.node_kind_count)},
    _ERROR: "ERROR",
}


#: The field of a node that has the name of the expression or type, by the kind of the node: `Cart` of `shop.Cart` and of
#: `Cart[int]`.
NAME_FIELDS: Final = {"selector_expression": "field", "qualified_type": "name", "generic_type": "type"}


def kind_of(node: Node) -> str:
    """Return the kind of a node."""
    return KINDS[node.kind_id]


def parts_of(node: Node | None) -> list[Node]:
    """Return the named children of a node without comments; [] for None."""
    if node is None:
        return []
    return [child for child in node.named_children if KINDS[child.kind_id] != "comment"]


def last_name(node: Node, fields: Mapping[str, str], wrappers: Collection[str]) -> Node:
    """Return the last name of an expression or a type.

    `fields` has the fields that lead to the name, by the kind of the node. For a node of a kind in `wrappers`, the first named
    child leads to the name.
    """
    while True:
        kind = kind_of(node)
        inner = node.named_child(0) if kind in wrappers else None
        if kind in fields:
            inner = node.child_by_field_name(fields[kind])
        if inner is None:
            return node
        node = inner
