"""Parse Java, with the gaps of tree-sitter's grammar filled.

The grammar lacks four parts of the language. If a text has an error, text of the same length that the grammar accepts replaces
these parts, and the result is parsed again. Names are always read from the original text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Tree

    from ..parse_budget import BoundedParser

#: The annotation of a variadic parameter: `Object @Nullable ... values`.
_VARIADIC: Final = re.compile(rb"(?<=[\w>\])])(\s+)(@[\w.]+(?:\([^()\n]*\))?)(?=\s*\.\.\.)")
#: The qualified name of a record in a pattern: `case Shape.Square(int side)`.
_QUALIFIED: Final = re.compile(rb"\b(?:case|instanceof)\s+(?:final\s+)?\w+(?:\.\w+)+(?=\s*\()")
#: A label with several types, whose values have no names: `case Number _, Boolean _ ->`.
_SEVERAL: Final = re.compile(rb"\bcase\s[^;{}()\n]{1,400}?_\s*,[^;{}()\n]{1,400}?(?:->|:)")
_UNNAMED: Final = re.compile(rb"(?<=[\w>\]])\s+_(?=\s*(?:,|->|:))")
#: A call of another constructor, which need not be the first statement.
_CONSTRUCTOR: Final = re.compile(rb"(?<![\w.$])(?:super|this)(?=\s*\()")


def parse_java(data: bytes, parser: BoundedParser) -> tuple[Tree, bytes]:
    """Parse a text. Return the tree, and the parsed text."""
    tree = parser.parse(data)
    if not tree.root_node.has_error:
        return tree, data
    read = _replaced(data)
    return (parser.parse(read), read) if read != data else (tree, data)


def _replaced(data: bytes) -> bytes:
    data = _VARIADIC.sub(_blank, data)
    data = _QUALIFIED.sub(_joined, data)
    data = _SEVERAL.sub(_without_names, data)
    return _CONSTRUCTOR.sub(_as_name, data)


def _blank(found: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", found[0])


def _joined(found: re.Match[bytes]) -> bytes:
    return found[0].replace(b".", b"_")


def _without_names(found: re.Match[bytes]) -> bytes:
    return _UNNAMED.sub(_blank, found[0])


def _as_name(found: re.Match[bytes]) -> bytes:
    return b"$" + found[0][1:]
