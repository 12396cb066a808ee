"""Read the text of comments, without comment markers, and find the comments that belong to a declaration."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..symbols.license_comments import without_licence

#: The comment marker at the start of each line.
_LINE_MARKERS: Final = re.compile(r"^[ \t]*(?:///?!?|/\*\*?!?|\*(?!/)|#[#:!]*|---?(?:\[=*\[)?)[ \t]?", re.MULTILINE)
#: The end of a comment of several lines.
_END: Final = re.compile(r"[ \t]*(?:\*+/|\]=*\](?:--)?)\s*$")
#: XML elements of doc comments that are replaced by the name in them.
_XML_REFERENCE: Final = re.compile(
    r"<(?:see|seealso|paramref|typeparamref)\b[^>]*\b(?:cref|name|langword|href)=\"(?:\w:)?([^\"]*)\"[^>]*/>"
)
_XML: Final = re.compile(r"</?(?:summary|remarks|para|param|returns|c|code|see|exception|typeparam|value|inheritdoc)\b[^>]*>")
#: Comments for tools.
_TO_TOOLS: Final = re.compile(r"//(?:go:|nolint)|#!|# *(?:noqa|type: ignore|frozen_string_literal)")
BLANKS: Final = b" \t\r\n\f\v"


class Lead(NamedTuple):
    """A comment, or an attribute on lines of its own, that may belong to the code below it."""

    start: int
    end: int
    is_comment: bool


def leads_of(leads: Sequence[Lead], source: bytes, start: int, directive: re.Pattern[bytes] | None) -> Sequence[Lead]:
    """Return the leads that belong to the code that starts at an offset, in order.

    Each lead is the first text on its line. Directives may be between leads and code, but blank lines may not.
    """
    found: list[Lead] = []
    below = start
    for place in range(bisect_right(leads, start, key=lambda lead: lead.end) - 1, -1, -1):
        lead = leads[place]
        below = _above_directives(source, below, directive) if directive is not None else below
        if lead.start >= below:
            continue  # the comment is on the line of a directive
        end = _blanks_before(source, below)
        # A comment may include its line end.
        text_end = max(_blanks_before(source, lead.end), lead.start)
        if end > lead.end or source.count(b"\n", text_end, below) > 1 or not _begins_line(source, lead.start):
            break
        found.append(lead)
        below = lead.start
    return found[::-1]


def _blanks_before(source: bytes, place: int) -> int:
    """Return the offset at which the blanks before the offset `place` begin."""
    while place > 0 and source[place - 1] in BLANKS:
        place -= 1
    return place


def _above_directives(source: bytes, below: int, directive: re.Pattern[bytes]) -> int:
    """Return the offset at which the directives directly above an offset begin, or the offset itself if there are none."""
    while True:
        end = _blanks_before(source, below)
        line = source.rfind(b"\n", 0, end) + 1
        if source.count(b"\n", end, below) > 1 or directive.match(source, line, end) is None:
            return below
        below = line


def _begins_line(source: bytes, place: int) -> bool:
    while place > 0 and source[place - 1] in b" \t\f\v":
        place -= 1
    return place == 0 or source[place - 1] in b"\r\n"


def comment_text(comments: Sequence[str]) -> str:
    """Return the text of consecutive comments, without licenses."""
    plain = (_END.sub("", _LINE_MARKERS.sub("", each)) for each in comments if not _TO_TOOLS.match(each))
    text = "\n".join(each.strip() for each in plain).strip()
    text = _XML.sub("", _XML_REFERENCE.sub(r"\1", text)).strip() if "<" in text else text
    return without_licence(text)
