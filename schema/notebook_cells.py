"""How the text of a notebook tells its cells: each lies below a line with its number.

    # %% cell 3

    def total(orders): ...

The second line below a number is line 1 of the cell, so `analysis.ipynb:cell 3:1` is the line of `def total`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

#: Extension of notebooks.
NOTEBOOK: Final = ".ipynb"
#: The line above a cell, after the sign of a comment.
CELL_MARK: Final = re.compile(r"(?:#|//|--) %% cell (\d{1,9})(?: \((\w+)\))?$", re.MULTILINE)
#: Name of the symbol for a cell.
CELL_NAME: Final = re.compile(r"cell (\d{1,9})")
#: Lines from that with the number of a cell to line 1 of the cell.
LINES_ABOVE: Final = 2


class CellStart(NamedTuple):
    """A cell, and the line of its module with its number."""

    line: int
    number: int


class CellPlace(NamedTuple):
    """A line of a cell, both from 1. Line 1 also includes the lines above it."""

    cell: int
    line: int


def mark_of(comment: str, number: int, kind: str = "") -> str:
    """Return the line above a cell; `kind` names its content if that is not code."""
    return f"{comment} %% cell {number}" + (f" ({kind})" if kind else "")


def name_of(number: int) -> str:
    """Return the name of the symbol for a cell."""
    return f"cell {number}"


def cell_at(starts: Sequence[CellStart], line: int) -> CellPlace | None:
    """Return the place of a line of a module in its cells, which come in order; None for a line above all of them."""
    place = bisect_right(starts, line, key=lambda start: start.line) - 1
    if place < 0:
        return None
    return CellPlace(starts[place].number, max(1, line - starts[place].line - LINES_ABOVE + 1))


def line_at(starts: Sequence[CellStart], place: CellPlace) -> int | None:
    """Return the line of a module at a place in its cells; None for a cell that it does not have, or a line after the cell."""
    at = next((number for number, start in enumerate(starts) if start.number == place.cell), -1)
    if at < 0:
        return None
    line = starts[at].line + LINES_ABOVE - 1 + place.line
    return line if at + 1 == len(starts) or line < starts[at + 1].line else None
