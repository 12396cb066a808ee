"""Training examples as arrays: the words of each symbol, and the words of queries for the symbol."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np
from astrolabe.retrieval.embedding.bag_of_words import blocks, count_words
from astrolabe.retrieval.embedding.chunk_fields import LIMITS, path_words
from astrolabe.retrieval.embedding.vocabulary import Vocabulary
from astrolabe.retrieval.embedding.words import SEPARATOR, split_words
from numpy.typing import NDArray

from .documented_symbols import DocumentedSymbol
from .questions import question

Integers = NDArray[np.int64]
#: Small integers, because millions of symbols have tens of millions of words.
Rows = NDArray[np.int32]
Fields = NDArray[np.int8]

#: Number of symbols in which a word without a pretrained vector must occur.
_RARE = 6

_PORTION = 20_000

#: Forms of a query for a symbol: its first sentence, a question made from the sentence, its whole doc comment, its name.
QUERY_FORMS = ("sentence", "question", "comment", "name")


@dataclass(frozen=True, slots=True)
class RaggedBags:
    """Word counts of many documents, one document after the other. `offsets` has shape (documents + 1,)."""

    offsets: Integers
    #: Row in the embedding of each known word, or of each n-gram of an unknown word.
    rows: Rows
    #: Index of the weight: the row of a known word, or the index that all unknown words share.
    weights: Rows
    #: 1 + ln(count); for an unknown word divided by the number of its n-grams.
    factors: NDArray[np.float32]
    fields: Fields

    def take(self, chosen: Integers) -> RaggedBags:
        """Return the chosen documents, in the order of `chosen`."""
        lengths = self.offsets[chosen + 1] - self.offsets[chosen]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        entries = np.repeat(self.offsets[chosen] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return RaggedBags(offsets, self.rows[entries], self.weights[entries], self.factors[entries], self.fields[entries])

    def keep(self, mask: NDArray[np.bool_]) -> RaggedBags:
        """Return the same documents with only the entries for which the mask is true."""
        offsets = np.concatenate(([0], np.cumsum(mask)))[self.offsets]
        return RaggedBags(offsets, self.rows[mask], self.weights[mask], self.factors[mask], self.fields[mask])

    def owners(self) -> Integers:
        """Return the number of the document of each entry."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


@dataclass(frozen=True, slots=True)
class Examples:
    """Symbols and their queries, in the same order."""

    chunks: RaggedBags
    queries: dict[str, RaggedBags]
    documented: NDArray[np.bool_]
    #: Number of the project of each symbol.
    origins: Integers
    #: Hashes of sentences and of names. Symbols with an equal hash count as answers to each other's queries.
    sentence_ids: Integers
    name_ids: Integers


def build_vocabulary(symbols: Iterable[DocumentedSymbol], known: Sequence[str], size: int) -> tuple[list[str], Integers]:
    """Return the most frequent words of the symbols, and the number of symbols that contain each word.

    If there are fewer than `size` such words, other pretrained words fill the list.
    """
    frequency: Counter[int] = Counter()
    texts: dict[int, str] = {}
    documents = [[symbol.name, symbol.path, symbol.body, symbol.sentence, symbol.rest] for symbol in symbols]
    for block in blocks(documents):
        _count_block(documents[block], frequency, texts)
    pretrained = frozenset(known)
    ordered = sorted(((count, texts[hash_]) for hash_, count in frequency.items()), key=lambda pair: (-pair[0], pair[1]))
    words = [word for count, word in ordered if len(word) > 1 and (count >= _RARE or word in pretrained)][:size]
    counts = {word: count for count, word in ordered}
    chosen = frozenset(words)
    spare = sorted(word for word in pretrained - chosen if len(word) > 3 and word.isascii() and word.isalpha() and word.islower())
    words += spare[: size - len(words)]
    return words, np.array([counts.get(word, 0) for word in words], np.int64)


def _count_block(documents: Sequence[Sequence[str]], frequency: Counter[int], texts: dict[int, str]) -> None:
    joined = "\n".join(SEPARATOR.join([" ".join(fields).replace(SEPARATOR, " ") for fields in documents]).splitlines())
    words = split_words(joined)
    owners = np.searchsorted(np.flatnonzero(words.lowered == 0), words.starts).astype(np.uint64)
    usable = np.flatnonzero(~words.numeric & (words.ends - words.starts <= 24))
    hashes, first = np.unique(words.hashes[usable], return_index=True)
    codes = np.searchsorted(hashes, words.hashes[usable])
    per_word = np.bincount(
        np.unique(owners[usable] * np.uint64(len(hashes)) + codes.astype(np.uint64)).astype(np.int64) % len(hashes)
    )
    for hash_, count, index in zip(hashes.tolist(), per_word.tolist(), usable[first].tolist(), strict=True):
        frequency[hash_] += count
        if hash_ not in texts:
            texts[hash_] = words.text(index)


