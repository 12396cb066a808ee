"""Parse Kotlin, with four gaps of tree-sitter's grammar filled.

- Words for modifiers may also be names of parameters: `fun open(override: Boolean)`.
- The value of a parameter may be an empty list: `annotation class Priced(val by: Array<String> = [])`.
- After several annotations, the grammar reads `open class Till protected constructor() { … }` as an expression,
  and so `annotation class Priced` without parameters.

A name, a value, a modifier or blanks of the same length replace what the grammar would misread. Names are read from the original
text.
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
# The patterns begin with a sign, or are looked for only in files with a rare text. One pattern that was tried at every place of a
# file took up to a tenth of the time of reading the file.
_NAME: Final = re.compile(rb"[(,][ \t\n]?%b\b(?=[ \t]{0,8}:(?!:))" % _MODIFIERS)
_EMPTY: Final = re.compile(rb"= \[\](?=[ \t]{0,8}[,)\r\n])")
_CONSTRUCTOR: Final = b" constructor"
_VISIBILITY: Final = re.compile(rb"\b(?:public|private|internal|protected)(?=%b\b)" % _CONSTRUCTOR)
_ANNOTATION_CLASS: Final = b"annotation class"
#: A class of annotations without parameters. With a word for its visibility, the grammar reads it as a class.
_PLAIN_ANNOTATION: Final = re.compile(
    rb"(?<!public )(?<!internal )(?<!private )\bannotation(?= class \w{1,200}[ \t]{0,8}(?:[\r\n]|//|/\*|\Z))"
)


def parse_kotlin(data: bytes, parser: BoundedParser) -> tuple[Tree, bytes]:
    """Parse a text. Return the tree, and the parsed text."""
    read = _EMPTY.sub(b"= {}", _NAME.sub(_renamed, data))
    if _CONSTRUCTOR in read:
        read = _VISIBILITY.sub(_blank, read)
    if _ANNOTATION_CLASS in read:
        read = _PLAIN_ANNOTATION.sub(_public, read)
    return parser.parse(read), read


def _renamed(found: re.Match[bytes]) -> bytes:
    return found[0][:-1] + found[0][-1:].upper()


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _public(found: re.Match[bytes]) -> bytes:
    return b"public".ljust(len(found[0]))
