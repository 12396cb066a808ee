"""Diversify results: lower the score of each further result of a file.

Otherwise ten results come from only three or four files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..query.query import Query
from ..text.logit import logit, sigmoid
from .ranking import Ranked

#: Log-odds subtracted from the second result of a file; twice this number from the third result, and so on.
_PENALTY = 0.293
#: If the penalty would lower a result below the gate, its score becomes the score of the gate plus this number times its
#: score. So the order of such results stays.
_GATE_MARGIN = 1e-6


def spread_over_files(ranked: Sequence[Ranked], query: Query, gate: float) -> list[Ranked]:
    """Return the results in a new order, with lower scores for further results of a file.

    The order of files by their best results stays, and results that pass the gate still pass. For a query that names code, the
    results stay unchanged.
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
