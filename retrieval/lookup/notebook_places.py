"""Convert lines of notebooks to places in cells, such as `analysis.ipynb:cell 3:12`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.symbols.notebook_cells import cells_of
from ...schema.notebook_cells import NOTEBOOK

#: A text in an answer that is a place in a notebook.
_PLACE: Final = re.compile(rf"(?P<file>.+{re.escape(NOTEBOOK)}):(?P<line>\d{{1,9}})")


def place_by_cell(graph: GraphDatabase, path: str, line: int) -> str:
    """Return the place of a line: path and line, and in a notebook the cell and the line in the cell."""
    cell = cells_of(graph).at(path, line)
    return f"{path}:cell {cell.cell}:{cell.line}" if cell is not None else f"{path}:{line}"


def places_by_cell(graph: GraphDatabase, answer: msgspec.Struct) -> dict[str, str]:
    """Return the place in a cell for each `path:line` of a notebook in an answer."""
    named = sorted(set(_places(msgspec.to_builtins(answer))))
    return {f"{path}:{line}": place for path, line in named if (place := place_by_cell(graph, path, line)) != f"{path}:{line}"}


def _places(value: Any) -> Iterator[tuple[str, int]]:
    """Yield path and line of the places in notebooks in a JSON value."""
    if isinstance(value, dict):
        path = value.get("file")
        if isinstance(path, str) and path.endswith(NOTEBOOK):
            yield from ((path, value[field]) for field in ("line", "declared") if isinstance(value.get(field), int))
        yield from (place for inner in value.values() for place in _places(inner))
    elif isinstance(value, (list, tuple)):
        yield from (place for inner in value for place in _places(inner))
    elif isinstance(value, str) and (found := _PLACE.fullmatch(value)) is not None:
        yield found["file"], int(found["line"])
