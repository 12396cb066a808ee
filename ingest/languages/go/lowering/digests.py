"""Digests of the surface of a file: its source without function bodies, and without comments between declarations."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from tree_sitter import Node

from ....symbols.byte_ranges import between
from .context import GoContext
from .grammar import kind_of

#: Length of a digest, in bytes.
_SIZE: Final = 12
_FUNCTIONS: Final = frozenset(("function_declaration", "method_declaration"))
#: Declarations of types and methods, and declarations that determine the meaning of names in them.
_OF_TYPES: Final = frozenset(("package_clause", "import_declaration", "type_declaration", "method_declaration"))


def digest_declarations(cx: GoContext, root: Node) -> None:
    """Compute the digests of a file whose package is known."""
    names, types = blake2b(digest_size=_SIZE), blake2b(digest_size=_SIZE)
    constraint = cx.constraint.encode() + b"\x00"
    names.update(constraint)
    types.update(constraint)
    for child in root.children:
        kind = kind_of(child)
        if kind == "comment":
            continue
        body = child.child_by_field_name("body") if kind in _FUNCTIONS else None
        text = between(cx.data, child.start_byte, body.start_byte if body is not None else child.end_byte) + b"\x00"
        names.update(text)
        if kind in _OF_TYPES:
            types.update(text)
    cx.package_names, cx.package_types = names.digest(), types.digest()
