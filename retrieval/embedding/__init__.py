"""The embeddings that search can use; the local one ships with the package and needs no network, Voyage is a user's choice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.errors import ProviderError
from ...schema.settings import Settings

if TYPE_CHECKING:
    # Loads numpy, which a command line that embeds nothing does without.
    from .embedder import Embedder, Reranker
    from .static_embedder import StaticEmbedder
    from .voyage import VoyageEmbedder

#: The weights of the local model.
WEIGHTS_PATH = Path(__file__).with_name("static-code-256.weights")
#: The providers. The local one is part of the package.
LOCAL, VOYAGE = "local", "voyage"


def load_embedder(settings: Settings) -> Embedder:
    """The embedder of queries that the settings name. Raises ProviderError where there is none or it cannot be used."""
    if settings.embedding_provider == VOYAGE:
        from .voyage import VoyageEmbedder
        from .voyage_service import VoyageService

        return VoyageEmbedder(VoyageService(), None)
    if settings.embedding_provider == LOCAL:
        return load_local_embedder()
    raise ProviderError(
        f'There is no embedding provider "{settings.embedding_provider}". Set embedding_provider to "{LOCAL}" or "{VOYAGE}".'
    )


@cache
def load_local_embedder() -> StaticEmbedder:
    """The embedder that ships with the package; one for all of a process. Raises ProviderError where its weights are unusable."""
    from .query_encoder import READER_PATH, Reader, read_model
    from .static_embedder import StaticEmbedder
    from .weights import read_weights

    weights = read_weights(WEIGHTS_PATH)
    return StaticEmbedder(weights, Reader(read_model(READER_PATH), weights))


def load_paid_embedder(settings: Settings, folder: Path, tell: Callable[[str], None]) -> VoyageEmbedder | None:
    """The embedder of chunks where it costs money: it keeps what it was answered in the folder. None for the local one.

    `tell` takes what somebody should know who waits for it.
    """
    if settings.embedding_provider != VOYAGE:
        return None
    from .vector_cache import VectorCache
    from .voyage import VoyageEmbedder
    from .voyage_service import DIMENSIONS, MODEL, VoyageService

    return VoyageEmbedder(VoyageService(tell), VectorCache.open(folder / f"paid-{MODEL}.bin", DIMENSIONS))


def load_reranker(settings: Settings) -> Reranker | None:
    """The re-ranker that the settings name; None where local features do its work."""
    if settings.embedding_provider != VOYAGE:
        return None
    from .voyage import VoyageReranker
    from .voyage_service import VoyageService

    return VoyageReranker(VoyageService())
