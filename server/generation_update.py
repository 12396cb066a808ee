"""Writes a generation as a change of the last one, in this process: a change is too small for processes of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from .. import __version__
from ..graphdb.generations import FORMAT_VERSION, Generation, GenerationStore, ranking_of
from ..schema.errors import IndexCorrupt, QueryFailed, StoreError
from ..schema.records import Exclusion, FileStamp
from ..schema.settings import Settings
from ..schema.stage_times import StageTimes
from .disk_space import ROOM_FOR_CHANGE, check_room
from .stored_vectors import open_vectors, vector_checks, vectors_folder

if TYPE_CHECKING:
    from ..graphdb.database import GraphDatabase
    from ..graphdb.delta_load import ChangingGraph
    from ..graphdb.importance import Ranking
    from ..ingest.incremental.update import IndexUpdate
    from ..retrieval.chunk_update import ChunkUpdate

#: Bytes of the log beside the graph file: every reader reads it when it opens the graph.
MOST_LOG = 8 << 20
#: Share of the files that may have changed for the graph to be changed in place: loading it anew is faster beyond.
MOST_CHANGED = 0.1
#: So many files may have changed in any repository.
FEW = 8


def why_not_updated(base: Generation, settings: Settings, stale: int) -> str:
    """Why the graph of a generation is better loaded anew than changed for some stale files; "" where it is not."""
    from ..retrieval.embedding import LOCAL

    manifest = base.manifest
    if manifest.log_bytes > MOST_LOG:
        return "many changes have come together"
    if stale > MOST_CHANGED * len(manifest.stamps) + FEW:
        return "many files changed"
    if settings.embedding_provider != LOCAL:
        return "embedding is paid for and runs in a process of its own"
    return ""


class PendingUpdate:
    """A generation in the making, as a change of the last one. It is either published or abandoned.

    Its graph is copied and opened, and the rows that will probably change are read, while these changes are being worked out.
    """

    def __init__(
        self, store: GenerationStore, data_dir: Path, settings: Settings, base: Generation, stale: Iterable[str]
    ) -> None:
        """`stale` are the files that changed, came or went."""
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
    ) -> tuple[Generation, ChunkUpdate, GraphDatabase]:
        """Publishes the last generation with an update; `rewritten` are the files whose chunks are new or gone.

        Gives what was written, and the new graph, opened. Raises UpdateRefused when the graph cannot be changed, StoreError,
        ProviderError, and IndexCorrupt when the vectors cannot be read.
        """
        writing = self._threads.submit(_write_chunks, self._data_dir, self._settings, self._base, update, rewritten)
        try:
            graph, counts = self._change_graph(update, stages)
        finally:
            wait([writing])
        try:
            chunks = writing.result()
            stages.end("vectors")
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
        return generation, chunks, graph

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
        """Writes the graph with the update; opens it, and gives the number of rows by table, as a reader finds them."""
        from ..graphdb.database import GraphDatabase
        from ..graphdb.delta_load import Part, check_counts, replaced_ranking
        from ..ingest.incremental.update import UpdateRefused

        replaced = update.replaced
        homes = list(update.homes.items()) if replaced.moved else None
        part = Part(replaced.rewritten, replaced.removed, replaced.resolved, homes)
        before = self._ranking.result()
        if before is None:
            raise UpdateRefused("what importance is computed from is not kept")
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
            graph = GraphDatabase.open(self._staging.graph_path)
            try:
                check_counts(graph, counts)
            except BaseException:
                graph.close()
                raise
        except (StoreError, QueryFailed, IndexCorrupt) as error:
            # Whatever a change met, a graph that is loaded anew does not; and what hinders that as well says so itself.
            raise UpdateRefused(f"the graph could not be changed: {error}") from error
        stages.end("check")
        return graph, counts


def _stored_ranking(base: Generation) -> Ranking | None:
    from ..graphdb.importance import read_ranking

    kept = ranking_of(base.graph_path)
    return read_ranking(kept) if base.holds(kept) else None


def _write_chunks(
    data_dir: Path, settings: Settings, base: Generation, update: IndexUpdate, rewritten: Collection[str]
) -> ChunkUpdate:
    from ..retrieval.chunk_update import update_chunks
    from ..retrieval.embedding import load_embedder

    table = open_vectors(data_dir, base.manifest)
    return update_chunks(table, rewritten, update.chunks, load_embedder(settings))
