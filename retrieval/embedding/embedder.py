"""The interfaces of embedding models and re-rankers, which local models and remote providers implement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...schema.errors import ProviderError
from ...schema.records import Chunk

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Embeds chunks and queries as vectors of unit length. The dot product of two such vectors is their cosine."""

    @property
    def model(self) -> str:
        """Name and version of the model. Vectors of different models are never compared: the index is rebuilt instead."""

    @property
    def dimensions(self) -> int:
        """Length of each vector."""

    def embed_chunks(self, chunks: Sequence[Chunk]) -> Vectors:
        """Return vectors of shape (len(chunks), dimensions) and unit length; a chunk without words may be all zero.

        Raises ProviderError if a remote provider fails.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of shape (dimensions,), unit length or zero. Raises ProviderError if a remote provider fails."""


class MismatchedEmbedder:
    """Replaces an embedder if the index has vectors of another model."""

    def __init__(self, embedder: Embedder, stored: str) -> None:
        """`stored` is the name of the model of the index."""
        self.model, self.dimensions = embedder.model, embedder.dimensions
        self._stored = stored

    def embed_chunks(self, chunks: Sequence[Chunk]) -> Vectors:
        """Raises ProviderError."""
        raise self._error()

    def embed_query(self, text: str) -> Vectors:
        """Raises ProviderError."""
        raise self._error()

    def _error(self) -> ProviderError:
        return ProviderError(
            f"The index was embedded with {self._stored}, the settings want {self.model}: run `astrolabe index`. "
            "Lookups of names (`symbol = …`) and `--mode literal` work without it."
        )


class Reranker(Protocol):
    """Scores documents by reading each document together with the query."""

    def scores(self, query: str, documents: Sequence[str]) -> list[float]:
        """Return the relevance of each document, 0 to 1. Raises ProviderError if a remote provider fails."""
