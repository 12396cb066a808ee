"""When a long-lived process gives memory back: after quiet times, and not while requests keep coming."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.schema.process.allocator import limit_arenas, return_free_memory
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment.idle_memory import IdleMemory

#: Seconds within which a thread must have acted on a slow machine.
PATIENCE = 60.0


class Log:
    """What was done, in order."""

    def __init__(self) -> None:
        self._steps: list[str] = []
        self._changed = threading.Condition()

    def add(self, step: str) -> None:
        with self._changed:
            self._steps.append(step)
            self._changed.notify_all()

    def wait_for(self, steps: list[str]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self._steps) >= len(steps), PATIENCE)
            assert self._steps == steps

    @property
    def steps(self) -> list[str]:
        with self._changed:
            return list(self._steps)


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def idle(log: Log) -> Iterator[IdleMemory]:
    idle = IdleMemory(lambda: log.add("forget"), lambda: log.add("return"), quiet=0.2, forget_after=0.6)
    yield idle
    idle.close()


def test_nothing_happens_before_the_first_request(log: Log, idle: IdleMemory) -> None:
    time.sleep(0.9)
    assert log.steps == []


def test_memory_is_returned_after_a_request_and_data_for_changes_dropped_later(log: Log, idle: IdleMemory) -> None:
    idle.note_request()
    log.wait_for(["return", "forget", "return"])


def test_both_happen_once_for_a_request(log: Log, idle: IdleMemory) -> None:
    idle.note_request()
    log.wait_for(["return", "forget", "return"])
    time.sleep(0.9)
    assert log.steps == ["return", "forget", "return"]
    idle.note_request()
    log.wait_for(["return", "forget", "return"] * 2)


def test_requests_in_a_row_keep_the_data_for_changes(log: Log, idle: IdleMemory) -> None:
    for _ in range(5):
        idle.note_request()
        time.sleep(0.3)
        assert "forget" not in log.steps
    log.wait_for(["return"] * 5 + ["forget", "return"])


def test_a_closed_thread_does_nothing_more(log: Log, idle: IdleMemory) -> None:
    idle.note_request()
    idle.close()
    time.sleep(0.9)
    assert log.steps == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only glibc can be told")
def test_freed_memory_is_returned_to_the_system() -> None:
    limit_arenas()
    blocks = [bytes(100) * (index % 7 + 1) for index in range(400_000)]
    kept = blocks[::1000]
    full = _private_bytes()
    del blocks
    return_free_memory()
    assert kept
    assert _private_bytes() < full


def test_a_workspace_forgets_only_what_the_next_change_reads_again(tmp_path: Path) -> None:
    source = tmp_path / "cart.ts"
    source.write_text("export function total(prices: number[]) { return prices.length }\n")
    with Workspace.locate(tmp_path) as workspace:
        workspace.index()
        for name in ("sum", "count"):
            source.write_text(f"export function {name}(prices: number[]) {{ return prices.length }}\n")
            assert [each.name for each in workspace.search(f"symbol = {name}").results] == [name]
            workspace._indexer.forget()
        assert workspace.report is not None
        assert workspace.report.rebuilt_because == ""


def test_a_workspace_that_nobody_asks_answers_as_before(tmp_path: Path) -> None:
    (tmp_path / "cart.ts").write_text("export function total(prices: number[]) { return prices.length }\n")
    with Workspace.locate(tmp_path) as workspace:
        workspace.warm_up()

        def answers() -> list[str]:
            asked = (workspace.search("how is a total computed").text, workspace.find("prices.length").text)
            return [re.sub(r"[\d.]+ ms", "", answer) for answer in asked]

        before = answers()
        assert "cart.ts" in before[1]
        workspace._pool.suspend()
        assert answers() == before


def _private_bytes() -> int:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_"))
