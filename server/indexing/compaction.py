"""The log beside a graph file, written into a new graph file while nobody waits.

Each change is written on the graph as it was loaded together with all changes since, and whoever opens the graph reads that log
first: a hundred files on, a change of one file takes three times as long. So once files have been left alone for a while, a
process that lives on writes the same content into a new graph file, beside which no log lies. The writer's lock is not held
meanwhile, so nobody is turned away for it; when another generation comes out first, it was for nothing, and the next one is.
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
from ...schema.manifest import FileCheck, LoggedChanges, Manifest, time_of_creation
from ...schema.records import GraphContent
from ..environment.disk_space import ROOM_FOR_CHANGE, check_room
from .indexer import Indexer
from .store_messages import GraphOrder, GraphWritten, Renewal
from .store_process import StoreProcess
from .writer_lock import writer_lock

#: Bytes of the log, and files whose rows it replaces, from which on it is worth the work.
MIN_LOG = 256 << 10
MIN_FILES = 8
#: Seconds without a change until it begins.
QUIET = 1.0
#: It pauses for so many times what it took: it may keep one core busy for a fifth of the time.
PAUSE = 4.0
#: Seconds that what was written waits for another process that writes.
_PATIENCE = 1.0
#: Seconds that closing waits for the rest of what is under way.
_CLOSE = 5.0
#: Seconds between two looks whether there is still a point in waiting for a request that refreshes the index.
_LOOK = 0.1
#: Seconds after which the readers of the generation before are closed.
_READERS_CLOSE = 0.5


def is_due(manifest: Manifest) -> bool:
    """Whether a generation's log is long enough to be worth a new graph file."""
    logged = manifest.logged
    return manifest.log_bytes >= MIN_LOG and len({*logged.paths, *logged.resolved}) >= MIN_FILES


class Compaction:
    """A generation in the making that holds what another one holds, its graph without a log. It is ended in any case."""

    def __init__(self, indexer: Indexer, base: Generation) -> None:
        """Begins with `base`, the live generation, while the caller holds the writer's lock. Raises AstrolabeError."""
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
        """Writes the graph. Raises AstrolabeError, also when it was stopped, and OSError."""
        self._graph.send(Renewal(GraphContent(), LoggedChanges(), None))
        self._counts = self._graph.written().counts
        wanted = {table: count for table, count in self._base.manifest.counts.items() if count}
        if (found := {table: count for table, count in self._counts.items() if count}) != wanted:
            differing = sorted(table for table in {*found, *wanted} if found.get(table) != wanted.get(table))
            raise StoreError(f"The graph without its log has other numbers of rows of {', '.join(differing)}.")
        self._checks = self._apart.secure()

    def publish(self) -> Generation:
        """Makes it the live generation. The caller holds the writer's lock. Raises StoreError."""
        manifest = msgspec.structs.replace(
            self._base.manifest,
            created_at=time_of_creation(),
            counts=self._counts,
            loaded_counts={},
            logged=LoggedChanges(),
            checks=self._checks,
        )
        links = self._base.links()
        generation = self._indexer.store.admit(self._apart).publish(manifest, links)
        self._indexer.replaced(self._base, generation)
        return generation

    def is_wanted(self) -> bool:
        """Whether it was not stopped, and nothing else was published, and nothing removed, since it began."""
        if self._stopped:
            return False
        live = self._indexer.live()
        return live is not None and live.name == self._base.name

    def stop(self) -> None:
        """Ends the writing: who waits for it hears that it ended."""
        self._stopped = True
        self._graph.stop()

    def end(self) -> None:
        """Removes what was written, unless it was published."""
        self._graph.abandon()
        self._base.release()
        self._apart.remove()


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
        self._closed = threading.Event()
        #: Guards what follows, and tells the thread of it.
        self._changed = threading.Condition()
        #: The name of the generation that is to be compacted, and when, by the clock of `time.monotonic`.
        self._due: tuple[tuple[int, str], float] | None = None
        self._attempt: Compaction | None = None
        self._thread: threading.Thread | None = None

    def schedule(self, generation: Generation) -> None:
        """A generation was published by this process: it is compacted if that is due and no other one follows for a while."""
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
        """Something else is about to be written, for which this makes room at once."""
        with self._changed:
            self._drop()

    def close(self) -> None:
        """Ends what is under way, for good."""
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
        """Waits for the next generation to compact; None when this is closed."""
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
        """Keeps requests of this process from refreshing the index; False where this was closed before that could be."""
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
            # Who publishes a generation compacts it.
            if self._closed.is_set() or base is None or base.name != name:
                return None
            self._attempt = Compaction(self._indexer, base)
            return self._attempt

    def _publish(self, attempt: Compaction) -> bool:
        with writer_lock(self._indexer.data_dir, patience=_PATIENCE):
            if not attempt.is_wanted():
                return False
            attempt.publish()
            return True

    def _follow_up(self) -> None:
        """Has the new generation read ahead, and the one before removed, which takes as much room, unless others read it."""
        with suppress(AstrolabeError, OSError):  # the next question reads what was not read, the next change clears up
            self._on_published()
            self._closed.wait(_READERS_CLOSE)
            with self._alone() as is_alone:
                if is_alone:
                    with writer_lock(self._indexer.data_dir):
                        self._indexer.store.collect()
