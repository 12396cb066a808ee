"""Merge parts of documents into ranked code: after the best code, or first for a question about documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..query.query import Query
from ..text.logit import logit, sigmoid
from .ranking import Ranked

#: Log-odds subtracted from documents if the question is about code, because documents describe code in similar words.
_PENALTY: Final = 3.0
#: Maximum number of document parts among the results of a question about code.
_MAX_DOCUMENTS: Final = 2
#: Minimum score of a part of a document that precedes all code if the question is about documents. The ranker was trained on
#: code.
_RELEVANT: Final = 0.4
#: Words in questions about documents.
_ASKS_FOR_DOCUMENTS: Final = re.compile(
    r"\b(?:why|rationale|motivation|decision|decided|docs?|documentation|documented|readme|changelog|release notes|roadmap"
    r"|guides?|guidelines?|conventions?|contribut\w+|install\w*|getting started|tutorials?|licen[cs]e|architecture"
    r"|requirements)\b",
    re.IGNORECASE,
)


def with_documents(code: Sequence[Ranked], documents: Sequence[Ranked], query: Query) -> list[Ranked]:
    """Return code and documents together, best first.

    For a query that names code, documents are returned only if there is no code.
    """
    if not code or not documents:
        return [*code, *documents]
    if query.names_code:
        return list(code)
    best = code[0].score
    if _ASKS_FOR_DOCUMENTS.search(query.text):
        first = [Ranked(each.chunk, max(each.score, best)) for each in documents[:_MAX_DOCUMENTS] if each.score >= _RELEVANT]
        raised = [*first, *documents[len(first) :]]
        return sorted([*raised, *code], key=lambda result: -result.score)
    lowered = [Ranked(result.chunk, min(sigmoid(logit(result.score) - _PENALTY), best)) for result in documents[:_MAX_DOCUMENTS]]
    return sorted([*code, *lowered], key=lambda result: -result.score)
