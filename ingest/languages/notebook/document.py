"""Read the JSON of a notebook, format 3 or 4: its cells and the language of its kernel.

Outputs are skipped while the JSON is read, so neither their size nor their content matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from ....schema.records import Problem

#: Kinds of cells with prose, in both formats.
_PROSE: Final = frozenset(("markdown", "heading", "html"))
#: Language of a notebook that names no language: Jupyter's default.
_DEFAULT_LANGUAGE: Final = "python"
#: Maximum number of problems recorded for the cells of a notebook.
_MAX_PROBLEMS: Final = 20
#: The escape of half of a surrogate pair.
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook."""

    #: Place among all cells of the notebook, from 1.
    number: int
    #: "code", "markdown", or another kind, such as "raw".
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Notebook:
    """The cells of a notebook in order, and the name of its language in lower case."""

    cells: list[Cell]
    language: str
    problems: list[Problem]


class _Kernel(msgspec.Struct):
    language: str = ""
    name: str = ""


class _Metadata(msgspec.Struct):
    #: The metadata are `Raw`, so that broken metadata do not make the whole notebook unreadable.
    language_info: msgspec.Raw = msgspec.Raw(b"null")
    kernelspec: msgspec.Raw = msgspec.Raw(b"null")


class _Sheet(msgspec.Struct):
    cells: list[msgspec.Raw] = []


class _Document(msgspec.Struct):
    cells: list[msgspec.Raw] = []
    #: Worksheets of format 3, which has no top-level cells.
    worksheets: list[_Sheet] = []
    metadata: msgspec.Raw = msgspec.Raw(b"null")


class _Cell(msgspec.Struct):
    cell_type: str = ""
    source: str | list[str] = ""
    #: The source of a code cell in format 3.
    input: str | list[str] = ""
    #: The language of a code cell in format 3.
    language: str = ""


def read_notebook(data: bytes) -> Notebook:
    """Return the notebook in the bytes of a file in UTF-8.

    An unreadable notebook has no cells, and a `Problem` with the reason.
    """
    if not data.strip():
        return Notebook([], _DEFAULT_LANGUAGE, [])
    try:
        document = _decoded(data)
    except msgspec.ValidationError as error:
        return Notebook([], "", [Problem(1, f"not a notebook: {error}")])
    except msgspec.DecodeError as error:
        return Notebook([], "", [Problem(1, f"not valid JSON: {error}")])
    except RecursionError:
        return Notebook([], "", [Problem(1, "not a notebook: its JSON nests too deeply")])
    problems: list[Problem] = []
    found = list(_cells([*document.cells, *(cell for sheet in document.worksheets for cell in sheet.cells)], problems))
    cells = [cell for cell, _ in found]
    language = _language_of(document.metadata) or next((each for _, each in found if each), "") or _DEFAULT_LANGUAGE
    return Notebook(cells, language.lower(), problems)


def _decoded(data: bytes) -> _Document:
    """Return the parts of a notebook that are read. Raises `DecodeError` and `RecursionError`."""
    try:
        return msgspec.json.decode(data, type=_Document)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        # Other programs write half of a surrogate pair as an escape, which is not valid in UTF-8.
        repaired = _SURROGATE.sub(rb"\\ufffd", data)
        if repaired == data:
            raise
        return msgspec.json.decode(repaired, type=_Document)


def is_prose(cell: Cell) -> bool:
    """Return whether a cell contains prose."""
    return cell.kind in _PROSE


def _cells(stored: list[msgspec.Raw], problems: list[Problem]) -> Iterator[tuple[Cell, str]]:
    """Yield the readable cells, each with the language that the cell names."""
    for number, raw in enumerate(stored, 1):
        try:
            cell = msgspec.json.decode(raw, type=_Cell)
        except (msgspec.DecodeError, RecursionError) as error:
            if len(problems) < _MAX_PROBLEMS:
                problems.append(Problem(1, f"cell {number} cannot be read: {error}"))
            continue
        source = cell.source or cell.input
        yield Cell(number, cell.cell_type, source if isinstance(source, str) else "".join(source)), cell.language


def _language_of(metadata: msgspec.Raw) -> str:
    try:
        read = msgspec.json.decode(metadata, type=_Metadata | None) or _Metadata()
    except msgspec.DecodeError:
        return ""
    for raw in (read.language_info, read.kernelspec):
        try:
            kernel = msgspec.json.decode(raw, type=_Kernel | None) or _Kernel()
        except msgspec.DecodeError:
            continue
        name = kernel.name if raw is read.language_info else kernel.language or kernel.name
        if name:
            return name
    return ""
