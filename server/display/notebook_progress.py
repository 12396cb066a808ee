"""A progress bar in a notebook while an index is built."""

from __future__ import annotations

import sys
import time
from html import escape
from typing import TYPE_CHECKING, Any

from ..environment.progress import STAGES, Progress, ProgressListener, ignore_progress

if TYPE_CHECKING:
    from IPython.display import DisplayHandle

#: Minimum seconds between two updates of a bar. Each update is a message to the browser.
INTERVAL = 0.1
_LAST_STAGE = list(STAGES)[-1]


def notebook_progress() -> ProgressListener:
    """Return a listener that draws a bar in the kernel of a notebook, and does nothing elsewhere."""
    return NotebookBar() if _in_kernel() else ignore_progress


def _in_kernel() -> bool:
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None


class NotebookBar:
    """A bar for the whole run, which appears with the first progress. So a run without changes shows no bar."""

    def __init__(self) -> None:
        self._handle: DisplayHandle | None = None
        self._drawn_at = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Draw the progress of a stage, or remove the bar when the last stage is done."""
        if not total:
            return
        progress = Progress(stage, done, total)
        if stage == _LAST_STAGE and done >= total:
            self._end()
        elif self._handle is None:
            self._begin(progress)
        elif time.monotonic() - self._drawn_at >= INTERVAL:
            self._draw(progress)

    def _begin(self, progress: Progress) -> None:
        from IPython.display import HTML, display

        self._handle = display(HTML(_bar(progress)), display_id=True)
        self._drawn_at = time.monotonic()

    def _draw(self, progress: Progress) -> None:
        from IPython.display import HTML

        if self._handle is not None:
            self._handle.update(HTML(_bar(progress)))
            self._drawn_at = time.monotonic()

    def _end(self) -> None:
        from IPython.display import HTML

        if self._handle is not None:
            self._handle.update(HTML(""))
            self._handle = None


def _bar(progress: Progress) -> str:
    text = escape(progress.message)
    return f'<label><progress max="100" value="{progress.percent:.0f}" style="width: 20em"></progress> {text}</label>'
