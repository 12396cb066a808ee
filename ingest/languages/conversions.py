"""The places in a file at which a value becomes a value of another type, as a language with implicit interfaces reports them."""

from __future__ import annotations

from typing import Final, NamedTuple


class Target:
    """The kinds of places for which a value is converted."""

    TYPE: Final = 1  #: a written type, by its position
    EXPRESSION: Final = 2  #: the type of an expression, by its position
    PARAMETER: Final = 3  #: a parameter of the function that is called at a position, by its index
    FIELD: Final = 4  #: a field of the struct whose literal begins at a position, by its name or index


class Conversion(NamedTuple):
    """A value that is converted. Positions are byte offsets of the last name of an expression or a type."""

    line: int
    value: int
    kind: int
    target: int
    place: int = -1
    name: str = ""
