"""Update the chunks of some files in a table. Only chunks with new embedded fields are embedded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...schema.records import Chunk, FileContent
from ..embedding.embedder import Embedder, Vectors
from .chunk_table import ChunkTable, EmbeddedText


class ChunkUpdate(NamedTuple):
    """The result of an update."""

    #: The new version of the table.
    table: ChunkTable
    #: Number of chunks whose vectors were computed.
    embedded: int
    written: int

    @property
    def version(self) -> int:
        """Return the number of the written version."""
        return self.table.version


def update_chunks(table: ChunkTable, paths: Collection[str], files: Sequence[FileContent], embedder: Embedder) -> ChunkUpdate:
    """Write a version with new content for the files `paths`.

    Files without content are removed. The embedder must be the embedder of the table. Only one writer may call this function.
    Raises StoreError, ProviderError and, for damaged data, IndexCorrupt.
    """
    if not paths:
        return ChunkUpdate(table, 0, 0)
    known, chunks = table.read_embedded(paths), chunks_in_order(files)
    vectors = np.empty((len(chunks), embedder.dimensions), np.float32)
    new = take_known(known, chunks, vectors)
    if new:
        vectors[new] = embedder.embed_chunks([chunks[place] for place in new])
    return ChunkUpdate(table.replace(paths, chunks, vectors, texts_of(files)), len(new), len(chunks))


def chunks_in_order(files: Iterable[FileContent]) -> list[Chunk]:
    """Return the chunks of files in the order of their rows: by path and position."""
    chunks = (chunk for file in files for chunk in file.chunks)
    return sorted(chunks, key=lambda chunk: (chunk.relative_path, chunk.start_line, chunk.depth))


def texts_of(files: Iterable[FileContent]) -> dict[str, bytes]:
    """Return the texts of files, by path."""
    return {file.relative_path: file.text for file in files}


def take_known(known: Mapping[EmbeddedText, Vectors], chunks: Sequence[Chunk], vectors: Vectors) -> list[int]:
    """Set the vectors of chunks whose embedded fields are known, and return the indices of the other chunks."""
    new = []
    for place, chunk in enumerate(chunks):
        vector = known.get(EmbeddedText.of(chunk)) if known else None
        if vector is None:
            new.append(place)
        else:
            vectors[place] = vector
    return new
