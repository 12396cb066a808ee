"""What the search needs of an embedding model: the seam behind which the local model and remote providers stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...schema.errors import ProviderError
from ...schema.records import Chunk

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns chunks and queries into vectors of unit length, so that a dot product is their cosine."""

    @property
    def model(self) -> str:
        """Name and version of the model. Vectors of different models never meet: the index is rebuilt instead."""

    @property
    def dimensions(self) -> int:
        """Length of each vector."""

    def embed_chunks(self, chunks: Sequence[Chunk]) -> Vectors:
        """Array of shape (len(chunks), dimensions), rows of unit length (a chunk without words may be all zero).

        Raises ProviderError when a remote provider fails.
        """

    def embed_query(self, text: str) -> Vectors:
        """Array of shape (dimensions,), unit length or all zero. Raises ProviderError when a remote provider fails."""


class MismatchedEmbedder:
    """Stands for an embedder where the index has vectors of another model: nothing can be asked of these."""

    def __init__(self, embedder: Embedder, stored: str) -> None:
        """`stored` is the model of the index."""
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
            "Names (`symbol = …`) and `--mode literal` are found without."
        )


class Reranker(Protocol):
    """Judges documents against a query by reading both together."""

    def scores(self, query: str, documents: Sequence[str]) -> list[float]:
        """The relevance of each document, 0 to 1. Raises ProviderError when a remote provider fails."""
