"""Read spans of code that are expressions like blocks: `[Price(3)]`, `first(many(digit), end)`, `Cart::open()->add($tea)`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ..block_languages import extension_of
from ..names import read_name
from ..sections import CodeBlock, Document

#: Languages whose expressions in the text are read.
_LANGUAGES: Final = frozenset((".go", ".java", ".kt", ".cs", ".cpp", ".rs", ".rb", ".php", ".scala", ".swift"))
_MAX_LENGTH: Final = 200
#: A call, a name with a scope or an attribute. A key with dots is no expression: `user.email=me`.
_EXPRESSION: Final = re.compile(r"[A-Za-z_]\w*(?:\(|::|->)|\[[A-Z]\w*[\](]")
#: Commands, flags, paths and URLs.
_OTHER: Final = re.compile(r"[-$/.~<{]|[\w.-]*(?:/|\\(?![a-z]\w*\())|\w+://")


def with_expressions(document: Document) -> Sequence[CodeBlock]:
    """Return the blocks of a document in order, and among them its expressions in spans of code.

    Expressions have the language of most blocks.
    """
    languages = Counter((extension_of(block.language, ""), block.language) for block in document.code if block.language)
    written = [each for each in languages.most_common() if each[0][0]]
    if not written or written[0][0][0] not in _LANGUAGES:
        return document.code
    language = written[0][0][1]
    found = [
        CodeBlock(each.line, language, " " * (each.column - 1) + each.text)
        for each in document.references
        if each.form == "code"
        and len(each.text) <= _MAX_LENGTH
        and "\n" not in each.text
        and _OTHER.match(each.text) is None
        and _EXPRESSION.search(each.text) is not None
        and read_name(each.text) is None
    ]
    return sorted([*document.code, *found], key=lambda each: each.line) if found else document.code
