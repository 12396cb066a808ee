"""Stage one: candidates from the lexical index and from the vectors, each with both signals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .chunk_table import CandidateRow, ChunkTable
from .embedder import Vectors
from .question import Question
from .row_filter import quoted

#: Declarations of a wanted name that become candidates: of some names, such as `constructor`, there are thousands.
MOST_NAMESAKES = 100


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that may answer a question."""

    chunk: CandidateRow
    #: What share of the question the chunk holds, 0 to 1: its lexical score by the best that any chunk could have.
    lexical: float
    #: Cosine of its vector with the question's.
    similarity: float


def gather_candidates(
    table: ChunkTable, question: Question, vector: Vectors, limit: int, predicate: str | None
) -> list[Candidate]:
    """The best `limit` rows of each search among those that the predicate admits, and the declarations of a wanted name."""
    shares = _lexical_shares(table, question.terms)
    admitted = shares if predicate is None else _only(shares, table.matching_rows(predicate))
    rows = set(_best(admitted, limit))
    rows.update(neighbour.row for neighbour in table.nearest(vector, limit, predicate))
    if question.wanted is not None:
        named = f"lower(name) = {quoted(question.wanted.name.lower())}"
        rows.update(table.matching_rows(f"{named} AND {predicate}" if predicate else named)[:MOST_NAMESAKES].tolist())
    chunks = table.read_candidates(_with_parents(rows, table.parent_rows))
    return [Candidate(chunk, float(shares[chunk.row]), float(chunk.vector @ vector)) for chunk in chunks]


def _with_parents(rows: set[int], parent_rows: NDArray[np.int64]) -> set[int]:
    """The rows, and those of what holds them: that competes, found or not. It lies in the same file, so a filter admits it."""
    found = set(rows)
    for row in rows:
        parent = int(parent_rows[row])
        while parent >= 0 and parent not in found:
            found.add(parent)
            parent = int(parent_rows[parent])
    return found


def _lexical_shares(table: ChunkTable, terms: Sequence[str]) -> NDArray[np.float32]:
    index = table.lexical
    best_possible = sum(index.rarity(term) for term in terms)
    scores = index.scores(terms)
    return scores / np.float32(best_possible) if best_possible else scores


def _only(shares: NDArray[np.float32], rows: NDArray[np.uint32]) -> NDArray[np.float32]:
    admitted = np.zeros_like(shares)
    admitted[rows] = shares[rows]
    return admitted


def _best(shares: NDArray[np.float32], limit: int) -> list[int]:
    count = min(limit, len(shares))
    if count == 0:
        return []
    best = np.argpartition(-shares, count - 1)[:count]
    return [int(row) for row in best if shares[row] > 0]
