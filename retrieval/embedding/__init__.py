"""The embeddings that search can use; the local one ships with the package and needs no network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...schema.errors import ProviderError
from ...schema.settings import Settings

if TYPE_CHECKING:
    # Loads numpy, which a command line that embeds nothing does without.
    from ..embedder import Embedder

#: The weights of the local model.
WEIGHTS_PATH = Path(__file__).with_name("static-code-256.weights")


def load_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name. Raises ProviderError where there is none of that name or its weights are unusable."""
    if settings.embedding_provider != "local":
        raise ProviderError(f'There is no embedding provider "{settings.embedding_provider}". Set embedding_provider to "local".')
    from .static_embedder import StaticEmbedder
    from .weights import read_weights

    return StaticEmbedder(read_weights(WEIGHTS_PATH))
