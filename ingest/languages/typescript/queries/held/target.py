"""The models that expressions hold and statements use."""

from __future__ import annotations

from typing import NamedTuple

Path = tuple[str, ...]


class Target(NamedTuple):
    """A model, or a model that is related to it."""

    #: Id of the model's symbol, or a name in place of the id.
    model: str
    path: Path = ()
