"""Words beside a name in a document that say what the name denotes: "the `join` function", "method `close`"."""

from __future__ import annotations

import re
from typing import Final

from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS

_VALUES: Final = frozenset(("property", "field", "getter", "setter", "accessor", "variable", "const"))
#: Words for what is usually no declaration, although a declaration may have its name. A schema or a model declares columns.
_PARAMETERS: Final = ("parameter", "param", "argument", "header", "column", "claim", "folder", "directory", "directories")
_OPTION: Final = "option"
#: Stands for the words that say that a name belongs to the runtime or the language.
_FOREIGN: Final = "foreign"
_ARGUMENT: Final = "argument"
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
    _OPTION: _VALUES,
    **dict.fromkeys(_PARAMETERS, frozenset()),
    "column": _VALUES | {"column"},
}
_WORD: Final = "|".join(_KINDS)
_KINDS[_FOREIGN] = frozenset()
#: Words between a name and a word for parameters.
_QUALITY: Final = "query|keyword|request|response|boolean|string|integer|optional|required|positional"
#: The markup between a name and a word: the end of a span of code, of emphasis and of a link.
_AFTER: Final = re.compile(
    rf"`*\]?(?:\([^()\s]*\)|\[[^\[\]]*\])?[*_]* (?:(?:{_QUALITY}) |config(?:uration)? (?={_OPTION}))?"
    rf"(?P<word>{_WORD})s?\b(?! (?:of|from) your\b)",
    re.IGNORECASE,
)
#: Maximum number of characters before a name in which a list may begin.
_MAX_LIST: Final = 300
_BEFORE: Final = re.compile(rf"\b(?P<word>{_WORD}) [*_]*\[?`*$", re.IGNORECASE)
#: Words before a name of the reader's own code, or of an example.
_OTHERS: Final = re.compile(
    r"\b(?:your|own|an?|any|each|every|custom|another|new|python|standard|built-?in|native)[ ][*_]*\[?`*$", re.IGNORECASE
)
#: Words before a name of the runtime or of the language.
_OF_RUNTIME: Final = re.compile(
    r"\b(?:DOM|web(?: API)?|fetch(?: API)?|browser|node(?:\.?js)?)(?:['\u2019]s)?[ ][*_]*\[?`*$", re.IGNORECASE
)
#: After a name: a link to the reference of a runtime or a standard library, or words that name it.
_TO_RUNTIME: Final = re.compile(
    r"`*\]?(?:\(https?://(?:developer\.mozilla\.org|nodejs\.org|docs\.python\.org|docs\.oracle\.com|learn\.microsoft\.com|"
    r"msdn\.microsoft\.com|docs\.microsoft\.com|doc\.rust-lang\.org|ruby-doc\.org|docs\.ruby-lang\.org|(?:www\.)?php\.net|"
    r"kotlinlang\.org|(?:pkg\.go\.dev|golang\.org/pkg|godoc\.org)/[a-z0-9/]+(?=[#)])|developer\.apple\.com|en\.cppreference\.com)"
    r"|[*_]* (?:(?:class|function|interface|module|object|type) )?(?:from|of) (?:the )?"
    r"(?:DOM|fetch API|standard library|browser|node\.?js)\b)",
    re.IGNORECASE,
)
_SPANS: Final = r"(?:`[^`\n]{1,60}`(?:, (?:and |or )?| and | or )){0,8}"
#: A list of names of which the last has a word for arguments behind it, or a verb for them before the first.
_LIST_AFTER: Final = re.compile(rf"`(?:, (?:and |or )?| and | or ){_SPANS}`[^`\n]{{1,60}}` (?:arguments|parameters)\b")
#: Words before a name that may follow the verb of such a list, or another name of it. Such a name may also follow a comma.
_IN_LIST: Final = frozenset(("the", "a", "an", "and", "or", "accept", "accepts", "take", "takes", "receive", "receives"))
_LIST_BEFORE: Final = re.compile(rf"\b(?:accepts?|takes?|receives?) (?:the |an? )?{_SPANS}`*$", re.IGNORECASE)


def kind_word(line: str, column: int, text: str) -> str:
    """Return the word beside a name that says what the name denotes; "" for none. The column counts from 1."""
    start = column - 1
    before, word = _words_before(line[max(0, start - 40) : start])
    if _OF_RUNTIME.search(before) is not None or _TO_RUNTIME.match(line, start + len(text)) is not None:
        return _FOREIGN
    if _OTHERS.search(before) is not None:
        return ""
    if text[:1].islower():
        is_in_list = word.endswith(",") or word.lower() in _IN_LIST
        if _LIST_AFTER.match(line, start + len(text)) or (
            is_in_list and _LIST_BEFORE.search(line[max(0, start - _MAX_LIST) : start])
        ):
            return _ARGUMENT
    found = _AFTER.match(line, start + len(text)) or _BEFORE.search(before)
    return found["word"].lower() if found is not None else ""


def _words_before(text: str) -> tuple[str, str]:
    """Return the last two words of a text with the markup behind them, and the last word alone."""
    end = len(text.rstrip("`").removesuffix("[").rstrip("*_"))
    space = text.rfind(" ", 0, max(end - 1, 0))
    return text[text.rfind(" ", 0, max(space, 0)) + 1 :], text[space + 1 : end].rstrip(" ")


def kinds_of(word: str) -> frozenset[str]:
    """Return the kinds of symbols that a word may denote."""
    return _KINDS[word]


def is_parameter_word(word: str) -> bool:
    """Return whether a word denotes something that is usually not declared: a parameter, a header, a column."""
    return word == _FOREIGN or word in _PARAMETERS


def is_option_word(word: str) -> bool:
    """Return whether a word denotes an option, which is a value inside a type of options."""
    return word == _OPTION


def is_value_word(word: str) -> bool:
    """Return whether a word denotes values inside a type."""
    return _KINDS[word] is _VALUES
