"""Make the indexed text of a notebook: one module with its cells in order, each cell below a line with the cell's number.

    # %% cell 1 (markdown)
    #
    # Load the orders

    # %% cell 2

    orders = load("orders.csv")

Spyder, VS Code and Jupytext use the same form for notebooks that are scripts. `schema/notebook_cells.py` maps a line of the
module to a cell and a line in the cell.
"""

from __future__ import annotations

import re
from typing import Final

from ....schema.languages import BY_NAME
from ....schema.notebook_cells import CELL_MARK, mark_of
from ....schema.records import Problem
from ...files.source_text import SourceText, decode_source
from .document import Cell, is_prose, read_notebook

#: Known languages of kernels, by their name in the metadata of notebooks. Versions and case do not count.
_LANGUAGES: Final = {
    **{
        name: name
        for name in ("python", "javascript", "typescript", "bash", "go", "rust", "java", "kotlin", "scala", "ruby", "lua")
    },
    "ipython": "python",
    "babel": "javascript",
    "node.js": "javascript",
    "deno": "typescript",
    "tslab": "typescript",
    "c++": "cpp",
    "cpp": "cpp",
    "xcpp": "cpp",
    "c": "c",
    "c#": "csharp",
    "csharp": "csharp",
    "swift": "swift",
    "go-lang": "go",
}
#: A version after the name of a language or a kernel: `python3`, `c++17`.
_VERSION: Final = re.compile(r"[\s\d.]+$")
#: The first line of the text of a notebook whose language is not Python.
_HEAD: Final = re.compile(rb"\S+ %% notebook in ([^\n]+)")
#: Data in prose, such as an image. The content of the data is left out.
_DATA: Final = re.compile(r"(\bdata:[\w/+.;=-]{0,100},)[^\s)\"'>]{80,}")


def module_text(data: bytes) -> SourceText:
    """Return the module of a notebook, given the bytes of its file."""
    raw = decode_source(data)
    if raw.is_binary:
        return raw
    notebook = read_notebook(raw.data)
    language = known_language(notebook.language)
    comment = BY_NAME[language].comment if language else "#"
    parts = [f"{comment} %% notebook in {notebook.language}"] if language != "python" else []
    parts += [text for cell in notebook.cells if (text := _cell(cell, comment))]
    made = decode_source(("\n\n".join(parts) + "\n" if notebook.cells else "").encode("utf-8", "replace"))
    problems = [Problem(1, each.reason) for each in raw.problems]
    return SourceText(made.data, made.line_starts, [*problems, *notebook.problems, *made.problems], made.is_binary)


def known_language(name: str) -> str:
    """Return our name of the language of a kernel, or "" for an unknown kernel."""
    return _LANGUAGES.get(_VERSION.sub("", name), "")


def language_of_text(data: bytes) -> str:
    """Return our name for the language of a notebook's text, or "" for an unknown language."""
    head = _HEAD.match(data)
    return known_language(head[1].decode("utf-8", "replace")) if head is not None else "python"


def _cell(cell: Cell, comment: str) -> str:
    """Return the text of a cell below a line with its number; "" for an empty cell."""
    lines = cell.source.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")
    if not any(lines):
        return ""
    if cell.kind == "code":
        # A line of code that looks like a mark of a cell must not start a cell.
        lines = [line.replace(" %% ", "  %% ", 1) if CELL_MARK.match(line) else line for line in lines]
        return "\n".join([mark_of(comment, cell.number), "", *lines])
    if is_prose(cell):
        prose = [f"{comment} {_DATA.sub(_without_data, line)}".rstrip() for line in lines]
        return "\n".join([mark_of(comment, cell.number, "markdown"), comment, *prose])
    return ""


def _without_data(found: re.Match[str]) -> str:
    return f"{found[1]}…"
