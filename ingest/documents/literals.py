"""Names that are strings in code: values of enumerations and constants, keys of options, and names that code registers.

A document writes such a name as code: `sort_by_date`, after `register("sort_by_date", …)` in the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...schema.languages import language_of
from ..facts.document_facts import TermFact
from ..facts.model import FileFacts
from .code_terms import LITERAL, owners_of
from .names import FILE_ENDINGS

_WORD: Final = r"[A-Za-z][A-Za-z0-9]{0,40}"
#: Several words with signs between them, or with capitals inside: `sort-by`, `shop.cart.added`, `sortBy`, `X-Shop-Id`.
_SEVERAL: Final = rf"(?:{_WORD}(?:[_.:-]{_WORD}){{1,8}}|[a-z]{{1,20}}[A-Z][A-Za-z0-9]{{1,40}})"
_STRING: Final = re.compile(rf"(?P<quote>[\"'])(?<![\w\\][\"'])(?P<name>{_SEVERAL})(?P=quote)")
#: Such a name in a span of code, perhaps with a value or with arguments.
_WRITTEN: Final = re.compile(rf"[\"']?(?P<name>{_SEVERAL})[\"']?(?:[ \t]?[=:][ \t]?\S.{{0,80}}|\([^()]{{0,80}}\).{{0,80}})?")
#: Beginnings of lines that are comments, and code before a string that is the name of a module, of a class in a style sheet, or
#: of a notation of names.
_COMMENT: Final = re.compile(r"[ \t]*(?://|#(?![\[a-z])|\*|/\*|--|<!--)")
_OF_OTHERS: Final = re.compile(
    r"(?:\b(?:from|import|require|use|include|class|className|href|src|rename_all|serialize_all)[ (]{0,2}=?[ ]?|\bid=)$"
)
#: Names of encodings, of languages, of machines and of standard headers of HTTP, which do not belong to a program.
_COMMON: Final = re.compile(
    r"[a-z]{2}[-_][a-z]{2}|(?:utf|iso|x86|amd|arm|sha|md)[-_:]?\d{1,4}(?:[-_]\d{1,4})?"
    r"|(?:content|accept|if|access-control|transfer|cache|keep|last|proxy|set|user|www|retry)"
    r"-(?:agent|alive|after|authenticate|control|cookie|modified|type|length|encoding|\w+(?:-\w+)+)",
    re.IGNORECASE,
)
#: A class with its package, which may be one of a library: `java.util.Locale`.
_CLASS: Final = re.compile(r"[a-z]\w*(?:\.[a-z]\w*)+\.[A-Z]\w*")
#: Words that stand for any name.
_PLACEHOLDER: Final = re.compile(r"(?:^|[_.:-])(?:foo|bar|baz|qux|example)s?(?:$|[_.:-])", re.IGNORECASE)
#: Number of characters before a string that are looked at.
_MAX_BEFORE: Final = 400
#: Maximum number of names of a file.
_MAX_LITERALS: Final = 1_500


def literal_of(text: str) -> str:
    """Return the name that a span of code is, in quotes or to which it gives a value; "" for other code."""
    text = text.strip()
    found = _WRITTEN.fullmatch(text)
    return found["name"] if found is not None and _is_distinct(found["name"]) else ""


def add_literals(facts: FileFacts, data: bytes) -> None:
    """Add the strings of a file that are names of several words."""
    found = list(dict.fromkeys(_literals(data.decode("utf-8", "replace"))))[:_MAX_LITERALS]
    owners = owners_of(facts.symbols, [line for line, _ in found])
    terms: dict[tuple[str, int], TermFact] = {}
    for (line, name), owner in zip(found, owners, strict=True):
        terms.setdefault((name, owner), TermFact(LITERAL, name, owner, line))
    facts.terms = [*facts.terms, *terms.values()]


def _literals(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each such string and the string, in the order of the text."""
    line, counted, start = 1, 0, 0
    for found in _STRING.finditer(text):
        breaks = text.count("\n", counted, found.start())
        if breaks:
            start = text.rfind("\n", counted, found.start()) + 1
        line, counted = line + breaks, found.start()
        before = text[max(start, found.start() - _MAX_BEFORE) : found.start()]
        if _COMMENT.match(before) is not None or _OF_OTHERS.search(before[-20:]) is not None or not _is_distinct(found["name"]):
            continue
        yield line, found["name"]


def _is_distinct(name: str) -> bool:
    """Return whether a string may be a name of the repository itself, and not of a file, an encoding, a language or a library."""
    ending = name.rpartition(".")[2] if "." in name else ""
    is_file = ending in FILE_ENDINGS or (ending != "" and language_of(f"file.{ending}") is not None)
    is_of_others = _COMMON.fullmatch(name) is not None or _CLASS.fullmatch(name) is not None
    return not (is_file or is_of_others) and _PLACEHOLDER.search(name) is None
