"""An indexing run that is stopped, politely or not, costs nothing but its own work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from incremental_report.kills import kills

Run = Callable[..., Any]


def _take_interrupts() -> None:
    """Ctrl-C works in the process to be started, also when this one runs in the background, where shells ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)], ids=["Ctrl-C", "kill"])
def test_the_last_generation_survives(run: Run, indexed: Path, stop: signal.Signals, code: int) -> None:
    for number in range(150):
        lines = (f"export function f{number}_{line}(a: number) {{ return a + {line} }}\n" for line in range(60))
        (indexed / "src" / f"many{number}.ts").write_text("".join(lines))
    command = [sys.executable, "-P", "-m", "astrolabe", "index", "--root", str(indexed)]
    indexer = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_take_interrupts,
    )
    staged = indexed / ".astrolabe" / "generations" / "2"
    while not staged.exists():
        assert indexer.poll() is None
        time.sleep(0.01)
    os.killpg(indexer.pid, stop)
    out, err = indexer.communicate(timeout=30)
    assert (indexer.returncode, out, err) == (code, "", "")
    status = run("status", "--json").json
    assert (status["generation"], status["files"], len(status["staleFiles"])) == (1, 4, 150)
    done = run("index", "--json").json
    assert done["counts"]["File"] == 154
    generations = [path.name for path in (indexed / ".astrolabe" / "generations").iterdir()]
    assert generations == [str(done["generation"])]


def test_a_run_killed_at_any_moment_leaves_the_state_before_or_after_it() -> None:
    """The short form of `python -m tests.incremental_report kill 200 1`."""
    outcomes = kills(times=4, seed=1, runs=("change", "renewal", "compaction"), phases=("graph", "published"))
    assert outcomes["completed"] == outcomes["before"] + outcomes["after"] == 4
    assert "BUILT ANEW" not in outcomes
    assert outcomes["generations left"] == 1


def test_edges_that_a_killed_run_began_to_write_are_not_used() -> None:
    """The edges of the files in the log are read again by the run that follows."""
    outcomes = kills(times=2, seed=2, runs=("change", "change elsewhere"), phases=("edges", "manifest", "draft of CURRENT", ""))
    assert outcomes["completed"] == outcomes["before"] + outcomes["after"] == 2
    assert "BUILT ANEW" not in outcomes
    assert outcomes["generations left"] == 1
