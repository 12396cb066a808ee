"""The brackets and the outermost lines of a block in a language with braces, without a parser."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    r"//[^\n]*|(?P<until>/\*|`)|\"(?:[^\"\\\n]|\\.){0,1000}\"|'(?:[^'\\\n]|\\.){1,10}'"
    r"|(?P<open>[({\[])|(?P<close>[)}\]])|(?P<line>\n)"
)
_ENDS: Final = {"/*": "*/", "`": "`"}


class Brackets(NamedTuple):
    """The brackets of a text."""

    #: The offset of the closing bracket for the offset of each opening bracket that is closed.
    ends: dict[int, int]
    #: The offsets at which lines begin outside of all brackets.
    outer: list[int]


def brackets_in(text: str) -> Brackets:
    """Return the brackets of a text. Strings and comments have none."""
    ends: dict[int, int] = {}
    outer = [0]
    opened: list[int] = []
    at = 0
    while (found := _TOKEN.search(text, at)) is not None:
        at = found.end()
        if found["until"] is not None:
            end = _ENDS[found["until"]]
            at = text.find(end, at) + len(end)
            if at < len(end):
                break
        elif found["open"] is not None:
            opened.append(found.start())
        elif found["close"] is not None:
            if opened:
                ends[opened.pop()] = found.start()
        elif found["line"] is not None and not opened:
            outer.append(found.end())
    return Brackets(ends, outer)
