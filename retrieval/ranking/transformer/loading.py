"""Load the transformer once for all threads of a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from ....schema.settings import Settings

if TYPE_CHECKING:
    from .sentence_encoder import SentenceEncoder

#: Other threads wait for the thread that loads the transformer.
_LOADING = Lock()


def encoder_loader(settings: Settings) -> Callable[[], SentenceEncoder] | None:
    """Return a function that loads the transformer, or None if the settings do not enable it.

    The function raises ProviderError if the extra is not installed.
    """
    return _load_transformer if settings.rerank_transformer else None


def _load_transformer() -> SentenceEncoder:
    with _LOADING:
        return _transformer()


@cache
def _transformer() -> SentenceEncoder:
    from .sentence_encoder import SentenceEncoder, user_folder

    return SentenceEncoder(user_folder())
