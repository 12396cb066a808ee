"""Read the text of a notebook to its facts, with the reader of its language."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import msgspec

from ....schema.notebook_cells import CELL_MARK, CELL_NAME, LINES_ABOVE, name_of
from ....schema.records import Problem
from ....schema.text_lines import TextLines
from ...facts.cells import int_cells
from ...facts.model import ChunkFact, FileFacts, SymbolFact, without_code
from ...files.source_text import SourceText
from ...symbols.headers import MAX_NAME_LENGTH
from ..base import SyntaxTree
from ..registry import language as record_of
from .magics import MARK, Hidden, hide_magics
from .module_text import language_of_text

#: The language with known magics, whose code is resolved across the cells.
_PYTHON: Final = "python"


def read_file(source: SourceText) -> FileFacts:
    """Return the facts of the text of a notebook."""
    language = language_of_text(source.data)
    if not source.data.strip():
        return _nothing(source)
    if not language:
        return _plain_cells(source)
    if language != _PYTHON:
        facts = without_code(record_of(language).read(source, language))
        # The target of a specifier depends on the path of a module, and notebooks of other languages are not modules.
        return _with_cells(msgspec.structs.replace(facts, imports=[], exports=[]), source)
    hidden = hide_magics(source.data)
    masked = SourceText(hidden.data, source.line_starts, source.problems, is_binary=False)
    facts = record_of(_PYTHON).read(masked, _PYTHON)
    _remove_magics(facts.symbols, hidden, source)
    facts.problems = [*facts.problems, *_unclosed(hidden, source)]
    return _with_cells(facts, source)


def parse_cells(data: bytes) -> SyntaxTree:
    """Return the syntax tree of a part of a Python notebook's text."""
    parse = record_of(_PYTHON).parse
    assert parse is not None
    return parse(hide_magics(data).data, _PYTHON)


def _nothing(source: SourceText) -> FileFacts:
    starts = int_cells(source.line_starts)
    return FileFacts(_PYTHON, len(source.line_starts), starts, symbols=[], chunks=[], problems=source.problems)


# -------------------------------------------------------------------- cells


def _with_cells(facts: FileFacts, source: SourceText) -> FileFacts:
    """Name the comments above cells by the numbers of the cells, and leave other comments without a name.

    Nobody searches for a number above code. A number above prose is part of the prose.
    """
    lines = TextLines(source.data, [*source.line_starts, len(source.data)])
    bare: set[int] = set()
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind != "comment":
            continue
        mark = CELL_MARK.match(lines.between(symbol.start_line, symbol.start_line))
        if mark is not None:
            symbol.name = name_of(int(mark[1]))
            if mark[2] is None:
                bare.add(index)
                symbol.is_chunk = False
        elif CELL_NAME.fullmatch(symbol.name):
            symbol.name = f"# {symbol.name}"
    facts.chunks = [chunk for chunk in facts.chunks if chunk.symbol not in bare]
    return facts


def _plain_cells(source: SourceText) -> FileFacts:
    """Return the facts of a notebook in an unknown language. The facts contain its cells, so that search finds them."""
    symbols: list[SymbolFact] = []
    marks = [*MARK.finditer(source.data)]
    for mark, behind in zip(marks, [*marks[1:], None], strict=True):
        end = behind.start() if behind is not None else len(source.data)
        content = source.data[mark.end() : end]
        first = bisect_right(source.line_starts, mark.start())
        last = first + content.rstrip().count(b"\n")
        number = _root(name_of(int(mark[1])), "comment", first, first if mark[2] is None else last)
        symbols.append(number)
        if mark[2] is None:
            number.is_chunk = False
            name = content.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace")
            symbols.append(_root(name[:MAX_NAME_LENGTH], "expression", first + LINES_ABOVE, last))
    chunks = [ChunkFact(index, -1, None, []) for index, symbol in enumerate(symbols) if symbol.is_chunk]
    starts = int_cells(source.line_starts)
    return FileFacts(_PYTHON, len(source.line_starts), starts, symbols, chunks, list(source.problems), is_module=True)


def _root(name: str, kind: str, first: int, last: int) -> SymbolFact:
    return SymbolFact(name, kind, -1, 0, first, last, first, first, "", "", [], False, True)


# -------------------------------------------------------------------- magics


def _remove_magics(symbols: Sequence[SymbolFact], hidden: Hidden, source: SourceText) -> None:
    """Name hidden lines by their original text, and remove them from the doc comments of the code below them."""
    written = {
        bisect_right(source.line_starts, span.start): source.data[span.start : span.end].decode("utf-8", "replace").strip()
        for span in hidden.spans
        if not span.value
    }
    magics = {line[1:].strip() for line in written.values()}
    for symbol in symbols if written else ():
        if symbol.kind == "comment" and symbol.start_line in written:
            symbol.name = written[symbol.start_line][:MAX_NAME_LENGTH]
        if symbol.doc:
            symbol.doc = "\n".join(line for line in symbol.doc.split("\n") if line.strip() not in magics).strip()


def _unclosed(hidden: Hidden, source: SourceText) -> list[Problem]:
    reason = "a bracket or a string is not closed in this cell, which is not read"
    return [Problem(bisect_right(source.line_starts, start), reason) for start in hidden.unclosed]