def ragged_bags(vocabulary: Vocabulary, buckets: int, documents: Sequence[Sequence[str]]) -> RaggedBags:
    """Count the words of documents with the same number of fields each."""
    return joined([_block_bags(vocabulary, buckets, documents[block]) for block in blocks(documents)])


def joined(parts: Sequence[RaggedBags]) -> RaggedBags:
    """Return the documents of several bags, one after the other."""
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    return RaggedBags(
        np.concatenate(([0], np.cumsum(lengths))),
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.weights for part in parts]),
        np.concatenate([part.factors for part in parts]),
        np.concatenate([part.fields for part in parts]),
    )


def _block_bags(vocabulary: Vocabulary, buckets: int, documents: Sequence[Sequence[str]]) -> RaggedBags:
    width = len(documents[0])
    bags = count_words(vocabulary, documents)
    gram_counts = np.bincount(bags.gram_owners, minlength=len(bags.unknown))
    gram_starts = np.cumsum(gram_counts) - gram_counts
    unknown = bags.words - len(vocabulary)
    repeats = np.where(unknown < 0, 1, gram_counts[np.maximum(unknown, 0)] if len(gram_counts) else 1)
    entry = np.repeat(np.arange(len(repeats)), repeats)
    within = np.arange(len(entry)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    grams = len(vocabulary) + (bags.grams % np.uint64(buckets)).astype(np.int64)
    is_gram = unknown[entry] >= 0
    rows = bags.words[entry].copy()
    rows[is_gram] = grams[gram_starts[unknown[entry[is_gram]]] + within[is_gram]]
    factors = ((1 + np.log(bags.counts)) / repeats)[entry]
    segments = bags.segments[entry]
    return RaggedBags(
        np.searchsorted(segments, np.arange(len(documents) + 1) * width),
        rows.astype(np.int32),
        np.minimum(bags.words[entry], len(vocabulary)).astype(np.int32),
        factors.astype(np.float32),
        (segments % width).astype(np.int8),
    )


def symbol_fields(symbol: DocumentedSymbol) -> list[str]:
    """Return the texts of a symbol as `chunk_fields` does for a chunk, but with the doc comment without its first paragraph."""
    texts = (symbol.name, symbol.scope, path_words(symbol.path), symbol.head, symbol.body, symbol.rest)
    return [text[:limit] for text, limit in zip(texts, LIMITS, strict=True)]


def build_examples(symbols: Sequence[DocumentedSymbol], vocabulary: Vocabulary, buckets: int, seed: int) -> Examples:
    """Return the arrays of all symbols. A chunk has the fields of `chunk_fields`, and a query has one field."""
    chance = random.Random(seed)
    origins = {name: index for index, name in enumerate(sorted({symbol.origin for symbol in symbols}))}
    return Examples(
        chunks=_bags_of(symbols, symbol_fields, vocabulary, buckets),
        queries={form: _bags_of(symbols, partial(_query, form, chance), vocabulary, buckets) for form in QUERY_FORMS},
        documented=np.array([bool(symbol.sentence) for symbol in symbols]),
        origins=np.array([origins[symbol.origin] for symbol in symbols]),
        sentence_ids=np.array([crc32((symbol.sentence or symbol.scope + symbol.name).lower().encode()) for symbol in symbols]),
        name_ids=np.array([crc32(symbol.name.encode()) for symbol in symbols]),
    )


def _bags_of(
    symbols: Sequence[DocumentedSymbol], texts: Callable[[DocumentedSymbol], list[str]], vocabulary: Vocabulary, buckets: int
) -> RaggedBags:
    """Return the words of the texts of all symbols. Only the texts of one portion are in memory at a time."""
    portions = (symbols[start : start + _PORTION] for start in range(0, len(symbols), _PORTION))
    return joined([ragged_bags(vocabulary, buckets, [texts(symbol) for symbol in portion]) for portion in portions])


def _query(form: str, chance: random.Random, symbol: DocumentedSymbol) -> list[str]:
    if form == "name":
        return [f"{symbol.scope} {symbol.name}" if chance.random() < 0.3 else symbol.name]
    if not symbol.sentence or form == "sentence":
        return [symbol.sentence]
    return [question(symbol.sentence, chance) if form == "question" else f"{symbol.sentence} {symbol.rest}"]
