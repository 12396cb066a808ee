"""Select the results of an answer: results above the gate, best first, up to the token budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...schema.settings import Settings
from ..query.search_request import SearchRequest


class Constraints(NamedTuple):
    """Lowest score, token budget, and maximum number of results of an answer; None for no budget or no maximum."""

    threshold: float
    budget: int | None
    limit: int | None


class Sized(NamedTuple):
    """The score and the length of a result, on which its selection depends."""

    score: float
    tokens: int


class Selection(NamedTuple):
    """Indices of the results of an answer, and of further results above the gate that do not fit; best first."""

    chosen: list[int]
    left_out: list[int]


def constraints(settings: Settings, request: SearchRequest) -> Constraints:
    """Return the constraints of a search. A limit without a budget removes gate and budget, to make the ranking visible."""
    if request.limit is not None and request.budget is None:
        return Constraints(request.min_score or 0.0, None, request.limit)
    gate = settings.minimum_relevance_threshold if request.min_score is None else request.min_score
    return Constraints(gate, settings.max_token_budget if request.budget is None else request.budget, request.limit)


def select(results: Sequence[Sized], limits: Constraints) -> Selection:
    """Select among results that are ordered by score, best first.

    The best result is always selected; parts of it are collapsed if it is too large. After a result that does not fit, smaller
    results may still be selected.
    """
    chosen: list[int] = []
    left_out: list[int] = []
    spent = 0
    for place, result in enumerate(results):
        if result.score < limits.threshold or len(chosen) == limits.limit:
            break
        if chosen and limits.budget is not None and spent + result.tokens > limits.budget:
            left_out.append(place)
            continue
        chosen.append(place)
        spent += result.tokens
    return Selection(chosen, left_out)
