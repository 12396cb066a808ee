"""Remove the tags of HTML from the text of a document, as many pages begin with pictures and badges in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_NAMES: Final = (
    "a|abbr|align|b|big|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd"
    "|li|mark|ol|p|picture|pre|s|samp|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|video"
)
#: A tag of the markup of texts. Other tags may be placeholders, or types in a language with type arguments.
_TAG: Final = re.compile(rf"</?(?:{_NAMES})(?:\s[^<>]{{0,2000}})?/?>", re.IGNORECASE)
_FENCES: Final = ("```", "~~~")


def without_tags(text: str) -> str:
    """Return a text without tags, and without the lines that have only tags. Blocks of code stay as they are."""
    if "<" not in text:
        return text
    parts = []
    for part, is_code in _parts(text):
        if is_code or "<" not in part:
            parts.append(part)
            continue
        bare = _TAG.sub("\0", part)
        kept = [line for line in bare.split("\n") if "\0" not in line or line.strip("\0 \t\r")]
        parts.append("\n".join(kept).replace("\0", " "))
    return "\n".join(parts)


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines inside and outside of blocks of code, joined, each with whether it is code."""
    held: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if (mark == fence) if fence else (mark in _FENCES):
            if held:
                yield "\n".join(held), bool(fence)
            held = []
            yield line, True
            fence = "" if fence else mark
        else:
            held.append(line)
    if held:
        yield "\n".join(held), bool(fence)
