"""Writes what ingest found as a new generation: vectors first, then the graph, last the name of the live generation.

The vector table keeps its earlier versions until the generation is published, so that a crash at any instant leaves
the last one whole: its manifest names a version that still opens.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .. import __version__
from ..graphdb.generations import FORMAT_VERSION, Generation, GenerationStore
from ..schema.records import Chunk, Exclusion, FileStamp, GraphContent, Manifest
from ..schema.settings import Settings
from .progress import ProgressListener

if TYPE_CHECKING:
    from ..retrieval.embedder import Embedder

#: Chunks embedded between two reports of progress.
EMBEDDING_BATCH = 2048


def vectors_folder(data_dir: Path) -> Path:
    """The LanceDB dataset of an index; every generation's manifest pins a version of it."""
    return data_dir / "vectors"


class GenerationWriter:
    """Turns the results of one analysis into a published generation. The caller holds the writer's lock."""

    def __init__(self, store: GenerationStore, data_dir: Path, settings: Settings) -> None:
        self._store = store
        self._vectors = vectors_folder(data_dir)
        self._settings = settings

    def write(
        self,
        content: GraphContent,
        chunks: list[Chunk],
        *,
        stamps: list[FileStamp],
        excluded: list[Exclusion],
        configuration_digest: str,
        progress: ProgressListener,
    ) -> Generation:
        """Writes both stores and publishes them together. On any failure the last generation stays live."""
        from ..graphdb.bulk_load import write_graph
        from ..retrieval.embedding import load_embedder

        staging = self._store.begin()
        try:
            # Both engines release the GIL while they write, so the graph is loaded while chunks are embedded.
            with ThreadPoolExecutor(1, thread_name_prefix="graph") as pool:
                counts = pool.submit(write_graph, staging.graph_path, content)
                embedder = load_embedder(self._settings)
                version = self._write_vectors(chunks, embedder, progress)
                manifest = Manifest(
                    format_version=FORMAT_VERSION,
                    astrolabe_version=__version__,
                    generation=staging.number,
                    created_at=datetime.now(UTC).isoformat(timespec="microseconds"),
                    git_head=content.git_head,
                    vectors_version=version,
                    embedding_model=embedder.model,
                    embedding_dimensions=embedder.dimensions,
                    counts=counts.result(),
                    configuration_digest=configuration_digest,
                    stamps=stamps,
                    excluded=excluded,
                )
            progress("write", 1, 1)
            return staging.publish(manifest)
        except BaseException:
            staging.abandon()
            raise

    def _write_vectors(self, chunks: list[Chunk], embedder: Embedder, progress: ProgressListener) -> int:
        """Embeds the chunks in batches and writes the table; its version number."""
        import numpy as np

        from ..retrieval.chunk_table import ChunkTable

        vectors = np.empty((len(chunks), embedder.dimensions), dtype=np.float32)
        for begin in range(0, len(chunks), EMBEDDING_BATCH):
            progress("embed", begin, len(chunks))
            batch = chunks[begin : begin + EMBEDDING_BATCH]
            vectors[begin : begin + len(batch)] = embedder.embed_chunks(batch)
        progress("write", 0, 1)
        return ChunkTable.write(self._vectors, chunks, vectors)
