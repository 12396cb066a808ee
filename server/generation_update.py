"""Writes a generation as a change of the last one, in this process: a change is too small for processes of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from .. import __version__
from ..graphdb.generations import FORMAT_VERSION, Generation, GenerationStore, Staging, ranking_of
from ..schema.errors import IndexCorrupt, QueryFailed, StoreError
from ..schema.records import Exclusion, FileStamp
from ..schema.settings import Settings
from ..schema.stage_times import StageTimes
from .disk_space import ROOM_FOR_CHANGE, check_room
from .stored_vectors import open_vectors, vector_checks, vectors_folder

if TYPE_CHECKING:
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


def write_update(
    store: GenerationStore,
    data_dir: Path,
    settings: Settings,
    base: Generation,
    update: IndexUpdate,
    *,
    stamps: Iterable[FileStamp],
    excluded: list[Exclusion],
    configuration_digest: str,
    rewritten: Collection[str],
    stages: StageTimes,
) -> tuple[Generation, ChunkUpdate]:
    """Publishes the last generation with an update; `rewritten` are the files whose chunks are new or gone.

    Raises UpdateRefused when the graph cannot be changed, StoreError, ProviderError, and IndexCorrupt when the vectors cannot
    be read.
    """
    check_room(data_dir, base.manifest.graph_bytes + ROOM_FOR_CHANGE)
    staging = store.begin()
    try:
        counts = _change_graph(staging, base, update, stages)
        chunks = _write_chunks(data_dir, settings, base, update, rewritten)
        stages.end("vectors")
        manifest = msgspec.structs.replace(
            base.manifest,
            format_version=FORMAT_VERSION,
            astrolabe_version=__version__,
            created_at=datetime.now(UTC).isoformat(timespec="microseconds"),
            git_head=update.graph.git_head,
            vectors_version=chunks.version,
            vector_checks=vector_checks(vectors_folder(data_dir), chunks.version, base.manifest.vector_checks),
            counts=counts,
            configuration_digest=configuration_digest,
            stamps=list(stamps),
            excluded=excluded,
            loaded_counts=base.manifest.loaded_counts or base.manifest.counts,
            logged=update.replaced,
        )
        return staging.publish(manifest, msgspec.msgpack.encode(update.links)), chunks
    except BaseException:
        staging.abandon()
        raise


def _change_graph(staging: Staging, base: Generation, update: IndexUpdate, stages: StageTimes) -> dict[str, int]:
    """Writes the graph with the update; the number of rows by table, as a reader finds them."""
    from ..graphdb.delta_load import Part, check_counts, replace_part
    from ..graphdb.importance import read_ranking
    from ..ingest.incremental.update import UpdateRefused

    kept = ranking_of(base.graph_path)
    ranking = read_ranking(kept) if base.holds(kept) else None
    if ranking is None:
        raise UpdateRefused("what importance is computed from is not kept")
    replaced = update.replaced
    homes = list(update.homes.items()) if replaced.moved else None
    part = Part(replaced.rewritten, replaced.removed, replaced.resolved, homes)
    try:
        staging.copy_graph(base)
        growth = replace_part(staging.graph_path, update.graph, part, ranking)
        staging.share_graph(base)
        stages.end("graph")
        loaded = base.manifest.loaded_counts or base.manifest.counts
        counts = {table: count + growth.get(table, 0) for table, count in loaded.items()}
        check_counts(staging.graph_path, counts)
    except (StoreError, QueryFailed, IndexCorrupt) as error:
        # Whatever a change met, a graph that is loaded anew does not; and what hinders that as well says so itself.
        raise UpdateRefused(f"the graph could not be changed: {error}") from error
    stages.end("check")
    return counts


def _write_chunks(
    data_dir: Path, settings: Settings, base: Generation, update: IndexUpdate, rewritten: Collection[str]
) -> ChunkUpdate:
    from ..retrieval.chunk_update import update_chunks
    from ..retrieval.embedding import load_embedder

    table = open_vectors(data_dir, base.manifest)
    return update_chunks(table, rewritten, update.chunks, load_embedder(settings))
