"""A section between two marks in a file that other programs write, too. A removal leaves all other bytes unchanged.

The section ends with a line break only if the file did, so that a removal restores the end of the file.
"""

from __future__ import annotations

from typing import NamedTuple


class Marks(NamedTuple):
    """The first and the last line of a section, without line ends."""

    begin: str
    end: str


def has_section(content: bytes, marks: Marks) -> bool:
    """Return whether the content has a whole section."""
    return _span(content, marks) is not None


def with_section(content: bytes, marks: Marks, text: bytes, place: int | None = None) -> bytes:
    """Return the content with the section at its end, or at the offset `place` of a line; an old section is replaced.

    `text` consists of whole lines.
    """
    section = b"%b\n%b%b" % (marks.begin.encode(), text, marks.end.encode())
    span = _span(content, marks)
    if span is not None:
        start, end = span
        return content[:start] + section + content[end:]
    if place is not None and place < len(content):
        return content[:place] + section + b"\n" + content[place:]
    if not content:
        return section
    return content + section + b"\n" if content.endswith(b"\n") else content + b"\n" + section


def without_section(content: bytes, marks: Marks) -> bytes:
    span = _span(content, marks)
    if span is None:
        return content
    start, end = span
    if content.startswith(b"\n", end):
        return content[:start] + content[end + 1 :]
    if content.startswith(b"\r\n", end):
        return content[:start] + content[end + 2 :]
    return content[:start].removesuffix(b"\n") + content[end:]


def _span(content: bytes, marks: Marks) -> tuple[int, int] | None:
    """Return the offsets of the first mark and of the end of the last mark."""
    start = _line(content, marks.begin.encode(), 0)
    if start is None:
        return None
    end = _line(content, marks.end.encode(), start)
    return (start, end + len(marks.end.encode())) if end is not None else None


def _line(content: bytes, line: bytes, place: int) -> int | None:
    """Return the offset of the first line after `place` that consists of the given bytes."""
    while (found := content.find(line, place)) >= 0:
        follows = content[found + len(line) : found + len(line) + 2]
        if (not found or content.startswith(b"\n", found - 1)) and (not follows or follows[:1] == b"\n" or follows == b"\r\n"):
            return found
        place = found + 1
    return None
