"""The text of all files as it was indexed, rebuilt from the chunks that hold it.

Every line of a file that is not blank lies in a root chunk. Blank lines come back empty, whatever blanks they held, and
line ends as a line feed alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class FileText(NamedTuple):
    """A file's text as UTF-8, lines ending in a line feed."""

    path: str
    text: bytes


class RootChunk(NamedTuple):
    """Whole lines of a file from a line on."""

    path: str
    start_line: int
    source: str


def file_texts(chunks: Iterable[RootChunk], line_counts: dict[str, int]) -> Iterator[FileText]:
    """The files by path. `line_counts` are those of the files, the empty line behind a last line break counted."""
    parts: list[str] = []
    path, line = "", 1
    for chunk in sorted(chunks):
        if chunk.path != path:
            if parts:
                yield _finished(path, parts, line, line_counts)
            path, parts, line = chunk.path, [], 1
        source = chunk.source.replace("\r\n", "\n").removesuffix("\r")
        if chunk.start_line < line:
            # Two statements on one line: both chunks hold it whole.
            source = "\n".join(source.split("\n")[line - chunk.start_line :])
            if not source:
                continue
        parts.append("\n" * (chunk.start_line - line) + source + "\n")
        line = max(line, chunk.start_line) + source.count("\n") + 1
    if parts:
        yield _finished(path, parts, line, line_counts)


def _finished(path: str, parts: list[str], line: int, line_counts: dict[str, int]) -> FileText:
    text = "".join(parts)
    missing = line_counts.get(path, line) - line
    text = text[:missing] if missing < 0 else text + "\n" * missing
    return FileText(path, text.encode("utf-8", "surrogateescape"))
