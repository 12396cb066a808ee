"""How far an indexing run has come, told to whoever watches: a terminal's bar, an MCP client, a notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: Called with a stage's name, the steps done and the steps of the stage. Stages come in the order of `STAGES`.
ProgressListener = Callable[[str, int, int], None]

#: Share of the whole run that each stage takes, in the order they run.
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
    """A moment of an indexing run."""

    stage: str
    done: int
    total: int

    @property
    def percent(self) -> float:
        """Of the whole run, 0 to 100; grows as long as the stages come in order."""
        before = 0
        for stage, share in STAGES.items():
            if stage == self.stage:
                return before + share * min(self.done / self.total, 1.0) if self.total else before
            before += share
        return before

    @property
    def message(self) -> str:
        """`Parsing 120/800 files`-like text for people."""
        title = STAGE_TITLES.get(self.stage, self.stage)
        return f"{title} {self.done:,}/{self.total:,}" if self.total else title


def ignore_progress(stage: str, done: int, total: int) -> None:
    """The listener of those who do not watch."""


def do_nothing() -> None:
    """Where nobody listens to what happened."""
