"""The cells of indexed notebooks, and the lines of each cell in the notebook's module."""

from __future__ import annotations

from collections.abc import Sequence

from ...schema.notebook_cells import CELL_NAME, NOTEBOOK, CellPlace, CellStart, cell_at, line_at
from ..database import GraphDatabase
from .symbol_table import symbols_of

#: Kind of the symbols for cells.
_KIND = "comment"


class NotebookCells:
    """The cells of the notebooks of one generation. The cells of a file are read when they are first requested."""

    def __init__(self, graph: GraphDatabase) -> None:
        self._symbols = symbols_of(graph)
        self._starts: dict[str, Sequence[CellStart]] = {}

    def at(self, path: str, line: int) -> CellPlace | None:
        """Return the cell that contains a line of a file, and the line in the cell; None if the file is not a notebook."""
        return cell_at(self._of(path), line) if path.endswith(NOTEBOOK) else None

    def line(self, path: str, place: CellPlace) -> int | None:
        """Return the line of a file for a cell and a line in the cell; None if the file has no such cell or line."""
        return line_at(self._of(path), place) if path.endswith(NOTEBOOK) else None

    def _of(self, path: str) -> Sequence[CellStart]:
        if path not in self._starts:
            named = ((symbol, CELL_NAME.fullmatch(symbol.name)) for symbol in self._symbols.in_files([path]))
            found = [CellStart(symbol.start_line, int(name[1])) for symbol, name in named if name and symbol.kind == _KIND]
            self._starts[path] = sorted(found)
        return self._starts[path]


def cells_of(graph: GraphDatabase) -> NotebookCells:
    """Return the cells of the notebooks of a graph."""
    return graph.once(NotebookCells)
