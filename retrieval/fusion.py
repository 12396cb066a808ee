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
        rows.update(table.matching_rows(f"{named} AND {predicate}" if predicate else named).tolist())
    candidates: dict[int, Candidate] = {}
    while rows:
        for chunk in table.read_candidates(rows):
            candidates[chunk.row] = Candidate(chunk, float(shares[chunk.row]), float(chunk.vector @ vector))
        # Whatever holds a candidate competes with it, found or not; it lies in the same file, so the predicate admits it.
        parents = (candidate.chunk.parent_row for candidate in candidates.values())
        rows = {row for row in parents if row is not None and row not in candidates}
    return list(candidates.values())


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
