"""Write a generation as a change of the last generation, without worker processes."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ...graphdb.generations.generations import FORMAT_VERSION, Generation, GenerationStore, ranking_of
from ...graphdb.writing.base_rows import Extent
from ...graphdb.writing.row_cache import LoadedRows
from ...schema.errors import IndexCorrupt, QueryFailed, StoreError
from ...schema.graph_content import GraphContent
from ...schema.manifest import Exclusion, FileStamp, LoggedChanges, time_of_creation
from ...schema.process.stage_times import StageTimes
from ...schema.settings import Settings
from ...schema.version import __version__
from ..environment.disk_space import ROOM_FOR_CHANGE, check_room
from ..environment.mapped_pages import LibraryPages
from ..stores.readers import Opened, ReaderPool, Readers
from ..stores.stored_vectors import check_vectors, open_vectors, vector_checks, vectors_folder

if TYPE_CHECKING:
    from ...graphdb.centrality.update import RankingRenewal
    from ...graphdb.database import GraphDatabase
    from ...graphdb.writing.incremental_update import ChangingGraph
    from ...ingest.incremental.update import Changes, IndexUpdate
    from ...retrieval.vectors.chunk_update import ChunkUpdate

#: LanceDB's library. Loading LanceDB keeps 60 MB of its pages in memory, and writing with LanceDB keeps another 60 MB.
_VECTOR_LIBRARY: Final = LibraryPages("_lancedb.")
#: Maximum size of the log beside the graph file in bytes. Every reader reads the log when it opens the graph.
MAX_LOG = 8 << 20
#: Maximum share of files that have changed since the graph file was loaded, for a change in place. Each change resolves all
#: these files again, so a new graph file without a log is faster above this share.
MAX_CHANGED = 0.06
#: Maximum share of files that are affected by the changed files.
MAX_AFFECTED = 0.25


def why_not_updated(base: Generation, settings: Settings, stale: Collection[str]) -> str:
    """Return the reason why a graph should be loaded again instead of changed in place; "" if there is none."""
    from ...ingest.incremental.update import MIN_AFFECTED_LIMIT
    from ...retrieval.embedding import LOCAL

    manifest = base.manifest
    if manifest.log_bytes > MAX_LOG:
        return "many changes have come together"
    if len({*stale, *manifest.logged.paths}) > MAX_CHANGED * len(manifest.stamps) + MIN_AFFECTED_LIMIT:
        return "many files changed"
    if settings.embedding_provider != LOCAL:
        return "embedding is paid for and runs in a process of its own"
    return ""


class KnownGraph:
    """Cached data of a graph file for the next change. Only one change at a time may use it."""

    def __init__(self) -> None:
        self.rows = LoadedRows()
        self._ranking: tuple[tuple[int, ...], RankingRenewal] | None = None

    def ranking(self, base: Generation) -> RankingRenewal | None:
        """Return the ranking of the graph file of a generation; None if it was not kept."""
        from ...graphdb.centrality.pagerank import read_ranking
        from ...graphdb.centrality.update import RankingRenewal

        identity, path = base.graph_identity(), ranking_of(base.graph_path)
        if self._ranking is None or self._ranking[0] != identity:
            found = read_ranking(path) if base.holds(path) else None
            self._ranking = (identity, RankingRenewal(found)) if found is not None else None
        return self._ranking[1] if self._ranking is not None else None


class _Changed(NamedTuple):
    #: The changed graph, open for reading.
    graph: GraphDatabase
    #: Expected number of rows of each table.
    counts: dict[str, int]
    #: The tables that were written to.
    tables: frozenset[str]
    #: The files whose rows differ from the rows in the graph file.
    logged: LoggedChanges


class PendingUpdate:
    """A generation that is being written as a change of the last generation. The caller publishes or abandons it.

    While the changes are resolved, other threads copy and open the graph, and read the rows that will probably change.
    """

    def __init__(
        self,
        store: GenerationStore,
        data_dir: Path,
        settings: Settings,
        base: Generation,
        changes: Changes,
        known: KnownGraph,
        readers: ReaderPool | None,
    ) -> None:
        """If `readers` is given, readers of the new generation are prepared while the generation is checked."""
        self._data_dir = data_dir
        self._settings = settings
        self._base = base
        self._changes = changes
        self._known = known
        self._readers = readers
        check_room(data_dir, base.manifest.graph_bytes + ROOM_FOR_CHANGE)
        self._staging = store.begin()
        self._threads = ThreadPoolExecutor(5, "update")
        self._threads.submit(_load_vector_engine)
        self._opening = self._threads.submit(self._open_graph)
        self._reading_ahead = self._threads.submit(self._read_ahead)
        self._ranking = self._threads.submit(known.ranking, base)

    def publish(
        self,
        update: IndexUpdate,
        *,
        stamps: Iterable[FileStamp],
        excluded: list[Exclusion],
        data_files: list[str],
        configuration_digest: str,
        rules_digest: str,
        stages: StageTimes,
    ) -> tuple[Generation, ChunkUpdate, Opened, dict[str, GraphContent]]:
        """Apply an update to the last generation, and publish the result as a new generation.

        Returns the generation, the written chunks, the open stores, and the edges of the files in the log of the graph, by path.
        Raises StoreError and ProviderError,
        UpdateRefused if the graph cannot be changed, and IndexCorrupt if the vectors cannot be read.
        """
        writing = self._threads.submit(self._write_chunks, update)
        linking = self._threads.submit(self._write_links, update)
        try:
            graph, counts, touched, logged = self._change_graph(update, stages)
        finally:
            wait([writing])
            wait([linking])
        try:
            linking.result()
            checking = self._threads.submit(_check_counts, graph, counts, touched)
            try:
                chunks = writing.result()
                opened = Opened(graph, None)
                if self._readers is not None:
                    opened = self._readers.prepare(self._base, graph, chunks.table, logged)
            finally:
                wait([checking])
            checking.result()
            stages.end("check")
            manifest = msgspec.structs.replace(
                self._base.manifest,
                format_version=FORMAT_VERSION,
                astrolabe_version=__version__,
                created_at=time_of_creation(),
                git_head=update.graph.git_head,
                vectors_version=chunks.version,
                vector_checks=vector_checks(vectors_folder(self._data_dir), chunks.version, self._base.manifest.vector_checks),
                counts=counts,
                configuration_digest=configuration_digest,
                rules_digest=rules_digest,
                stamps=list(stamps),
                excluded=excluded,
                data_files=data_files,
                loaded_counts=self._base.manifest.loaded_counts or self._base.manifest.counts,
                logged=logged,
            )
            edges = {path: update.edges[path] for path in logged.resolved if path in update.edges}
            generation = self._staging.publish(manifest, msgspec.msgpack.encode(edges))
        except BaseException:
            graph.close()
            raise
        self._threads.shutdown()
        return generation, chunks, opened, edges

    def abandon(self) -> None:
        """Remove the written files."""
        self._threads.shutdown()
        if self._opening.exception() is None:
            self._opening.result().close()
        self._staging.abandon()

    def _open_graph(self) -> ChangingGraph:
        from ...graphdb.writing.incremental_update import ChangingGraph

        self._staging.copy_graph(self._base)
        return ChangingGraph(self._staging.graph_path, self._known.rows)

    def _read_ahead(self) -> None:
        """Read the rows that will probably change, while the graph is copied and opened."""
        earlier = self._changes.earlier
        nodes = {*earlier.rewritten, *earlier.removed, *self._changes.stale_files}
        # The changed files are affected, and often no other files.
        edges = {*nodes, *earlier.resolved}
        extent = Extent(tuple(sorted(nodes)), tuple(sorted(edges)), self._changes.moved or earlier.moved)
        self._known.rows.begin(self._base.graph_identity())
        self._known.rows.note_absent({*self._changes.added}.difference(earlier.paths))
        self._read_open(extent)
        self._opening.result().foresee(extent)

    def _read_open(self, extent: Extent) -> None:
        """Read rows from an open graph. If the log has no change of a file, the rows of the file are read from the graph file."""
        earlier = self._changes.earlier
        changed = {*earlier.paths, *earlier.resolved}
        nodes, edges = (tuple(path for path in paths if path not in changed) for paths in (extent.nodes, extent.edges))
        with self._open_readers() as readers:
            if readers is not None:
                self._known.rows.read_files(readers.graph.columns, Extent(nodes, edges, False))

    def _write_chunks(self, update: IndexUpdate) -> ChunkUpdate:
        from ...retrieval.embedding import load_embedder
        from ...retrieval.vectors.chunk_update import update_chunks

        embedder = load_embedder(self._settings)
        with self._open_readers() as readers:
            table = readers.open_chunks() if readers is not None else None
            if table is None:
                table = open_vectors(self._data_dir, self._base.manifest)
            else:
                check_vectors(self._data_dir, self._base.manifest)
            done = update_chunks(table, self._changes.stale_files, update.contents, embedder)
            done.table.take_over(table, self._changes.stale_files)  # readers of the new generation need its columns in memory
            _VECTOR_LIBRARY.drop()
            return done

    def _write_links(self, update: IndexUpdate) -> None:
        self._staging.write_links(msgspec.msgpack.encode(update.links))

    @contextmanager
    def _open_readers(self) -> Iterator[Readers | None]:
        """Yield the readers of the last generation if they are open, else None."""
        if self._readers is None:
            yield None
            return
        with self._readers.lend_open() as readers:
            yield readers if readers is not None and readers.serves(self._base) else None

    def _change_graph(self, update: IndexUpdate, stages: StageTimes) -> _Changed:
        """Write the update to the graph, and open the result."""
        from ...graphdb.database import GraphDatabase
        from ...graphdb.writing.incremental_update import Part
        from ...ingest.incremental.refusals import TooMuchForUpdate

        replaced = update.replaced
        homes = list(update.homes.items()) if replaced.moved else None
        part = Part(replaced.rewritten, replaced.removed, replaced.resolved, homes)
        before = self._ranking.result()
        if before is None:
            raise TooMuchForUpdate("what importance is computed from is not kept")
        try:
            self._reading_ahead.result()
            changing = self._opening.result()
            ranking = self._threads.submit(before.ranks, update.graph, part.extent.nodes, part.extent.edges)
            try:
                written = changing.replace(update.graph, part, before.home, ranking.result)
            finally:
                changing.close()  # before the written graph is opened, because an open graph takes 63 MB
            self._staging.share_graph(self._base)
            stages.end("graph")
            loaded = self._base.manifest.loaded_counts or self._base.manifest.counts
            counts = {table: count + written.growth.get(table, 0) for table, count in loaded.items()}
            nodes = frozenset(part.extent.nodes)
            # Files that were resolved again with the same result need not be part of the next update.
            resolved = [path for path in replaced.resolved if path in written.files or path in nodes]
            logged = msgspec.structs.replace(replaced, resolved=resolved)
            return _Changed(GraphDatabase.open(self._staging.graph_path), counts, written.tables, logged)
        except (StoreError, QueryFailed, IndexCorrupt) as error:
            # A full load of the graph usually avoids the error. Otherwise, the load reports the error.
            raise TooMuchForUpdate(f"the graph could not be changed: {error}") from error


def _load_vector_engine() -> None:
    """Load LanceDB while the changes are resolved. The import takes half a second, and readers do not need it."""
    from ...retrieval.vectors.lance_engine import load_lancedb

    if "lancedb" not in sys.modules:
        load_lancedb()
        _VECTOR_LIBRARY.drop()


def _check_counts(graph: GraphDatabase, counts: dict[str, int], tables: Collection[str]) -> None:
    from ...graphdb.writing.incremental_update import check_counts
    from ...ingest.incremental.refusals import TooMuchForUpdate

    try:
        check_counts(graph, counts, tables)
    except (StoreError, QueryFailed, IndexCorrupt) as error:
        raise TooMuchForUpdate(f"the graph could not be changed: {error}") from error
