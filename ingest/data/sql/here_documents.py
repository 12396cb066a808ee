"""Find here-documents in code: `psql <<SQL` in shells, `<<~SQL` in Ruby, and `<<<SQL` in PHP."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from .code_strings import CodeText

#: The beginning of a here-document, with the word that ends it.
_OPENING: Final = re.compile(r"<<[-~<]?[ \t]*+(?P<quote>['\"]?)(?P<word>[A-Za-z_]\w*+)(?P=quote)[^\n]{0,200}+\n")
#: A line that begins with a word, behind which only punctuation stands, such as `SQL;` and `SQL)`.
_WORD_LINE: Final = re.compile(r"^[ \t]*+(\w++)[ \t]*+[;,)\]]*+[^\w\n]*+$", re.MULTILINE)
#: Maximum number of here-documents of a file.
_MAX_DOCUMENTS: Final = 1_000
#: The end of a statement at the end of a line.
_STATEMENT_END: Final = re.compile(r";[ \t]*+(?:--[^\n]*+)?(?:\n|\Z)")


def here_documents(text: str) -> Iterator[CodeText]:
    """Yield the here-documents in the code of a file, in order."""
    at, lines = 0, None
    for _ in range(_MAX_DOCUMENTS):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        lines = _lines_of_one_word(text) if lines is None else lines
        at = opening.end()
        ends = lines.get(opening["word"], [])
        place = bisect_left(ends, at)
        if place < len(ends):
            end = ends[place]
            yield CodeText(text[at:end], at, end, False, ([0], [at]))
            at = end


def statements_in(document: CodeText) -> Iterator[CodeText]:
    """Yield the statements of a here-document, each of which ends with a semicolon at the end of a line."""
    start = 0
    ends = [match.end() for match in _STATEMENT_END.finditer(document.text)]
    for end in dict.fromkeys([*ends, len(document.text)]):
        begin = document.start + start
        yield CodeText(document.text[start:end], begin, document.start + end, False, ([0], [begin]))
        start = end


def _lines_of_one_word(text: str) -> dict[str, list[int]]:
    """Return the beginnings of the lines that consist of one word, by the word."""
    found: dict[str, list[int]] = {}
    for match in _WORD_LINE.finditer(text):
        found.setdefault(match[1], []).append(match.start())
    return found
