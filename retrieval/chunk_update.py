"""Other chunks for some files of a table: only texts that are new to it are embedded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from ..schema.records import Chunk
from .chunk_table import ChunkTable, EmbeddedText
from .embedder import Embedder


class ChunkUpdate(NamedTuple):
    """What an update wrote."""

    #: The version of the table that holds it.
    version: int
    #: Chunks whose vectors were computed; those of the others were taken over.
    embedded: int
    written: int


def update_chunks(table: ChunkTable, paths: Collection[str], chunks: Sequence[Chunk], embedder: Embedder) -> ChunkUpdate:
    """Writes a version in which the files hold these chunks, sorted by file and place. Only for the one writer.

    The embedder is that of the table. Raises StoreError, ProviderError and, for what is damaged, IndexCorrupt.
    """
    known = table.read_embedded(paths) if paths else {}
    if not known and not chunks:
        return ChunkUpdate(table.version, 0, 0)
    texts = [EmbeddedText.of(chunk) for chunk in chunks]
    new = [place for place, text in enumerate(texts) if text not in known]
    vectors = np.empty((len(chunks), embedder.dimensions), np.float32)
    for place, text in enumerate(texts):
        if text in known:
            vectors[place] = known[text]
    if new:
        vectors[new] = embedder.embed_chunks([chunks[place] for place in new])
    return ChunkUpdate(table.replace(paths, chunks, vectors), len(new), len(chunks))
