"""Which results an answer holds: those above the relevance gate, best first, as far as the token budget reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...schema.errors import UsageError
from ...schema.settings import Settings


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
    """Places of the results that an answer holds, and of those that passed the gate but did not fit; each best first."""

    chosen: list[int]
    left_out: list[int]


def check_numbers(limit: int | None, budget: int | None, threshold: float | None) -> None:
    """Raises UsageError for numbers outside of what a search can be asked for."""
    for name, value in (("limit", limit), ("budget", budget)):
        if value is not None and value < 1:
            raise UsageError(f"The {name} must be at least 1, not {value}.")
    if threshold is not None and not 0 <= threshold <= 1:
        raise UsageError(f"The lowest score is a number from 0 to 1, not {threshold:g}.")


def constraints(settings: Settings, limit: int | None, budget: int | None, threshold: float | None = None) -> Constraints:
    """The constraints of one search. A limit without a budget lifts both gate and budget, so that ranking can be seen.

    Raises UsageError.
    """
    check_numbers(limit, budget, threshold)
    if limit is not None and budget is None:
        return Constraints(threshold or 0.0, None, limit)
    gate = settings.minimum_relevance_threshold if threshold is None else threshold
    return Constraints(gate, settings.max_token_budget if budget is None else budget, limit)


def select(results: Sequence[Sized], limits: Constraints) -> Selection:
    """Select among results that are ordered by score, best first.

    The best result is always chosen: what is too large of it is collapsed when it is shown. A later one that does not fit
    gives way to smaller ones below it.
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
