"""Measure how well vectors alone find the symbol that a doc comment describes."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from astrolabe.retrieval.embedding.embedder import Embedder
from astrolabe.retrieval.embedding.words import split_words
from astrolabe.schema.records import Chunk

from .documented_symbols import DocumentedSymbol
from .questions import question

_CUTOFF = 10
_MIN_WORDS = 5


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality measures over the queries of one package."""

    queries: int
    #: Mean reciprocal rank of the right symbol; ranks beyond 10 count as 0.
    mrr: float
    #: Shares of queries whose right symbol has rank 1, and rank 10 or better.
    first: float
    found: float
    #: Mean reciprocal rank of the queries that share no word with the symbol's name.
    hard_mrr: float


def as_chunk(symbol: DocumentedSymbol) -> Chunk:
    """Return the symbol as a chunk of the index, without its doc comment."""
    breadcrumb = " > ".join([symbol.path, *(part for part in symbol.scope.split(".") if part), symbol.name])
    return Chunk(
        id="", relative_path=symbol.path, language="typescript", node_kind=symbol.kind, name=symbol.name, parent_name=None,
        parent_chunk_id=None, child_chunk_ids=(), depth=0, signature=symbol.head, start_line=1,
        end_line=1, jsdoc=None, relevant_imports=(), embedding_text=symbol.body, breadcrumb=breadcrumb, content_hash="",
        last_modified=0, exported=True, is_test=False,
    )  # fmt: skip


def document_search(embedder: Embedder, symbols: Sequence[DocumentedSymbol]) -> Quality:
    """Measure search with distinct first sentences as queries; each symbol with the sentence is a right answer."""
    return _search(embedder, symbols, {symbol.sentence: symbol.sentence for symbol in symbols})


def question_search(embedder: Embedder, symbols: Sequence[DocumentedSymbol], seed: int) -> Quality:
    """Measure search as `document_search` does, with each sentence turned into a question."""
    chance = random.Random(seed)
    return _search(
        embedder, symbols, {symbol.sentence: question(symbol.sentence, chance) for symbol in symbols if symbol.sentence}
    )


def _search(embedder: Embedder, symbols: Sequence[DocumentedSymbol], queries: dict[str, str]) -> Quality:
    symbols = [symbol for symbol in symbols if symbol.kind != "property"]
    vectors = embedder.embed_chunks([as_chunk(symbol) for symbol in symbols])
    places: dict[str, list[int]] = {}
    for index, symbol in enumerate(symbols):
        if len(re.findall(r"[A-Za-z][\w$]*", symbol.sentence)) >= _MIN_WORDS:
            places.setdefault(symbol.sentence, []).append(index)
    ranks, hard = [], []
    for sentence, right in places.items():
        scores = vectors @ embedder.embed_query(queries[sentence])
        ranks.append(1 + int((scores > scores[right].max()).sum()))
        hard.append(not _words(queries[sentence]) & _words(symbols[right[0]].name))
    return _quality(np.array(ranks), np.array(hard))


def _quality(ranks: np.ndarray[tuple[int], np.dtype[np.int64]], hard: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Quality:
    reciprocal = np.where(ranks <= _CUTOFF, 1 / ranks, 0)
    hard_mrr = float(reciprocal[hard].mean()) if hard.any() else 0.0
    return Quality(len(ranks), float(reciprocal.mean()), float((ranks == 1).mean()), float((ranks <= _CUTOFF).mean()), hard_mrr)


def _words(text: str) -> set[str]:
    words = split_words(text)
    return {words.text(index) for index in range(len(words.starts))}
