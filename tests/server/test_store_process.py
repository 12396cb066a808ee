"""Processes that write a store: what they report, and when."""

from __future__ import annotations

import threading
from pathlib import Path

import msgspec
import pytest
from astrolabe.server.indexing import store_process
from astrolabe.server.indexing.store_messages import Embedded, GraphOrder, GraphWritten
from astrolabe.server.indexing.store_process import StoreProcess

#: Maximum time that a step of the test waits for another thread, in seconds.
_LIMIT = 20


class EarlyWorker:
    """A worker that has embedded everything before anyone waits for its result."""

    def __init__(self) -> None:
        self.has_embedded = threading.Event()
        self.may_end = threading.Event()
        self._answers = iter([Embedded(3, 3), GraphWritten({"File": 1})])

    def send(self, message: bytes) -> None:
        pass

    def receive(self) -> bytes:
        answer = next(self._answers)
        if isinstance(answer, GraphWritten):
            self.has_embedded.set()
            self.may_end.wait(_LIMIT)
        return msgspec.msgpack.encode(answer)

    def end(self) -> int:
        return 0


def test_progress_before_anyone_waits_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = EarlyWorker()
    monkeypatch.setattr(store_process, "start_worker", lambda module: worker)
    process = StoreProcess[GraphWritten](GraphOrder.of(tmp_path / "graph", None))
    assert worker.has_embedded.wait(_LIMIT)
    reported: list[tuple[str, int, int]] = []

    def note(stage: str, done: int, total: int) -> None:
        reported.append((stage, done, total))
        worker.may_end.set()

    assert process.written(note) == GraphWritten({"File": 1})
    assert reported == [("embed", 3, 3)]
