"""Parse source bytes to a syntax tree that has errors only where the code itself is broken.

tree-sitter's grammars for TypeScript and JavaScript reject some valid syntax. A tree with errors is therefore repaired:

1. Known `gaps` of the grammar are rewritten to syntax that the grammar accepts, with every byte at its old offset.
2. The tree of the edited bytes is put back over the original bytes. In `<p class="x">`, `class` is then a name.
3. Code that is really broken is limited to its own statement (`containment`).
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from tree_sitter import Language, Parser, Tree

from .....schema.records import Problem
from ....symbols.byte_ranges import blank
from ...base import SyntaxTree
from ...parse_budget import TOO_SLOW, BoundedParser, ParseBudget, SlowSource
from .containment import Culprit, contained
from .edits import Edit, apply_edits
from .misread import misread_edits
from .problems import syntax_problems
from .repair import repaired
from .trees import Attempt, Grammar

#: The grammar for the files of each language.
_GRAMMAR_OF: Final = {"typescript": "typescript", "tsx": "tsx", "javascript": "javascript", "jsx": "javascript"}

#: The JavaScript grammar reads `await (x)(y)` and `await (x).y` as calls of a function `await`. The TSX grammar does
#: not.
_AWAITED_PARENTHESES: Final = re.compile(rb"await(?<![\w$.]await)\s*\(")


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A tree and the bytes that it belongs to."""

    tree: Tree
    #: The parsed bytes: the given bytes, or an edited version with the same length and line ends, in which gaps are repaired and
    #: broken code is overwritten. Names and texts must be read from the given bytes.
    data: bytes
    #: The grammar: "typescript", "tsx" or "javascript". The grammar of JavaScript with type annotations is "tsx".
    grammar: str
    problems: list[Problem]
    #: The edits that repaired gaps, with the names of the gaps; empty for most files.
    edits: list[Edit]


def parse_source(data: bytes, language: str) -> ParsedSource:
    """Parse UTF-8 without a byte order mark; `language` is "typescript", "tsx", "javascript" or "jsx".

    Broken code raises no error: `problems` lists it, at most once per line. If parsing takes too long, a source without
    code is parsed instead.
    """
    name = _GRAMMAR_OF[language]
    try:
        return _Parsing(data).run(name)
    except SlowSource:
        empty = blank(data)
        return ParsedSource(Parser(_language(name)).parse(empty), empty, name, [TOO_SLOW], [])


def parse_text(data: bytes, language: str) -> SyntaxTree:
    """Return the syntax tree of a text in UTF-8."""
    parsed = parse_source(data, language)
    return SyntaxTree(parsed.tree.root_node, not parsed.problems)


class _Reading(NamedTuple):
    """A source as a grammar reads it, with the edits that repair gaps."""

    grammar: str
    attempt: Attempt
    edits: list[Edit]


class _Parsing:
    """The parsing of one source. Its methods raise SlowSource if all parses together take too long."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._budget = ParseBudget(len(data))
        self._grammars: dict[str, Grammar] = {}

    def run(self, name: str) -> ParsedSource:
        data = self._data
        if name == "javascript" and _AWAITED_PARENTHESES.search(data):
            reading = self._first_reading("tsx", data)
            if reading.attempt.cost == 0:
                return self._parsed(reading)
        reading = self._first_reading(name, data)
        if reading.attempt.cost:
            reading = self._repaired_javascript(reading) if name == "javascript" else self._repaired(reading, name)
        return self._parsed(reading)

    def _grammar(self, name: str) -> Grammar:
        if name not in self._grammars:
            self._grammars[name] = Grammar(BoundedParser(_language(name), self._budget))
        return self._grammars[name]

    def _first_reading(self, name: str, data: bytes) -> _Reading:
        grammar = self._grammar(name)
        edits = misread_edits(data) if name != "javascript" else []
        attempt = grammar.attempt(apply_edits(data, edits))
        if attempt.cost and edits:
            plain = grammar.attempt(data)
            if plain.cost < attempt.cost:
                return _Reading(name, plain, [])
        return _Reading(name, attempt, edits)

    def _repaired(self, reading: _Reading, dialect: str) -> _Reading:
        attempt, edits = repaired(self._grammar(reading.grammar), reading.attempt, dialect)
        return _Reading(reading.grammar, attempt, reading.edits + edits)

    def _repaired_javascript(self, first: _Reading) -> _Reading:
        """Return the better of two readings: with the JavaScript grammar, or with the TSX grammar.

        The TSX grammar reads annotations of Flow or TypeScript.
        """
        annotated = self._first_reading("tsx", first.attempt.data)
        if annotated.attempt.cost == 0:
            return annotated
        plain = self._repaired(first, "javascript")
        if plain.attempt.cost == 0:
            return plain
        annotated = self._repaired(annotated, "flow")
        return annotated if annotated.attempt.cost < plain.attempt.cost else plain

    def _parsed(self, reading: _Reading) -> ParsedSource:
        """Return the tree of a reading over the original bytes, with its errors limited to the statements that contain them."""
        grammar, data = self._grammar(reading.grammar), self._data
        best = reading.attempt
        culprits: list[Culprit] = []
        with suppress(SlowSource):  # the errors so far are right, but less exact
            best = grammar.put_back(best, data, reading.edits)
            if best.cost:
                best, culprits = contained(grammar, best, reading.attempt)
        problems = syntax_problems(data, [site.node for site in best.errors], culprits)
        return ParsedSource(best.tree, best.data, reading.grammar, problems, reading.edits)


@cache
def _language(name: str) -> Language:
    """Return a grammar, which is loaded when the first file needs it."""
    if name == "javascript":
        import tree_sitter_javascript

        return Language(tree_sitter_javascript.language())
    import tree_sitter_typescript

    make = tree_sitter_typescript.language_tsx if name == "tsx" else tree_sitter_typescript.language_typescript
    return Language(make())
