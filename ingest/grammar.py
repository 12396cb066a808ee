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
from typing import Final

from tree_sitter import Language, Tree

from ..schema.records import Problem
from .grammar_containment import Culprit, contained
from .grammar_edits import Edit, apply_edits
from .grammar_misread import misread_edits
from .grammar_problems import syntax_problems
from .grammar_repair import repaired
from .grammar_trees import Attempt, Grammar

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
        annotated = _grammar("tsx").attempt(data)
        if annotated.cost == 0:
            return ParsedSource(annotated.tree, data, "tsx", [], [])
    misread = misread_edits(data) if name != "javascript" else []
    grammar = _grammar(name)
    first = grammar.attempt(apply_edits(data, misread))
    if first.cost and misread:
        first, misread = grammar.attempt(data), []
    if first.cost == 0 and not misread:
        return ParsedSource(first.tree, data, name, [], [])
    if name == "javascript":
        name, best, edits = _repaired_javascript(first)
    else:
        best, edits = repaired(grammar, first, name)
    grammar = _grammar(name)
    last = grammar.put_back(best, data)
    culprits: list[Culprit] = []
    if last.cost:
        last, culprits = contained(grammar, last, best)
    problems = syntax_problems(data, [site.node for site in last.errors], culprits)
    return ParsedSource(last.tree, last.data, name, problems, misread + edits)


def _repaired_javascript(first: Attempt) -> tuple[str, Attempt, list[Edit]]:
    """The better of two readings: as JavaScript, or, by the TSX grammar, as JavaScript with Flow or TypeScript annotations."""
    annotated = _grammar("tsx").attempt(first.data)
    if annotated.cost == 0:
        return "tsx", annotated, []
    best, edits = repaired(_grammar("javascript"), first, "javascript")
    if best.cost:
        best_annotated, annotated_edits = repaired(_grammar("tsx"), annotated, "flow")
        if best_annotated.cost < best.cost:
            return "tsx", best_annotated, annotated_edits
    return "javascript", best, edits


@cache
def _grammar(name: str) -> Grammar:
    """The grammars are loaded when the first file needs them."""
    if name == "javascript":
        import tree_sitter_javascript

        return Grammar(Language(tree_sitter_javascript.language()))
    import tree_sitter_typescript

    make = tree_sitter_typescript.language_tsx if name == "tsx" else tree_sitter_typescript.language_typescript
    return Grammar(Language(make()))
