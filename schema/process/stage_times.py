"""The durations of the stages of a task."""

from __future__ import annotations

import time
from collections.abc import Callable


class StageTimes:
    """Measures successive stages in seconds. The times of a repeated stage add up."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """`clock` returns the time in seconds."""
        self._clock = clock
        #: Seconds by stage, in the order in which the stages first ended.
        self.seconds: dict[str, float] = {}
        self._since = self._clock()

    def end(self, stage: str) -> None:
        """End a stage: add the time since the end of the last stage to it."""
        now = self._clock()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now
