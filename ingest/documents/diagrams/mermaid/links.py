"""Links of flowcharts and block diagrams of mermaid: arrows of all lengths, with or without text."""

from __future__ import annotations

import re
from typing import NamedTuple

from .common import unwrapped
from .scanner import Scanner

_MARK = re.compile(r"([^\s\"@|\[\](){};]+)@(?=[xo<]?(?:--|==|-\.|~~~))")
_WHOLE = re.compile(r"[xo<]?(?:--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?)|~~~+")
_STARTS = (
    (re.compile(r"[xo<]?--"), re.compile(r"[xo<]?--+[-xo>]")),
    (re.compile(r"[xo<]?=="), re.compile(r"[xo<]?==+[=xo>]")),
    (re.compile(r"[xo<]?-\."), re.compile(r"[xo<]?-?\.+-[xo>]?")),
)
_TEXT = re.compile(r"[^\[\](){}|\"]*")
_HEADS = {"x": "cross", "o": "circle", ">": "arrow", "<": "arrow"}


class Link(NamedTuple):
    """A link as written, without source and target."""

    label: str
    style: str
    #: The id before `@`, or an empty text.
    id: str


def link_style(end: str, start: str = "") -> str:
    """Return the style of a link, from its end and from the signs before its text.

    Examples are `-->` for an arrow, `-.-` for a dotted line, `==>` for a thick arrow and `x--x` for a double cross.
    """
    head = _HEADS.get(end[-1], "") if end[-1] != "<" else ""
    opening = start or end
    tail = _HEADS.get(opening[0], "")
    line = "invisible" if end[0] == "~" else "thick" if "=" in end else "dotted" if "." in end else ""
    kind = head or "open"
    if tail and (tail == head or start):
        kind = f"double {head}" if tail == head else tail if not head else "unknown"
    return f"{line} {kind}" if line else kind


def read_link(scanner: Scanner) -> Link | None:
    """Read a link with its text, or return None if there is no link at the current position.

    Space and line breaks around the link are also read.
    """
    scanner.skip_all_space()
    mark = scanner.match(_MARK)
    name = mark[1] if mark is not None else ""
    whole = scanner.match(_WHOLE)
    if whole is not None:
        scanner.skip_all_space()
        label = _text_between_bars(scanner) if scanner.take("|") else ""
        scanner.skip_all_space()
        return Link(label, link_style(whole[0]), name)
    for opening, ending in _STARTS:
        start = scanner.match(opening)
        if start is None:
            continue
        scanner.skip_all_space()
        quoted = scanner.until('"') if scanner.take('"') else None
        end = ending.search(scanner.text, scanner.at)
        if end is None:
            raise scanner.failure("an arrow that ends the text of the link")
        text = unwrapped(quoted) if quoted is not None else scanner.text[scanner.at : end.start()]
        scanner.at = end.end()
        scanner.skip_all_space()
        return Link(text, link_style(end[0], start[0]), name)
    return None


def _text_between_bars(scanner: Scanner) -> str:
    scanner.skip_all_space()
    if scanner.take('"'):
        quoted = scanner.until('"')
        if quoted is None:
            raise scanner.failure("the end of a quoted text")
        scanner.skip_all_space()
        text = unwrapped(quoted)
    else:
        match = scanner.match(_TEXT)
        text = match[0] if match is not None else ""
    if not scanner.take("|"):
        raise scanner.failure("`|` after the text of the link")
    return text
