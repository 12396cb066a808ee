"""The local embedding: the vector of a chunk is the weighted sum of the vectors of its words.

Weights are rounded to small integers, so that float32 represents each partial sum exactly. So a vector does not depend on other
chunks, the number of threads, or the order of addition. An updated index equals a new index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.records import Chunk
from .bag_of_words import Bags, blocks, count_words
from .chunk_fields import chunk_fields
from .embedder import Vectors
from .lru_cache import BoundedCache
from .query_encoder import QueryEncoder, ReadMatches, nothing_read
from .single_threaded_matmul import product
from .term_similarity import FILLERS, WordMatches, match_words
from .vocabulary import Vocabulary
from .weights import Floats, Weights, quantised

#: Sum of the integer weights of a document. The product with 127 is below 2**24, with a margin for rounding.
_WEIGHT_BUDGET = 120_000
#: Maximum number of characters of a query that are read.
_MAX_QUERY_LENGTH = 4000
#: Number of documents in one dense matrix. Documents * words * dimensions is below `MAX_UNTHREADED_SIZE`, so that a product
#: stays on one core.
_DOCUMENTS_PER_PRODUCT = 24
#: Number of words in one tile of the dense matrix.
_WORDS_PER_TILE = 40
#: Maximum number of queries whose vectors are cached, 1 kB each.
_MAX_CACHED_QUERIES = 64
#: Maximum number of names whose vectors are cached, 0.5 kB each.
_MAX_CACHED_NAMES = 25_000
#: Maximum number of texts whose word numbers are cached.
_MAX_CACHED_TEXTS = 50_000


class NameMatches(NamedTuple):
    """The similarity of names to a query, as a whole and word by word."""

    #: Cosine of the vectors of each name and the query, of shape (names,).
    cosine: Floats
    words: WordMatches


class TextMatches(NamedTuple):
    """How texts such as names match the words of a query."""

    #: Matches in which each word has a fixed weight.
    words: WordMatches
    #: Matches in which the query encoder weighs each word by its context.
    read: ReadMatches


class StaticEmbedder:
    """An Embedder that needs only numpy. Threads may share an embedder."""

    def __init__(self, weights: Weights, reader: QueryEncoder | None = None) -> None:
        """`reader` must belong to these weights. Without a reader, all matches in context are 0."""
        self._weights = weights
        self._reader = reader
        self._vocabulary = Vocabulary(weights.words)
        self._filler = np.array([word in FILLERS for word in weights.words])
        self._queries: BoundedCache[Vectors] = BoundedCache(
            lambda texts: list(self._embed_texts(texts, weights.query_weights)), _MAX_CACHED_QUERIES
        )
        self._names: BoundedCache[NDArray[np.float16]] = BoundedCache(
            lambda texts: list(self._embed_texts(texts, weights.chunk_weights).astype(np.float16)), _MAX_CACHED_NAMES
        )
        self._words = BoundedCache(self._known_words, _MAX_CACHED_TEXTS)

    @property
    def model(self) -> str:
        """Name and version of the weights."""
        return self._weights.model

    @property
    def dimensions(self) -> int:
        """Length of each vector."""
        return self._weights.dimensions

    def embed_chunks(self, chunks: Sequence[Chunk]) -> Vectors:
        """Return vectors of shape (len(chunks), dimensions) and unit length; a chunk without words is all zero."""
        weights = self._weights
        documents = [chunk_fields(chunk) for chunk in chunks]
        return self._embed(documents, weights.chunk_weights, weights.field_weights, weights.field_powers)

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of shape (dimensions,) and unit length; a text without words is all zero."""
        (vector,) = self._queries.of([text[:_MAX_QUERY_LENGTH]])
        return vector

    def near_names(self, query: str, names: Sequence[str]) -> Floats:
        """Return the cosine of the vectors of each name and the query."""
        distinct, own = _distinct(names)
        # The operator `@` would start threads.
        found: Floats = np.einsum("ij,j->i", np.array(self._names.of(distinct), np.float32), self.embed_query(query))[own]
        return found

    def match_words(self, query: str, names: Sequence[str]) -> TextMatches:
        """Return how names match a query, word by word."""
        distinct, own = _distinct(names)
        words, read = self._match_distinct(query, distinct)
        return TextMatches(WordMatches(*(column[own] for column in words)), ReadMatches(*(column[own] for column in read)))

    def _match_distinct(self, query: str, names: Sequence[str]) -> TextMatches:
        (query_words,) = self._known_words([query[:_MAX_QUERY_LENGTH]])
        is_content = ~self._filler[query_words]
        content_words, rows = query_words[is_content], self._unit_rows(query_words)
        own_words = self._words.of(names)
        words = np.concatenate(own_words)
        distinct, place = np.unique(words, return_inverse=True)
        distinct_rows = self._unit_rows(distinct)
        of_distinct = np.maximum(product(distinct_rows, rows[is_content].T), 0).T
        likeness = np.ascontiguousarray(of_distinct).take(place, axis=1)
        lengths = np.array(list(map(len, own_words)))
        matches = match_words(likeness, self._weights.query_weights[content_words], lengths, self._weights.chunk_weights[words])
        if self._reader is None:
            return TextMatches(matches, nothing_read(len(names)))
        unasked = self._reader.unasked(distinct, distinct_rows)[place]
        return TextMatches(
            matches, self._reader.match(self._reader.read(query_words, rows, is_content), likeness, unasked, lengths)
        )

    def _known_words(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        """Return the words of each text that are in the vocabulary, as positions in the vocabulary."""
        places, owners = self._vocabulary.known_words(texts)
        return np.split(places, np.searchsorted(owners, np.arange(1, len(texts))))

    def _embed_texts(self, texts: Sequence[str], word_weights: Floats) -> Vectors:
        """Embed texts without fields as an array of shape (len(texts), dimensions)."""
        one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
        return self._embed([[text] for text in texts], word_weights, one, zero)

    def _unit_rows(self, words: NDArray[np.int32]) -> Floats:
        rows = self._weights.rows[words].astype(np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    def _embed(self, documents: Sequence[Sequence[str]], word_weights: Floats, field_weights: Floats, powers: Floats) -> Vectors:
        vectors = np.zeros((len(documents), self.dimensions), np.float32)
        unknown_rows = _UnknownRows(self._weights)
        for block in blocks(documents):
            bags = count_words(self._vocabulary, documents[block])
            rows, scales = unknown_rows.of(bags)
            amounts = _amounts(bags, word_weights, field_weights, powers) * self._scales(bags.words, scales)
            owners = bags.segments // len(field_weights)
            terms = _Terms(owners, bags.words, _rounded(amounts, owners))
            self._sum_rows(vectors[block], terms, rows)
        return vectors

    def _scales(self, words: NDArray[np.intp], unknown: Floats) -> Floats:
        known = words < len(self._vocabulary)
        scales = self._weights.scales[np.where(known, words, 0)]
        scales[~known] = unknown[words[~known] - len(self._vocabulary)]
        return scales

    def _sum_rows(self, target: Vectors, terms: _Terms, unknown: NDArray[np.int8]) -> None:
        """Fill each row of the target with the unit vector of its document, a few documents at a time."""
        bounds = np.searchsorted(terms.owners, np.arange(0, len(target) + _DOCUMENTS_PER_PRODUCT, _DOCUMENTS_PER_PRODUCT))
        for index, (start, end) in enumerate(pairwise(bounds)):
            first = index * _DOCUMENTS_PER_PRODUCT
            part = target[first : first + _DOCUMENTS_PER_PRODUCT]
            distinct, columns = np.unique(terms.words[start:end], return_inverse=True)
            tiles = -(-len(distinct) // _WORDS_PER_TILE)
            shape = (tiles, len(part), _WORDS_PER_TILE)
            cells = np.ravel_multi_index(
                (columns // _WORDS_PER_TILE, terms.owners[start:end] - first, columns % _WORDS_PER_TILE), shape
            )
            matrix = np.bincount(cells, terms.amounts[start:end], tiles * len(part) * _WORDS_PER_TILE).astype(np.float32)
            rows = self._rows(distinct, unknown, tiles * _WORDS_PER_TILE).reshape(tiles, _WORDS_PER_TILE, self.dimensions)
            sums = (matrix.reshape(shape) @ rows).sum(axis=0)
            exact = sums.astype(np.float64)
            lengths = np.sqrt((exact * exact).sum(axis=1, keepdims=True))
            np.divide(sums, lengths, out=part, where=lengths > 0, casting="same_kind")

    def _rows(self, words: NDArray[np.intp], unknown: NDArray[np.int8], count: int) -> Floats:
        """Return the quantized rows of words in ascending order as floats, padded with zeros to `count` rows."""
        split = np.searchsorted(words, len(self._vocabulary))
        rows = np.empty((count, self.dimensions), np.float32)
        rows[:split] = self._weights.rows[words[:split]]
        rows[split : len(words)] = unknown[words[split:] - len(self._vocabulary)]
        rows[len(words) :] = 0
        return rows


@dataclass(frozen=True, slots=True)
class _Terms:
    """Parallel arrays: the weight of each word in its document, in the order of documents."""

    owners: NDArray[np.intp]
    words: NDArray[np.intp]
    #: Integer weights.
    amounts: NDArray[np.float64]


class _UnknownRows:
    """Computes and caches rows of words outside the vocabulary: the mean of the vectors of their n-grams, quantized."""

    #: Maximum number of words whose rows are cached.
    _MAX_CACHED = 50_000

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._places: dict[int, int] = {}
        self._rows = np.zeros((256, weights.dimensions), np.int8)
        self._scales = np.zeros(256, np.float32)

    def of(self, bags: Bags) -> tuple[NDArray[np.int8], Floats]:
        """Return rows and scales of the unknown words of a block, in the order of the words."""
        hashes = bags.unknown.tolist()
        if len(self._places) + len(hashes) > self._MAX_CACHED:
            self._places.clear()
        new = np.array([index for index, hash_ in enumerate(hashes) if hash_ not in self._places], np.intp)
        if len(new):
            self._remember(bags, new)
        places = np.array([self._places[hash_] for hash_ in hashes], np.intp)
        return self._rows[places], self._scales[places]

    def _remember(self, bags: Bags, new: NDArray[np.intp]) -> None:
        weights, start = self._weights, len(self._places)
        end = start + len(new)
        while end > len(self._rows):
            self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
            self._scales = np.concatenate((self._scales, np.zeros_like(self._scales)))
        chosen = np.isin(bags.gram_owners, new)
        buckets = len(weights.words) + (bags.grams[chosen] % np.uint64(weights.buckets)).astype(np.intp)
        starts = np.searchsorted(bags.gram_owners[chosen], new)
        sums = np.add.reduceat(weights.rows[buckets] * weights.scales[buckets, None], starts, axis=0)
        counts = np.diff(np.append(starts, len(buckets)))
        self._rows[start:end], self._scales[start:end] = quantised((sums / counts[:, None]).astype(np.float32))
        self._places.update(zip(bags.unknown[new].tolist(), range(start, end), strict=True))


def _distinct(texts: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """Return the distinct texts, and for each text its index among the distinct texts."""
    distinct = list(dict.fromkeys(texts))
    places = dict(zip(distinct, range(len(distinct)), strict=True))
    return distinct, np.array([places[text] for text in texts], np.intp)


def _amounts(bags: Bags, word_weights: Floats, field_weights: Floats, powers: Floats) -> NDArray[np.float64]:
    """Return the amount of each word in each field: its weight, times 1 + ln(count), scaled by the weight of the field."""
    if not len(bags.words):
        return np.zeros(0, np.float64)
    shared = len(word_weights) - 1
    amounts = (1 + np.log(bags.counts)) * word_weights[np.minimum(bags.words, shared)].astype(np.float64)
    starts = np.flatnonzero(np.concatenate(([True], bags.segments[1:] != bags.segments[:-1])))
    totals = np.add.reduceat(amounts, starts)
    fields = bags.segments[starts] % len(field_weights)
    shares = field_weights[fields] * (totals + 1e-3) ** -powers[fields].astype(np.float64)
    return np.asarray(amounts * np.repeat(shares, np.diff(np.append(starts, len(amounts)))), np.float64)


def _rounded(amounts: NDArray[np.float64], owners: NDArray[np.intp]) -> NDArray[np.float64]:
    """Scale the amounts of each document to integers whose sum is about the budget."""
    if not len(amounts):
        return amounts
    starts = np.flatnonzero(np.concatenate(([True], owners[1:] != owners[:-1])))
    totals = np.add.reduceat(amounts, starts)
    factors = _WEIGHT_BUDGET / np.maximum(totals, 1e-30)
    return np.asarray(np.rint(amounts * np.repeat(factors, np.diff(np.append(starts, len(amounts))))), np.float64)
