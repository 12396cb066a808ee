"""Memory of a running command and everything it starts, read from Linux's /proc while it runs."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
#: Seconds between two looks.
_INTERVAL = 0.05


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """What a command printed and cost. Memory is resident, in bytes; 0 where there is no /proc."""

    output: str
    seconds: float
    #: Seconds of the processor, of all its processes.
    processor: float
    #: Peak of the process that needed most.
    largest_process: int
    #: Peak of the sum over all processes at one moment; pages that they share count in each.
    all_processes: int


def run_measured(command: Sequence[str]) -> MeasuredRun:
    """Runs a command to its end. Raises CalledProcessError when it fails."""
    started, before = time.perf_counter(), os.times()
    largest = together = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            memory = [_memory(member) for member in _family(process.pid)]
            largest = max([largest, *(peak for peak, _ in memory)])
            together = max(together, sum(now for _, now in memory))
            time.sleep(_INTERVAL)
        seconds = time.perf_counter() - started
        output = process.stdout.read() if process.stdout else ""
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return MeasuredRun(output, seconds, processor, largest, together)


def _family(pid: int) -> list[int]:
    """A process and its descendants; those that end meanwhile are left out."""
    members = [pid]
    for member in members:
        try:
            for thread in (_PROC / str(member) / "task").iterdir():
                members += map(int, (thread / "children").read_text().split())
        except OSError:
            continue
    return members


def _memory(pid: int) -> tuple[int, int]:
    """Peak and present memory of a process."""
    try:
        status = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return 0, 0
    fields = dict(line.split(":", 1) for line in status.splitlines() if line.startswith(("VmHWM", "VmRSS")))
    # A process that has ended but was not waited for has neither.
    peak, now = (1024 * int(fields.get(name, "0 kB").split()[0]) for name in ("VmHWM", "VmRSS"))
    return peak, now
