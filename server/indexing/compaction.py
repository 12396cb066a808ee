"""Compaction: merge a graph file and its log into a new graph file, in the background.

The log contains all changes since the graph file was loaded, and every reader reads the log. After a hundred changed files, a
change of one file takes three times as long. So after a while without changes, a long-running process writes the same content to
a new graph file without a log. The process does not hold the writer's lock meanwhile, so other writers need not wait. If another
generation is published first, the new graph file is discarded, and the next attempt starts from that generation.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec

from ...graphdb.generations.generations import Generation
from ...schema.errors import AstrolabeError, IndexLocked, StoreError
from ...schema.graph_content import GraphContent
from ...schema.manifest import FileCheck, LoggedChanges, Manifest, time_of_creation
from ..environment.disk_space import ROOM_FOR_CHANGE, check_room
from ..environment.progress import do_nothing
from .indexer import Indexer
from .store_messages import GraphOrder, GraphWritten, Renewal
from .store_process import StoreProcess
from .writer_lock import writer_lock

#: Minimum size in bytes of a log that is compacted.
MIN_LOG = 256 << 10
#: Minimum number of files in a log that is compacted.
MIN_FILES = 8
#: Seconds without a change before compaction begins.
QUIET = 1.0
#: Pause after a compaction, as a multiple of its duration, so that compactions use one core for a fifth of the time.
PAUSE = 4.0
#: Seconds that a completed compaction waits for another writer.
_PATIENCE = 1.0
#: Seconds that `close` waits for the thread to end.
_CLOSE = 5.0
#: Seconds between two checks for `close` while the thread waits for a request that refreshes the index.
_LOOK = 0.1
#: Seconds after which the readers of the previous generation are closed.
_READERS_CLOSE = 0.5


def is_due(manifest: Manifest) -> bool:
    """Return whether a generation's log is long enough for a compaction."""
    logged = manifest.logged
    return manifest.log_bytes >= MIN_LOG and len({*logged.paths, *logged.resolved}) >= MIN_FILES


class Compaction:
    """A new generation with the content of another generation, but without a log. The caller must call `end`."""

    def __init__(self, indexer: Indexer, base: Generation) -> None:
        """Begin a copy of `base`, the live generation. The caller holds the writer's lock. Raises AstrolabeError."""
        check_room(indexer.data_dir, base.manifest.graph_bytes + base.manifest.log_bytes + ROOM_FOR_CHANGE)
        self._indexer = indexer
        self._base = base
        self._stopped = False
        self._counts: dict[str, int] = {}
        self._checks: dict[str, FileCheck] = {}
        self._apart = indexer.store.begin_apart()
        try:
            self._graph = StoreProcess[GraphWritten](GraphOrder.of(self._apart.graph_path, base.graph_path))
        except BaseException:
            self._apart.remove()
            raise

    def write(self) -> None:
        """Write the graph. Raises OSError and AstrolabeError, also after a call of `stop`."""
        self._graph.send(Renewal(GraphContent(), LoggedChanges(), None))
        self._counts = self._graph.written().counts
        wanted = {table: count for table, count in self._base.manifest.counts.items() if count}
        if (found := {table: count for table, count in self._counts.items() if count}) != wanted:
            differing = sorted(table for table in {*found, *wanted} if found.get(table) != wanted.get(table))
            raise StoreError(f"The graph without its log has other numbers of rows of {', '.join(differing)}.")
        self._checks = self._apart.secure()

    def publish(self) -> Generation:
        """Make the new generation the live generation. The caller holds the writer's lock. Raises StoreError."""
        manifest = msgspec.structs.replace(
            self._base.manifest,
            created_at=time_of_creation(),
            counts=self._counts,
            loaded_counts={},
            logged=LoggedChanges(),
            checks=self._checks,
        )
        staging = self._indexer.store.admit(self._apart)
        staging.write_links(self._base.links())
        generation = staging.publish(manifest)
        self._indexer.replaced(self._base, generation)
        return generation

    def is_wanted(self) -> bool:
        """Return whether the compaction was not stopped, and its base is still the live generation."""
        if self._stopped:
            return False
        live = self._indexer.live()
        return live is not None and live.name == self._base.name

    def stop(self) -> None:
        """Stop writing. A call of `write` in another thread raises an error."""
        self._stopped = True
        self._graph.stop()

    def end(self) -> None:
        """Remove the written files, unless they were published."""
        self._graph.abandon()
        self._base.release()
        self._apart.remove()


