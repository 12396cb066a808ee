"""Find the import statements that a chunk uses: the statements whose local names occur as words in its lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from ...facts.model import ChunkFact, SymbolFact
from ...files.source_text import SourceText
from .import_statements import SpecifierReader, local_names

_WORD: Final = re.compile(r"[^\W\d][\w$]*")
#: Minimum number of line breaks in an import statement that is shown in parts.
_MIN_SPLIT_BREAKS: Final = 6


def add_imports_used(
    read: SpecifierReader, source: SourceText, symbols: Sequence[SymbolFact], chunks: Sequence[ChunkFact]
) -> None:
    """Set the import symbols that each chunk uses, in order, and the captured lines of its symbol.

    The captured lines of a long import list are the first line, the last line, and the lines of used names.
    """
    import_of: dict[str, int] = {}
    for number, symbol in enumerate(symbols):
        if symbol.kind == "import" and symbol.parent < 0:
            import_of.update((name, number) for name in local_names(read, symbol.signature))
    if import_of:
        lines = source.data.decode("utf-8", "replace").split("\n")
        for chunk, names in zip(chunks, _names_used(source, symbols, chunks, import_of), strict=True):
            chunk.imports = sorted({import_of[name] for name in names})
            spans = {span for number in chunk.imports for span in _spans(symbols[number], names, lines)}
            symbols[chunk.symbol].captures = [line for span in sorted(spans) for line in span]


def _spans(statement: SymbolFact, names: set[str], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield first and last line of the parts of an import statement that bind the given names."""
    first, last = statement.start_line, statement.end_line
    if last - first < _MIN_SPLIT_BREAKS:
        yield first, last
        return
    wanted = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w$])")
    yield first, first
    yield from ((line, line) for line in range(first + 1, last) if wanted.search(lines[line - 1]))
    yield last, last


def _names_used(
    source: SourceText, symbols: Sequence[SymbolFact], chunks: Sequence[ChunkFact], import_of: Collection[str]
) -> list[set[str]]:
    used: list[set[str]] = [set() for _ in chunks]
    text, starts = source.data.decode("utf-8", "replace"), _character_starts(source)
    places = [(symbols[chunk.symbol].start_line, symbols[chunk.symbol].end_line) for chunk in chunks]
    order = sorted(range(len(chunks)), key=lambda number: places[number][0])
    firsts = [places[number][0] for number in order]
    around = _enclosing_chunks(order, places)
    for match in _WORD.finditer(text):
        if match[0] not in import_of:
            continue
        line = bisect_right(starts, match.start())
        number = order[place] if (place := bisect_right(firsts, line) - 1) >= 0 else -1
        while number >= 0:
            symbol = symbols[chunks[number].symbol]
            if places[number][1] >= line and symbol.kind not in ("import", "comment"):
                used[number].add(match[0])
            number = around[number]
    return used


def _enclosing_chunks(order: Sequence[int], places: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each chunk the innermost earlier chunk that contains its first line, or -1."""
    found = [-1] * len(places)
    stack: list[int] = []
    for number in order:
        while stack and places[stack[-1]][1] < places[number][0]:
            stack.pop()
        found[number] = stack[-1] if stack else -1
        stack.append(number)
    return found


def _character_starts(source: SourceText) -> list[int]:
    """Return where lines begin, in characters."""
    if source.data.isascii():
        return source.line_starts
    starts = [0]
    for line in source.data.decode("utf-8", "replace").split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts
