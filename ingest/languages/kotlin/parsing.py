"""Parse Kotlin, with three gaps of tree-sitter's grammar filled.

- Words for modifiers may also be names of parameters: `fun open(override: Boolean)`.
- The value of a parameter may be an empty list: `annotation class Priced(val by: Array<String> = [])`.
- After several annotations, the grammar reads `open class Till protected constructor() { … }` as an expression.

A name, a value or blanks of the same length replace what the grammar would misread. Names are read from the original text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Tree

    from ..parse_budget import BoundedParser

_MODIFIERS: Final = (
    rb"(?:override|open|abstract|final|sealed|inner|data|value|inline|noinline|crossinline|suspend|external|public|private"
    rb"|internal|protected|lateinit|enum|annotation|operator|infix|tailrec|const|expect|actual|dynamic)"
)
_MISREAD: Final = re.compile(
    rb"(?P<name>(?:(?<=[(,])|(?<=[(,][ \t\n]))%(words)b(?=[ \t]{0,8}:(?!:)))"
    rb"|(?P<empty>(?<==[ ])\[\](?=[ \t]{0,8}[,)\r\n]))"
    rb"|(?P<visibility>\b(?:public|private|internal|protected)(?=[ ]constructor\b))" % {b"words": _MODIFIERS}
)


def parse_kotlin(data: bytes, parser: BoundedParser) -> tuple[Tree, bytes]:
    """Parse a text. Return the tree, and the parsed text."""
    read = _MISREAD.sub(_readable, data)
    return parser.parse(read), read


def _readable(found: re.Match[bytes]) -> bytes:
    if found["name"] is not None:
        return found[0][:-1] + found[0][-1:].upper()
    return b"{}" if found["empty"] is not None else b" " * len(found[0])
