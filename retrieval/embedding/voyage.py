"""Voyage AI as embedding and re-ranking provider: `voyage-code-3` and `rerank-2.5`, for users who configure it.

Chunks are embedded by their raw source, as the specification asks. Requests are bounded by number of texts and by tokens,
and repeated with growing pauses when the service is busy. Whatever it answers is kept in a `VectorCache` before the next
request goes out, so an interrupted run is paid for once.

The client takes most of a second to import, so that is done when the first request goes out.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from ...schema.errors import ProviderError
from ...schema.records import Chunk
from ..embedder import Vectors
from .vector_cache import VectorCache

MODEL, DIMENSIONS, RERANK_MODEL = "voyage-code-3", 1024, "rerank-2.5"
KEY_VARIABLE = "VOYAGE_API_KEY"
#: Address of the API where it is not Voyage's own, such as that of a proxy. Like the key it comes from the environment alone: a
#: repository must not be able to send either elsewhere.
URL_VARIABLE = "VOYAGE_BASE_URL"

#: Dollars for a million tokens of `voyage-code-3`, as the provider's price list has it at the time of writing.
DOLLARS_PER_MILLION = 0.18
#: From this many tokens on, a run is announced with its cost before the first request.
LARGE_RUN = 1_000_000

#: The service takes 1,000 texts and 120,000 tokens in one request. Code has fewer characters a token than prose, so tokens
#: are counted generously, and a request keeps below what is allowed.
_MOST_TEXTS, _MOST_TOKENS, _CHARACTERS_PER_TOKEN = 256, 100_000, 3
#: 600,000 tokens are allowed for all documents of one re-ranking.
_DOCUMENT_CHARACTERS = 40_000
#: Pauses between attempts, in seconds, each up to half longer by chance; the service's own `Retry-After` goes before.
_PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
_TIMEOUT = 120.0

Answer = TypeVar("Answer")


class VoyageClient:
    """The `voyageai` client, with its errors turned into sentences and busy services waited for."""

    def __init__(self) -> None:
        self._client: Any = None

    def embed(self, texts: Sequence[str], input_type: str) -> tuple[Vectors, int]:
        """Unit vectors of shape (len(texts), 1024), and the tokens they cost. Raises ProviderError."""
        answer = self._patiently(
            lambda client: client.embed(list(texts), model=MODEL, input_type=input_type, output_dimension=DIMENSIONS)
        )
        vectors = np.array(answer.embeddings, np.float32).reshape(-1, DIMENSIONS)
        if len(vectors) != len(texts):
            raise ProviderError(f"Voyage answered {len(vectors)} vectors for {len(texts)} texts; try again.")
        return _unit(vectors), int(answer.total_tokens)

    def rerank(self, query: str, documents: Sequence[str]) -> list[float]:
        """The relevance of each document, 0 to 1. Raises ProviderError."""
        shown = [document[:_DOCUMENT_CHARACTERS] for document in documents]
        answer = self._patiently(lambda client: client.rerank(query, shown, model=RERANK_MODEL))
        scores = [0.0] * len(documents)
        for result in answer.results:
            scores[result.index] = float(result.relevance_score)
        return scores

    def _patiently(self, request: Callable[[Any], Answer]) -> Answer:
        import voyageai.error as errors

        passing = (
            errors.RateLimitError,
            errors.ServiceUnavailableError,
            errors.ServerError,
            errors.Timeout,
            errors.APIConnectionError,
            errors.TryAgain,
        )
        for pause in _PAUSES:
            try:
                return request(self._connected())
            except passing as error:
                time.sleep(_pause(error, pause))
            except errors.VoyageError as error:
                raise _explained(error) from error
        try:
            return request(self._connected())
        except errors.VoyageError as error:
            raise _explained(error) from error

    def _connected(self) -> Any:
        if self._client is None:
            import voyageai

            key = os.environ.get(KEY_VARIABLE)
            if not key:
                raise ProviderError(f'The embedding provider "voyage" needs a key: set the environment variable {KEY_VARIABLE}.')
            self._client = voyageai.Client(api_key=key, max_retries=1, timeout=_TIMEOUT, base_url=os.environ.get(URL_VARIABLE))
        return self._client


class VoyageEmbedder:
    """An Embedder that asks Voyage. Safe to use from several threads, apart from `embed_chunks`, which one writer calls."""

    def __init__(self, client: VoyageClient, cache: VectorCache | None) -> None:
        """`cache` keeps the vectors of chunks; None is for those who embed queries only."""
        self._client = client
        self._cache = cache
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
        vectors, _ = self._client.embed([text], "query")
        return np.asarray(vectors[0])

    def announcement(self, chunks: Sequence[Chunk]) -> str:
        """What a large run will send and cost, as a sentence; "" for a small one."""
        missing = self._missing([text for chunk in chunks for text in _texts(chunk)])
        tokens = sum(map(_tokens, missing))
        if tokens < LARGE_RUN:
            return ""
        return f"Embedding {len(missing):,} pieces of code with {MODEL}: about {tokens:,} tokens, {_dollars(tokens)}."

    def account(self) -> str:
        """What the run sent and cost, as a sentence; "" where it sent nothing."""
        return f"Embedded with {MODEL}: {self.tokens:,} tokens, {_dollars(self.tokens)}." if self.tokens else ""

    def keep_only(self, chunks: Sequence[Chunk]) -> None:
        """The chunks are stored: vectors of what is no longer in the repository may go."""
        if self._cache is not None:
            self._cache.keep_only(text for chunk in chunks for text in _texts(chunk))

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        cache = self._cache if self._cache is not None else VectorCache.in_memory(DIMENSIONS)
        missing = list(dict.fromkeys(text for text in texts if text not in cache))
        for batch in _batches(missing):
            vectors, tokens = self._client.embed(batch, "document")
            cache.add(batch, vectors)
            self.tokens += tokens
        return cache.get(texts)

    def _missing(self, texts: Sequence[str]) -> list[str]:
        return [text for text in dict.fromkeys(texts) if self._cache is None or text not in self._cache]


class VoyageReranker:
    """A Reranker that asks Voyage."""

    def __init__(self, client: VoyageClient) -> None:
        self._client = client

    def scores(self, query: str, documents: Sequence[str]) -> list[float]:
        """The relevance of each document to the query, 0 to 1. Raises ProviderError."""
        return self._client.rerank(query, documents) if documents else []


def _texts(chunk: Chunk) -> list[str]:
    """The pieces of a chunk; the service refuses empty ones."""
    return [piece for piece in chunk.embedding_pieces if piece.strip()] or [chunk.name or chunk.relative_path]


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    tokens = 0
    for text in texts:
        size = _tokens(text)
        if batch and (len(batch) == _MOST_TEXTS or tokens + size > _MOST_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size
    if batch:
        yield batch


def _tokens(text: str) -> int:
    return len(text) // _CHARACTERS_PER_TOKEN + 1


def _dollars(tokens: int) -> str:
    return f"about ${tokens / 1e6 * DOLLARS_PER_MILLION:.2f} at list price"


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), np.float32)


def _pause(error: Any, usual: float) -> float:
    asked = (error.headers or {}).get("Retry-After") or (error.headers or {}).get("retry-after")
    if asked and asked.isdigit():
        return min(float(asked), _PAUSES[-1])
    return usual * random.uniform(1.0, 1.5)


def _explained(error: Any) -> ProviderError:
    if type(error).__name__ == "AuthenticationError":
        return ProviderError(f"Voyage does not accept the key in {KEY_VARIABLE}: {error}")
    return ProviderError(f"Voyage cannot embed or re-rank now ({type(error).__name__}: {error}).")
