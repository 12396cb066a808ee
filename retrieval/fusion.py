"""Stage one: candidates from the lexical index and from the vectors, each with both signals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..schema.settings import Settings
from .candidate_rows import CandidateRow
from .chunk_table import ChunkTable
from .embedder import Vectors
from .question import Question
from .row_filter import quoted

#: Declarations of a wanted name that become candidates: of some names, such as `constructor`, there are thousands.
MOST_NAMESAKES = 100
#: The same of files that a question names.
MOST_IN_FILES = 300
#: Candidates of each signal, at least: the ranker tells more of them apart than a re-ranking provider can be sent.
FEWEST = 70


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that may answer a question."""

    chunk: CandidateRow
    #: What share of the question the chunk holds, 0 to 1: its lexical score by the best that any chunk could have.
    lexical: float
    #: Cosine of its vector with the question's.
    similarity: float
    #: Both, as the settings weigh them: the lexical share stands for the re-ranker, which looks at both texts together too.
    blend: float
    #: Share of the question's terms that it holds anywhere, by their rarity, and their number.
    coverage: float = 0.0
    matched: int = 0
    #: Chunks directly within it, and in its file.
    parts: int = 0
    file_size: int = 1


def gather_candidates(
    table: ChunkTable, question: Question, vector: Vectors, settings: Settings, limit: int, predicate: str | None
) -> list[Candidate]:
    """The best `limit` rows of each signal among those that the predicate admits, and the declarations of a wanted name."""
    rows = table.rows
    found = table.lexical.matches(question.terms)
    best_possible = sum(table.lexical.rarity(term) for term in question.terms) or 1.0
    similarity = rows.similarities(vector)
    admitted = None if predicate is None else table.matching_rows(predicate)
    chosen = set(_best(found.scores, admitted, limit, 0.0))
    chosen.update(_best(similarity, admitted, limit, -1.0))
    if question.wanted is not None:
        namesake = f"lower(name) = {quoted(question.wanted.name.lower())}"
        chosen.update(table.matching_rows(f"{namesake} AND {predicate}" if predicate else namesake)[:MOST_NAMESAKES].tolist())
    if question.places:
        named = rows.in_files(lambda path: any(place.is_in(path) for place in question.places))
        chosen.update(_best(similarity, named if admitted is None else np.intersect1d(named, admitted), MOST_IN_FILES, -1.0))
    weights = settings.rerank_weight + settings.vector_weight or 1.0
    candidates = []
    for chunk in rows.read(_with_parents(chosen, rows.parents)):
        lexical, cosine = float(found.scores[chunk.row]) / best_possible, float(similarity[chunk.row])
        blend = (settings.rerank_weight * lexical + settings.vector_weight * cosine) / weights
        coverage = float(found.rarities[chunk.row]) / best_possible
        parts, size = int(rows.children[chunk.row]), int(rows.file_sizes[chunk.row])
        candidates.append(Candidate(chunk, lexical, cosine, blend, coverage, int(found.counts[chunk.row]), parts, size))
    return candidates


def _with_parents(rows: set[int], parent_rows: NDArray[np.int64]) -> set[int]:
    """The rows, and those of what holds them: that competes, found or not. It lies in the same file, so a filter admits it."""
    found = set(rows)
    for row in rows:
        parent = int(parent_rows[row])
        while parent >= 0 and parent not in found:
            found.add(parent)
            parent = int(parent_rows[parent])
    return found


def _best(values: NDArray[np.float32], admitted: NDArray[Any] | None, limit: int, floor: float) -> list[int]:
    """The rows with the highest values above the floor."""
    among = values if admitted is None else values[admitted]
    count = min(limit, len(among))
    if count == 0:
        return []
    best = np.argpartition(-among, count - 1)[:count]
    best = best[among[best] > floor]
    return [int(row) for row in (best if admitted is None else admitted[best])]
