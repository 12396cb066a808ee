"""Decide whether a word in a line of TypeScript or JavaScript is a name or a keyword."""

from __future__ import annotations

import re
from typing import Final

from ..text.structure_tokens import KEYWORDS

_MODIFIER_TEXT: Final = """
    abstract async declare get implements interface let namespace override private protected public readonly set static type
"""
_OPERATOR_TEXT: Final = "as await infer is keyof of satisfies yield"
_VALUE_TEXT: Final = "default false null super this true undefined void"
#: Words that are keywords only before white space and modified code: `set(value)` is a call of a function `set`.
_MODIFIERS: Final = frozenset(_MODIFIER_TEXT.split())
#: Words that are keywords before any operand, even in parentheses or on the next line.
_OPERATORS: Final = frozenset(_OPERATOR_TEXT.split())
#: Words that may precede a colon and are not keys, as in `? true : false`.
_VALUES: Final = frozenset(_VALUE_TEXT.split())
_INFIX: Final = r"(?:as|extends|in|instanceof|is|of|satisfies)\b"
_AFTER_MODIFIER: Final = re.compile(rf"\s+(?!{_INFIX})(?:[^\W\d]|[$#{{\[*@\"'])|\s*\Z|\s+\(.*=>")
_AFTER_NAME: Final = re.compile(r"\s*(?:[:,;.)\]}=]|\?|$)")
_AFTER_KEY: Final = re.compile(r"\s*\??:")
_AFTER_DOT: Final = re.compile(r"(?<!\.\.)\.\s*\Z")


def is_keyword(line: str, start: int, end: int) -> bool:
    """Return whether the word between two offsets of a line is a keyword.

    A property may have the name of any keyword, as in `cache.delete` and `{ type: "a" }`. Words such as `type` and `set` are
    keywords only before the code that they modify.
    """
    word = line[start:end]
    if word not in KEYWORDS or word == "undefined" or _AFTER_DOT.search(line, 0, start):
        return False
    if word in _MODIFIERS:
        return _AFTER_MODIFIER.match(line, end) is not None
    if word in _OPERATORS:
        return _AFTER_NAME.match(line, end) is None or not line[end:].strip()
    return word in _VALUES or _AFTER_KEY.match(line, end) is None
