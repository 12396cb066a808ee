"""The progress of an indexing run, for listeners such as a terminal's bar, an MCP client or a notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: Called with the name of a stage, the number of completed steps and the number of all steps. Stages come in the order of
#: `STAGES`.
ProgressListener = Callable[[str, int, int], None]

#: Share of each stage in the time of the whole run, in percent, in the order of the stages.
STAGES = {"discover": 2, "parse": 50, "resolve": 28, "embed": 10, "write": 10}

STAGE_TITLES = {
    "discover": "Looking for files",
    "parse": "Parsing",
    "resolve": "Resolving names",
    "embed": "Embedding",
    "write": "Writing the index",
}


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an indexing run at one moment."""

    stage: str
    done: int
    total: int

    @property
    def percent(self) -> float:
        """The percentage of the whole run, 0 to 100, which grows if the stages come in order."""
        before = 0
        for stage, share in STAGES.items():
            if stage == self.stage:
                return before + share * min(self.done / self.total, 1.0) if self.total else before
            before += share
        return before

    @property
    def message(self) -> str:
        """The progress for people: `Parsing 120/800`."""
        title = STAGE_TITLES.get(self.stage, self.stage)
        return f"{title} {self.done:,}/{self.total:,}" if self.total else title


def ignore_progress(stage: str, done: int, total: int) -> None:
    """Ignore the progress: the default listener."""


def do_nothing() -> None:
    """Do nothing: the default of callbacks."""
