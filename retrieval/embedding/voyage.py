"""Voyage AI as embedding and re-ranking provider: `voyage-code-3` and `rerank-2.5`, for users who configure it.

Chunks are embedded by their raw source. Requests have a limited number of texts and tokens, and become smaller if the service
accepts less. Each answer is stored in a `VectorCache` before the next request, so that users pay only once after an interruption.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...schema.records import Chunk
from .embedder import Vectors
from .vector_cache import VectorCache
from .voyage_service import DIMENSIONS, MODEL, TooMuchAtOnce, VoyageService

#: Dollars for a million tokens of `voyage-code-3`, from the provider's price list at the time of writing.
DOLLARS_PER_MILLION = 0.18
#: Number of tokens above which a run is announced with its cost before the first request.
LARGE_RUN = 1_000_000

#: Maximum number of texts in one request. The service accepts 1,000.
_MAX_TEXTS = 256
#: Maximum number of tokens in one request. The service accepts 120,000.
_MAX_TOKENS = 100_000
#: Minimum number of tokens to which requests are reduced. Free accounts may have as few as 10,000 tokens a minute.
_MIN_TOKENS = 8_000
#: After each answer, the size limit grows by the limit divided by this number.
_GROWTH = 10
#: Estimated characters per token of ASCII code, which has fewer characters per token than prose.
_CHARACTERS_PER_TOKEN = 3
#: Estimated UTF-8 bytes per token of other scripts, some of which have more tokens than characters.
_BYTES_PER_FOREIGN_TOKEN = 2


class VoyageEmbedder:
    """An Embedder that uses Voyage. Threads may share an embedder, except for `embed_chunks`, which only one writer may call."""

    def __init__(self, service: VoyageService, cache: VectorCache | None) -> None:
        """`cache` stores the vectors of chunks; None for an embedder of queries."""
        self._service = service
        self._cache = cache
        self._max_tokens = _MAX_TOKENS
        #: Number of tokens that the service has counted for chunks.
        self.tokens = 0

    @property
    def model(self) -> str:
        """Name of the model."""
        return MODEL

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        return DIMENSIONS

    def embed_chunks(self, chunks: Sequence[Chunk]) -> Vectors:
        """Return vectors of shape (len(chunks), 1024) and unit length. Raises ProviderError.

        The vector of a chunk in several pieces is the mean of their vectors.
        """
        pieces = [_texts(chunk) for chunk in chunks]
        found = self._vectors([text for texts in pieces for text in texts])
        ends = np.cumsum([len(texts) for texts in pieces])
        starts = ends - [len(texts) for texts in pieces]
        return _unit(np.add.reduceat(found, starts, axis=0)) if len(chunks) else np.zeros((0, DIMENSIONS), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of shape (1024,) and unit length. Raises ProviderError."""
        return self._service.embed_query(text)

    def announcement(self, chunks: Sequence[Chunk]) -> str:
        """Return a sentence about the tokens and the cost of a large run; "" for a small run."""
        missing = self._missing([text for chunk in chunks for text in _texts(chunk)])
        tokens = sum(map(_tokens, missing))
        if tokens < LARGE_RUN:
            return ""
        return f"Embedding {len(missing):,} pieces of code with {MODEL}: about {tokens:,} tokens, {_dollars(tokens)}."

    def account(self) -> str:
        """Return a sentence about the cost of the embedded chunks; "" if no request was sent."""
        return f"Embedded with {MODEL}: {self.tokens:,} tokens, {_dollars(self.tokens)}." if self.tokens else ""

    def keep_only(self, chunks: Sequence[Chunk]) -> None:
        """Allow the cache to remove the vectors of all other chunks."""
        if self._cache is not None:
            self._cache.keep_only(text for chunk in chunks for text in _texts(chunk))

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        cache = self._cache if self._cache is not None else VectorCache.in_memory(DIMENSIONS)
        missing = self._missing(texts)
        begin = 0
        while begin < len(missing):
            batch = _batch(missing, begin, self._max_tokens)
            size = sum(map(_tokens, batch))
            try:
                vectors, tokens = self._service.embed_documents(batch, divisible=len(batch) > 1 and size > _MIN_TOKENS)
            except TooMuchAtOnce:
                self._max_tokens = max(size // 2, _MIN_TOKENS)
                continue
            cache.add(batch, vectors)
            self.tokens += tokens
            begin += len(batch)
            # The service may have refused the rate of requests, not their size, so the limit increases again step by step.
            self._max_tokens = min(self._max_tokens + self._max_tokens // _GROWTH, _MAX_TOKENS)
        return cache.get(texts)

    def _missing(self, texts: Sequence[str]) -> list[str]:
        return [text for text in dict.fromkeys(texts) if self._cache is None or text not in self._cache]


class VoyageReranker:
    """A Reranker that uses Voyage."""

    def __init__(self, service: VoyageService) -> None:
        self._service = service

    def scores(self, query: str, documents: Sequence[str]) -> list[float]:
        """Return the relevance of each document to the query, 0 to 1. Raises ProviderError."""
        return self._service.rerank(query, documents) if documents else []


def _texts(chunk: Chunk) -> list[str]:
    """Return the non-blank pieces of a chunk. The service refuses blank texts."""
    return [piece for piece in chunk.embedding_pieces if piece.strip()] or [chunk.name or chunk.relative_path]


def _batch(texts: Sequence[str], begin: int, max_tokens: int) -> list[str]:
    """Return the texts of one request, from the index `begin` on: as many as the limits allow, and at least one."""
    tokens = 0
    for end in range(begin, min(begin + _MAX_TEXTS, len(texts))):
        tokens += _tokens(texts[end])
        if tokens > max_tokens and end > begin:
            return list(texts[begin:end])
    return list(texts[begin : begin + _MAX_TEXTS])


def _tokens(text: str) -> int:
    latin = len(text) if text.isascii() else sum(map(str.isascii, text))
    foreign = len(text.encode("utf-8", "replace")) - latin
    return latin // _CHARACTERS_PER_TOKEN + foreign // _BYTES_PER_FOREIGN_TOKEN + 1


def _dollars(tokens: int) -> str:
    return f"about ${tokens / 1e6 * DOLLARS_PER_MILLION:.2f} at list price"


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)
