"""Starts parse processes: an index of many files starts them before it loads what it needs itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

#: Bytes of source below which the start of a process costs more than it saves.
_WORTH_A_PROCESS = 400_000


def allowed_processes(workers: int) -> int:
    """How many processes may work at once by the setting `workers`, of which 0 means one for each core."""
    return workers or os.cpu_count() or 1


def processes_for(sizes: Sequence[int], workers: int) -> int:
    """How many processes parse files of these sizes; 0 where this one does. `workers` are those of the settings."""
    count = allowed_processes(workers)
    return 0 if count == 1 or sum(sizes) < _WORTH_A_PROCESS else min(count, len(sizes))


def start_process(languages: Iterable[str] = ()) -> subprocess.Popen[bytes]:
    """A parse process that waits for files. It loads some languages at once, others with their first file."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", f"{__package__}.parse_worker", *languages],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the indexer, which ends its workers.
    )


class ParseProcesses:
    """Processes that load what they need while nobody has a file for them yet. Use in a `with` block, which ends those left."""

    def __init__(self, count: int, languages: Iterable[str] = ()) -> None:
        """`languages` are those that the processes load at once."""
        names = sorted(set(languages))
        self._processes = [start_process(names) for _ in range(count)]

    def take(self) -> subprocess.Popen[bytes] | None:
        """One of them, whose end is the caller's business; None when all are taken."""
        return self._processes.pop() if self._processes else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while (process := self.take()) is not None:
            process.kill()
            process.communicate()
