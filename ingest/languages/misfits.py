"""A place in a file at which a value or a type does not fit."""

from __future__ import annotations

from typing import NamedTuple


class Misfit(NamedTuple):
    """A misfit, by its position: the offset of the byte at which a compiler reports it."""

    position: int
    #: What is wrong, as a clause without a subject: "has an object without 'title'".
    reason: str
