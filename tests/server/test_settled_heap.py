"""What a server keeps is hidden from the collector, but not for ever."""

from __future__ import annotations

import gc
import weakref
from itertools import count
from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from astrolabe.server.environment import gc_freeze
from astrolabe.server.environment.gc_freeze import ROUNDS, settle


@pytest.fixture(autouse=True)
def _own_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_freeze, "_rounds", count(1))


class _Loop:
    def __init__(self) -> None:
        self.itself = self


def test_cycles_that_were_hidden_are_freed_in_the_end() -> None:
    lost = weakref.ref(_Loop())
    settle()
    gc.collect()
    assert lost() is not None
    for _ in range(ROUNDS - 1):
        settle()
    assert lost() is None


def test_a_workspace_tells_when_a_generation_was_made(tmp_path: Path) -> None:
    tmp_path.joinpath("sums.ts").write_text("export const sum = (a: number, b: number) => a + b\n")
    told: list[int] = []
    with Workspace.locate(tmp_path) as workspace:
        workspace.on_built = lambda: told.append(workspace.report.generation.number if workspace.report else 0)
        workspace.search("sum")
        workspace.search("sum")
        assert told == [1]
        tmp_path.joinpath("sums.ts").write_text("export const sum = (a: number, b: number) => b + a\n")
        workspace.search("sum")
        assert told == [1, 2]
