"""Select the results of an answer: those above the relevance gate, best first, as far as the token budget reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...schema.settings import Settings
from ..query.search_request import SearchRequest


class Constraints(NamedTuple):
    """The two constraints of an answer, and the most results it may have. None lifts one."""

    threshold: float
    budget: int | None
    limit: int | None


class Sized(NamedTuple):
    """A result as selection sees it."""

    score: float
    tokens: int


class Selection(NamedTuple):
    """Indices of the results that an answer contains, and of results that passed the gate but did not fit; each best first."""

    chosen: list[int]
    left_out: list[int]


def constraints(settings: Settings, request: SearchRequest) -> Constraints:
    """Return the constraints of one search. A limit without a budget lifts gate and budget, so that ranking can be seen."""
    if request.limit is not None and request.budget is None:
        return Constraints(request.min_score or 0.0, None, request.limit)
    gate = settings.minimum_relevance_threshold if request.min_score is None else request.min_score
    return Constraints(gate, settings.max_token_budget if request.budget is None else request.budget, request.limit)


def select(results: Sequence[Sized], limits: Constraints) -> Selection:
    """Select among results that are ordered by score, best first.

    The best result is always chosen: its parts are collapsed if it is too large. A later one that does not fit gives way to
    smaller ones below it.
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
