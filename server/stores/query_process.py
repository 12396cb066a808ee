"""Runs statements from outside in a process of their own: one that crashes or hangs there harms nobody else."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...schema.errors import QueryFailed, StoreError

if TYPE_CHECKING:
    from ...graphdb.query_result import QueryResult
    from ...schema.process.worker import Worker

#: Seconds beyond its time limit after which a query that the engine does not interrupt is ended with its process.
GRACE = 2.0


class QueryProcess:
    """The worker of one graph file. It starts with the first query, and anew after each that ended it. Thread-safe."""

    def __init__(self, graph_path: Path) -> None:
        self._graph_path = graph_path
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._closed = False

    def query(self, statement: str, parameters: Mapping[str, Any] | None, *, timeout: float, max_rows: int | None) -> QueryResult:
        """The rows of one statement, which has passed `check_read_only`. QueryFailed, IndexCorrupt."""
        with self._lock:
            if self._closed:
                raise StoreError(f"The graph {self._graph_path} is closed.")
            worker = self._worker = self._worker or self._start()
            worker.send(pickle.dumps((statement, dict(parameters or {}), timeout, max_rows)))
            try:
                answer = worker.receive(timeout + GRACE)
            except TimeoutError:
                self._end()
                raise QueryFailed("The query ran out of time. Narrow it, or raise the time limit.") from None
            except EOFError:
                self._end()
                raise QueryFailed(
                    "The graph engine crashed on this query, which is a fault of the engine; nothing else was harmed. "
                    "Write it otherwise."
                ) from None
        return cast("QueryResult", pickle.loads(answer))

    def close(self) -> None:
        """Ends the worker, behind the query that it runs."""
        with self._lock:
            self._closed = True
            self._end()

    def _start(self) -> Worker:
        import subprocess

        from ...schema.process.worker import start_worker  # only now: most requests run no statement from outside

        # What the engine prints when it crashes is no news to anybody.
        return start_worker(f"{__package__}.query_worker", str(self._graph_path), stderr=subprocess.DEVNULL)

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
