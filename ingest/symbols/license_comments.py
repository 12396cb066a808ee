"""Remove licenses from comments, so that the name of the comment at the top of a file describes the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

#: Each comment with a license or a line for tools contains one of these words.
_WORDS: Final = (
    "copyright",
    "licen",
    "spdx",
    "(c)",
    "©",
    "all rights",
    "is part of",
    "@preserve",
    "coding:",
    "coding=",
    "vi:",
    "vim:",
    "$",
)
#: Signs of a license, or of a line for tools. Other comments stay unchanged, even if they mention licenses.
_HEADER: Final = re.compile(
    r"""
    \bcopyright\s+(?:\(c\)|©|\d{4}|by\b|(?-i:[A-Z])) | \(c\)\ (?:copyright|\d{4}|.*@) | © | \ball\ rights\ reserved\b | \bSPDX-
    | ^\W*licen[sc]ed\ (?:to|under)\b | \bpermission\ is\ hereby\ granted\b | \bredistribution\ and\ use\ in\b
    | \bis\ free\ software\b | \bthis\ file\ is\ part\ of\b | \bgoverned\ by\ an?\b.*\blicen[sc]e\b
    | ^\W*@(?:licen[sc]e|copyright|preserve)\b | ^\W*(?:en)?coding[:=] | ^\W*vim?: | ^\$\w+[:$]
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_IS_LICENCE: Final = re.compile(r"copyright|licen[sc]e|spdx|\(c\)|©", re.IGNORECASE)
#: Lines that are removed one by one: copyright holders, encodings, and keywords of version control systems.
_LINE: Final = re.compile(
    r"""
    ^\W* (?: (?:all\ content\s|portions\s|(?:some\s)?parts\s)? copyright\b
             (?=.*(?:\d{4}|\(c\)|©|\ by\ |reserved|authors|contributors|inc\b))
         | \(c\)\s+(?:\d{4}|\w.*@) | ©\s | SPDX- | @(?:licen[sc]e|copyright|preserve)\b
         | (?:en)?coding[:=] | vim?: | this\ file\ is\ part\ of\b )
    | ^\$\w+(?::[^$]*)?\$$
    | \ball\ rights\ reserved\b
    | <[^<>\s]+@[^<>\s]+>\W*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: Words of paragraphs that grant rights, or that refer to the text of a license.
_PARAGRAPH: Final = re.compile(
    r"""
    \blicen[sc]ed\ (?:to|under|by)\b | \blicen[sc]e\ (?:that\ can\ be|agreement|information)
    | \b(?:governed|released|distributed)\ (?:by|under)\b.*licen[sc]e | \bterms\ of\ (?:the|an?)\b.*licen[sc]e
    | \bsee\ (?:the\ )?(?:accompanying\ )?(?:file\ )?LICEN[SC]E | \bunder\ the\ [\w.\ -]*licen[sc]e\b
    | \bLICEN[SC]E\ (?:file|for\ (?:details|more|the\ specific))
    | \bpermission\ (?:is\ hereby|to\ use) | \bredistributions?\ (?:and\ use|of\ source|in\ binary)
    | \bcopyright\ (?:notice|holder|owner) | \bneither\ the\ names?\ of\b | \bis\ free\ software\b
    | \bis\ provided\ (?:``|''|"|“|'|by\ the|as) | \bwithout\ (?:any\ )?warrant | \bunless\ required\ by\ applicable\ law\b
    | \breceived\ a\ copy\ of\ the\b | \b(?:obtain|find)\ a\ copy\ of\ the\ licen[sc]e\b | ^\W*https?://\S*licen[sc]es?\S*\W*$
    """,
    re.VERBOSE | re.IGNORECASE,
)


def without_licence(text: str) -> str:
    """Return the text of a comment without licenses, copyrights, and lines for tools about the file.

    `text` has no comment markers.
    """
    lower = text.lower()
    if not any(word in lower for word in _WORDS) or _HEADER.search(text) is None:
        return text
    remaining = []
    for paragraph in _paragraphs(text.split("\n")):
        kept = [line for line in paragraph if _LINE.search(line) is None]
        if _PARAGRAPH.search(" ".join(line.strip() for line in kept)) is None:
            remaining.append("\n".join(kept))
    return "\n".join(remaining).strip()


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield groups of lines that end before an empty line. The empty line begins the next group."""
    paragraph: list[str] = []
    for line in lines:
        if not line.strip() and paragraph:
            yield paragraph
            paragraph = []
        paragraph.append(line)
    yield paragraph


def comment_name(lines: Sequence[str]) -> str:
    """Return the name of a standalone comment, from its lines without comment markers: the first line with content.

    The name of a license is always "license", so that only searches for this word find it.
    """
    text = "\n".join(lines)
    rest = without_licence(text) or ("license" if _IS_LICENCE.search(text) else text)
    return next((line for line in rest.split("\n") if line), "") or "comment"
