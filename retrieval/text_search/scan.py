"""Find the lines of the indexed files that contain a text or match a pattern, in order of path and line."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...schema.errors import UsageError
from ..text.linear_regex import Span, compile_query, compile_regex, escaped
from .indexed_text import FileText, IndexedTexts

#: Maximum number of bytes of a pattern or text.
MAX_QUERY_LENGTH = 10_000
#: Number of bytes of adjacent files that are searched together. The search checks the time limit after each part.
_PART = 1 << 20
#: Syntax that only matches at the ends of a text, or that disables matches at line ends.
_BOUND_TO_FILE = re.compile(r"\\[Az]|\(\?[a-zA-Z]*-")

Find = Callable[[bytes, int, int], Span | None]


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds a text or a pattern."""

    #: Returns the first match between two offsets, or None.
    find: Find
    #: The wanted text in lower case if it is ASCII and case does not matter; else None.
    lower_case: bytes | None = None
    #: Whether matches depend on the beginning or end of a file.
    bound_to_file: bool = False


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line with the first match on it."""

    file: FileText
    line: int
    #: Span of the first match in the text of the file, in bytes.
    span: Span
    #: Offset of the first byte of the line.
    begin: int


@dataclass(slots=True)
class Scan:
    """The result of a search, with a limited number of lines and the number of all lines."""

    lines: list[FoundLine] = field(default_factory=list)
    total: int = 0
    files: int = 0
    complete: bool = True


class _Part(NamedTuple):
    """A part of the block that is searched at once.

    `begin` and `end` are its offsets in `text`, and `first` is the number of its first file.
    """

    text: bytes
    begin: int
    end: int
    first: int
    #: Offset in the searched text at which the block of all files begins.
    block: int


def finder(query: str, *, is_regex: bool, case_sensitive: bool) -> Finder:
    """Return a finder for a query. A pattern matches within a line, but a text may span lines. Raises UsageError."""
    if not query:
        raise UsageError("The query is empty: give the text to look for.")
    if len(query.encode("utf-8", "surrogatepass")) > MAX_QUERY_LENGTH:
        raise UsageError(f"The query is longer than {MAX_QUERY_LENGTH:,} bytes; a part of it will find the same place.")
    if is_regex:
        pattern = compile_query(query, case_sensitive=case_sensitive)
        return Finder(pattern.find, bound_to_file=_BOUND_TO_FILE.search(query) is not None)
    text = query.replace("\r\n", "\n")
    is_bound = "\n" in text
    try:
        wanted = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise UsageError("The query contains half of a surrogate pair, which no indexed text contains: leave it out.") from None
    if case_sensitive:
        return Finder(_exactly(wanted), bound_to_file=is_bound)
    find = compile_regex(escaped(text), case_sensitive=False).find
    return Finder(find, wanted.lower() if text.isascii() and not is_bound else None, is_bound)


def _exactly(wanted: bytes) -> Find:
    size = len(wanted)

    def find(haystack: bytes, start: int, end: int) -> Span | None:
        place = haystack.find(wanted, start, end)
        return Span(place, place + size) if place >= 0 else None

    return find


def scan(texts: IndexedTexts, paths: Iterable[str], finder: Finder, keep: int, seconds: float) -> Scan:
    """Search files, in order of path, for at most `seconds`, and keep the first matching lines."""
    found = Scan()
    deadline = time.monotonic() + seconds
    numbers = [number for path in paths if (number := texts.number_of(path)) is not None]
    in_lower_case = _exactly(finder.lower_case) if finder.lower_case is not None else None
    for part in _files(texts, numbers) if finder.bound_to_file else _parts(texts, numbers):
        if in_lower_case is not None and not _within(texts.cases_of_ascii, part.begin, part.end):
            _scan_part(texts, part._replace(text=texts.lower_case), in_lower_case, keep, deadline, found)
        else:
            _scan_part(texts, part, finder.find, keep, deadline, found)
        if time.monotonic() > deadline:
            found.complete = False
            break
    return found


def _files(texts: IndexedTexts, numbers: Iterable[int]) -> Iterator[_Part]:
    """Search each file by itself."""
    for number in numbers:
        text = texts.numbered(number).text
        yield _Part(text, 0, len(text), number, -texts.starts[number])


def _within(offsets: Sequence[int], begin: int, end: int) -> bool:
    """Return whether any of the ascending offsets is within a range."""
    return bisect_left(offsets, begin) < bisect_left(offsets, end)


def _parts(texts: IndexedTexts, numbers: list[int]) -> Iterator[_Part]:
    """Yield parts of adjacent files, each of about `_PART` bytes."""
    starts = texts.starts
    first = 0
    for place, number in enumerate(numbers):
        is_last = place + 1 == len(numbers) or numbers[place + 1] != number + 1
        if is_last or starts[number + 2] - starts[numbers[first]] > _PART:
            yield _Part(texts.block, starts[numbers[first]], starts[number + 1], numbers[first], 0)
            first = place + 1


def _scan_part(texts: IndexedTexts, part: _Part, find: Find, keep: int, deadline: float, found: Scan) -> None:
    text, position, end, _, block = part
    file: FileText | None = None
    number, following = part.first - 1, position
    start = line = counted = 0
    while position < end:
        span = find(text, position, end)
        if span is None or (span.start == end and text[end - 1 : end] == b"\n"):
            return  # an empty match after the last line break is on no line
        if span.start >= following:
            number = texts.number_at(span.start - block)
            start, following = texts.starts[number] + block, texts.starts[number + 1] + block
            file, line, counted = None, 1, start
            found.files += 1
        if len(found.lines) < keep:
            file = file or texts.numbered(number)
            begin = text.rfind(b"\n", start, span.start) + 1 or start
            line += text.count(b"\n", counted, begin)
            counted = begin
            found.lines.append(FoundLine(file, line, Span(span.start - start, span.end - start), begin - start))
        found.total += 1
        if found.total % 1024 == 0 and time.monotonic() > deadline:
            return
        position = text.find(b"\n", span.start) + 1 or end
