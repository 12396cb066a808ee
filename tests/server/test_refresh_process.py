"""Refreshing an index in a copy of the process: the same reports and errors, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.schema.errors import NothingToIndex, StoreError
from astrolabe.schema.settings import Settings
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment.progress import ignore_progress
from astrolabe.server.indexing.indexer import Indexer
from astrolabe.server.indexing.refresh_process import RefreshProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
#: Set in the process of its own in which these tests run: where other tests have loaded LanceDB, no copy is made.
ALONE = "ASTROLABE_TESTS_ALONE"
alone = pytest.mark.skipif(ALONE not in os.environ, reason="runs in a process of its own")

#: Seconds within which a process must have ended on a slow machine.
PATIENCE = 10.0
CART = "export function total(prices: number[]) { return prices.length }\n"


@pytest.fixture
def cart(tmp_path: Path) -> Path:
    path = tmp_path / "cart.ts"
    path.write_text(CART)
    return path


@pytest.fixture
def process(cart: Path) -> Iterator[RefreshProcess]:
    process = RefreshProcess(Indexer(cart.parent, cart.parent / ".astrolabe", Settings()), linger=0.5)
    yield process
    process.end()


def copies() -> list[int]:
    """The child processes of this thread's process that still run."""
    children: list[int] = []
    for thread in Path("/proc/self/task").iterdir():
        children += map(int, (thread / "children").read_text().split())
    return children


@pytest.mark.skipif(ALONE in os.environ, reason="this is that process")
def test_copies_do_the_work_in_a_process_of_its_own() -> None:
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--spawn-workers", __file__]
    root = Path(__file__).parents[2]
    environment = {**os.environ, ALONE: "1", "PYTEST_ADDOPTS": ""}
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.split()[0] == "s" + 9 * "."  # all but this one


@alone
def test_a_workspace_sees_every_change_that_the_copy_writes(cart: Path) -> None:
    with Workspace.locate(cart.parent) as workspace:
        workspace.write_in_another_process()
        for name in ("total", "sum", "count"):
            cart.write_text(CART.replace("total", name))
            assert [each.name for each in workspace.search(f"symbol = {name}").results] == [name]
            assert workspace.report is not None
            assert (workspace.report.outcome, workspace.report.rebuilt_because) == ("built", "")
            assert workspace.report.work.resolved == 1
        workspace.search("symbol = count")
        assert workspace.report.outcome == "unchanged"
        before = workspace.report.generation.number
        assert workspace.reindex().generation.number > before


@alone
def test_progress_and_work_are_told(process: RefreshProcess) -> None:
    stages: list[str] = []
    report = process.refresh(lambda stage, done, total: stages.append(stage))
    assert {"parse", "resolve", "write"} <= set(stages)
    assert (report.outcome, report.work.parsed, report.work.resolved) == ("built", 1, 1)
    assert report.generation.manifest.counts["File"] == 1


@alone
def test_errors_are_those_of_the_indexer(process: RefreshProcess, cart: Path) -> None:
    cart.unlink()
    with pytest.raises(NothingToIndex):
        process.refresh(ignore_progress)
    cart.write_text(CART)
    assert process.refresh(ignore_progress).outcome == "built"


@alone
def test_the_copy_ends_when_nothing_changes(process: RefreshProcess, cart: Path) -> None:
    before = set(copies())
    process.refresh(ignore_progress)
    assert len(set(copies()) - before) == 1
    deadline = time.monotonic() + PATIENCE
    while set(copies()) - before:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    cart.write_text(CART.replace("total", "sum"))
    assert process.refresh(ignore_progress).outcome == "built"


@alone
def test_an_unchanged_index_starts_no_copy(process: RefreshProcess) -> None:
    process.refresh(ignore_progress)
    process.end()
    before = copies()
    assert process.refresh(ignore_progress).outcome == "unchanged"
    assert copies() == before


@alone
def test_a_copy_that_was_killed_is_replaced(process: RefreshProcess, cart: Path) -> None:
    before = set(copies())
    process.refresh(ignore_progress)
    (copy,) = set(copies()) - before
    os.kill(copy, signal.SIGKILL)
    cart.write_text(CART.replace("total", "sum"))
    assert process.refresh(ignore_progress).outcome == "built"
    assert process.refresh(ignore_progress).outcome == "unchanged"


@alone
def test_copies_that_always_end_are_told(cart: Path) -> None:
    process = RefreshProcess(Indexer(cart.parent, cart.parent / ".astrolabe", Settings()), in_copy=lambda: os._exit(1))
    try:
        for work in (process.refresh, process.rebuild):
            with pytest.raises(StoreError, match="ended unexpectedly; ask again"):
                work(ignore_progress)
    finally:
        process.end()


@alone
def test_a_copy_that_does_not_answer_is_given_up(cart: Path) -> None:
    indexer = Indexer(cart.parent, cart.parent / ".astrolabe", Settings())
    process = RefreshProcess(indexer, in_copy=lambda: time.sleep(60), silence=0.5)
    try:
        first = process.refresh(ignore_progress)
        assert first.outcome == "built"
        first.generation.release()
        cart.write_text(CART.replace("total", "sum"))
        started = time.monotonic()
        process.refresh(ignore_progress).generation.release()
        assert time.monotonic() - started < 30
        assert not copies()
    finally:
        process.end()


@alone
def test_no_copy_is_made_of_a_process_that_has_loaded_lancedb(process: RefreshProcess, cart: Path) -> None:
    import lancedb  # noqa: F401  # its threads are not copied

    for name in ("total", "sum"):
        cart.write_text(CART.replace("total", name))
        report = process.refresh(ignore_progress)
        assert report.outcome == "built"
        report.generation.release()
        assert not copies()
