"""Search for a node of a tree by its type."""

from __future__ import annotations

from collections.abc import Collection

from tree_sitter import Node


def first_of(root: Node, types: Collection[str]) -> Node | None:
    """Return the node with one of the types that is nearest to the root, the first of several; None if there is none."""
    waiting = [root]
    for node in waiting:
        if node.type in types:
            return node
        waiting += node.named_children
    return None
