"""Find names and settings in documents that differ in one letter from a name of the code, and that no code has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...text_search.indexed_text import IndexedTexts
from ..model.findings import Diagnostic
from ..model.term_history import SETTING, SYMBOL, Term, TermHistory
from .code_in_documents import CodeInDocument, code_in_documents
from .code_words import words_of_code
from .document_terms import bound_names, terms_of
from .lost_terms import is_in_code, is_of_other_programs

#: Minimum number of characters of a name. Short names are often similar.
_MIN_LENGTH: Final = 15
#: Minimum number of the names in a document that code has.
_MIN_KNOWN: Final = 5
#: Minimum share of these names among all names in the document. The names in other documents may belong to other programs.
_MIN_SHARE: Final = 0.8
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
#: A name whose words have several letters. A single letter may stand for any number, as in `RANDOM_STRING_N`.
_SHAPE: Final = re.compile(r"(?:[A-Za-z]{2,}_)*[A-Za-z]{2,}")


def misspelled_terms(texts: IndexedTexts, history: TermHistory) -> Iterator[Diagnostic]:
    """Yield a warning for each such name in a document about this code, if the document never writes the name of the code.

    A document that tells of a renaming writes both names. A name that a block of the document binds is explained there.
    """
    written = code_in_documents(texts)
    bound = bound_names(written)
    by_path: dict[str, dict[Term, list[CodeInDocument]]] = {}
    for code in (code for code in written if code.language is None):
        for term in terms_of(code):
            if term.kind in (SYMBOL, SETTING) and not is_of_other_programs(term):
                by_path.setdefault(code.path, {}).setdefault(term, []).append(code)
    found: list[tuple[Term, str, list[CodeInDocument]]] = []
    for path in sorted(by_path):
        named = {term: places for term, places in by_path[path].items() if term.name not in bound.get(path, ())}
        found += _of_document(named, texts)
    present = history.present(sorted({term.name for term, _, _ in found}), texts) if found else set()
    for term, name, places in found:
        for place in places if term.name not in present else ():
            message = f'The document names "{term.name}", which no code has. The code has "{name}". Correct the name.'
            yield Diagnostic(place.path, place.line, "warning", message, "documents", place.column)


def _of_document(
    mentions: dict[Term, list[CodeInDocument]], texts: IndexedTexts
) -> Iterator[tuple[Term, str, list[CodeInDocument]]]:
    """Yield the misspelled names of a document, each with the name of the code and its places."""
    absent = [term for term in mentions if not is_in_code(term, texts)]
    known = len(mentions) - len(absent)
    if not absent or known < _MIN_KNOWN or known < _MIN_SHARE * len(mentions):
        return
    words = texts.once(words_of_code)
    written = {term.name for term in mentions}
    for term in absent:
        if len(term.name) >= _MIN_LENGTH and _SHAPE.fullmatch(term.name) is not None:
            near = {each for each in _one_letter_apart(term.name) if each in words and not each.endswith("_")}
            if len(near) == 1 and near.isdisjoint(written):
                yield term, near.pop(), mentions[term]


def _one_letter_apart(name: str) -> Iterator[str]:
    """Yield the names with one letter more, less or different, or with two letters in the other order.

    The first letter and the number of words stay, so `get_carts` is no other spelling of `set_carts`.
    """
    letters = _LETTERS.upper() if name.isupper() else _LETTERS
    for place in range(1, len(name) + 1):
        before, after = name[:place], name[place:]
        yield from (f"{before}{letter}{after}" for letter in letters)
        if after and after[0] != "_" and after[0].isupper() == name.isupper():
            yield before + after[1:]
            yield from (f"{before}{letter}{after[1:]}" for letter in letters)
            if len(after) > 1 and after[1] != "_":
                yield f"{before}{after[1]}{after[0]}{after[2:]}"
