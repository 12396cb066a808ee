"""Runs statements from outside in a process of their own: one that crashes or hangs there harms nobody else."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...schema.errors import AstrolabeError, QueryFailed, StoreError
from ...schema.process.frames import read_frame, write_frame

if TYPE_CHECKING:
    from ...graphdb.query_result import QueryResult

#: Seconds beyond its time limit after which a query that the engine does not interrupt is ended with its process.
GRACE = 2.0


class QueryProcess:
    """The worker of one graph file. It starts with the first query, and anew after each that ended it. Thread-safe."""

    def __init__(self, graph_path: Path) -> None:
        self._graph_path = graph_path
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def query(self, statement: str, parameters: Mapping[str, Any] | None, *, timeout: float, max_rows: int | None) -> QueryResult:
        """The rows of one statement, which has passed `check_read_only`. QueryFailed, IndexCorrupt."""
        with self._lock:
            if self._closed:
                raise StoreError(f"The graph {self._graph_path} is closed.")
            order = pickle.dumps((statement, dict(parameters or {}), timeout, max_rows))
            answer = self._ask(order, timeout + GRACE)
        if isinstance(answer, AstrolabeError):
            raise answer
        return cast("QueryResult", answer)

    def close(self) -> None:
        """Ends the worker, behind the query that it runs."""
        with self._lock:
            self._closed = True
            self._end()

    def _ask(self, order: bytes, seconds: float) -> Any:
        process = self._process or self._start()
        late = threading.Event()

        def end_late() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, end_late)
        timer.daemon = True
        timer.start()
        try:
            answer = self._exchange(process, order)
        finally:
            timer.cancel()
        if answer is not None:
            return pickle.loads(answer)
        self._end()
        if late.is_set():
            return QueryFailed("The query ran out of time. Narrow it, or raise the time limit.")
        return QueryFailed(
            "The graph engine crashed on this query, which is a fault of the engine; nothing else was harmed. Write it otherwise."
        )

    @staticmethod
    def _exchange(process: subprocess.Popen[bytes], order: bytes) -> bytes | None:
        """The answer's bytes; None when the worker went away before it was complete."""
        if process.stdin is None or process.stdout is None:
            return None
        try:
            write_frame(process.stdin, order)
            return read_frame(process.stdout)
        except (BrokenPipeError, ConnectionResetError, EOFError):
            return None

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", f"{__package__}.query_worker", str(self._graph_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the console, which goes on.
        )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue  # bytes that the worker never read
