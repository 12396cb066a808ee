"""Refresh an index in a forked copy of this process. When the copy ends, it returns all memory of an update.

The type engine, the writers of both stores and their data take 300 MB or more after some changes on 300,000 lines. An allocator
keeps much of this memory after it is freed. A forked copy starts with all imported modules of this process, and shares its pages.
The copy caches data for the next update, and ends when no file has changed for a while.
"""

from __future__ import annotations

import gc
import pickle
import sys
import threading
import time
from collections.abc import Callable

import msgspec

from ...schema.errors import AstrolabeError, StoreError
from ...schema.process.allocator import return_free_memory
from ...schema.process.serving import Caller
from ...schema.process.worker import Worker, fork_worker
from ..environment.gc_freeze import settle
from ..environment.mapped_pages import MappedPages
from ..environment.progress import ProgressListener, do_nothing
from .indexer import Indexer, IndexReport, Work
from .workspace_scan import Seen

#: Seconds after a refresh until the copy ends.
LINGER = 10.0
#: Seconds without a message after which a copy is killed. It may wait for a lock that another thread held during the fork.
SILENCE = 300.0
#: The files for a refresh, which are then not examined twice; None for a rebuild. An order is pickled, because paths may contain
#: bytes that are not UTF-8.
_Order = Seen | None


class _Progress(msgspec.Struct, frozen=True, tag=True):
    stage: str
    done: int
    total: int


class _Done(msgspec.Struct, frozen=True, tag=True):
    """The message with an `IndexReport`, without the generation, which the receiver reads from CURRENT."""

    outcome: str
    work: Work
    rebuilt_because: str
    stages: dict[str, float]
    notices: tuple[str, ...]


_Answer = _Progress | _Done


class _CopyEnded(StoreError):
    """Raised if a copy ends before it has answered. The work is given to another copy once."""


def _once_more(work: Callable[[], IndexReport]) -> IndexReport:
    """Return the result of some work, which is done again if the copy that does it ends."""
    try:
        return work()
    except _CopyEnded:
        return work()


class RefreshProcess:
    """Runs the writing methods of an indexer in a forked copy of this process. Only one refresh at a time may use it.

    If the process cannot be forked, or cannot be forked safely because LanceDB is loaded, the indexer runs in this process.
    """

    def __init__(
        self,
        indexer: Indexer,
        before: Callable[[], None] = do_nothing,
        in_copy: Callable[[], None] = do_nothing,
        linger: float = LINGER,
        silence: float = SILENCE,
    ) -> None:
        """`before` is called in this process before each run, and `in_copy` at the start of a copy.

        `linger` and `silence` are in seconds.
        """
        self._indexer = indexer
        self._before = before
        self._in_copy = in_copy
        self._linger = linger
        self._silence = silence
        #: Whether updates run in copies. Outside of Linux, system libraries break after `fork`, or `fork` does not exist.
        self._copies = sys.platform == "linux"
        #: Held during a refresh, and while the copy is stopped.
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._timer: threading.Timer | None = None

    def refresh(self, progress: ProgressListener) -> IndexReport:
        """Refresh the index; see `Indexer.refresh`. Raises the same errors."""
        # Again, the files are compared with the index first, because the copy may have published its work.
        return _once_more(lambda: self._refresh(progress))

    def rebuild(self, progress: ProgressListener) -> IndexReport:
        """Rebuild the index; see `Indexer.rebuild`. Raises the same errors."""
        return _once_more(lambda: self._run(None, progress))

    def warm_up(self) -> None:
        """Warm up; see `Indexer.warm_up`. The 20 MB of data for updates are loaded only in the copy."""
        if sys.platform != "linux":
            self._indexer.warm_up()
        else:
            from ...ingest.incremental import update  # noqa: F401  # so that no copy has to import it

    def end(self) -> None:
        """End the copy. A working copy ends later, or with this process."""
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    def _refresh(self, progress: ProgressListener) -> IndexReport:
        found = self._indexer.unchanged(progress)
        return found if isinstance(found, IndexReport) else self._run(found, progress)

    def _run(self, order: _Order, progress: ProgressListener) -> IndexReport:
        started = time.perf_counter()
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._indexer.before_writing()
            self._before()
            worker = self._worker = self._worker or self._copy()
            if worker is None:
                return self._run_in_process(order, progress)
            try:
                worker.send(pickle.dumps(order, pickle.HIGHEST_PROTOCOL))
                done = _result(worker, progress, self._silence)
            except TimeoutError:
                self._end()
                self._copies = False
                return self._run_in_process(order, progress)
            except EOFError:
                self._end()
                raise _CopyEnded("The process that updates the index ended unexpectedly; ask again.") from None
            finally:
                self._schedule_end()
            generation = self._indexer.live()
        if generation is None:
            raise StoreError("The index was removed while it was updated; ask again.")
        seconds = time.perf_counter() - started
        return IndexReport(generation, done.outcome, seconds, done.work, done.rebuilt_because, done.stages, done.notices)

    def _run_in_process(self, order: _Order, progress: ProgressListener) -> IndexReport:
        return _execute(self._indexer, order, progress)

    def _copy(self) -> Worker | None:
        """Return a forked copy of this process that waits for orders; None if a fork is impossible now."""
        # A fork does not copy the threads of LanceDB, so a call of LanceDB in a copy would never return.
        if not self._copies or "lancedb" in sys.modules:
            return None
        indexer = Indexer(self._indexer.root, self._indexer.data_dir, self._indexer.settings)

        def work(caller: Caller) -> None:
            # Finalizers of objects of the original process may use files that this copy has closed.
            gc.freeze()
            gc.disable()  # garbage is collected after each answer
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

    Raises the error of the copy, EOFError if it has ended, and TimeoutError after `silence` seconds without a message.
    """
    decoder: msgspec.msgpack.Decoder[_Answer] = msgspec.msgpack.Decoder(_Answer)
    while not isinstance(answer := decoder.decode(worker.receive(silence)), _Done):
        progress(answer.stage, answer.done, answer.total)
    return answer


def _refresh_on_orders(indexer: Indexer, caller: Caller) -> None:
    """Run the orders of the caller until the caller ends this process."""
    encoder = msgspec.msgpack.Encoder()

    def send(answer: _Answer) -> None:
        caller.send(encoder.encode(answer))

    def tell(stage: str, done: int, total: int) -> None:
        send(_Progress(stage, done, total))

    mapped = MappedPages()
    while True:
        order: _Order = pickle.loads(caller.receive())
        try:
            report = _execute(indexer, order, tell)
        except AstrolabeError as error:
            caller.fail(error)
        else:
            send(_Done(report.outcome, report.work, report.rebuilt_because, report.stages, report.notices))
            report.generation.release()
        _give_back(mapped)


def _execute(indexer: Indexer, order: _Order, progress: ProgressListener) -> IndexReport:
    return indexer.rebuild(progress) if order is None else indexer.refresh(progress, order)


def _give_back(mapped: MappedPages) -> None:
    """Collect garbage, and return unused memory to the system: of 400 MB, 100 MB remain for the next refresh."""
    gc.collect()
    settle()
    return_free_memory()
    mapped.note()
    mapped.drop()
