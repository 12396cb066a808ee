"""The first results read again by a small transformer, where the user wants it: it knows phrases where the ranker sees words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...schema.records import Chunk
from ..embedding.chunk_fields import path_words
from ..query.query import Question
from ..text.logit import logit, sigmoid
from ..text.words import humps
from ..vectors.chunk_table import ChunkTable
from .ranking import Ranked
from .transformer.sentence_encoder import SentenceEncoder

#: Results that are looked at again.
RESCORED = 40
#: What a cosine above the mean of these results adds to the logarithm of the odds.
_STRENGTH = 3.0
#: Characters of the source that can be among the tokens that are read.
_MAX_SOURCE_LENGTH = 800


def rescore(load: Callable[[], SentenceEncoder], table: ChunkTable, question: Question, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The results in their new order, with new scores. A name or a place that was asked for stays where it is.

    The encoder is loaded where it is wanted. Raises ProviderError.
    """
    first, rest = ranked[:RESCORED], ranked[RESCORED:]
    if question.names_code or len(first) < 2:
        return list(ranked)
    encoder = load()
    chunks = table.read_chunks([result.chunk.id for result in first])
    vectors = encoder.encode([phrase(chunks[result.chunk.id]) for result in first])
    cosines = vectors @ encoder.encode_query(question.text)
    added = _STRENGTH * (cosines - cosines.mean())
    changed = [
        Ranked(result.chunk, sigmoid(logit(result.score) + float(more))) for result, more in zip(first, added, strict=True)
    ]
    return sorted([*changed, *rest], key=lambda result: -result.score)


def phrase(chunk: Chunk) -> str:
    """What the transformer reads of a chunk: the words of its name and path before its source, which may be cut."""
    names = [chunk.name, *([chunk.parent_name] if chunk.parent_name else [])]
    words = " ".join(" ".join(humps(name)) for name in names)
    return f"{words} {path_words(chunk.relative_path)}\n{chunk.embedding_text[:_MAX_SOURCE_LENGTH]}"
