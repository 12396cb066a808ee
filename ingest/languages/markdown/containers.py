"""Admonitions, tabs and directives of site generators, whose content is indented: `!!! note`, `=== "Python"`, `.. tip::`.

A parser of CommonMark reads the content as a block of code. Without the indentation, the content is read like other text.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_BEGINNING: Final = re.compile(r"[ ]*(?:!!!|\?\?\?\+?)[ \t]+[\w\"]|[ ]*===\+?[ \t]+\"|[ ]*\.\. [\w-]+::")
#: Every text with a container has at least one of these marks.
_MARKS: Final = ("!!!", "???", '=== "', '===+ "', ".. ")
_FENCE: Final = re.compile(r"[ ]*(?P<mark>`{3,}|~{3,})")
#: Number of additional spaces before the content of a container.
_INDENT: Final = 4


class Unwrapped(NamedTuple):
    """A text in which the content of containers is not indented. The numbers of the lines do not change."""

    text: str
    #: The lines inside of containers.
    inner_lines: frozenset[int]


def unwrapped(text: str) -> Unwrapped:
    """Return a text without the indentation of the content of containers."""
    if not any(mark in text for mark in _MARKS):
        return Unwrapped(text, frozenset())
    lines = text.split("\n")
    inner: set[int] = set()
    #: The indentation of the content of each open container, outermost first.
    around: list[int] = []
    fence = ""
    for place, line in enumerate(lines):
        plain = line.lstrip(" \t")
        indent = len(line[: len(line) - len(plain)].expandtabs(_INDENT))
        if plain.strip():
            while around and indent < around[-1]:
                around.pop()
                if fence:  # without its indentation, the block would reach to the end of the document
                    return Unwrapped(text, frozenset())
        if around:
            inner.add(place + 1)
            lines[place] = " " * max(indent - _INDENT * len(around), 0) + plain
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark is not None and mark["mark"].startswith(fence) else fence
        elif mark is not None:
            fence = mark["mark"]
        elif _BEGINNING.match(line) is not None:
            around.append(indent + _INDENT)
    return Unwrapped("\n".join(lines), frozenset(inner))
