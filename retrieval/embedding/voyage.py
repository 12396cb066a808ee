"""Voyage AI as embedding and re-ranking provider: `voyage-code-3` and `rerank-2.5`, for users who configure it.

Chunks are embedded by their raw source. Requests are bounded by number of texts and by tokens, and
made smaller where the service takes less. Whatever it answers is kept in a `VectorCache` before the next request goes out, so an
interrupted run is paid for once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...schema.records import Chunk
from .embedder import Vectors
from .vector_cache import VectorCache
from .voyage_service import DIMENSIONS, MODEL, TooMuchAtOnce, VoyageService

#: Dollars for a million tokens of `voyage-code-3`, as the provider's price list has it at the time of writing.
DOLLARS_PER_MILLION = 0.18
#: From this many tokens on, a run is announced with its cost before the first request.
LARGE_RUN = 1_000_000

#: The service takes 1,000 texts and 120,000 tokens in one request, and as few as 10,000 tokens a minute of those who pay nothing.
_MAX_TEXTS, _MAX_TOKENS, _MIN_TOKENS = 256, 100_000, 8_000
#: After each request that was answered, the next one may be larger by this part.
_GROWTH = 10
#: Code has fewer characters a token than prose, and other scripts have more tokens than characters: both are counted generously.
_CHARACTERS_PER_TOKEN, _BYTES_PER_FOREIGN_TOKEN = 3, 2


class VoyageEmbedder:
    """An Embedder that asks Voyage. Safe to use from several threads, apart from `embed_chunks`, which one writer calls."""

    def __init__(self, service: VoyageService, cache: VectorCache | None) -> None:
        """`cache` keeps the vectors of chunks; None is for those who embed queries only."""
        self._service = service
        self._cache = cache
        self._most_tokens = _MAX_TOKENS
        #: Tokens that the service counted for chunks so far.
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
        """Array of shape (len(chunks), 1024), rows of unit length; of a chunk in pieces, their mean. Raises ProviderError."""
        pieces = [_texts(chunk) for chunk in chunks]
        found = self._vectors([text for texts in pieces for text in texts])
        ends = np.cumsum([len(texts) for texts in pieces])
        starts = ends - [len(texts) for texts in pieces]
        return _unit(np.add.reduceat(found, starts, axis=0)) if len(chunks) else np.zeros((0, DIMENSIONS), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Array of shape (1024,), unit length. Raises ProviderError."""
        return self._service.embed_query(text)

    def announcement(self, chunks: Sequence[Chunk]) -> str:
        """What a large run will send and cost, as a sentence; "" for a small one."""
        missing = self._missing([text for chunk in chunks for text in _texts(chunk)])
        tokens = sum(map(_tokens, missing))
        if tokens < LARGE_RUN:
            return ""
        return f"Embedding {len(missing):,} pieces of code with {MODEL}: about {tokens:,} tokens, {_dollars(tokens)}."

    def account(self) -> str:
        """What chunks have cost, as a sentence; "" where none was sent."""
        return f"Embedded with {MODEL}: {self.tokens:,} tokens, {_dollars(self.tokens)}." if self.tokens else ""

    def keep_only(self, chunks: Sequence[Chunk]) -> None:
        """The chunks are stored: vectors of what is no longer in the repository may go."""
        if self._cache is not None:
            self._cache.keep_only(text for chunk in chunks for text in _texts(chunk))

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        cache = self._cache if self._cache is not None else VectorCache.in_memory(DIMENSIONS)
        missing = self._missing(texts)
        begin = 0
        while begin < len(missing):
            batch = _first_of(missing, begin, self._most_tokens)
            size = sum(map(_tokens, batch))
            try:
                vectors, tokens = self._service.embed_documents(batch, divisible=len(batch) > 1 and size > _MIN_TOKENS)
            except TooMuchAtOnce:
                self._most_tokens = max(size // 2, _MIN_TOKENS)
                continue
            cache.add(batch, vectors)
            self.tokens += tokens
            begin += len(batch)
            # What was refused may have been the number of requests: little by little more is sent at once.
            self._most_tokens = min(self._most_tokens + self._most_tokens // _GROWTH, _MAX_TOKENS)
        return cache.get(texts)

    def _missing(self, texts: Sequence[str]) -> list[str]:
        return [text for text in dict.fromkeys(texts) if self._cache is None or text not in self._cache]


class VoyageReranker:
    """A Reranker that asks Voyage."""

    def __init__(self, service: VoyageService) -> None:
        self._service = service

    def scores(self, query: str, documents: Sequence[str]) -> list[float]:
        """The relevance of each document to the query, 0 to 1. Raises ProviderError."""
        return self._service.rerank(query, documents) if documents else []


def _texts(chunk: Chunk) -> list[str]:
    """The pieces of a chunk; the service refuses empty ones."""
    return [piece for piece in chunk.embedding_pieces if piece.strip()] or [chunk.name or chunk.relative_path]


def _first_of(texts: Sequence[str], begin: int, most_tokens: int) -> list[str]:
    """What one request takes of the texts from a place on: at least one."""
    tokens = 0
    for end in range(begin, min(begin + _MAX_TEXTS, len(texts))):
        tokens += _tokens(texts[end])
        if tokens > most_tokens and end > begin:
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
