"""Training examples of the query encoder: numbers of the words of doc comments, and of the names and paths of their symbols."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from zlib import crc32

import numpy as np
from astrolabe.retrieval.embedding.query_encoder import MAX_WORDS
from astrolabe.retrieval.embedding.vocabulary import Vocabulary
from astrolabe.retrieval.ranking.ranker.features import path_end
from numpy.typing import NDArray

from .documented_symbols import DocumentedSymbol
from .questions import question

Words = NDArray[np.int32]
#: Pads rows that have fewer words.
NO_WORD = -1
#: Maximum number of words that are read from a name, and from path, parent and name together.
_OF_NAME, _OF_WHOLE = 6, 14
#: Texts that are split at once.
_PORTION = 20_000


@dataclass(frozen=True, slots=True)
class ReadingExamples:
    """Arrays of word numbers in the vocabulary, one row for each documented symbol, padded with NO_WORD."""

    #: The first sentence of the doc comment, and a question made from the sentence; each of shape (symbols, MAX_WORDS).
    sentences: Words
    questions: Words
    names: Words
    wholes: Words
    #: Hash of each name. Symbols with the same name count as answers to each other's questions.
    name_ids: NDArray[np.int64]
    #: Number of each symbol's project.
    origins: NDArray[np.int64]


def reading_examples(symbols: Sequence[DocumentedSymbol], vocabulary: Vocabulary, seed: int) -> ReadingExamples:
    """Return arrays of the documented symbols with a known word in the sentence and a known word in the name."""
    chance = random.Random(seed)
    documented = [symbol for symbol in symbols if symbol.sentence]
    origins = {name: number for number, name in enumerate(sorted({symbol.origin for symbol in documented}))}
    texts = (
        ([symbol.sentence for symbol in documented], MAX_WORDS),
        ([question(symbol.sentence, chance) for symbol in documented], MAX_WORDS),
        ([symbol.name for symbol in documented], _OF_NAME),
        ([_whole(symbol) for symbol in documented], _OF_WHOLE),
    )
    sentences, questions, names, wholes = (known_words(vocabulary, *each) for each in texts)
    usable = (sentences[:, 0] != NO_WORD) & (names[:, 0] != NO_WORD)
    return ReadingExamples(
        sentences[usable],
        questions[usable],
        names[usable],
        wholes[usable],
        np.array([crc32(symbol.name.lower().encode()) for symbol in documented])[usable],
        np.array([origins[symbol.origin] for symbol in documented])[usable],
    )


def _whole(symbol: DocumentedSymbol) -> str:
    return f"{symbol.scope.rpartition('.')[2]} {path_end(symbol.path)} {symbol.name}"


def known_words(vocabulary: Vocabulary, texts: Sequence[str], most: int) -> Words:
    """Return the numbers of the first known words of each text, of shape (texts, most)."""
    found = np.full((len(texts), most), NO_WORD, np.int32)
    for start in range(0, len(texts), _PORTION):
        places, owners = vocabulary.known_words(texts[start : start + _PORTION])
        rank = np.arange(len(owners)) - np.searchsorted(owners, owners)
        kept = rank < most
        found[start + owners[kept], rank[kept]] = places[kept]
    return found


def batches(origins: NDArray[np.int64], size: int, group: int, chance: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Yield batches of `size` examples in random groups of up to `group` examples of one project.

    Each example occurs at most once; the examples of the last, incomplete batch are left out.
    """
    order = chance.permutation(len(origins))
    order = order[np.argsort(origins[order], kind="stable")]
    bounds = np.flatnonzero(np.diff(origins[order], prepend=-1, append=-1))
    groups = [
        order[place : min(place + group, end)] for start, end in pairwise(bounds.tolist()) for place in range(start, end, group)
    ]
    mixed = np.concatenate([groups[place] for place in chance.permutation(len(groups))])
    for start in range(0, len(mixed) - size + 1, size):
        yield mixed[start : start + size]
