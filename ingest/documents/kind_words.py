"""Words beside a name in a document that say what the name denotes: "the `join` function", "method `close`"."""

from __future__ import annotations

import re
from typing import Final

from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS

_VALUES: Final = frozenset(("property", "field", "getter", "setter", "accessor", "variable", "const"))
#: Words for what is usually no declaration, although a declaration may have its name. A schema or a model declares columns.
_PARAMETERS: Final = ("parameter", "param", "argument", "header", "column", "claim")
#: The kinds of symbols that each word may denote.
_KINDS: Final = {
    "function": CALLABLE_KINDS | {"const", "variable"},
    "helper": CALLABLE_KINDS | {"const", "variable"},
    "hook": CALLABLE_KINDS | {"const", "variable"},
    "decorator": CALLABLE_KINDS | {"class"},
    "macro": CALLABLE_KINDS | {"macro"},
    "method": CALLABLE_KINDS,
    "class": TYPE_KINDS,
    "type": TYPE_KINDS,
    "struct": TYPE_KINDS,
    "trait": TYPE_KINDS,
    "interface": TYPE_KINDS,
    "exception": TYPE_KINDS,
    "enum": TYPE_KINDS,
    "property": _VALUES,
    "field": _VALUES,
    "attribute": _VALUES,
    **dict.fromkeys(_PARAMETERS, frozenset()),
    "column": _VALUES | {"column"},
}
_WORD: Final = "|".join(_KINDS)
#: The markup between a name and a word: the end of a span of code, of emphasis and of a link.
_AFTER: Final = re.compile(
    rf"`*\]?(?:\([^()\s]*\)|\[[^\[\]]*\])?[*_]* (?:(?:query|keyword|request|response) )?"
    rf"(?P<word>{_WORD})s?\b(?! (?:of|from) your\b)",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(rf"\b(?P<word>{_WORD}) [*_]*\[?`*$", re.IGNORECASE)
#: Words before a name of the reader's own code, or of an example.
_OTHERS: Final = re.compile(
    r"\b(?:your|own|an?|any|each|every|custom|another|new|python|standard|built-?in|native)[ ][*_]*\[?`*$", re.IGNORECASE
)


def kind_word(line: str, column: int, text: str) -> str:
    """Return the word beside a name that says what the name denotes; "" for none. The column counts from 1."""
    start = column - 1
    before = line[max(0, start - 40) : start]
    if _OTHERS.search(before) is not None:
        return ""
    found = _AFTER.match(line, start + len(text)) or _BEFORE.search(before)
    return found["word"].lower() if found is not None else ""


def kinds_of(word: str) -> frozenset[str]:
    """Return the kinds of symbols that a word may denote."""
    return _KINDS[word]


def is_parameter_word(word: str) -> bool:
    """Return whether a word denotes something that is usually not declared: a parameter, a header, a column."""
    return word in _PARAMETERS


def is_value_word(word: str) -> bool:
    """Return whether a word denotes values inside a type."""
    return _KINDS[word] is _VALUES
