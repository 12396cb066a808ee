"""Writes a generation as a change of the last one, in this process: a change is too small for processes of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from .. import __version__
from ..graphdb.generations import FORMAT_VERSION, Generation, GenerationStore, ranking_of
from ..schema.errors import IndexCorrupt, QueryFailed, StoreError
from ..schema.records import Exclusion, FileStamp, LoggedChanges
from ..schema.settings import Settings
from ..schema.stage_times import StageTimes
from .disk_space import ROOM_FOR_CHANGE, check_room
from .stored_vectors import open_vectors, open_version, vector_checks, vectors_folder

if TYPE_CHECKING:
    from ..graphdb.database import GraphDatabase
    from ..graphdb.delta_load import ChangingGraph
    from ..graphdb.importance import Ranking
    from ..ingest.incremental.update import IndexUpdate
    from ..retrieval.chunk_table import ChunkTable
    from ..retrieval.chunk_update import ChunkUpdate
    from .readers import Opened

#: Makes readers of a graph and a table, with the changes in the graph's log.
Prepare = Callable[["GraphDatabase", "ChunkTable", LoggedChanges], "Opened"]

#: Bytes of the log beside the graph file: every reader reads it when it opens the graph.
MOST_LOG = 8 << 20
#: Share of the files that may have changed since the graph file was loaded for it to be changed in place: each change after
#: them resolves them again, so beyond it a new file without a log is worth its price.
MOST_CHANGED = 0.06
#: Share of the files that may be affected by them.
MOST_AFFECTED = 0.25


def why_not_updated(base: Generation, settings: Settings, stale: Collection[str]) -> str:
    """Why the graph of a generation is better loaded anew than changed for some stale files; "" where it is not."""
    from ..ingest.incremental.update import FEW
    from ..retrieval.embedding import LOCAL

    manifest = base.manifest
    if manifest.log_bytes > MOST_LOG:
        return "many changes have come together"
    if len({*stale, *manifest.logged.paths}) > MOST_CHANGED * len(manifest.stamps) + FEW:
        return "many files changed"
    if settings.embedding_provider != LOCAL:
        return "embedding is paid for and runs in a process of its own"
    return ""


class PendingUpdate:
    """A generation in the making, as a change of the last one. It is either published or abandoned.

    Its graph is copied and opened, and the rows that will probably change are read, while these changes are being worked out.
    """

    def __init__(
        self, store: GenerationStore, data_dir: Path, settings: Settings, base: Generation, stale: Iterable[str], prepare: Prepare
    ) -> None:
        """`stale` are the files that changed, came or went; `prepare` makes readers of what was written while it is checked."""
        self._prepare = prepare
        self._data_dir = data_dir
        self._settings = settings
        self._base = base
        check_room(data_dir, base.manifest.graph_bytes + ROOM_FOR_CHANGE)
        self._staging = store.begin()
        self._threads = ThreadPoolExecutor(3, "update")
        self._ranking = self._threads.submit(_stored_ranking, base)
        self._graph = self._threads.submit(self._open_graph, sorted(stale))

    def publish(
        self,
        update: IndexUpdate,
        *,
        stamps: Iterable[FileStamp],
        excluded: list[Exclusion],
        configuration_digest: str,
        rewritten: Collection[str],
        stages: StageTimes,
    ) -> tuple[Generation, ChunkUpdate, Opened]:
        """Publishes the last generation with an update; `rewritten` are the files whose chunks are new or gone.

        Gives what was written, and what is open of it. Raises UpdateRefused when the graph cannot be changed, StoreError,
        ProviderError, and IndexCorrupt when the vectors cannot be read.
        """
        writing = self._threads.submit(_write_chunks, self._data_dir, self._settings, self._base, update, rewritten)
        try:
            graph, counts = self._change_graph(update, stages)
        finally:
            wait([writing])
        try:
            checking = self._threads.submit(_check_counts, graph, counts)
            try:
                chunks = writing.result()
                table = open_version(self._data_dir, chunks.version)
                opened = self._prepare(graph, table, update.replaced)
            finally:
                wait([checking])
            checking.result()
            stages.end("check")
            manifest = msgspec.structs.replace(
                self._base.manifest,
                format_version=FORMAT_VERSION,
                astrolabe_version=__version__,
                created_at=datetime.now(UTC).isoformat(timespec="microseconds"),
                git_head=update.graph.git_head,
                vectors_version=chunks.version,
                vector_checks=vector_checks(vectors_folder(self._data_dir), chunks.version, self._base.manifest.vector_checks),
                counts=counts,
                configuration_digest=configuration_digest,
                stamps=list(stamps),
                excluded=excluded,
                loaded_counts=self._base.manifest.loaded_counts or self._base.manifest.counts,
                logged=update.replaced,
            )
            generation = self._staging.publish(manifest, msgspec.msgpack.encode(update.links))
        except BaseException:
            graph.close()
            raise
        self._threads.shutdown()
        return generation, chunks, opened

    def abandon(self) -> None:
        """Removes what was written."""
        self._threads.shutdown()
        if self._graph.exception() is None:
            self._graph.result().close()
        self._staging.abandon()

    def _open_graph(self, stale: list[str]) -> ChangingGraph:
        from ..graphdb.delta_load import ChangingGraph, Part

        logged = self._base.manifest.logged
        self._staging.copy_graph(self._base)
        # The files that changed are affected, and often no others.
        touched = {*logged.rewritten, *logged.resolved, *stale}
        part = Part({*logged.rewritten, *stale}, logged.removed, touched, [] if logged.moved else None)
        return ChangingGraph(self._staging.graph_path, part.extent)

    def _change_graph(self, update: IndexUpdate, stages: StageTimes) -> tuple[GraphDatabase, dict[str, int]]:
        """Writes the graph with the update; opens it, and gives the number of rows by table that a reader should find."""
        from ..graphdb.database import GraphDatabase
        from ..graphdb.delta_load import Part, replaced_ranking
        from ..ingest.incremental.update import TooMuchForUpdate

        replaced = update.replaced
        homes = list(update.homes.items()) if replaced.moved else None
        part = Part(replaced.rewritten, replaced.removed, replaced.resolved, homes)
        before = self._ranking.result()
        if before is None:
            raise TooMuchForUpdate("what importance is computed from is not kept")
        try:
            changing = self._graph.result()
            ranking = self._threads.submit(replaced_ranking, before, update.graph, part)
            try:
                growth = changing.replace(update.graph, part, before, ranking.result)
            finally:
                changing.close()
            self._staging.share_graph(self._base)
            stages.end("graph")
            loaded = self._base.manifest.loaded_counts or self._base.manifest.counts
            counts = {table: count + growth.get(table, 0) for table, count in loaded.items()}
            return GraphDatabase.open(self._staging.graph_path), counts
        except (StoreError, QueryFailed, IndexCorrupt) as error:
            # Whatever a change met, a graph that is loaded anew does not; and what hinders that as well says so itself.
            raise TooMuchForUpdate(f"the graph could not be changed: {error}") from error


def _stored_ranking(base: Generation) -> Ranking | None:
    from ..graphdb.importance import read_ranking

    kept = ranking_of(base.graph_path)
    return read_ranking(kept) if base.holds(kept) else None


def _check_counts(graph: GraphDatabase, counts: dict[str, int]) -> None:
    from ..graphdb.delta_load import check_counts
    from ..ingest.incremental.update import TooMuchForUpdate

    try:
        check_counts(graph, counts)
    except (StoreError, QueryFailed, IndexCorrupt) as error:
        raise TooMuchForUpdate(f"the graph could not be changed: {error}") from error


def _write_chunks(
    data_dir: Path, settings: Settings, base: Generation, update: IndexUpdate, rewritten: Collection[str]
) -> ChunkUpdate:
    from ..retrieval.chunk_update import update_chunks
    from ..retrieval.embedding import load_embedder

    table = open_vectors(data_dir, base.manifest)
    return update_chunks(table, rewritten, update.chunks, load_embedder(settings))
