"""Count the words of many texts at once, in the same way for training and for search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..lexical.word_arrays import Hashes, Positions
from .vocabulary import Vocabulary
from .words import SEPARATOR, Words, gram_hashes, split_words

#: Maximum number of bytes of an unknown word. Longer words are keys, hashes and encoded data.
_MAX_UNKNOWN_LENGTH = 40
#: Number of low bits of a sort key for the position of the word; the higher bits are the segment.
_WORD_BITS = 17
_WORD_MASK = np.uint32((1 << _WORD_BITS) - 1)

#: Number of characters in one block: enough to spread the cost of array operations, and few enough that the arrays fit the
#: processor's cache.
_BLOCK_CHARACTERS = 100_000
#: Maximum number of documents in one block: few enough for a sort key of 32 bits.
_BLOCK_DOCUMENTS = 1000


@dataclass(frozen=True, slots=True)
class Bags:
    """Distinct words of each document and field, sorted by document, field and word. The first three arrays are parallel."""

    #: Document * number of fields + field.
    segments: NDArray[np.intp]
    #: Position of the word in the vocabulary. For an unknown word, the length of the vocabulary plus the position in `unknown`.
    words: NDArray[np.intp]
    #: Occurrences of the word.
    counts: NDArray[np.intp]
    #: Hash of each unknown word.
    unknown: Hashes
    #: Hashes of the n-grams of the unknown words.
    grams: Hashes
    #: Position in `unknown` of the word of each n-gram, in ascending order.
    gram_owners: Positions


def blocks(documents: Sequence[Sequence[str]]) -> Iterator[slice]:
    """Yield slices of the documents that are small enough to be counted together."""
    start = size = 0
    for index, fields in enumerate(documents):
        size += sum(map(len, fields))
        if size > _BLOCK_CHARACTERS or index - start >= _BLOCK_DOCUMENTS - 1:
            yield slice(start, index + 1)
            start, size = index + 1, 0
    if start < len(documents):
        yield slice(start, len(documents))


def count_words(vocabulary: Vocabulary, documents: Sequence[Sequence[str]]) -> Bags:
    """Count the words of one block of documents. All documents have the same number of fields."""
    texts = [text for fields in documents for text in fields]
    joined = SEPARATOR.join(texts)
    if joined.count(SEPARATOR) != len(texts) - 1:
        joined = SEPARATOR.join(text.replace(SEPARATOR, " ") for text in texts)
    words = split_words(joined)
    places = vocabulary.lookup(words.hashes).astype(np.intp)
    unknown = np.flatnonzero(_worth_keeping(words, places))
    hashes, first, inverse = np.unique(words.hashes[unknown], return_index=True, return_inverse=True)
    places[unknown] = len(vocabulary) + inverse
    segments = np.searchsorted(np.flatnonzero(words.lowered == 0), words.starts)
    kept = places >= 0
    keys = (segments[kept].astype(np.uint32) << np.uint32(_WORD_BITS)) | places[kept].astype(np.uint32)
    keys.sort()
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.zeros(0, np.intp)
    counts = np.diff(np.append(starts, len(keys)))
    distinct = keys[starts]
    grams, owners = gram_hashes(words, unknown[first])
    segments, kinds = (distinct >> np.uint32(_WORD_BITS)).astype(np.intp), (distinct & _WORD_MASK).astype(np.intp)
    return Bags(segments, kinds, counts, hashes, grams, owners)


def _worth_keeping(words: Words, places: NDArray[np.intp]) -> NDArray[np.bool_]:
    lengths = words.ends - words.starts
    return (places < 0) & ~words.numeric & (lengths > 1) & (lengths <= _MAX_UNKNOWN_LENGTH)
