"""Load embedding models. The local model is part of the package; Voyage is a remote provider that the user can configure."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.errors import ProviderError
from ...schema.settings import Settings

if TYPE_CHECKING:
    # These modules load numpy, and many commands need no embeddings.
    from .embedder import Embedder, Reranker
    from .static_embedder import StaticEmbedder
    from .voyage import VoyageEmbedder

#: The weights of the local model.
WEIGHTS_PATH = Path(__file__).with_name("static-code-256.weights")
#: Name of the provider that is part of the package.
LOCAL = "local"
#: Name of the remote provider.
VOYAGE = "voyage"


def load_embedder(settings: Settings) -> Embedder:
    """Return the embedder for queries that the settings name.

    Raises ProviderError if the embedder is unknown or unusable.
    """
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
    """Return the embedder in the package, one for each process. Raises ProviderError if its weights are unusable."""
    from .query_encoder import QUERY_ENCODER_PATH, QueryEncoder, read_model
    from .static_embedder import StaticEmbedder
    from .weights import read_weights

    weights = read_weights(WEIGHTS_PATH)
    return StaticEmbedder(weights, QueryEncoder(read_model(QUERY_ENCODER_PATH), weights))


def load_paid_embedder(settings: Settings, folder: Path, notify: Callable[[str], None]) -> VoyageEmbedder | None:
    """Return the paid embedder for chunks, with a cache in the folder; None for the local embedder.

    `notify` receives sentences for a waiting user.
    """
    if settings.embedding_provider != VOYAGE:
        return None
    from .vector_cache import VectorCache
    from .voyage import VoyageEmbedder
    from .voyage_service import DIMENSIONS, MODEL, VoyageService

    return VoyageEmbedder(VoyageService(notify), VectorCache.open(folder / f"paid-{MODEL}.bin", DIMENSIONS))


def load_reranker(settings: Settings) -> Reranker | None:
    """Return the re-ranker that the settings name, or None if the local ranker is used."""
    if settings.embedding_provider != VOYAGE:
        return None
    from .voyage import VoyageReranker
    from .voyage_service import VoyageService

    return VoyageReranker(VoyageService())
