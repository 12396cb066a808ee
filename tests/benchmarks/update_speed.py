"""What a change costs, from the save to the fresh answer, stage by stage: `python tests/benchmarks/update_speed.py FOLDER FILE`.

Each kind of change is made to FILE in a copy of FOLDER, several times: warm, in a process that answered a question before and
answers the next one, and cold, by `astrolabe index` and `astrolabe search` in processes of their own. The table has the medians,
in milliseconds by the clock, and the processor's time of the warm ones.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from astrolabe.schema.settings import Settings
from astrolabe.server.indexer import Indexer, IndexReport
from astrolabe.server.workspace import Workspace

QUESTION = "how is a value computed"


class Cost(NamedTuple):
    """Seconds of one change."""

    stages: dict[str, float]
    total: float
    processor: float
    resolved: int
    outcome: str


def _with_body(text: str, turn: int) -> str:
    """Another statement at the root: nothing that others see."""
    return f"{text}\nvoid {turn}\n"


def _with_export(text: str, turn: int) -> str:
    """One more exported function."""
    return f"{text}\nexport function benchmarkAdded{turn}(value: number) {{ return value + {turn} }}\n"


def _with_line_above(text: str, turn: int) -> str:
    """Every line moves."""
    return f"// {turn}\n{text}"


CHANGES: dict[str, Callable[[str, int], str]] = {
    "touched": lambda text, turn: text,
    "a statement": _with_body,
    "a line above": _with_line_above,
    "an export": _with_export,
}


def warm(workspace: Workspace, file: Path, change: Callable[[str, int], str], turn: int) -> Cost:
    """One change and the next answer, in this process."""
    file.write_text(change(file.read_text(), turn))
    started, processor = time.perf_counter(), time.process_time()
    Indexer(workspace.root, workspace.data_dir, Settings()).scan()
    scanned = time.perf_counter()
    report: IndexReport = workspace.index()
    indexed = time.perf_counter()
    workspace.search(QUESTION)
    done = time.perf_counter()
    stages = {"scan": scanned - started, **report.stages, "answer": done - indexed}
    # The scan above is the benchmark's own: the index makes one itself.
    total = done - scanned
    return Cost(stages, total, time.process_time() - processor, report.work.resolved, report.rebuilt_because or report.outcome)


def cold(root: Path, file: Path, change: Callable[[str, int], str], turn: int) -> Cost:
    """One change and the next answer of the command line."""
    file.write_text(change(file.read_text(), turn))
    started = time.perf_counter()
    indexed = json.loads(_run("index", "--root", str(root), "--json"))
    between = time.perf_counter()
    _run("search", QUESTION, "--root", str(root), "--json")
    done = time.perf_counter()
    stages = {**indexed["stages"], "answer": done - between}
    why = indexed["builtAnewBecause"] or indexed["outcome"]
    return Cost(stages, between - started, 0.0, indexed["resolved"], why)


def _run(*arguments: str) -> bytes:
    return subprocess.run([sys.executable, "-P", "-m", "astrolabe", *arguments], check=True, stdout=subprocess.PIPE).stdout


def row(name: str, costs: Sequence[Cost]) -> str:
    """One line of the table: medians."""
    names = dict.fromkeys(stage for cost in costs for stage in cost.stages)
    stages = ", ".join(f"{stage} {1000 * median(cost.stages.get(stage, 0.0) for cost in costs):.0f}" for stage in names)
    total, processor = (1000 * median(getattr(cost, field) for cost in costs) for field in ("total", "processor"))
    return f"| {name} | {total:.0f} | {processor:.0f} | {costs[-1].resolved} | {costs[-1].outcome} | {stages} |"


def main(arguments: Sequence[str]) -> None:
    """Prints a Markdown table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("file")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(options.folder, root, ignore=shutil.ignore_patterns(".astrolabe", ".git"))
        file = root / options.file
        _run("index", "--root", str(root), "--json")
        print("| change | ms | processor ms | files resolved | outcome | stages, ms |\n|---|---:|---:|---:|---|---|", flush=True)
        turn = 0
        for name, change in CHANGES.items():
            costs = []
            with Workspace.locate(root) as workspace:
                workspace.search(QUESTION)
                for _ in range(options.rounds + 1):
                    turn += 1
                    costs.append(warm(workspace, file, change, turn))
            print(row(f"warm: {name}", costs[1:]), flush=True)
        for name, change in CHANGES.items():
            costs = []
            for _ in range(options.rounds):
                turn += 1
                costs.append(cold(root, file, change, turn))
            print(row(f"cold: {name}", costs), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
