"""Lines of the indexed text that hold a text or match a pattern, in order of file and line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...schema.errors import UsageError
from ..linear_regex import LinearRegex, Span, compile_regex, escaped
from .indexed_text import FileText

#: Bytes of a pattern or text.
LONGEST_QUERY = 10_000

Finder = Callable[[bytes, int], Span | None]


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line with the first match on it."""

    file: FileText
    line: int
    #: Of the first match, in bytes of the file's text.
    span: Span
    #: Offset of the line's first byte.
    begin: int


@dataclass(slots=True)
class Scan:
    """What a search found. Only so many lines are kept; all are counted."""

    lines: list[FoundLine] = field(default_factory=list)
    total: int = 0
    files: int = 0
    complete: bool = True


def finder(query: str, *, is_regex: bool, case_sensitive: bool) -> Finder:
    """What looks for the query from an offset on. A pattern matches within lines, a text may span them. Raises UsageError."""
    if not query:
        raise UsageError("The query is empty: give the text to look for.")
    if len(query.encode("utf-8", "surrogatepass")) > LONGEST_QUERY:
        raise UsageError(f"The query is longer than {LONGEST_QUERY:,} bytes; a part of it will find the same place.")
    if is_regex:
        return _found_by(compile_regex(query, case_sensitive=case_sensitive, within_lines=True))
    text = query.replace("\r\n", "\n")
    if not case_sensitive:
        return _found_by(compile_regex(escaped(text), case_sensitive=False))
    wanted = text.encode("utf-8", "surrogateescape")
    size = len(wanted)

    def find(haystack: bytes, start: int) -> Span | None:
        place = haystack.find(wanted, start)
        return Span(place, place + size) if place >= 0 else None

    return find


def _found_by(pattern: LinearRegex) -> Finder:
    return pattern.find


def scan(files: Iterable[FileText], find: Finder, keep: int, seconds: float) -> Scan:
    """Searches the files in their order, for at most so many seconds, and keeps the first lines that match."""
    found = Scan()
    deadline = time.monotonic() + seconds
    for file in files:
        before = found.total
        _scan_file(file, find, keep, deadline, found)
        found.files += found.total > before
        if time.monotonic() > deadline:
            found.complete = False
            break
    return found


def _scan_file(file: FileText, find: Finder, keep: int, deadline: float, found: Scan) -> None:
    text = file.text
    line, counted, position = 1, 0, 0
    while position < len(text):
        span = find(text, position)
        if span is None or (span.start == len(text) and text.endswith(b"\n")):
            return  # an empty match behind the last line break is on no line
        begin = text.rfind(b"\n", 0, span.start) + 1
        line += text.count(b"\n", counted, begin)
        counted = begin
        if len(found.lines) < keep:
            found.lines.append(FoundLine(file, line, span, begin))
        found.total += 1
        if found.total % 1024 == 0 and time.monotonic() > deadline:
            return
        following = text.find(b"\n", span.start)
        if following < 0:
            return
        position = following + 1
