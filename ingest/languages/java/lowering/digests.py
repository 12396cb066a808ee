"""Digest of the surface of a file: the source without the bodies of methods and without comments."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from tree_sitter import Node

from ....symbols.byte_ranges import between
from .context import JavaContext
from .grammar import kind_of

#: Length of a digest, in bytes.
_SIZE: Final = 12
_HIDDEN: Final = frozenset(("line_comment", "block_comment", "constructor_body", "static_initializer"))


def digest_declarations(cx: JavaContext, root: Node) -> None:
    """Compute the digest of a file."""
    digest = blake2b(digest_size=_SIZE)
    hidden: list[tuple[int, int]] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for child in node.named_children:
            kind = kind_of(child)
            is_body = kind == "block" and kind_of(node) in ("method_declaration", "class_body", "compact_constructor_declaration")
            if kind in _HIDDEN or is_body:
                hidden.append((child.start_byte, child.end_byte))
            else:
                waiting.append(child)
    start = 0
    for first, last in sorted(hidden):
        digest.update(between(cx.data, start, first))
        digest.update(b"\x00")
        start = max(start, last)
    digest.update(between(cx.data, start, root.end_byte))
    cx.digest = digest.digest()
