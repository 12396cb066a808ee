"""Whether work takes time that grows with its amount alone, measured so that neither other tests nor a busy machine decide."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import process_time

#: Seconds below which a time says nothing.
NOISE = 0.2
#: Exponent between linear (1) and quadratic (2) growth: twice the amount may take three times as long.
MAX_EXPONENT = 1.585
#: How often times are taken; the shortest ones count.
ATTEMPTS = 3


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time that some work takes in this process, without collecting the garbage of other tests."""
    gc.disable()
    try:
        started = process_time()
        work()
        return process_time() - started
    finally:
        gc.enable()


def is_linear(seconds: Callable[[int], float], count: int, times: int = 2) -> bool:
    """Return whether the time of work grows with its amount. `seconds` gives the time of an amount of work.

    The amount `count` is compared with `times` as much. If a busy machine makes that look worse than linear, the amount is
    compared with the square of `times`, where linear and quadratic growth lie further apart than times vary.
    """
    return _is_bounded(seconds, count, times) or _is_bounded(seconds, count, times * times)


def _is_bounded(seconds: Callable[[int], float], count: int, times: int) -> bool:
    once = more = float("inf")
    for _ in range(ATTEMPTS):
        once, more = min(once, seconds(count)), min(more, seconds(count * times))
        if more < max(times**MAX_EXPONENT * once, NOISE):
            return True
    return False
