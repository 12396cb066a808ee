"""Diversify results: lower the score of each further result of a file.

Without this, ten results come from three or four files, although a user first wants to see all places that may be meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..query.query import Query
from ..text.logit import logit, sigmoid
from .ranking import Ranked

#: Log-odds subtracted from the second result of a file; twice that from the third, and so on.
_PENALTY = 0.293
#: A result that the penalty would lower below the gate gets the score of the gate plus this number times its score. So the order
#: of such results stays.
_GATE_MARGIN = 1e-6


def spread_over_files(ranked: Sequence[Ranked], query: Query, gate: float) -> list[Ranked]:
    """Return the results in a new order, after each further result of a file got a lower score.

    The order of files by their best results stays, and results that pass the gate still pass. A query that names code
    leaves the results unchanged.
    """
    if query.names_code:
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
    lowered = sigmoid(logit(score) - _PENALTY * earlier)
    return max(lowered, min(gate + _GATE_MARGIN * score, score)) if score >= gate else lowered
