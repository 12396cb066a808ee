"""Connect ingest with the stores: build a new generation if a scan tells that the index is not up to date."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...graphdb.generations.generations import Generation, GenerationStore
from ...graphdb.queries.files import FileProblem, problems_of
from ...ingest.workers.gc_pause import paused_collector
from ...schema.errors import IndexCorrupt, QueryFailed, StoreError
from ...schema.manifest import LoggedChanges
from ...schema.process.stage_times import StageTimes
from ...schema.process.worker import can_fork
from ...schema.settings import Settings
from ...schema.version import __version__
from ..environment.disk_space import naming_full_disk
from ..environment.progress import ProgressListener, do_nothing, ignore_progress
from ..stores.readers import ReaderPool
from .freshness import Freshness
from .garbage_collection import Upkeep
from .generation_update import MAX_AFFECTED, KnownGraph, PendingUpdate, why_not_updated
from .generation_writer import GenerationWriter
from .store_messages import KnownVectors, Renewal, VectorsBase
from .workspace_scan import Scan, Seen, WorkspaceScanner
from .writer_lock import PATIENCE, writer_lock

if TYPE_CHECKING:
    from ...ingest.facts.cache import FactCache
    from ...ingest.incremental.file_links import Links
    from ...ingest.incremental.memory import UpdateMemory
    from ...ingest.incremental.update import Changes
    from ...ingest.workers.parse_process import ParseProcesses


#: Maximum share of changed files for which the vector table is updated. Above this share, writing a new table is faster.
MAX_REPLACED = 0.5
#: Maximum share of changed files for which edges of other files are copied. Above this share, an index that reuses only facts
#: and vectors is as fast. Unlike the share of affected files, this share is known at once.
MAX_CHANGED = 0.35
#: Maximum share of files affected by the changed files, for which edges of other files are copied.
MAX_RENEWED = 0.5


@dataclass(frozen=True, slots=True)
class Work:
    """Counts of work without reuse in a run."""

    #: Number of files that were parsed.
    parsed: int = 0
    #: Number of chunks whose vectors were computed.
    embedded: int = 0
    #: Number of chunks whose rows were written.
    written: int = 0
    #: Number of files whose edges were resolved.
    resolved: int = 0


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The result of an indexing run."""

    generation: Generation
    #: "built" if a generation was written, "unchanged" if the last generation is still valid.
    outcome: str
    seconds: float
    work: Work = Work()
    #: Why all files were processed again although a generation existed and no rebuild was requested; "" otherwise.
    rebuilt_because: str = ""
    #: Seconds of each stage of an update, in order, after the scan.
    stages: dict[str, float] = field(default_factory=dict)
    #: Sentences for the user, such as that a damaged index was rebuilt.
    notices: tuple[str, ...] = ()
    #: The problems of all files if all files were read in this run; None if the graph has to be asked.
    problems: list[FileProblem] | None = None


