"""The text of a node of a syntax tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


def node_text(node: Node) -> str:
    """Return the decoded text of a node."""
    return (node.text or b"").decode("utf-8", "replace")
