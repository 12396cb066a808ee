"""The index of a workspace. Every request first updates the index if files changed.

While another process writes the index, the answer comes from the last generation, with a notice.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from ....graphdb.queries.files import FileProblem, file_problems
from ....ingest.workers.gc_pause import paused_collector
from ....schema.errors import (
    AstrolabeError,
    IndexCorrupt,
    IndexLocked,
    IndexMissing,
    NothingToIndex,
    ProviderError,
    StoreError,
    WorkspaceError,
)
from ....schema.settings import Settings
from ...environment.progress import Progress, ProgressListener, do_nothing, ignore_progress
from ...indexing.garbage_collection import NO_INDEX
from ...indexing.index_removal import remove_index
from ...indexing.index_status import Status, bytes_under, gather_status
from ...indexing.indexer import Indexer, IndexReport
from ...indexing.workspace_health import gather_gaps
from ...stores.readers import ReaderPool, Readers
from .search_results import IndexState

if TYPE_CHECKING:
    from ....graphdb.database import GraphDatabase
    from ....graphdb.generations.generations import Generation
    from ....ingest.languages.module_manifests import ManifestGap
    from ...environment.idle_memory import IdleMemory
    from ...indexing.compaction import Compactor
    from ...indexing.refresh_process import RefreshProcess

Answer = TypeVar("Answer")

#: Notice of an answer that comes from Git alone.
_NOTHING_INDEXED = "No file of a supported language is here, so nothing is indexed: users and tests are not known."


def log_notice(notice: str) -> None:
    """Log a notice that is not part of an answer. By default, warnings appear on standard error."""
    logging.getLogger("astrolabe").warning(notice)


#: Seconds that a request waits for a refresh of many files in another thread, before it uses the last generation.
IMPATIENCE = 2.0
#: Seconds that a request waits for a refresh of few files. This limit is longer, because a refresh of few files usually ends
#: soon, and an answer without the last edits is misleading.
PATIENCE = 30.0
#: Number of files above which a refresh counts as a refresh of many files.
MANY_FILES = 200

#: Name of the folder with the databases of commits, in the data folder.
HISTORY_FOLDER = "history"


class FreshIndex:
    """The index of a workspace, updated before each request. Thread-safe."""

    def __init__(
        self,
        root: Path,
        data_dir: Path,
        settings: Settings,
        *,
        progress: ProgressListener = ignore_progress,
        notify: Callable[[str], None] = log_notice,
    ) -> None:
        self.root = root
        self.data_dir = data_dir
        self.settings = settings
        #: The progress of the indexing run in this process; None between runs.
        self.progress: Progress | None = None
        #: The report of the last indexing run in this process; None before the first run.
        self.report: IndexReport | None = None
        #: Called after a generation was built or loaded in advance, before the first request uses it.
        self.on_built: Callable[[], None] = do_nothing
        self._listener = progress
        self._notify = notify
        self._pool = ReaderPool(data_dir, settings)
        self._indexer = Indexer(root, data_dir, settings, self._pool)
        self._writer: Indexer | RefreshProcess = self._indexer
        self._refreshing = threading.Lock()
        #: Largest number of files that the running refresh has reported; 0 before its first report.
        self._files_in_work = 0
        self._compactor: Compactor | None = None
        self._idle_memory: IdleMemory | None = None

    @property
    def history_folder(self) -> Path:
        """The folder with the databases of commits that were read."""
        return self.data_dir / HISTORY_FOLDER

    def index(self) -> IndexReport:
        """Bring the index up to date. Raises IndexLocked at once if another process is writing it."""
        with self._refreshing:
            report = self._report(self._writer.refresh)
            if report.outcome == "built":
                return report
            try:
                with self._pool.lend(report.generation):
                    return report
            except IndexCorrupt as damage:
                return self._rebuild_damaged(damage)

    def reindex(self) -> IndexReport:
        """Build the index again from all files. Raises IndexLocked if another process is writing it."""
        with self._refreshing:
            return self._report(self._writer.rebuild)

    def refresh(self) -> IndexState:
        """Bring the index up to date, or return the state of the last generation, with a notice that says why it is outdated.

        Raises NothingToIndex and IndexTooNew. If there is no generation and none can be built, raises IndexLocked, WorkspaceError
        or StoreError.
        """
        state, _ = self._freshen()
        return state

    def problems(self) -> list[FileProblem]:
        """Return the problems of the files in the last index. Raises IndexMissing, IndexCorrupt and IndexTooNew."""
        generation, report = self._indexer.store.current(), self.report
        if generation is None:
            raise IndexMissing(NO_INDEX)
        if report is not None and report.problems is not None and report.generation.number == generation.number:
            return report.problems
        with self._pool.lend(generation) as readers:
            return file_problems(readers.graph)

    def manifest_gaps(self) -> list[ManifestGap]:
        """Return what the manifests of the workspace leave unknown: their problems, and required packages that are missing."""
        return gather_gaps(self.root, self._indexer.scan().discovery)

    def status(self) -> Status:
        """Return the state of the index without changing it. Raises IndexMissing, IndexCorrupt and IndexTooNew."""
        scan = self._indexer.scan()
        if scan.generation is None:
            raise scan.damage or IndexMissing(NO_INDEX)
        with self._pool.lend(scan.generation) as readers:
            return gather_status(self.root, self.data_dir, self.history_folder, scan, readers.generation, readers.graph)

    def current_generation(self) -> int | None:
        """Return the number of the live generation; None if there is no generation. Reads no source file.

        Raises IndexCorrupt and StoreError.
        """
        return self._indexer.store.current_number()

    def clean(self) -> int:
        """Remove unneeded generations, vectors and facts. Returns the number of freed bytes.

        Raises IndexMissing, and IndexLocked if another process is writing the index.
        """
        before = bytes_under(self.data_dir)
        with self._refreshing:
            self._indexer.tidy()
        return before - bytes_under(self.data_dir)

    def remove_index(self) -> int:
        """Remove the whole index. Returns the number of freed bytes. Raises IndexLocked if another process is writing it."""
        before = bytes_under(self.data_dir) if self.data_dir.is_dir() else 0
        with self._refreshing:
            self.close()
            remove_index(self.data_dir)
        return before

    def warm_up(self) -> None:
        """Open an existing index and bring it up to date, before the first request. Never builds a first index.

        Errors of the workspace and its index are ignored, because the first request reports them.
        """
        with suppress(AstrolabeError):
            if self._indexer.live() is not None:
                self.answered(lambda readers: readers.engine.warm_up())
                self._writer.warm_up()
                self.on_built()

    def is_indexed(self) -> bool:
        """Return whether there is an index, fresh or not, without opening it."""
        return self._indexer.live() is not None

    def refresh_in_advance(self) -> None:
        """Bring an existing index up to date without opening it, or build the first index if `index_on_start` is set.

        Errors are ignored, because the first request reports them.
        """
        with suppress(AstrolabeError):
            if self.is_indexed() or (self.settings.index_on_start and (self.root / ".git").exists()):
                self._freshen()

    def keep_compact(self, on_published: Callable[[], None] = do_nothing) -> None:
        """From now on, merge long logs of the graph in the background, and then call `on_published` in another thread."""
        from ...indexing.compaction import Compactor

        def before() -> None:
            if not isinstance(self._writer, Indexer):
                self._writer.end()
                self._make_room()

        def published() -> None:
            on_published()
            if not isinstance(self._writer, Indexer):
                self._make_room()  # the loaded data is not used yet

        self._compactor = Compactor(self._indexer, self._refreshing, published, self._notify, before)
        self._indexer.before_writing = self._compactor.interrupt

    def write_in_another_process(self) -> None:
        """From now on, refresh the index in a forked copy of this process if possible. The copy ends when files stop changing."""
        from ...indexing.refresh_process import RefreshProcess

        self._writer = RefreshProcess(self._indexer, self._make_room, self._pool.forget)

    def release_memory_when_idle(self) -> None:
        """From now on, return memory to the system whenever there is no request for a while."""
        from ...environment.idle_memory import IdleMemory

        def forget() -> None:
            if self._refreshing.acquire(blocking=False):
                try:
                    self._indexer.forget()
                finally:
                    self._refreshing.release()
            self._pool.suspend()

        self._idle_memory = IdleMemory(forget)

    def _make_room(self) -> None:
        """Release memory that another process needs. The next request reads the data again."""
        from ....schema.process.allocator import return_free_memory

        self._pool.suspend()
        return_free_memory()

    def close(self) -> None:
        """Close all files. A request in progress ends as usual."""
        if self._compactor is not None:
            self._compactor.close()
        if self._idle_memory is not None:
            self._idle_memory.close()
        if not isinstance(self._writer, Indexer):
            self._writer.end()
        if self._refreshing.acquire(blocking=False):  # otherwise a request is reading the events
            try:
                self._indexer.close()
            finally:
                self._refreshing.release()
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _freshen(self) -> tuple[IndexState, Generation]:
        """Refresh the index if possible. Returns the state of the index, and the generation for the answer."""
        if not self._may_refresh():
            return self._state_of_last_generation("The index is being updated")
        try:
            return _current(self._report(self._writer.refresh))
        except NothingToIndex:
            raise
        except (IndexLocked, WorkspaceError, StoreError, ProviderError) as error:
            if self._indexer.live() is None:
                raise
            return self._state_of_last_generation(
                "Another process is updating the index" if isinstance(error, IndexLocked) else str(error)
            )
        finally:
            self._refreshing.release()

    def _may_refresh(self) -> bool:
        """Acquire the lock of refreshes. Returns False if another thread holds the lock for too long and an index exists."""
        deadline = time.monotonic() + PATIENCE
        while not self._refreshing.acquire(timeout=IMPATIENCE):
            is_too_long = self._files_in_work > MANY_FILES or time.monotonic() > deadline
            if is_too_long and self._indexer.live() is not None:
                return False
        return True

    def answered(self, request: Callable[[Readers], Answer]) -> tuple[Answer, IndexState]:
        """Run a request on an up-to-date index. A damaged index is rebuilt once, which the state reports."""
        state, generation = self._freshen()
        try:
            with self._pool.lend(generation) as readers:
                return request(readers), state
        except IndexCorrupt as damage:
            state, generation = self._repair(generation, damage)
        with self._pool.lend(generation) as readers:
            return request(readers), state

    def answered_from_git(self, request: Callable[[GraphDatabase, Readers | None], Answer]) -> tuple[Answer, IndexState]:
        """Run a request that Git can answer in part without an index.

        If no file of a supported language is left, the request gets the graph of the last generation. If there never was one, it
        gets an empty graph, and no readers.
        """
        try:
            return self.answered(lambda readers: request(readers.graph, readers))
        except NothingToIndex:
            if self._indexer.live() is None:
                from ...stores.empty_graph import empty_graph

                with empty_graph(self.settings.graph_engine) as graph:
                    return request(graph, None), IndexState(0, fresh=True, notices=(_NOTHING_INDEXED,))
        state, generation = self._state_of_last_generation("No file of a supported language is left")
        with self._pool.lend(generation) as readers:
            return request(readers.graph, readers), state

    def live_generation(self) -> Generation | None:
        """Return the last generation; None if there is none. Raises IndexTooNew."""
        return self._indexer.live()

    def published(self, request: Callable[[Readers], Answer]) -> Answer:
        """Run a request on the last generation, without a search for changed files. Without a generation, one is built."""
        generation = self.live_generation()
        if generation is not None:
            with suppress(IndexCorrupt), self._pool.lend(generation) as readers:
                return request(readers)
        return self.analyse(request)

    def analyse(self, request: Callable[[Readers], Answer]) -> Answer:
        """Run a request whose answer cannot contain notices, and pass notices to `notify`."""
        answer, state = self.answered(request)
        for notice in state.notices:
            self._notify(notice)
        return answer

    def _repair(self, damaged: Generation, damage: IndexCorrupt) -> tuple[IndexState, Generation]:
        """Rebuild the index unless there is a newer generation, whose publication may have removed the old vectors."""
        with self._refreshing:
            live = self._indexer.live()
            if live is not None and live.number != damaged.number:
                return IndexState(live.number, fresh=True), live
            return _current(self._rebuild_damaged(damage))

    def _rebuild_damaged(self, damage: IndexCorrupt) -> IndexReport:
        return replace(self._report(self._writer.rebuild), notices=(damage.rebuilt_notice,))

    def _report(self, indexing: Callable[[ProgressListener], IndexReport]) -> IndexReport:
        # The collector stays paused until `on_built`, which may exclude the new objects from collection.
        with paused_collector():
            try:
                self.report = indexing(self._listen)
            finally:
                self.progress = None
                self._files_in_work = 0
                if self._idle_memory is not None:
                    self._idle_memory.note_request()
            if self.report.outcome == "built":
                self.on_built()
                if self._compactor is not None:
                    self._compactor.schedule(self.report.generation)
        return self.report

    def _listen(self, stage: str, done: int, total: int) -> None:
        self.progress = Progress(stage, done, total)
        self._files_in_work = max(self._files_in_work, total)
        self._listener(stage, done, total)

    def _state_of_last_generation(self, reason: str) -> tuple[IndexState, Generation]:
        scan = self._indexer.scan()
        if scan.generation is None:
            raise IndexMissing(NO_INDEX)
        number, count = scan.generation.number, len(scan.freshness.stale_files)
        files = "1 changed file is" if count == 1 else f"{count:,} changed files are"
        notice = f"{reason.rstrip('.')}: this answer is from generation {number}; {files} not in it yet."
        return IndexState(number, fresh=scan.freshness.is_fresh, notices=(notice,)), scan.generation


def _current(report: IndexReport) -> tuple[IndexState, Generation]:
    return IndexState(report.generation.number, fresh=True, notices=report.notices), report.generation
