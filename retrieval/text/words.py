"""Split source text and queries into search terms: identifiers are split at camelCase humps and lightly stemmed.

`validateTokens` has the terms `validat`, `token` and `validatetokens`. A query in plain words matches the first two terms. A
query that contains the identifier also matches the last term, regardless of case and underscores.
"""

from __future__ import annotations

import re
from functools import cache

_WORD = re.compile(r"\w+")
_ASCII_SEPARATORS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_A-Za-z]+")

#: Maximum number of characters of a word. Longer runs are data, such as base64 and hashes.
MAX_WORD_LENGTH = 80

_STOP_WORDS = """
a an the of to in on at for and or is are be by with as it its this that these those from if when which will can has have was
were not no do does into than then so we you i
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

#: Suffixes with their replacements. The first suffix that leaves three letters is replaced.
_SUFFIXES = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ization", "iz"),
    ("izing", "iz"),
    ("ized", "iz"),
    ("izes", "iz"),
    ("ize", "iz"),
    ("ations", "at"),
    ("ation", "at"),
    ("ating", "at"),
    ("ated", "at"),
    ("ates", "at"),
    ("ate", "at"),
    ("ings", ""),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ers", "er"),
    ("es", ""),
    ("s", ""),
    ("e", ""),
    ("ly", ""),
)


def one_line(text: str) -> str:
    """Return the text on one line, without characters that move the cursor of a terminal."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def find_words(text: str) -> list[str]:
    """Return the runs of letters, digits and underscores of a text, in any script and with their case."""
    if text.isascii():
        # For ASCII, which is nearly all source, this is twice as fast as the pattern.
        return text.translate(_ASCII_SEPARATORS).split()
    return _WORD.findall(text)


@cache
def stem(word: str) -> str:
    """Return a light English stem of a lower-case word: `parsing`, `parsed` and `parse` have the same stem. A stem of a word of
    at least three letters has at least three letters.
    """
    if len(word) <= 3:
        return word
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            if suffix == "s" and word.endswith("ss"):
                return word
            stemmed = word[: -len(suffix)] + replacement
            doubled = len(stemmed) > 3 and stemmed[-1] == stemmed[-2] and stemmed[-1] not in "lsz"
            return stemmed[:-1] if doubled else stemmed
    return word


def humps(word: str) -> list[str]:
    """Return the lower-case parts of an identifier: `parseHTTPHeader_v2` -> parse, http, header, v, 2."""
    return [part.lower() for part in _HUMP.findall(word)]


def split_word(word: str) -> tuple[str, ...]:
    """Return the search terms of one word: its stemmed parts, then the whole word if it has several parts.

    Stop words and single letters are left out.
    """
    if len(word) > MAX_WORD_LENGTH:
        return ()
    parts = humps(word)
    terms = [stem(part) for part in parts if part not in STOP_WORDS and (len(part) > 1 or not part.isascii() or part.isdigit())]
    if len(parts) > 1:
        terms.append("".join(parts))
    return tuple(terms)


def split_text(text: str) -> list[str]:
    """Return the search terms of a text, in order and with repeats."""
    return [term for word in find_words(text) for term in split_word(word)]
