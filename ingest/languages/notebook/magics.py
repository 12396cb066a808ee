"""Hide the extensions of IPython: magics, shell lines and requests for help become comments of the same length.

    %matplotlib inline              #matplotlib inline
    files = !ls *.csv               files = _#s *.csv
    if is_new:                      if is_new:
        !pip install orders             0#ip install orders

A cell for another program (`%%bash`) becomes a comment as a whole. A cell that ends within brackets or a string also becomes a
comment, because its unclosed part would include the cells below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....schema.notebook_cells import CELL_MARK

#: Magics of a whole cell whose content still runs as Python in the notebook.
_PYTHON_CELLS: Final = frozenset(
    (
        "capture",
        "debug",
        "heat",
        "ipytest",
        "memit",
        "memray_flamegraph",
        "mprun",
        "prun",
        "run_pytest",
        "scalene",
        "time",
        "timeit",
    )
)
_CELL_MAGIC: Final = re.compile(rb"\s*%%(\w+)")
#: Code that is not Python at the beginning of a statement: a magic, a shell line, a request for help, or a magic without its
#: `%`.
_LINE: Final = re.compile(
    rb"[ \t]*(?:%{1,2}[A-Za-z_]|!|\?|(?:pip|conda)[ \t]+(?:install|uninstall|list|show|freeze)\b|[%\w.*]+\?{1,2}[ \t;]*(?:\n|\Z))"
)
#: The beginning of a statement that assigns the result of a magic or a shell line.
_ASSIGNED: Final = re.compile(rb"[ \t]*[A-Za-z_][\w., \t\[\]'\"]*=[ \t]*(?=[!%])")
#: Tokens that decide where a statement ends. An unclosed string ends with its line, or with the cell if the string may span
#: lines.
_TOKEN: Final = re.compile(
    rb"#[^\n]*"
    rb"|(?s:'''(?:[^\\']|\\.|'(?!''))*+(?:'''|(?P<open>\Z)))"
    rb'|(?s:"""(?:[^\\"]|\\.|"(?!""))*+(?:"""|(?P<opened>\Z)))'
    rb"|(?s:'(?:[^'\\\n]|\\.)*+'?|\"(?:[^\"\\\n]|\\.)*+\"?)"
    rb"|\\\r?\n|(?P<enter>[(\[{])|(?P<leave>[)\]}])|(?P<end>\n)",
)
#: The line that marks a cell.
MARK: Final = re.compile(CELL_MARK.pattern.encode(), re.MULTILINE)


class Span(NamedTuple):
    """A part of a line that is hidden."""

    start: int
    end: int
    #: Replacement before the `#` of the comment: nothing, or a value where Python requires a value.
    value: bytes = b""


class Hidden(NamedTuple):
    """The Python of a module."""

    #: The Python code. The code is as long as the module, with lines at the same offsets.
    data: bytes
    spans: list[Span]
    #: Offsets of cells that are hidden because they end within brackets or a string.
    unclosed: list[int]


def hide_magics(data: bytes) -> Hidden:
    """Return the Python of the text of a notebook."""
    found = bytearray(data)
    hidden: list[Span] = []
    unclosed: list[int] = []
    for start, end in _cells(data):
        magic = _CELL_MAGIC.match(data, start, end)
        spans = _lines_of_cell(data, start, end)
        if magic is None or magic[1].decode() in _PYTHON_CELLS:
            within = _magics(data, start, end)
            if within is not None:
                spans = within
            else:
                unclosed.append(start)
        hidden += spans
    for span in hidden:
        sign = (span.value + b"#")[: span.end - span.start]
        found[span.start : span.start + len(sign)] = sign
    return Hidden(bytes(found), hidden, unclosed)


def _cells(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of the content of each cell. A text without cells is one cell."""
    marks = [*MARK.finditer(data)]
    starts = [found.end() for found in marks] if marks else [0]
    ends = [*(found.start() for found in marks[1:]), len(data)]
    return zip(starts, ends, strict=True)


def _lines_of_cell(data: bytes, start: int, end: int) -> list[Span]:
    spans = []
    while start < end:
        last = _line_end(data, start, end)
        begin = _indented(data, start, last)
        if begin < last:
            spans.append(Span(begin, last))
        start = last + 1
    return spans


def _magics(data: bytes, start: int, end: int) -> list[Span] | None:
    """Return the parts of a cell that are not Python; None if a bracket or a string is not closed."""
    found: list[Span] = []
    at = start
    while at < end:
        if _LINE.match(data, at, end) is not None:
            begin = _indented(data, at, end)
            at = _hide_rest_of_line(data, begin, end, b"0" if begin > at else b"", found)
            continue
        assigned = _ASSIGNED.match(data, at, end)
        if assigned is not None:
            at = _hide_rest_of_line(data, assigned.end(), end, b"_", found)
            continue
        behind = _statement_end(data, at, end)
        if behind < 0:
            return None
        at = behind
    return found


def _hide_rest_of_line(data: bytes, at: int, end: int, value: bytes, found: list[Span]) -> int:
    """Hide the rest of a line and the lines that continue it, and return the offset of the next line."""
    while True:
        last = _line_end(data, at, end)
        if at < last:
            found.append(Span(at, last, value))
        if not data.endswith(b"\\", at, last) or last >= end:
            return last + 1
        at, value = _indented(data, last + 1, end), b""


def _line_end(data: bytes, at: int, end: int) -> int:
    last = data.find(b"\n", at, end)
    return end if last < 0 else last


def _indented(data: bytes, at: int, end: int) -> int:
    """Return the offset after the indentation of a line."""
    while at < end and data[at] in b" \t":
        at += 1
    return at


def _statement_end(data: bytes, at: int, end: int) -> int:
    """Return the offset of the line after a statement; -1 if the statement does not end in its cell."""
    depth = 0
    for token in _TOKEN.finditer(data, at, end):
        kind = token.lastgroup
        if kind == "end" and depth == 0:
            return token.end()
        if kind in ("open", "opened"):
            return -1
        if kind == "enter":
            depth += 1
        elif kind == "leave":
            depth = max(0, depth - 1)
    return end if depth == 0 else -1
