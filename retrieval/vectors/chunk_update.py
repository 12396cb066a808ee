"""Other chunks for some files of a table: only texts that are new to it are embedded."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...schema.records import Chunk
from ..embedding.embedder import Embedder, Vectors
from .chunk_table import ChunkTable, EmbeddedText


class ChunkUpdate(NamedTuple):
    """What an update wrote."""

    #: The version of the table that holds it.
    table: ChunkTable
    #: Chunks whose vectors were computed; those of the others were taken over.
    embedded: int
    written: int

    @property
    def version(self) -> int:
        """The number of that version."""
        return self.table.version


def update_chunks(table: ChunkTable, paths: Collection[str], chunks: Sequence[Chunk], embedder: Embedder) -> ChunkUpdate:
    """Writes a version in which the files hold these chunks, sorted by file and place. Only for the one writer.

    The embedder is that of the table. Raises StoreError, ProviderError and, for what is damaged, IndexCorrupt.
    """
    known = table.read_embedded(paths) if paths else {}
    if not known and not chunks:
        return ChunkUpdate(table, 0, 0)
    vectors = np.empty((len(chunks), embedder.dimensions), np.float32)
    new = take_known(known, chunks, vectors)
    if new:
        vectors[new] = embedder.embed_chunks([chunks[place] for place in new])
    return ChunkUpdate(table.replace(paths, chunks, vectors), len(new), len(chunks))


def take_known(known: Mapping[EmbeddedText, Vectors], chunks: Sequence[Chunk], vectors: Vectors) -> list[int]:
    """Fills in the vectors of chunks whose text is known; gives the places of the others."""
    new = []
    for place, chunk in enumerate(chunks):
        vector = known.get(EmbeddedText.of(chunk)) if known else None
        if vector is None:
            new.append(place)
        else:
            vectors[place] = vector
    return new
