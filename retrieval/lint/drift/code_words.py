"""The set of all words in code, and the words outside of its comments, for checks whether code contains a name."""

from __future__ import annotations

import re
from typing import Final

from ....schema.languages import BY_NAME, is_document_path, language_of
from ...text.structure_tokens import LITERAL, Token, located_tokens
from ...text_search.indexed_text import IndexedTexts

_WORD: Final = re.compile(rb"[A-Za-z_$][\w$]*")
_WORD_OF_TEXT: Final = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
#: A string that is a sentence, such as the text of an error. A list of names or a command rarely begins with a capital letter.
_SENTENCE: Final = re.compile(r"[\"'`](?=[A-Z])(?:[\w.,:;!?()'\"`%-]+\s+){2}[\w\s.,:;!?()'\"`%-]*")
#: The relative path of another file, as in an import. The file may have the name of what it once declared.
_PATH: Final = re.compile(r"[\"'`]\.{1,2}/[^\s\"'`]*[\"'`]")
_DOCSTRING: Final = ('"""', "'''")
_STATEMENT: Final = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|JOIN|TABLE|SET)\b")


def words_of_code(texts: IndexedTexts) -> frozenset[str]:
    """Return the words of the files that are not documents."""
    found: set[bytes] = set()
    for path, text in texts.items():
        if not is_document_path(path):
            found.update(_WORD.findall(text.text))
    return frozenset(word.decode("ascii") for word in found)


class UncommentedWords:
    """The words of code outside of comments, sentences and paths. A file is read when a question about one of its words comes."""

    def __init__(self, texts: IndexedTexts) -> None:
        self._texts = texts
        self._known: dict[int, frozenset[str]] = {}

    def __contains__(self, name: object) -> bool:
        """Return whether a file other than a document has a word outside of comments, sentences and paths."""
        texts = self._texts
        wanted = str(name).encode()
        at = texts.block.find(wanted)
        while at >= 0:
            number = texts.number_at(at)
            if not is_document_path(texts.paths[number]) and name in self._of_file(number):
                return True
            at = texts.block.find(wanted, texts.starts[number + 1])
        return False

    def _of_file(self, number: int) -> frozenset[str]:
        if number not in self._known:
            file = self._texts.numbered(number)
            self._known[number] = frozenset(_uncommented(file.text.decode("utf-8", "replace"), file.path))
        return self._known[number]


def _uncommented(text: str, path: str) -> set[str]:
    """Return the words of a file; if the comments of its language are known, those outside of comments, sentences and paths."""
    if language_of(path) not in BY_NAME:
        return {*_WORD_OF_TEXT.findall(text)}
    found: set[str] = set()
    for token in located_tokens(text, path):
        if token.number != LITERAL or not _names_nothing(token, text):
            found.update(_WORD_OF_TEXT.findall(token.text))
    return found


def _names_nothing(literal: Token, text: str) -> bool:
    """Return whether a string is a sentence, a relative path, or a text of several lines at the beginning of a line."""
    if _STATEMENT.search(literal.text) is not None:
        return False
    if literal.text.startswith(_DOCSTRING):
        before = text[text.rfind("\n", 0, literal.start) + 1 : literal.start]
        return before.strip() in ("", "r", "R")
    return _SENTENCE.fullmatch(literal.text) is not None or _PATH.fullmatch(literal.text) is not None
