"""Source bytes to a syntax tree that has errors only where the code itself is broken.

tree-sitter's grammars for TypeScript and JavaScript reject some valid syntax. So a tree with errors is not believed at once:
known gaps (`grammar_gaps`) are written so that the grammar takes them, without moving an offset, and the tree of that text is put
back on the original bytes. The result is a tree over the file as it is, in which `class` of `<p class="x">` is a name. What is
broken in truth is kept to the statement that holds it (`grammar_containment`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from tree_sitter import Language, Tree

from .....schema.records import Problem
from .containment import Culprit, contained
from .edits import Edit, apply_edits
from .misread import misread_edits
from .problems import syntax_problems
from .repair import repaired
from .trees import Attempt, Grammar

#: Language of a file -> the grammar that reads it.
_GRAMMAR_OF: Final = {"typescript": "typescript", "tsx": "tsx", "javascript": "javascript", "jsx": "javascript"}

#: In `await (x)(y)` and `await (x).y` the JavaScript grammar reads a call of a function `await`; the TSX grammar reads it right.
_AWAITED_PARENTHESES: Final = re.compile(rb"await(?<![\w$.]await)\s*\(")


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A tree and the bytes it belongs to."""

    tree: Tree
    #: The bytes that the tree was made of: those that were given, or a version of the same length and the same line ends in which
    #: gaps are mended and broken code is overwritten. Names and texts are to be taken from the bytes that were given.
    data: bytes
    #: The grammar: "typescript", "tsx" or "javascript". JavaScript with type annotations is read by "tsx".
    grammar: str
    problems: list[Problem]
    #: The edits that mended gaps, with the names of the gaps; empty for most files.
    edits: list[Edit]


def parse_source(data: bytes, language: str) -> ParsedSource:
    """The tree of `data`, which is UTF-8 without a byte order mark; `language` is "typescript", "tsx", "javascript" or "jsx".

    Never fails on code: what is broken is told by `problems`, at most one per line. Parsers are kept for the process and serve
    one thread.
    """
    name = _GRAMMAR_OF[language]
    if name == "javascript" and _AWAITED_PARENTHESES.search(data):
        reading = _first_reading("tsx", data)
        if reading.attempt.cost == 0:
            return _parsed(reading, data)
    reading = _first_reading(name, data)
    if reading.attempt.cost:
        reading = _mended_javascript(reading) if name == "javascript" else _mended(reading, name)
    return _parsed(reading, data)


class _Reading(NamedTuple):
    """A source as a grammar reads it, with the edits that mend gaps."""

    grammar: str
    attempt: Attempt
    edits: list[Edit]


def _first_reading(name: str, data: bytes) -> _Reading:
    grammar = _grammar(name)
    edits = misread_edits(data) if name != "javascript" else []
    attempt = grammar.attempt(apply_edits(data, edits))
    if attempt.cost and edits:
        plain = grammar.attempt(data)
        if plain.cost < attempt.cost:
            return _Reading(name, plain, [])
    return _Reading(name, attempt, edits)


def _mended(reading: _Reading, dialect: str) -> _Reading:
    attempt, edits = repaired(_grammar(reading.grammar), reading.attempt, dialect)
    return _Reading(reading.grammar, attempt, reading.edits + edits)


def _mended_javascript(first: _Reading) -> _Reading:
    """The better of two readings: as JavaScript, or, by the TSX grammar, as JavaScript with Flow or TypeScript annotations."""
    annotated = _first_reading("tsx", first.attempt.data)
    if annotated.attempt.cost == 0:
        return annotated
    plain = _mended(first, "javascript")
    if plain.attempt.cost == 0:
        return plain
    annotated = _mended(annotated, "flow")
    return annotated if annotated.attempt.cost < plain.attempt.cost else plain


def _parsed(reading: _Reading, data: bytes) -> ParsedSource:
    """The reading put back on `data`, its errors kept to the code that holds them."""
    grammar = _grammar(reading.grammar)
    best = grammar.put_back(reading.attempt, data, reading.edits)
    culprits: list[Culprit] = []
    if best.cost:
        best, culprits = contained(grammar, best, reading.attempt)
    problems = syntax_problems(data, [site.node for site in best.errors], culprits)
    return ParsedSource(best.tree, best.data, reading.grammar, problems, reading.edits)


@cache
def _grammar(name: str) -> Grammar:
    """The grammars are loaded when the first file needs them."""
    if name == "javascript":
        import tree_sitter_javascript

        return Grammar(Language(tree_sitter_javascript.language()))
    import tree_sitter_typescript

    make = tree_sitter_typescript.language_tsx if name == "tsx" else tree_sitter_typescript.language_typescript
    return Grammar(Language(make()))
