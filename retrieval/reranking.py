"""Stage two with a re-ranking provider: it reads query and candidate together, and its score is blended with the cosine."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema.settings import Settings
from .chunk_table import ChunkTable
from .embedder import Reranker, Vectors
from .ranking import Ranked


def rerank(
    reranker: Reranker, table: ChunkTable, query: str, vector: Vectors, ranked: Sequence[Ranked], settings: Settings
) -> list[Ranked]:
    """The results with their final scores, best first: as the weights say, the re-ranker's score and the cosine.

    Raises ProviderError.
    """
    sources = table.read_chunks([result.chunk.id for result in ranked])
    relevance = reranker.scores(query, [sources[result.chunk.id].embedding_text for result in ranked])
    weights = settings.rerank_weight + settings.vector_weight or 1.0
    blended = []
    for result, score in zip(ranked, relevance, strict=True):
        joint = settings.rerank_weight * score + settings.vector_weight * float(result.chunk.vector @ vector)
        blended.append(Ranked(result.chunk, joint / weights))
    return sorted(blended, key=lambda result: -result.score)
