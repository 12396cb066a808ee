"""The log beside a graph file, written into a new graph file while nobody waits.

Each change is written on the graph as it was loaded together with all changes since, and whoever opens the graph reads that log
first: a hundred files on, a change of one file takes three times as long. So once files have been left alone for a while, a
process that lives on writes the same content into a new graph file, beside which no log lies. The writer's lock is not held
meanwhile, so nobody is turned away for it; when another generation comes out first, it was for nothing, and the next one is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

import msgspec

from ..graphdb.generations import Generation
from ..schema.errors import AstrolabeError, IndexLocked, StoreError
from ..schema.manifest import LoggedChanges, Manifest
from ..schema.records import GraphContent
from .disk_space import ROOM_FOR_CHANGE, check_room
from .indexer import Indexer
from .store_process import GraphProcess
from .store_worker import Renewal
from .writer_lock import writer_lock

#: Bytes of the log, and files whose rows it replaces, from which on it is worth the work.
LEAST_LOG = 256 << 10
LEAST_FILES = 8
#: Seconds without a change until it begins.
QUIET = 1.0
#: It pauses for so many times what it took: it may keep one core busy for a fifth of the time.
PAUSE = 4.0
#: Seconds between two looks whether there is still a point in waiting for a request that refreshes the index.
_LOOK = 0.1
#: Seconds until the readers of the generation before are closed.
_CLOSING = 0.5


def is_due(manifest: Manifest) -> bool:
    """Whether a generation's log is long enough to be worth a new graph file."""
    logged = manifest.logged
    return manifest.log_bytes >= LEAST_LOG and len({*logged.paths, *logged.resolved}) >= LEAST_FILES


class Compaction:
    """A generation in the making that holds what the live one holds, its graph without a log. It is ended in any case."""

    def __init__(self, indexer: Indexer, base: Generation) -> None:
        """Begins with `base`. The caller holds the writer's lock until this returns. Raises StoreError."""
        check_room(indexer.data_dir, base.manifest.graph_bytes + base.manifest.log_bytes + ROOM_FOR_CHANGE)
        self._base = base
        self._stopped = False
        self._staging = indexer.store.begin()
        self._published: Generation | None = None
        self._counts: dict[str, int] = {}
        self._graph = GraphProcess(self._staging.graph_path, base.graph_path)

    def write(self) -> None:
        """Writes the graph. Raises StoreError, also when it was stopped."""
        self._graph.renew(Renewal(GraphContent(), LoggedChanges(), None))
        self._counts = self._graph.written()
        wanted = {table: count for table, count in self._base.manifest.counts.items() if count}
        if (found := {table: count for table, count in self._counts.items() if count}) != wanted:
            differing = sorted(table for table in {*found, *wanted} if found.get(table) != wanted.get(table))
            raise StoreError(f"The graph without its log has other numbers of rows of {', '.join(differing)}.")
        self._checks = self._staging.secure()

    def publish(self, indexer: Indexer) -> Generation:
        """Makes it the live generation. The caller holds the writer's lock."""
        manifest = msgspec.structs.replace(
            self._base.manifest,
            created_at=datetime.now(UTC).isoformat(timespec="microseconds"),
            counts=self._counts,
            loaded_counts={},
            logged=LoggedChanges(),
            checks=self._checks,
        )
        self._published = self._staging.publish(manifest, self._base.links())
        indexer.replaced(self._base, self._published)
        return self._published

    def is_wanted(self, indexer: Indexer) -> bool:
        """Whether it was not stopped, and nothing else was published or cleared away since it began."""
        live = indexer.live()
        return not self._stopped and live is not None and live.name == self._base.name and self._staging.folder.exists()

    def stop(self) -> None:
        """Ends the writing: who waits for it hears that it ended."""
        self._stopped = True
        self._graph.stop()

    def end(self) -> None:
        """Removes what was written, unless it was published."""
        self._graph.abandon()
        self._base.release()
        if self._published is None:
            with suppress(FileNotFoundError):  # another writer has cleared it away
                self._staging.abandon()


