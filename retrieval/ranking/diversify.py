"""The last stage of the local ranking: results spread over the places that they come from.

Ranked one by one, ten results come from three or four files, and whoever looks for a place first wants to see all that it may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..query.query import Question
from ..text.logit import logit, sigmoid
from .ranking import Ranked

#: Taken from the logarithm of the odds of the second result of a file, twice that from the third, and so on.
_STEP = 0.293
#: How far what passes the gate is kept above it, at most and by its own score, so that such results keep their order.
_KEPT_ABOVE = 1e-6


def spread_over_files(ranked: Sequence[Ranked], question: Question, gate: float) -> list[Ranked]:
    """The results, best first, each later one of a file with a lower score and so further down.

    Files keep their order, by their best results, and what passes the gate still does. What a question names stays where it is.
    """
    if question.names_code:
        return list(ranked)
    seen: Counter[str] = Counter()
    lowered = []
    for result in ranked:
        lowered.append(Ranked(result.chunk, _lowered(result.score, seen[result.chunk.relative_path], gate)))
        seen[result.chunk.relative_path] += 1
    return sorted(lowered, key=lambda result: -result.score)


def _lowered(score: float, earlier: int, gate: float) -> float:
    if not earlier:
        return score
    lowered = sigmoid(logit(score) - _STEP * earlier)
    return max(lowered, min(gate + _KEPT_ABOVE * score, score)) if score >= gate else lowered
