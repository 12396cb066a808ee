"""Tables of reStructuredText: grids, simple tables, and the directives `list-table` and `csv-table`."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from typing import Final

from ...documents.sections import Document, Table

_GRID: Final = re.compile(r"[ \t]*\+(?:-+\+)+[ \t]*$")
_GRID_HEADER: Final = re.compile(r"[ \t]*\+(?:=+\+)+[ \t]*$")
_SIMPLE: Final = re.compile(r"[ \t]*=+(?:[ \t]+=+)+[ \t]*$")
_RUN: Final = re.compile(r"=+")
_OPTION: Final = re.compile(r"[ \t]+:(?P<name>[\w-]+):[ \t]*(?P<value>.*)")
_ROW_ITEM: Final = re.compile(r"(?P<indent>[ \t]+)\*[ \t]+-(?:[ \t]+(?P<text>.*))?$")
_CELL_ITEM: Final = re.compile(r"[ \t]+-(?:[ \t]+(?P<text>.*))?$")
#: Maximum number of columns of a grid or a simple table. Each line is cut at every column.
_MAX_COLUMNS: Final = 200


def read_table(document: Document, lines: Sequence[str], place: int, directive: str) -> int:
    """Add the table that begins at the line with the index `place`.

    Return the index of the line after the table, or `place` if there is no table.
    """
    line = lines[place]
    if _GRID.match(line) is not None:
        return _grid(document, lines, place)
    if _SIMPLE.match(line) is not None:
        return _simple(document, lines, place)
    if directive in ("list-table", "csv-table"):
        end = _directive_end(lines, place)
        (_list_table if directive == "list-table" else _csv_table)(document, lines, place, end)
        return end
    return place


def _grid(document: Document, lines: Sequence[str], place: int) -> int:
    end = place
    while end < len(lines) and lines[end].lstrip().startswith(("+", "|")):
        end += 1
    table = Table(place + 1, [])
    bounds = [found.start() for found in re.finditer(r"\+", lines[place])]
    columns = list(zip([each + 1 for each in bounds], bounds[1:], strict=False))[:_MAX_COLUMNS]
    held: list[list[str]] = []
    first = place + 2
    for number in range(place + 1, end):
        line = lines[number]
        if line.lstrip().startswith("+"):
            if held:
                _add(table, held, first, is_header=_GRID_HEADER.match(line) is not None)
            held, first = [], number + 2
        else:
            held.append([line[start:stop].strip() for start, stop in columns])
    _finish(document, table, len(columns))
    return end


def _simple(document: Document, lines: Sequence[str], place: int) -> int:
    columns = [found.span() for found in _RUN.finditer(lines[place])][:_MAX_COLUMNS]
    rules = [place]
    end = place + 1
    while end < len(lines) and len(rules) < 3:
        if _SIMPLE.match(lines[end]) is not None:
            rules.append(end)
            if end + 1 >= len(lines) or not lines[end + 1].strip():
                break
        end += 1
    if len(rules) < 2:
        return place
    table = Table(place + 1, [])
    held: list[list[str]] = []
    first = place + 2
    for number in range(place + 1, rules[-1] + 1):
        line = lines[number]
        cells = [line[start : stop if at + 1 < len(columns) else None].strip() for at, (start, stop) in enumerate(columns)]
        if number in rules or (held and cells[0]) or not line.strip():
            if held:
                _add(table, held, first, is_header=number in rules and len(rules) == 3 and number == rules[1])
            held = []
        if number not in rules and line.strip():
            if not held:
                first = number + 1
            held.append(cells)
    _finish(document, table, len(columns))
    return rules[-1] + 1


def _directive_end(lines: Sequence[str], place: int) -> int:
    indent = len(lines[place]) - len(lines[place].lstrip())
    end = place + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    return end


def _options(lines: Sequence[str], place: int, end: int) -> tuple[dict[str, str], int]:
    """Return the options of a directive, and the index of the line after them."""
    found: dict[str, str] = {}
    at = place + 1
    while at < end and (option := _OPTION.match(lines[at])) is not None:
        found[option["name"]] = option["value"].strip()
        at += 1
    return found, at


def _list_table(document: Document, lines: Sequence[str], place: int, end: int) -> None:
    options, at = _options(lines, place, end)
    rows: list[list[list[str]]] = []
    starts: list[int] = []
    for number in range(at, end):
        line = lines[number]
        row = _ROW_ITEM.match(line)
        cell = _CELL_ITEM.match(line)
        if row is not None:
            rows.append([[(row["text"] or "").strip()]])
            starts.append(number + 1)
        elif rows and cell is not None:
            rows[-1].append([(cell["text"] or "").strip()])
        elif rows and line.strip():
            rows[-1][-1].append(line.strip())
    cells = [[" ".join(each).strip() for each in row] for row in rows]
    _add_rows(document, place + 1, cells, starts, _header_rows(options))


def _csv_table(document: Document, lines: Sequence[str], place: int, end: int) -> None:
    options, at = _options(lines, place, end)
    if "file" in options or "url" in options:
        return
    while at < end and not lines[at].strip():
        at += 1
    rows, starts = [], []
    reader = csv.reader((line.strip() for line in lines[at:end]), skipinitialspace=True)
    try:
        for row in reader:
            if row:
                rows.append([each.strip() for each in row])
                starts.append(at + reader.line_num)
        if options.get("header"):
            rows.insert(0, [each.strip() for each in next(csv.reader([options["header"]], skipinitialspace=True), [])])
            starts.insert(0, place + 1)
    except csv.Error:
        return  # the text remains part of its section
    _add_rows(document, place + 1, rows, starts, 1 if options.get("header") else _header_rows(options))


def _header_rows(options: dict[str, str]) -> int:
    written = options.get("header-rows", "0")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 4 else 0


def _add_rows(document: Document, line: int, rows: list[list[str]], starts: list[int], headers: int) -> None:
    table = Table(line, rows[0] if headers and rows else [], rows[headers:], starts[headers:])
    _finish(document, table, max((len(row) for row in rows), default=0))


def _add(table: Table, held: Iterable[Sequence[str]], line: int, *, is_header: bool) -> None:
    cells = [" ".join(each for each in column if each) for column in zip(*held, strict=False)]
    if is_header:
        table.header = cells
    else:
        table.rows.append(cells)
        table.row_lines.append(line)


def _finish(document: Document, table: Table, width: int) -> None:
    """Add a table to the document, unless the table is empty."""
    if table.rows or table.header:
        table.header = table.header or [""] * width
        document.tables.append(table)