class Compactor:
    """Compacts the graph of one workspace in a thread of its own. Thread-safe.

    Whatever it publishes answers as the generation before did.
    """

    def __init__(
        self, indexer: Indexer, refreshing: threading.Lock, on_published: Callable[[], None], warn: Callable[[str], None]
    ) -> None:
        """`refreshing` is held by who refreshes the index in this process, `on_published` called without it."""
        self._indexer = indexer
        self._refreshing = refreshing
        self._on_published = on_published
        self._warn = warn
        #: Guards what follows.
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        #: Goes up whenever what was scheduled or begun is not wanted any more.
        self._turn = 0
        self._attempt: Compaction | None = None
        self._closed = threading.Event()
        #: By the clock of `time.monotonic`.
        self._not_before = 0.0

    def schedule(self, generation: Generation) -> None:
        """A generation was published by this process: when no other follows for a while, it is compacted if that is due."""
        with self._lock:
            self._cancel()
            if self._closed.is_set() or not is_due(generation.manifest):
                return
            delay = max(QUIET, self._not_before - time.monotonic())
            self._timer = threading.Timer(delay, self._run, (self._turn,))
            self._timer.name = "compaction"
            self._timer.daemon = True
            self._timer.start()

    def interrupt(self) -> None:
        """Something else is about to be written, for which this makes room at once."""
        with self._lock:
            self._cancel()

    def close(self) -> None:
        """Ends what is under way, for good."""
        with self._lock:
            self._closed.set()
            timer = self._timer
            self._cancel()
        if timer is not None and timer is not threading.current_thread():
            timer.join()

    def _cancel(self) -> None:
        self._turn += 1
        if self._timer is not None:
            self._timer.cancel()
        if self._attempt is not None:
            self._attempt.stop()

    def _run(self, turn: int) -> None:
        started = time.monotonic()
        try:
            self._compact(turn)
        except IndexLocked:
            return  # another process is writing, and this would have been for nothing
        except (AstrolabeError, OSError) as error:
            self._closed.set()
            self._warn(f"The log of changes could not be merged, so they will take longer and longer: {error}")
        finally:
            now = time.monotonic()
            with self._lock:
                self._not_before = now + PAUSE * (now - started)

    def _compact(self, turn: int) -> None:
        with self._alone() as is_alone:
            attempt = self._begin(turn) if is_alone else None
        if attempt is None:
            return
        try:
            attempt.write()
            with self._alone() as is_alone:
                generation = self._publish(attempt) if is_alone else None
        except (StoreError, OSError):
            if attempt.is_wanted(self._indexer):
                raise
            generation = None
        finally:
            with self._lock:
                if self._attempt is attempt:
                    self._attempt = None
            attempt.end()
        if generation is not None:
            self._on_published()
            self._closed.wait(_CLOSING)
            with self._alone() as is_alone:
                if is_alone:
                    self._clear_away()

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Keeps requests of this process from refreshing the index; False where this was closed before that could be."""
        while not self._refreshing.acquire(timeout=_LOOK):
            if self._closed.is_set():
                yield False
                return
        try:
            yield not self._closed.is_set()
        finally:
            self._refreshing.release()

    def _begin(self, turn: int) -> Compaction | None:
        with self._lock, writer_lock(self._indexer.data_dir):
            base = self._indexer.live()
            if turn != self._turn or base is None or not is_due(base.manifest):
                return None
            self._attempt = Compaction(self._indexer, base)
            return self._attempt

    def _publish(self, attempt: Compaction) -> Generation | None:
        with writer_lock(self._indexer.data_dir):
            return attempt.publish(self._indexer) if attempt.is_wanted(self._indexer) else None

    def _clear_away(self) -> None:
        """Removes the generation before, unless other processes read it: it takes as much room as the new one."""
        with writer_lock(self._indexer.data_dir):
            self._indexer.store.collect()
