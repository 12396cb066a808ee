"""Convert between probabilities and log-odds (natural logarithm)."""

from __future__ import annotations

import math

#: Log-odds are clipped to this absolute value.
_MAX_LOG_ODDS = 60.0


def sigmoid(log_odds: float) -> float:
    """Return the probability that corresponds to log-odds."""
    return 1.0 / (1.0 + math.exp(-min(max(log_odds, -_MAX_LOG_ODDS), _MAX_LOG_ODDS)))


def logit(probability: float) -> float:
    """Return the log-odds of a probability; the limits for 0 and 1."""
    return math.log(probability / (1 - probability)) if 0 < probability < 1 else math.copysign(_MAX_LOG_ODDS, probability - 0.5)
