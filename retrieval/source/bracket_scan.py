"""Reading the text of a signature: brackets, strings and arrows as they nest."""

from __future__ import annotations

import re
from collections.abc import Iterator

_STRING = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`""")
_OPENING, _CLOSING = "([{<", ")]}>"


def characters(text: str, start: int = 0) -> Iterator[tuple[int, str, int]]:
    """Place, character and depth of nesting, from `start` on; strings and the `>` of arrows are left out.

    A bracket has the depth of what is around it.
    """
    depth, place = 0, start
    while place < len(text):
        character = text[place]
        if character in "\"'`" and (string := _STRING.match(text, place)):
            place = string.end()
            continue
        is_arrow = character == ">" and text[place - 1 : place] == "="
        if character in _CLOSING and not is_arrow:
            depth -= 1
        if not is_arrow:
            yield place, character, depth
        if character in _OPENING:
            depth += 1
        place += 1


def closing(text: str, start: int) -> int:
    """Place of the bracket that closes the one at `start`; the text's length where none does."""
    return next((place for place, character, depth in characters(text, start) if depth == 0 and character in _CLOSING), len(text))


def split(text: str, separator: str = ",") -> list[str]:
    """Pieces between the separators that stand in no brackets, without surrounding spaces and empty ones."""
    pieces, begin = [], 0
    for place, character, depth in characters(text):
        if character == separator and depth == 0:
            pieces.append(text[begin:place])
            begin = place + 1
    return [piece.strip() for piece in [*pieces, text[begin:]] if piece.strip()]


def assignment(text: str, start: int = 0) -> int:
    """Place of the `=` outside of brackets that gives a default or a value; -1 where there is none."""
    for place, character, depth in characters(text, start):
        if (
            character == "="
            and depth == 0
            and text[place + 1 : place + 2] not in ("=", ">")
            and text[place - 1 : place] not in ("=", "!", "<")
        ):
            return place
    return -1
