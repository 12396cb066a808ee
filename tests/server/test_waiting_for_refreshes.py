"""What a request gets while another thread brings the index up to date."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from astrolabe.server.api.requests import fresh_index as api
from astrolabe.server.api.workspace import Workspace


@contextmanager
def refreshing(root: Path, ending: threading.Event) -> Iterator[Workspace]:
    """A workspace that another thread refreshes until `ending` is set."""
    begun = threading.Event()

    def listen(stage: str, done: int, total: int) -> None:
        if stage == "parse":
            begun.set()
            assert ending.wait(30)

    with Workspace.locate(root, progress=listen) as workspace:
        thread = threading.Thread(target=workspace.index)
        thread.start()
        assert begun.wait(30)
        try:
            yield workspace
        finally:
            ending.set()
            thread.join()


def later(ending: threading.Event) -> threading.Timer:
    timer = threading.Timer(1.0, ending.set)
    timer.start()
    return timer


def test_a_request_waits_for_a_few_files(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "IMPATIENCE", 0.1)
    (indexed / "src" / "added.ts").write_text("export const added = 1\n")
    ending = threading.Event()
    with refreshing(indexed, ending) as workspace:
        timer = later(ending)
        assert [row.path for row in workspace.files(path="src/added.ts")] == ["src/added.ts"]
        timer.join()


@pytest.mark.parametrize(("name", "value"), [("MANY_FILES", 0), ("PATIENCE", 0.2)])
def test_a_request_does_not_wait_for_many_files_nor_for_long(
    indexed: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: float
) -> None:
    monkeypatch.setattr(api, "IMPATIENCE", 0.1)
    monkeypatch.setattr(api, name, value)
    (indexed / "src" / "added.ts").write_text("export const added = 1\n")
    with refreshing(indexed, threading.Event()) as workspace:
        answer = workspace.lint(checks=["errors"])
    assert not answer.index.fresh
    assert answer.index.notices == (
        "The index is being updated: this answer is from generation 1; 1 changed file is not in it yet.",
    )