class Compactor:
    """Compacts the graph of one workspace in a separate thread. Thread-safe.

    Answers from a compacted generation are the same.
    """

    def __init__(
        self,
        indexer: Indexer,
        refreshing: threading.Lock,
        on_published: Callable[[], None],
        warn: Callable[[str], None],
        before: Callable[[], None] = do_nothing,
    ) -> None:
        """`refreshing` is the lock of refreshes in this process.

        `before` is called with this lock, and should free 400 MB; `on_published` is called without the lock.
        """
        self._indexer = indexer
        self._refreshing = refreshing
        self._on_published = on_published
        self._warn = warn
        self._before = before
        self._closed = threading.Event()
        #: Guards the attributes below, and wakes the thread when they change.
        self._changed = threading.Condition()
        #: Name of the generation to compact, and the time for it by `time.monotonic`.
        self._due: tuple[tuple[int, str], float] | None = None
        self._attempt: Compaction | None = None
        self._thread: threading.Thread | None = None

    def schedule(self, generation: Generation) -> None:
        """Schedule the compaction of a generation that this process published, if its log is long enough."""
        with self._changed:
            self._drop()
            if self._closed.is_set() or not is_due(generation.manifest):
                return
            self._due = generation.name, time.monotonic() + QUIET
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="compaction", daemon=True)
                self._thread.start()
            self._changed.notify()

    def interrupt(self) -> None:
        """Stop a compaction before another write."""
        with self._changed:
            self._drop()

    def close(self) -> None:
        """Stop a compaction for good, and wait for the thread."""
        self._closed.set()
        with self._changed:
            self._drop()
            self._changed.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_CLOSE)

    def _drop(self) -> None:
        self._due = None
        if self._attempt is not None:
            self._attempt.stop()

    def _work(self) -> None:
        pause = 0.0
        while (name := self._next(pause)) is not None:
            started = time.monotonic()
            try:
                self._compact(name)
            except IndexLocked:
                logging.getLogger("astrolabe").info("The log of changes was not merged: another process was writing.")
            except (AstrolabeError, OSError) as error:
                self._closed.set()
                self._warn(f"The log of changes could not be merged, so they will take longer and longer: {error}")
            pause = time.monotonic() + PAUSE * (time.monotonic() - started)

    def _next(self, not_before: float) -> tuple[int, str] | None:
        """Wait for the next generation to compact; return None after `close`."""
        with self._changed:
            while not self._closed.is_set():
                if self._due is None:
                    self._changed.wait()
                    continue
                name, moment = self._due
                if (left := max(moment, not_before) - time.monotonic()) <= 0:
                    self._due = None
                    return name
                self._changed.wait(left)
        return None

    def _compact(self, name: tuple[int, str]) -> None:
        with self._alone() as is_alone:
            attempt = self._begin(name) if is_alone else None
        if attempt is None:
            return
        published = False
        try:
            attempt.write()
            with self._alone() as is_alone:
                published = is_alone and self._publish(attempt)
        except IndexLocked:
            raise
        except (AstrolabeError, OSError):
            if attempt.is_wanted():
                raise
        finally:
            with self._changed:
                self._attempt = None
            attempt.end()
        if published and not self._closed.is_set():
            self._follow_up()

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Keep requests of this process from refreshing the index. Yields False if `close` was called first."""
        while not self._refreshing.acquire(timeout=_LOOK):
            if self._closed.is_set():
                yield False
                return
        try:
            yield not self._closed.is_set()
        finally:
            self._refreshing.release()

    def _begin(self, name: tuple[int, str]) -> Compaction | None:
        with self._changed, writer_lock(self._indexer.data_dir):
            base = self._indexer.live()
            # Only the process that publishes a generation compacts it.
            if self._closed.is_set() or base is None or base.name != name:
                return None
            self._before()
            self._attempt = Compaction(self._indexer, base)
            return self._attempt

    def _publish(self, attempt: Compaction) -> bool:
        with writer_lock(self._indexer.data_dir, patience=_PATIENCE):
            if not attempt.is_wanted():
                return False
            attempt.publish()
            return True

    def _follow_up(self) -> None:
        """Load the new generation in advance, and remove the previous generation, which is as large, unless it has readers."""
        with suppress(AstrolabeError, OSError):  # the next request or change repeats it
            self._on_published()
            self._closed.wait(_READERS_CLOSE)
            with self._alone() as is_alone:
                if is_alone:
                    with writer_lock(self._indexer.data_dir):
                        self._indexer.store.collect()