class Indexer:
    """Keeps the index of one workspace up to date. The writer's lock serializes several threads and processes."""

    def __init__(
        self,
        root: Path,
        data_dir: Path,
        settings: Settings,
        readers: ReaderPool | None = None,
    ) -> None:
        """`readers`, if given, receive the open stores of an updated generation."""
        self._readers = readers
        self.root = root
        self.data_dir = data_dir
        self.settings = settings
        self.store = GenerationStore(data_dir)
        #: Called before the first write.
        self.before_writing: Callable[[], None] = do_nothing
        self._upkeep = Upkeep(root, data_dir, self.store)
        self._scanner = WorkspaceScanner(root, data_dir, settings, self.store)
        self._known = KnownGraph()
        #: Set by the first update, because its imports are slow.
        self._kept: UpdateMemory | None = None

    def scan(self, seen: Seen | None = None) -> Scan:
        """Compare the workspace with its index. Nothing is written. Raises IndexTooNew.

        `seen` are the files if they were just examined.
        """
        return self._scanner.scan(seen)

    def live(self) -> Generation | None:
        """Return the live generation; None if there is none. Raises IndexTooNew."""
        generation = self._scanner.stored()
        return generation if generation is not None and self._scanner.is_of_this_engine(generation) else None

    def refresh(self, progress: ProgressListener = ignore_progress, seen: Seen | None = None) -> IndexReport:
        """Bring the index up to date with as little work as possible; `seen` are the files if they were just examined.

        Raises NothingToIndex, IndexTooNew, IndexLocked (another process is writing), WorkspaceError (the data folder cannot be
        written) and the errors of the stores.
        """
        started = time.perf_counter()
        scan = self._examine(progress, seen)
        if isinstance(scan, IndexReport):
            return scan
        scan.refuse_empty(self.root)
        with writer_lock(self.data_dir, patience=PATIENCE if scan.generation is None else 0.0):
            scan = self._rescan_if_replaced(scan)
            if scan.generation is not None and scan.freshness.is_fresh:
                return IndexReport(scan.generation, "unchanged", time.perf_counter() - started)
            self.before_writing()
            return self._update(scan, started, progress)

    def unchanged(self, progress: ProgressListener = ignore_progress) -> IndexReport | Seen:
        """Return the report of `refresh` if the index is up to date, else the files for `refresh`. Raises IndexTooNew."""
        found = self._examine(progress)
        return found if isinstance(found, IndexReport) else Seen(found.discovery, found.seen_at)

    def _examine(self, progress: ProgressListener, seen: Seen | None = None) -> IndexReport | Scan:
        """Return the report if the index is up to date, else a scan. An unchanged workspace needs no scan if it is watched."""
        started = time.perf_counter()
        generation = self._scanner.quiet_generation() if seen is None else None
        if generation is None:
            scan = self._scanner.look(progress, seen)
            if scan.generation is None or not scan.freshness.is_fresh:
                return scan
            generation = scan.generation
        return IndexReport(generation, "unchanged", time.perf_counter() - started)

    def rebuild(self, progress: ProgressListener = ignore_progress) -> IndexReport:
        """Build a new generation from all files. Raises the same errors as `refresh`."""
        started = time.perf_counter()
        progress("discover", 0, 0)
        scan = self.scan()
        scan.refuse_empty(self.root)
        with writer_lock(self.data_dir):
            self.before_writing()
            self._kept = None
            with naming_full_disk(self.data_dir), self._upkeep.cache() as cache:
                cache.clear()
            return self._build(scan, started, progress, None)

    def warm_up(self) -> None:
        """Import the modules for the first update."""
        from ...ingest.incremental import update  # noqa: F401  # its import is what takes time
        from ...ingest.languages.typescript.runtime_facts import cached_runtime_facts

        cached_runtime_facts(None)

    def forget(self) -> None:
        """Release cached data that only makes the next update faster. No other thread may run an update meanwhile."""
        self._kept = None
        self._known = KnownGraph()

    def close(self) -> None:
        """Stop watching the workspace."""
        self._scanner.close()

    def tidy(self) -> None:
        """Remove all files that neither readers nor later changes need.

        Raises IndexMissing, IndexLocked and WorkspaceError.
        """
        with writer_lock(self.data_dir):
            self._upkeep.tidy(self._scanner.stored(), self.settings.sql_dialect)

    def replaced(self, base: Generation, generation: Generation) -> None:
        """Record that `generation`, which has no log, replaced `base` with the same content."""
        if self._kept is not None:
            self._kept.rename(base.name, generation.name)

    def _rescan_if_replaced(self, scan: Scan) -> Scan:
        """Scan again if another process published a generation between the scan and the lock."""
        live = self._scanner.stored()
        seen = scan.generation.number if scan.generation else None
        return scan if (live.number if live else None) == seen else self.scan()

    def _update(self, scan: Scan, started: float, progress: ProgressListener) -> IndexReport:
        """Bring the last generation up to date with as little work as possible."""
        live, freshness = scan.generation, scan.freshness
        if live is None:
            return self._build(scan, started, progress, None)
        if freshness.configuration_changed:
            why = "settings, installed packages or the version of Astrolabe changed"
            if not self._scanner.is_of_this_engine(live):
                why = (
                    f"the graph engine is {self.settings.graph_engine} now, and {live.manifest.graph_engine} wrote the last graph"
                )
            return self._rebuild_all(scan, started, progress, None, why)
        parsed = 0
        try:
            from ...ingest.incremental.refusals import TooMuchForUpdate, UpdateRefused

            try:
                try:
                    return self._change(scan, live, started, progress)
                except TooMuchForUpdate as refusal:
                    parsed = refusal.parsed
                    return _with_parsed(self._renew(scan, live, started, progress), parsed)
            except UpdateRefused as refusal:
                stale = len(freshness.stale_files)
                base = live if stale <= MAX_REPLACED * len(live.manifest.stamps) else None
                report = self._rebuild_all(scan, started, progress, base, str(refusal))
                return _with_parsed(report, parsed + refusal.parsed)
        except IndexCorrupt as damage:
            report = self._build(scan, started, progress, None)
            return replace(report, notices=(damage.rebuilt_notice,))

    def _rebuild_all(
        self, scan: Scan, started: float, progress: ProgressListener, base: Generation | None, why: str
    ) -> IndexReport:
        known = _known_vectors(scan.generation) if base is None and scan.generation is not None else None
        return replace(self._build(scan, started, progress, base, known), rebuilt_because=why)

    def _change(self, scan: Scan, live: Generation, started: float, progress: ProgressListener) -> IndexReport:
        """Publish the last generation with the changes. Raises UpdateRefused if a new generation must be built."""
        from ...ingest.incremental.refusals import TooMuchForUpdate, UpdateRefused
        from ...ingest.incremental.update import update

        stages, freshness = StageTimes(), scan.freshness
        memory, links = self._memory(), self._links(live)
        if refusal := why_not_updated(live, self.settings, freshness.stale_files):
            raise TooMuchForUpdate(refusal)
        changes = _changes(freshness, live.manifest.logged)
        with naming_full_disk(self.data_dir), self._upkeep.cache() as cache, paused_collector():
            pending = PendingUpdate(self.store, self.data_dir, self.settings, live, changes, self._known, self._readers)
            try:
                stages.end("open")
                found = update(
                    self.root, scan.discovery, self.settings, progress, cache, links, changes, memory, stages, MAX_AFFECTED
                )
                cache.flush()
                progress("write", 0, 1)
                generation, chunks, opened, edges = pending.publish(
                    found,
                    stamps=scan.stamps(found.links),
                    excluded=scan.discovery.excluded,
                    data_files=scan.discovery.data_files,
                    configuration_digest=self._scanner.digest(scan.discovery),
                    rules_digest=scan.discovery.rules_digest,
                    stages=stages,
                )
            except UpdateRefused:
                pending.abandon()
                cache.flush()  # the next run needs the parsed files
                raise
            except BaseException:
                pending.abandon()
                raise
            if self._readers is not None:
                self._readers.offer(generation, opened)
            else:
                opened.graph.close()
            progress("write", 1, 1)
            memory.keep_links(generation.name, found.links, edges)
            stages.end("publish")
            notices = self._upkeep.clear_up(cache, found.links, live, generation)
        stages.end("collect")
        work = Work(found.parsed, chunks.embedded, chunks.written, found.resolved)
        seconds = time.perf_counter() - started
        return IndexReport(generation, "built", seconds, work, stages=stages.seconds, notices=notices)

    def _renew(self, scan: Scan, live: Generation, started: float, progress: ProgressListener) -> IndexReport:
        """Publish a new graph file with the unchanged rows of the last graph file. Raises UpdateRefused."""
        from ...ingest.incremental.refusals import UpdateRefused
        from ...ingest.incremental.update import MIN_AFFECTED_LIMIT, update

        stages, freshness, stale = StageTimes(), scan.freshness, list(scan.freshness.stale_files)
        if len(stale) > MAX_CHANGED * len(scan.discovery.files) + MIN_AFFECTED_LIMIT:
            raise UpdateRefused(f"{len(stale):,} of {len(scan.discovery.files):,} files changed")
        memory, links = self._memory(), self._links(live)
        changes = _changes(freshness, LoggedChanges())
        with naming_full_disk(self.data_dir), self._upkeep.cache() as cache:
            vectors = VectorsBase(live.manifest.vectors_version, stale)
            writer = GenerationWriter(self.store, self.data_dir, self.settings, vectors, graph_base=live.graph_path)
            try:
                found = update(
                    self.root, scan.discovery, self.settings, progress, cache, links, changes, memory, stages, MAX_RENEWED
                )
                cache.flush()
                writer.renew_graph(Renewal(found.graph, found.replaced, list(found.homes.items()) if changes.moved else None))
                for content in found.contents:
                    writer.add_file(content)
                writer.end_files()
                generation = writer.publish(
                    stamps=scan.stamps(found.links),
                    excluded=scan.discovery.excluded,
                    data_files=scan.discovery.data_files,
                    configuration_digest=self._scanner.digest(scan.discovery),
                    rules_digest=scan.discovery.rules_digest,
                    links=msgspec.msgpack.encode(found.links),
                    progress=progress,
                )
            except (StoreError, QueryFailed) as error:
                writer.abandon()
                # Building a new index avoids these errors, or reports them.
                raise UpdateRefused(f"the last graph could not be taken over: {error}") from error
            except BaseException:
                writer.abandon()
                raise
            stages.end("write")
            memory.keep_links(generation.name, found.links, {})
            left = self._upkeep.clear_up(cache, found.links, live, generation)
        stages.end("collect")
        work = Work(found.parsed, writer.vectors.embedded, writer.vectors.written, found.resolved)
        seconds = time.perf_counter() - started
        return IndexReport(generation, "built", seconds, work, stages=stages.seconds, notices=(*writer.notices, *left))

    def _links(self, live: Generation) -> Links:
        """Return the links of a generation. The links and edges stay in memory for the next update. Raises UpdateRefused if they
        are missing."""
        from ...ingest.incremental.file_links import read_edges, read_links
        from ...ingest.incremental.refusals import UpdateRefused

        memory = self._memory()
        known = memory.links(live.name)
        if known is not None:
            return known
        links = read_links(live.links())
        if links is None:
            raise UpdateRefused("the links between files are not kept")
        memory.keep_links(live.name, links, read_edges(live.edges()))
        return links

    def _build(
        self,
        scan: Scan,
        started: float,
        progress: ProgressListener,
        base: Generation | None,
        known: KnownVectors | None = None,
    ) -> IndexReport:
        """Build a generation. With a base, the vectors of unchanged files are kept.

        Vectors in `known` are not computed again.
        """
        stale = scan.freshness.stale_files
        vectors = VectorsBase(base.manifest.vectors_version, list(stale)) if base is not None else None
        if forks := can_fork():
            from ...ingest import pipeline  # noqa: F401  # loaded once, for this process and its copies
        with (
            naming_full_disk(self.data_dir),
            paused_collector(),
            self._upkeep.cache() as cache,
            self._parse_processes(scan, cache, forks=forks) as processes,
        ):
            # Without copies, these imports take as long as the start of the parse processes.
            from ...ingest.pipeline import analyse

            writer = GenerationWriter(self.store, self.data_dir, self.settings, vectors, known=known, forks=forks)
            try:
                analysis = analyse(
                    self.root,
                    scan.discovery,
                    self.settings,
                    progress,
                    writer,
                    cache=cache,
                    contents_of=frozenset(stale) if base is not None else None,
                    processes=processes,
                )
                writer.end_graph()
                cache.flush()  # pack the parsed files while the stores complete
                generation = writer.publish(
                    stamps=scan.stamps(analysis.links),
                    excluded=scan.discovery.excluded,
                    data_files=scan.discovery.data_files,
                    configuration_digest=self._scanner.digest(scan.discovery),
                    rules_digest=scan.discovery.rules_digest,
                    links=msgspec.msgpack.encode(analysis.links),
                    progress=progress,
                )
            except BaseException:
                writer.abandon()
                with suppress(StoreError):
                    cache.flush()  # a retry then does not parse these files again
                raise
            left = self._upkeep.clear_up(cache, analysis.links, scan.generation, generation)
        done = writer.vectors
        work = Work(analysis.parsed, done.embedded, done.written, len(analysis.records))
        notices = (*_notices(scan, generation), *writer.notices, *left)
        problems = problems_of(analysis.records)
        return IndexReport(generation, "built", time.perf_counter() - started, work, notices=notices, problems=problems)

    def _parse_processes(self, scan: Scan, cache: FactCache, *, forks: bool) -> ParseProcesses:
        """Return the parse processes for all files; none if the files may be in the cache."""
        from ...ingest.workers.parse_process import ParseProcesses, processes_for

        files = scan.discovery.files if cache.knows_nothing else []
        count = processes_for([file.size for file in files], self.settings.workers)
        return ParseProcesses(count, {file.language for file in files}, forks=forks)

    def _memory(self) -> UpdateMemory:
        from ...ingest.incremental.memory import UpdateMemory

        if self._kept is None:
            self._kept = UpdateMemory()
        return self._kept


