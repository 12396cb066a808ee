"""The models that expressions hold and statements use."""

from __future__ import annotations

from typing import Final, NamedTuple

#: Prefix of a model of which only the name of a member is known: `models.User`, where the type of `models` is unknown.
NAMED: Final = "named:"

Path = tuple[str, ...]


class Target(NamedTuple):
    """A model, or a model that is related to it."""

    #: Id of the model's symbol, or a name in place of the id.
    model: str
    path: Path = ()
