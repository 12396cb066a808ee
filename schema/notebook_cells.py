"""Find the cells in the text of a notebook: each cell is below a line with its number.

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
#: The line with the number of a cell, which is a comment.
CELL_MARK: Final = re.compile(r"(?:#|//|--) %% cell (\d{1,9})(?: \((\w+)\))?$", re.MULTILINE)
#: Pattern of the name of a cell's symbol.
CELL_NAME: Final = re.compile(r"cell (\d{1,9})")
#: Number of lines from the line with a cell's number to line 1 of the cell.
LINES_ABOVE: Final = 2


class CellStart(NamedTuple):
    """The number of a cell, and the line of the module with the cell's mark."""

    line: int
    number: int


class CellPlace(NamedTuple):
    """The number of a cell, and a line in the cell, both from 1.

    The mark of a cell and the next line also have the line 1.
    """

    cell: int
    line: int


def mark_of(comment: str, number: int, kind: str = "") -> str:
    """Return the mark of a cell: the line with the number of the cell. `kind` is the kind of a cell without code."""
    return f"{comment} %% cell {number}" + (f" ({kind})" if kind else "")


def name_of(number: int) -> str:
    """Return the name of a cell's symbol."""
    return f"cell {number}"


def cell_at(starts: Sequence[CellStart], line: int) -> CellPlace | None:
    """Convert a line of a module to a cell and a line in the cell; None for a line above the first cell.

    `starts` are in ascending order.
    """
    place = bisect_right(starts, line, key=lambda start: start.line) - 1
    if place < 0:
        return None
    return CellPlace(starts[place].number, max(1, line - starts[place].line - LINES_ABOVE + 1))


def line_at(starts: Sequence[CellStart], place: CellPlace) -> int | None:
    """Convert a cell and a line in the cell to a line of the module; None if there is no such cell or line."""
    at = next((number for number, start in enumerate(starts) if start.number == place.cell), -1)
    if at < 0:
        return None
    line = starts[at].line + LINES_ABOVE - 1 + place.line
    return line if at + 1 == len(starts) or line < starts[at + 1].line else None
