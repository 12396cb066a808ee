"""Probabilities and the logarithms of their odds."""

from __future__ import annotations

import math

#: Odds beyond these are certainty.
_CERTAIN = 60.0


def probability(log_odds: float) -> float:
    """That of these odds."""
    return 1.0 / (1.0 + math.exp(-min(max(log_odds, -_CERTAIN), _CERTAIN)))


def log_odds(probability: float) -> float:
    """Those of a probability; the largest and smallest there are where it is 1 and 0."""
    return math.log(probability / (1 - probability)) if 0 < probability < 1 else math.copysign(_CERTAIN, probability - 0.5)
