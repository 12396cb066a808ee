"""Run statements of users in a separate process, so that a statement that crashes or hangs affects nothing else."""

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

#: Seconds after the time limit until the process of an uninterrupted query is killed.
GRACE = 2.0


class QueryProcess:
    """The worker of one graph file. The first query, and the next query after a crash, start the worker. Thread-safe."""

    def __init__(self, graph_path: Path) -> None:
        self._graph_path = graph_path
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._closed = False
        #: Guards the next two attributes, which `stop` reads while a query runs.
        self._state = threading.Lock()
        self._running: Worker | None = None
        self._stopped = False

    def query(self, statement: str, parameters: Mapping[str, Any] | None, *, timeout: float, max_rows: int | None) -> QueryResult:
        """Return the rows of one statement that has passed `check_read_only`. Raises QueryFailed and IndexCorrupt."""
        with self._lock:
            if self._closed:
                raise StoreError(f"The graph {self._graph_path} is closed.")
            worker = self._worker = self._worker or self._start()
            with self._state:
                self._running, self._stopped = worker, False
            try:
                worker.send(pickle.dumps((statement, dict(parameters or {}), timeout, max_rows)))
                answer = worker.receive(timeout + GRACE)
            except TimeoutError:
                self._end()
                raise QueryFailed("The query ran out of time. Narrow it, or raise the time limit.") from None
            except EOFError:
                self._end()
                if self._stopped:
                    raise QueryFailed("The query was stopped.") from None
                raise QueryFailed(
                    "The graph engine crashed on this query, which is a fault of the engine; nothing else was harmed. "
                    "Write it otherwise."
                ) from None
            finally:
                with self._state:
                    self._running = None
                if self._stopped:  # `stop` may have been called after the answer arrived
                    self._end()
        return cast("QueryResult", pickle.loads(answer))

    def stop(self) -> bool:
        """Stop the query of another thread. The call of that thread raises QueryFailed. Returns False if no query runs."""
        with self._state:
            if self._running is None:
                return False
            self._stopped = True
            self._running.kill()
            return True

    def close(self) -> None:
        """End the worker after the current query."""
        with self._lock:
            self._closed = True
            self._end()

    def _start(self) -> Worker:
        import subprocess

        from ...schema.process.worker import start_worker  # most requests run no statement of a user

        # The output of a crashed engine is useless for users.
        return start_worker(f"{__package__}.query_worker", str(self._graph_path), stderr=subprocess.DEVNULL)

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
