"""Refreshes an index in a copy of this process, so that a server gives back all that an update needed.

The type engine, the writers of both stores and what they have read are 300 MB or more after some changes on 300,000 lines,
and much of it stays with a process that freed it. A forked copy starts with everything that this process has imported, and
shares its pages. It keeps what makes the next update faster until no file has changed for a while, and then ends.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from ...schema.errors import AstrolabeError, StoreError
from ...schema.process.serving import Caller
from ...schema.process.worker import Worker, fork_worker
from ..environment.idle_memory import return_free_memory
from ..environment.mapped_pages import MappedPages
from ..environment.progress import ProgressListener, do_nothing
from .indexer import Indexer, IndexReport, Work

#: Seconds after a refresh until the copy ends.
LINGER = 10.0
#: Seconds without a sign of life after which a copy is given up: a lock of another thread may have been copied with it.
SILENCE = 300.0
_REFRESH, _REBUILD = b"refresh", b"rebuild"


class _Progress(msgspec.Struct, frozen=True, tag=True):
    """The progress of a refresh."""

    stage: str
    done: int
    total: int


class _Done(msgspec.Struct, frozen=True, tag=True):
    """An `IndexReport` on its way to the caller, without the generation, which CURRENT names."""

    outcome: str
    work: Work
    rebuilt_because: str
    stages: dict[str, float]
    notices: tuple[str, ...]


_Answer = _Progress | _Done


class RefreshProcess:
    """Has the methods of an indexer that write, and runs them in a copy of this process. For one refresh at a time.

    Where processes cannot be copied, or not safely because LanceDB is loaded, the indexer does the work itself.
    """

    def __init__(
        self,
        indexer: Indexer,
        before: Callable[[], None] = do_nothing,
        in_copy: Callable[[], None] = do_nothing,
        linger: float = LINGER,
        silence: float = SILENCE,
    ) -> None:
        """`before` is called when there is something to write, and `in_copy` first of all in a copy.

        `linger` and `silence` are in seconds.
        """
        self._indexer = indexer
        self._before = before
        self._in_copy = in_copy
        self._linger = linger
        self._silence = silence
        #: Whether updates run in copies. Elsewhere system libraries break after `fork`, or `fork` does not exist.
        self._copies = sys.platform == "linux"
        #: Held during a refresh, and while the copy is ended.
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._timer: threading.Timer | None = None

    def refresh(self, progress: ProgressListener) -> IndexReport:
        """Refresh the index, as `Indexer.refresh` does. Raises the same errors."""
        return self._indexer.unchanged(progress) or self._run(_REFRESH, progress)

    def rebuild(self, progress: ProgressListener) -> IndexReport:
        """Rebuild the index, as `Indexer.rebuild` does. Raises the same errors."""
        return self._run(_REBUILD, progress)

    def warm_up(self) -> None:
        """Warm up as `Indexer.warm_up` does, but leave 20 MB of data that only an update reads to the copy."""
        if sys.platform != "linux":
            self._indexer.warm_up()
        else:
            from ...ingest.incremental import update  # noqa: F401  # so that no copy has to import it

    def end(self) -> None:
        """End the copy, unless it is at work: then it ends later, or with this process."""
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    def _run(self, order: bytes, progress: ProgressListener) -> IndexReport:
        started = time.perf_counter()
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._indexer.before_writing()
            self._before()
            worker = self._worker = self._worker or self._copy()
            if worker is None:
                return self._here(order, progress)
            try:
                worker.send(order)
                done = _result(worker, progress, self._silence)
            except TimeoutError:
                self._end()
                self._copies = False
                return self._here(order, progress)
            except EOFError:
                self._end()
                raise StoreError("The process that updates the index ended unexpectedly; ask again.") from None
            finally:
                self._schedule_end()
            generation = self._indexer.live()
        if generation is None:
            raise StoreError("The index was removed while it was updated; ask again.")
        seconds = time.perf_counter() - started
        return IndexReport(generation, done.outcome, seconds, done.work, done.rebuilt_because, done.stages, done.notices)

    def _here(self, order: bytes, progress: ProgressListener) -> IndexReport:
        """Do the work in this process."""
        return self._indexer.refresh(progress) if order is _REFRESH else self._indexer.rebuild(progress)

    def _copy(self) -> Worker | None:
        """Return a copy of this process that waits for orders; None where there can be none now."""
        # The threads of LanceDB are not copied: what a copy asked of it would never be done.
        if not self._copies or "lancedb" in sys.modules:
            return None
        indexer = Indexer(self._indexer.root, self._indexer.data_dir, self._indexer.settings)

        def work(caller: Caller) -> None:
            # Objects of the original may refer to files that this copy has closed.
            gc.freeze()
            self._in_copy()
            _refresh_on_orders(indexer, caller)

        try:
            return fork_worker(work)
        except OSError:
            return None

    def _schedule_end(self) -> None:
        self._timer = threading.Timer(self._linger, self.end)
        self._timer.daemon = True
        self._timer.start()

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()


def _result(worker: Worker, progress: ProgressListener, silence: float) -> _Done:
    """Wait for a result.

    Raises the error of the copy, EOFError if it has ended, and TimeoutError if nothing comes from it for `silence` seconds.
    """
    decoder: msgspec.msgpack.Decoder[_Answer] = msgspec.msgpack.Decoder(_Answer)
    while not isinstance(answer := decoder.decode(worker.receive(silence)), _Done):
        progress(answer.stage, answer.done, answer.total)
    return answer


def _refresh_on_orders(indexer: Indexer, caller: Caller) -> None:
    """Refresh whenever the caller says so; the caller ends this process."""
    encoder = msgspec.msgpack.Encoder()

    def send(answer: _Answer) -> None:
        caller.send(encoder.encode(answer))

    def tell(stage: str, done: int, total: int) -> None:
        send(_Progress(stage, done, total))

    mapped = MappedPages()
    methods: dict[bytes, Any] = {_REFRESH: indexer.refresh, _REBUILD: indexer.rebuild}
    while True:
        method = methods[caller.receive()]
        try:
            report: IndexReport = method(tell)
        except AstrolabeError as error:
            caller.fail(error)
        else:
            send(_Done(report.outcome, report.work, report.rebuilt_because, report.stages, report.notices))
            report.generation.release()
        _give_back(mapped)


def _give_back(mapped: MappedPages) -> None:
    """Release unused memory of this process: of 400 MB, 100 MB are left for the next refresh."""
    return_free_memory()
    mapped.note()
    mapped.drop()
