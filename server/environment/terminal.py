"""Output for people and pipes: results on standard output, messages and progress on standard error."""

from __future__ import annotations

import io
import json
import math
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from ...schema.errors import AstrolabeError, UsageError
from .progress import STAGE_TITLES, ProgressListener, ignore_progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


def accept_any_text() -> None:
    """Make standard output and error accept every string. File names may not be valid UTF-8, and pipes may expect ASCII."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def readable_arguments(arguments: Sequence[str], kept_after: Collection[str]) -> list[str]:
    """Return the arguments of a command with an escape for each byte that is not UTF-8, as answers show such names.

    Names of folders and files on disk stay as they are: all arguments after one of `kept_after`, and values as in `--root=PATH`.
    """
    found: list[str] = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        is_folder = before in kept_after or argument.partition("=")[0] in kept_after
        found.append(argument if is_folder else os.fsencode(argument).decode("utf-8", "backslashreplace"))
    return found


def print_result(text: str) -> None:
    """Write to standard output. If the reader, such as `head`, has closed the pipe, end the program without an error."""
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter would flush the closed stream at exit, and fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def print_message(text: str) -> None:
    """Write to standard error."""
    print(text, file=sys.stderr)


@contextmanager
def failures_told() -> Iterator[None]:
    """Print the message of an error that the user can act on, and exit with code 2 for wrong usage, else 1."""
    try:
        yield
    except UsageError as error:
        print_message(f"astrolabe: {error}")
        sys.exit(2)
    except AstrolabeError as error:
        print_message(f"astrolabe: {error}")
        sys.exit(1)


def print_json(value: object) -> None:
    """Write one JSON value to standard output. Infinity and NaN, which JSON does not have, become null."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        text = json.dumps(finite(value), ensure_ascii=False, default=str)
    print_result(text)


def finite(value: object) -> object:
    """Return a JSON value in which None replaces Infinity and NaN."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextmanager
def progress_on(stream: TextIO) -> Iterator[ProgressListener]:
    """Yield a progress listener that draws a bar on a terminal, and does nothing without a terminal."""
    if not stream.isatty():
        yield ignore_progress
        return
    bar = _ProgressBar(stream)
    try:
        yield bar
    finally:
        bar.stop()


class _ProgressBar:
    """A bar for each stage, which appears with the first progress. So a run without changes shows no bar."""

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
        """Remove the bar."""
        if self._display is not None:
            self._display.stop()

    def _start(self) -> RichProgress:
        from rich.console import Console
        from rich.progress import Progress

        self._display = Progress(console=Console(file=self._stream), transient=True)
        self._display.start()
        return self._display
