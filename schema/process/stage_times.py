"""How long the stages of a piece of work take."""

from __future__ import annotations

import time


class StageTimes:
    """Takes the time of stages that follow each other; one that comes again adds to itself."""

    def __init__(self) -> None:
        #: By stage, in the order in which they first ended.
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def end(self, stage: str) -> None:
        """What happened since the last stage ended was this stage."""
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now