def _with_parsed(report: IndexReport, before: int) -> IndexReport:
    """Return the report of a run with the number of files that refused updates parsed before it."""
    return replace(report, work=replace(report.work, parsed=report.work.parsed + before))


def _known_vectors(generation: Generation) -> KnownVectors | None:
    """Return the vectors of a generation if this version of Astrolabe computed them. Other versions may embed differently."""
    manifest = generation.manifest
    if manifest.astrolabe_version != __version__:
        return None
    return KnownVectors(manifest.vectors_version, manifest.embedding_model)


def _notices(scan: Scan, built: Generation) -> list[str]:
    notices = [scan.damage.rebuilt_notice] if scan.damage is not None else []
    if scan.is_outdated:
        notices.append("The index had the format of an earlier version of Astrolabe and was built again.")
    before = scan.generation.manifest.embedding_model if scan.generation else built.manifest.embedding_model
    if before != built.manifest.embedding_model:
        notices.append(f"All code was embedded anew, with {built.manifest.embedding_model} instead of {before}.")
    return notices


def _changes(freshness: Freshness, earlier: LoggedChanges) -> Changes:
    from ...ingest.incremental.update import Changes

    relinks = bool(freshness.data_files) or freshness.rules_changed
    return Changes(freshness.added, freshness.changed, freshness.removed, earlier, relinks)
