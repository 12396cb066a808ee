"""Rank candidates with a re-ranking provider, which reads query and candidate together, and with the cosine."""

from __future__ import annotations

from collections.abc import Sequence

from ...schema.settings import Settings
from ..candidates.recall import Candidate
from ..embedding.embedder import Reranker
from ..vectors.chunk_table import ChunkTable
from .ranking import Ranked


def rerank(
    reranker: Reranker, table: ChunkTable, query: str, candidates: Sequence[Candidate], limit: int, settings: Settings
) -> list[Ranked]:
    """Return the `limit` candidates with the highest blend, sorted by a weighted mean of the re-ranker's score and the cosine.
    Raises ProviderError.
    """
    chosen = sorted(candidates, key=lambda candidate: (-candidate.blend, candidate.chunk.row))[:limit]
    sources = table.read_chunks([candidate.chunk.id for candidate in chosen])
    relevance = reranker.scores(query, [sources[candidate.chunk.id].embedding_text for candidate in chosen])
    weights = settings.rerank_weight + settings.vector_weight or 1.0
    ranked = [
        Ranked(candidate.chunk, (settings.rerank_weight * score + settings.vector_weight * candidate.similarity) / weights)
        for candidate, score in zip(chosen, relevance, strict=True)
    ]
    return sorted(ranked, key=lambda result: -result.score)
