"""Rescore the first results with a small transformer, if the settings enable it.

The transformer reads phrases; the ranker reads only words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...schema.records import Chunk
from ..embedding.chunk_fields import path_words
from ..query.query import Query
from ..text.logit import logit, sigmoid
from ..text.words import humps
from ..vectors.chunk_table import ChunkTable
from .ranking import Ranked
from .transformer.sentence_encoder import SentenceEncoder

#: Maximum number of rescored results.
MAX_RESCORED = 40
#: Log-odds that a result gains for a cosine of 1 above the mean cosine of the rescored results.
_STRENGTH = 3.0
#: Number of characters of the source in the input of the transformer, which reads 128 tokens.
_MAX_SOURCE_LENGTH = 800


def rescore(load: Callable[[], SentenceEncoder], table: ChunkTable, query: Query, ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return the results with new scores, in their new order. For a query that names code, the results stay unchanged.

    The encoder is loaded only if it is needed. Raises ProviderError.
    """
    first, rest = ranked[:MAX_RESCORED], ranked[MAX_RESCORED:]
    if query.names_code or len(first) < 2:
        return list(ranked)
    encoder = load()
    chunks = table.read_chunks([result.chunk.id for result in first])
    vectors = encoder.encode([phrase(chunks[result.chunk.id]) for result in first])
    cosines = vectors @ encoder.encode_query(query.text)
    added = _STRENGTH * (cosines - cosines.mean())
    changed = [
        Ranked(result.chunk, sigmoid(logit(result.score) + float(more))) for result, more in zip(first, added, strict=True)
    ]
    return sorted([*changed, *rest], key=lambda result: -result.score)


def phrase(chunk: Chunk) -> str:
    """Return the text of a chunk for the transformer: the words of its name, the end of its path, and the start of its source."""
    names = [chunk.name, *([chunk.parent_name] if chunk.parent_name else [])]
    words = " ".join(" ".join(humps(name)) for name in names)
    return f"{words} {path_words(chunk.relative_path)}\n{chunk.embedding_text[:_MAX_SOURCE_LENGTH]}"
