"""Merge parts of documents into ranked code: after the best code, or first for a question about documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..query.query import Query
from ..text.logit import logit, sigmoid
from ..text.words import split_text
from .ranking import Ranked

#: Log-odds subtracted from documents if the question is about code, because documents describe code in similar words.
_PENALTY: Final = 3.0
#: Maximum number of document parts among the results of a question about code.
_MAX_DOCUMENTS: Final = 2
#: Minimum score of a part of a document that precedes all code if the question is about documents. The ranker was trained on
#: code.
_RELEVANT: Final = 0.4
#: Minimum score of a part of a document that is shown after code. Documents so near to the question are rarely wrong.
_CERTAIN: Final = 0.65
#: Minimum number of words of a question that all occur in titles.
_MIN_TITLE_WORDS: Final = 2
_FORM: Final = re.compile(r"(?:^|/)(?:issue|pull_request|merge_request)_templates?(?:/|\.\w+$)", re.IGNORECASE)
#: Words in questions about documents.
_ASKS_FOR_DOCUMENTS: Final = re.compile(
    r"\b(?:why|when (?:should|must|to)|rationale|motivation|decision|decided|docs?|documentation|documented|readme|changelog"
    r"|release notes|roadmap|guides?|guidelines?|conventions?|contribut\w+|install\w*|getting started|tutorials?|licen[cs]e"
    r"|architecture|requirements)\b",
    re.IGNORECASE,
)


def with_documents(code: Sequence[Ranked], documents: Sequence[Ranked], query: Query, gate: float) -> list[Ranked]:
    """Return code and documents together, best first. Results with a score below `gate` are not shown.

    For a query that names code, documents are returned only if there is no code.
    """
    if not code or not documents:
        return [*code, *documents]
    if query.names_code:
        return list(code)
    best = code[0].score
    documents = sorted((_with_title(each, query, gate) for each in documents), key=lambda result: -result.score)
    if _ASKS_FOR_DOCUMENTS.search(query.text):
        relevant = [each for each in documents if each.score >= _RELEVANT and not _is_form(each)][:_MAX_DOCUMENTS]
        first = [Ranked(each.chunk, max(each.score, best)) for each in relevant]
        return sorted([*first, *(each for each in documents if each not in relevant), *code], key=lambda result: -result.score)
    if best < gate:  # no code answers the question
        return sorted([*documents[:_MAX_DOCUMENTS], *code], key=lambda result: -result.score)
    lowered = [Ranked(result.chunk, min(sigmoid(logit(result.score) - _PENALTY), best)) for result in documents[:_MAX_DOCUMENTS]]
    if documents[0].score >= _CERTAIN and not _is_form(documents[0]):
        lowered[0] = Ranked(documents[0].chunk, max(lowered[0].score, gate))
    return sorted([*code, *lowered], key=lambda result: -result.score)


def _with_title(result: Ranked, query: Query, gate: float) -> Ranked:
    """Return a part of a document with at least the score of the gate if its titles and its path have all words of a question."""
    words = set(split_text(result.chunk.breadcrumb))
    is_titled = len(query.terms) >= _MIN_TITLE_WORDS and words.issuperset(query.terms)
    return Ranked(result.chunk, max(result.score, gate)) if is_titled else result


def _is_form(result: Ranked) -> bool:
    """Return whether a document is a form for issues or pull requests, which says nothing about the project."""
    return _FORM.search(result.chunk.relative_path) is not None
