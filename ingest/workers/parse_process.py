"""Start parse processes. The indexing of many files starts these processes before it loads its own modules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

from ...schema.process.worker import Worker, fork_worker, start_worker

#: Bytes of source below which a process costs more than it saves.
_WORTH_A_PROCESS = 400_000


def allowed_processes(workers: int) -> int:
    """Return the number of processes that may work at once for a value of the setting `workers`. 0 means one per core."""
    return workers or os.cpu_count() or 1


def processes_for(sizes: Sequence[int], workers: int) -> int:
    """Return how many processes parse files of these sizes, in bytes; 0 means that this process parses them itself.

    `workers` is the setting.
    """
    count = allowed_processes(workers)
    return 0 if count == 1 or sum(sizes) < _WORTH_A_PROCESS else min(count, len(sizes))


class ParseProcesses:
    """Parse processes that wait for their first file.

    Use it in a `with` block, which ends the processes that were not taken.
    """

    def __init__(self, count: int = 0, languages: Iterable[str] = (), *, forks: bool = False) -> None:
        """The processes load `languages` when they start. With `forks`, this process loads them once and is copied."""
        names = sorted(set(languages))
        self._idle = _copies(count, names) if forks and count else [_start(*names) for _ in range(count)]

    def take(self) -> Worker:
        """Return one of the processes, or a new one. The caller ends it."""
        return self._idle.pop() if self._idle else _start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while self._idle:
            self._idle.pop().end()


def _start(*languages: str) -> Worker:
    """Start a parse process. The process loads the given languages at once, and other languages with their first file."""
    return start_worker(f"{__package__}.parse_worker", *languages)


def _copies(count: int, languages: Sequence[str]) -> list[Worker]:
    """Load languages, and return copies of this process as parse processes."""
    from .parse_worker import load, parse  # an update needs no code that reads files of all languages

    load(languages)
    return [fork_worker(parse) for _ in range(count)]
