"""The values of literal expressions in a configuration."""

from __future__ import annotations

import msgspec


class Unknown(msgspec.Struct, frozen=True):
    """A value that cannot be evaluated."""


class Pattern(msgspec.Struct, frozen=True):
    """A regular expression, as JavaScript writes it."""

    source: str
    flags: str = ""


class Location(msgspec.Struct, frozen=True):
    """A URL of a file: its absolute path."""

    path: str


class LiteralObject(msgspec.Struct, frozen=True):
    """An object: its entries in order, and whether an unknown part of the object may contain further entries."""

    entries: dict[str, Value]
    is_open: bool = False


UNKNOWN = Unknown()
Value = Unknown | Pattern | Location | LiteralObject | list["Value"] | str | float | bool | None
