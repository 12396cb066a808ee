"""What people and pipes see: results on standard output, messages and progress on standard error."""

from __future__ import annotations

import io
import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from .progress import STAGE_TITLES, ProgressListener, ignore_progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


def accept_any_text() -> None:
    """Lets both streams take every string: file names may hold bytes that are no UTF-8, and pipes may expect ASCII."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def print_result(text: str) -> None:
    """Writes to standard output. A reader that has gone away, as `head` does, ends the program quietly."""
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes the stream once more when it ends, which would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def print_message(text: str) -> None:
    """Writes to standard error."""
    print(text, file=sys.stderr)


def print_json(value: object) -> None:
    """Writes one JSON value to standard output. JSON has no infinity and no NaN, which come out as null."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, default=str)
    print_result(text)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextmanager
def progress_on(stream: TextIO) -> Iterator[ProgressListener]:
    """A listener that draws a bar on a terminal; elsewhere it says nothing."""
    if not stream.isatty():
        yield ignore_progress
        return
    bar = _ProgressBar(stream)
    try:
        yield bar
    finally:
        bar.stop()


class _ProgressBar:
    """One line a stage. It appears with the first report of work, so that an unchanged index shows none."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._display: RichProgress | None = None
        self._stages: dict[str, TaskID] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        if not total:
            return
        display = self._display or self._start()
        if stage not in self._stages:
            self._stages[stage] = display.add_task(STAGE_TITLES.get(stage, stage), total=total)
        display.update(self._stages[stage], completed=done, total=total)

    def stop(self) -> None:
        """Clears the bar."""
        if self._display is not None:
            self._display.stop()

    def _start(self) -> RichProgress:
        from rich.console import Console
        from rich.progress import Progress

        self._display = Progress(console=Console(file=self._stream), transient=True)
        self._display.start()
        return self._display
