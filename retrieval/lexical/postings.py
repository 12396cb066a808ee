"""Build postings from chunks: for each term, the chunks that contain it, with its prominence.

A full-text index that scores fields separately has clearly worse results than BM25F, which adds up the weighted occurrences of a
word over all fields before it saturates the sum (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted
fields", 2004). Field lengths are compared with typical lengths instead of the corpus mean, so the weight of a term in a chunk
depends only on the chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schema.records import Chunk
from ..text.words import split_word
from .word_arrays import stable_order
from .word_numbers import Numbers, WordNumbers


class Field(NamedTuple):
    """One field of a chunk."""

    weight: float
    #: Effect of the length of the field on the weight of occurrences, 0 to 1 (`b` of BM25).
    length_discount: float
    #: Length, in number of terms, at which occurrences have their full weight.
    typical_length: float
    text: Callable[[Chunk], str]


def _scope(chunk: Chunk) -> str:
    return chunk.breadcrumb.partition(" > ")[2].rpartition(" > ")[0]


def _path_without_extension(chunk: Chunk) -> str:
    return chunk.relative_path.rpartition(".")[0]


#: Values with the best results in a search for doc comments of open-source packages.
FIELDS: tuple[Field, ...] = (
    Field(8.0, 0.5, 3.0, lambda chunk: chunk.name),
    Field(3.0, 0.5, 1.5, _scope),
    Field(3.0, 0.5, 5.0, _path_without_extension),
    Field(1.0, 0.6, 15.0, lambda chunk: chunk.signature),
    Field(2.0, 0.6, 15.0, lambda chunk: chunk.jsdoc or ""),
    Field(1.0, 0.9, 60.0, lambda chunk: chunk.embedding_text),
)
#: Number of weighted occurrences for which a term has half of its full effect.
SATURATION = 4.0

#: Number of characters in one block: enough to spread the cost of array operations, and few enough that the arrays fit the
#: processor's cache.
_BLOCK_CHARACTERS = 200_000
_WEIGHTS, _DISCOUNTS, _TYPICAL_LENGTHS = (np.array([field[place] for field in FIELDS]) for place in range(3))


def build_postings(
    chunks: Sequence[Chunk],
) -> tuple[list[str], NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint8]]:
    """Return the sorted terms, the offsets of their postings, and the row and prominence of each posting.

    `offsets` has shape (len(terms) + 1,). A row is the number of a chunk; the rows of each term are in ascending order.
    Prominence is 1 to 255.
    """
    words, terms = WordNumbers(), _Terms()
    found, rows, prominence = [np.zeros(0, np.int32)], [np.zeros(0, np.uint32)], [np.zeros(0, np.uint8)]
    for start, texts in _blocks(chunks):
        numbers, counts = words.read(texts)
        terms.add(words.words)
        part = _weigh(*terms.of(numbers, counts), len(terms.numbers))
        found.append(part[0])
        rows.append(part[1].astype(np.uint32) + np.uint32(start))
        prominence.append(part[2])
    spelled = sorted(terms.numbers)
    ranks = np.empty(len(spelled), np.int32)
    ranks[[terms.numbers[term] for term in spelled]] = np.arange(len(spelled), dtype=np.int32)
    ranked = ranks[np.concatenate(found)]
    order = stable_order(ranked, len(spelled))
    offsets = np.zeros(len(spelled) + 1, np.int64)
    np.cumsum(np.bincount(ranked, minlength=len(spelled)), out=offsets[1:])
    return spelled, offsets, np.concatenate(rows)[order], np.concatenate(prominence)[order]


def _blocks(chunks: Sequence[Chunk]) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first chunk of each block, and the texts of all fields of its chunks, chunk by chunk."""
    readers = [field.text for field in FIELDS]
    start, size, texts = 0, 0, list[str]()
    for row, chunk in enumerate(chunks):
        texts += [read(chunk) for read in readers]
        size += len(chunk.embedding_text)
        if size > _BLOCK_CHARACTERS:
            yield start, texts
            start, size, texts = row + 1, 0, []
    if texts:
        yield start, texts


class _Terms:
    """Maps numbered words to the numbers of their search terms."""

    def __init__(self) -> None:
        #: Number of each term, in the order of first occurrence.
        self.numbers: dict[str, int] = {}
        # The terms of word w are _flat[_offsets[w] : _offsets[w + 1]].
        self._flat = np.zeros(0, np.int32)
        self._offsets = np.zeros(1, np.int32)

    def add(self, words: Sequence[str]) -> None:
        """Add the new words. `words` has to begin with all words of the call before."""
        splits = [split_word(word) for word in words[len(self._offsets) - 1 :]]
        flat = [self.numbers.setdefault(term, len(self.numbers)) for split in splits for term in split]
        ends = len(self._flat) + np.cumsum([len(split) for split in splits], dtype=np.int32)
        self._flat = np.concatenate((self._flat, np.array(flat, np.int32)))
        self._offsets = np.concatenate((self._offsets, ends), dtype=np.int32)

    def of(self, words: Numbers, counts: NDArray[np.intp]) -> tuple[Numbers, NDArray[np.intp]]:
        """Return the terms of the words of consecutive texts, and the number of terms of each text.

        `counts` is the number of words of each text.
        """
        starts = self._offsets.take(words)
        ends = np.cumsum(self._offsets.take(words + 1) - starts)
        spans = np.diff(ends, prepend=0)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - spans), spans)
        text_ends = np.concatenate(([0], ends))[np.cumsum(counts)]
        return self._flat.take(places), np.diff(text_ends, prepend=0)


def _weigh(terms: Numbers, lengths: NDArray[np.intp], limit: int) -> tuple[Numbers, Numbers, NDArray[np.uint8]]:
    """Return term, document and prominence of each posting, ordered by term and document.

    `terms` are the terms of all fields of all documents in order, `lengths` the number of terms of each field, and `limit`
    is above all terms.
    """
    order = stable_order(terms, limit)
    terms, texts = terms.take(order), np.repeat(np.arange(len(lengths), dtype=np.int32), lengths).take(order)
    starts = _starts_of_runs(terms, texts)
    occurrences = np.diff(starts, append=len(terms))
    terms, texts = terms.take(starts), texts.take(starts)
    weights = np.resize(_WEIGHTS, len(lengths))[texts] * occurrences / _discounts(lengths)[texts]
    documents = texts // len(FIELDS)
    starts = _starts_of_runs(terms, documents)
    totals = np.add.reduceat(weights, starts) if len(starts) else weights
    prominence = np.rint(255.0 * totals / (totals + SATURATION)).clip(1, 255)
    return terms[starts], documents[starts], prominence.astype(np.uint8)


def _starts_of_runs(terms: Numbers, owners: Numbers) -> NDArray[np.intp]:
    """Return the indices at which a new pair of term and owner begins."""
    begins = np.ones(len(terms), np.bool_)
    begins[1:] = (terms[1:] != terms[:-1]) | (owners[1:] != owners[:-1])
    return np.flatnonzero(begins)


def _discounts(lengths: NDArray[np.intp]) -> NDArray[np.float64]:
    by_field = lengths.reshape(-1, len(FIELDS))
    return np.asarray(1.0 - _DISCOUNTS + _DISCOUNTS * by_field / _TYPICAL_LENGTHS).ravel()
