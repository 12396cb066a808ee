"""Parse Go, with a gap of tree-sitter's grammar filled: since Go 1.26, the argument of `new` may be an expression.

The grammar reads the argument of `new` as a type. If a text has an error, another name of the same length replaces each `new`
whose argument is no type, and the result is parsed again. Names are always read from the original text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Tree

    from ..parse_budget import BoundedParser

_NEW: Final = re.compile(rb"(?<![\w.])new(?=\()")
#: Strings, characters, comments and brackets.
_MARKS: Final = re.compile(rb'"(?:\\.|[^"\\\n])*"|`[^`]*`|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|[()]', re.DOTALL)
#: Maximum length of an argument that is examined, in bytes.
_MAX_ARGUMENT: Final = 2_000
_BEFORE: Final = b"package p\nvar _ = new"
#: The name in place of `new`.
_OTHER_NAME: Final = b"neW"


def parse_go(data: bytes, parser: BoundedParser) -> tuple[Tree, bytes]:
    """Parse a text. Return the tree, and the parsed text."""
    tree = parser.parse(data)
    if not tree.root_node.has_error:
        return tree, data
    read = _NEW.sub(lambda found: _OTHER_NAME if _takes_value(found, parser) else found[0], data)
    return (parser.parse(read), read) if read != data else (tree, data)


def _takes_value(found: re.Match[bytes], parser: BoundedParser) -> bool:
    """Return whether the grammar cannot read the argument of a `new`, so that the argument is not a type."""
    start = found.end()
    argument = _in_brackets(found.string[start : start + _MAX_ARGUMENT])
    return bool(argument) and parser.parse(_BEFORE + argument + b"\n").root_node.has_error


def _in_brackets(text: bytes) -> bytes:
    """Return the beginning of a text up to the bracket that closes its first bracket; nothing if no bracket does."""
    depth = 0
    for each in _MARKS.finditer(text):
        depth += {b"(": 1, b")": -1}.get(each[0], 0)
        if depth == 0:
            return text[: each.end()]
    return b""
