"""Memory and processor time of a running process and everything it starts, read from Linux's /proc."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
#: The first line of a mapping in `smaps`.
_MAPPING = re.compile(r"(?P<start>[0-9a-f]+)-(?P<end>[0-9a-f]+) \S{4} \S+ \S+ \d+ *(?P<name>.*)")
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


@dataclass(frozen=True, slots=True)
class MappedMemory:
    """Resident memory of a process in bytes: what it alone has, and what others map as well."""

    private: int
    shared: int


def mapped_memory(pid: int) -> MappedMemory | None:
    """Return the present memory of a process; None if it has ended."""
    try:
        lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return None
    sizes = {name: int(rest.split()[0]) << 10 for name, rest in (line.split(":", 1) for line in lines)}
    return MappedMemory(
        sizes["Private_Clean"] + sizes["Private_Dirty"] + sizes.get("Private_Hugetlb", 0),
        sizes["Shared_Clean"] + sizes["Shared_Dirty"],
    )


def private_kinds(pid: int) -> dict[str, int]:
    """Return the private bytes of a process by what is mapped: libraries, other files, the heap, anonymous mappings by size."""
    kinds: dict[str, int] = defaultdict(int)
    kind = ""
    for line in (_PROC / str(pid) / "smaps").read_text().splitlines():
        if (head := _MAPPING.match(line)) is not None:
            kind = _kind(head["name"], int(head["end"], 16) - int(head["start"], 16))
        elif line.startswith(("Private_Clean:", "Private_Dirty:")):
            kinds[kind] += int(line.split()[1]) << 10
    return dict(kinds)


def _kind(name: str, size: int) -> str:
    if name.startswith("/"):
        file = name.removesuffix(" (deleted)").rpartition("/")[2]
        return f"library {file.partition('.')[0]}" if ".so" in file else f"file {file}"
    if name:
        return name
    limit = next((limit for limit in (1, 16, 64, 256) if size <= limit << 20), None)
    return f"anonymous, up to {limit} MB" if limit is not None else "anonymous, larger"


def run_measured(command: Sequence[str]) -> MeasuredRun:
    """Runs a command to its end. Raises CalledProcessError when it fails."""
    started, before = time.perf_counter(), os.times()
    largest = together = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            memory = [_memory(member) for member in family_of(process.pid)]
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


def family_of(pid: int) -> list[int]:
    """Return a process and its descendants; those that end meanwhile are left out."""
    members = [pid]
    for member in members:
        try:
            for thread in (_PROC / str(member) / "task").iterdir():
                members += map(int, (thread / "children").read_text().split())
        except OSError:
            continue
    return members


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its living descendants, with that of the ended ones that were waited for."""
    ticks = 0
    for member in family_of(pid):
        try:
            fields = (_PROC / str(member) / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


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
