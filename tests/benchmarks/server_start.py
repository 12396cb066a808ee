"""Prints what the start of a server costs: `python tests/benchmarks/server_start.py FOLDER [--command COMMAND] [--rounds N]`.

FOLDER must be indexed. Each row is the median of the rounds: seconds since the start of the process, seconds of computing, and
resident memory in MB. Linux only, since it reads /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from markdown_tables import print_head, print_row

#: Seconds without a question until memory at rest is measured.
REST = 8.0
_TICKS = os.sysconf("SC_CLK_TCK")

#: Seconds since the start, seconds of computing, and resident bytes.
Cost = tuple[float, float, float]


def started(command: list[str], folder: Path) -> dict[str, Cost]:
    """Return what a server had cost at each point."""
    begin = time.perf_counter()
    costs: dict[str, Cost] = {}
    with subprocess.Popen([*command, "serve", "--root", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:

        def ask(number: int, method: str, parameters: dict[str, Any]) -> None:
            assert server.stdin is not None
            assert server.stdout is not None
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            while json.loads(server.stdout.readline()).get("id") != number:
                pass

        def note(point: str) -> None:
            fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(") ")[2].split()
            pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
            computed = (int(fields[11]) + int(fields[12])) / _TICKS
            costs[point] = (time.perf_counter() - begin, computed, pages * os.sysconf("SC_PAGE_SIZE"))

        client = {"name": "benchmark", "version": "1"}
        ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        note("initialize")
        assert server.stdin is not None
        server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        ask(2, "tools/list", {})
        note("tools/list")
        time.sleep(REST)
        note("at rest, before a question")
        before = time.perf_counter()
        ask(3, "tools/call", {"name": "codebase_search", "arguments": {"query": "where is the configuration read"}})
        begin += before - begin  # from here on, seconds count from the question
        note("first answer, from its question")
    return costs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--command", default=f"{sys.executable} -P -m astrolabe")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rounds = [started(shlex.split(options.command), options.folder.resolve()) for _ in range(options.rounds)]
    print_head(("point", "seconds", "computing", "MB"))
    for point in rounds[0]:
        seconds, computed, memory = (median(each[point][column] for each in rounds) for column in range(3))
        print_row((point, f"{seconds:.2f}", f"{computed:.2f}", f"{memory / 1e6:.0f}"))


if __name__ == "__main__":
    main()
