"""The kinds of nodes by `Node.kind_id`, which is faster to read than `Node.type`."""

from __future__ import annotations

from typing import Final

import tree_sitter_java
from tree_sitter import Language, Node

GRAMMAR: Final = Language(tree_sitter_java.language())
#: Kind of nodes for code with a syntax error.
_ERROR: Final = 65535
#: `Node.type` by `Node.kind_id`.
KINDS: Final[dict[int, str]] = {
    **{number: GRAMMAR.node_kind_for_id(number) or "" for number in range(GRAMMAR.node_kind_count)},
    _ERROR: "ERROR",
}
_COMMENTS: Final = frozenset(("line_comment", "block_comment"))


def kind_of(node: Node) -> str:
    """Return the kind of a node."""
    return KINDS[node.kind_id]


def parts_of(node: Node | None) -> list[Node]:
    """Return the named children of a node without comments; [] for None."""
    if node is None:
        return []
    return [child for child in node.named_children if KINDS[child.kind_id] not in _COMMENTS]


def child_of_kind(node: Node, kind: str) -> Node | None:
    """Return the first child of a kind, or None."""
    return next((child for child in node.named_children if KINDS[child.kind_id] == kind), None)


def modifiers_of(node: Node) -> frozenset[str]:
    """Return the modifiers of a declaration, such as `static`."""
    found = child_of_kind(node, "modifiers")
    return frozenset(child.type for child in found.children) if found is not None else frozenset()
