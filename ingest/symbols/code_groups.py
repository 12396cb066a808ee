"""The groups in brackets of code whose comments and texts are blank."""

from __future__ import annotations

import re
from typing import Final

_BRACKET: Final = re.compile(r"[(){}\[\]]")


def group_end(code: str, start: int, end: int) -> int:
    """Return the offset after the group whose opening bracket is at an offset; `end` for an unclosed group."""
    depth = 0
    for found in _BRACKET.finditer(code, start, end):
        depth += 1 if found[0] in "([{" else -1
        if depth <= 0:
            return found.end()
    return end


class Groups:
    """All groups in brackets of a text. Reading takes time linear in the length of the text, also for unclosed groups."""

    def __init__(self, code: str) -> None:
        self._ends: dict[int, int] = {}
        self._length = len(code)
        waiting: list[int] = []
        for found in _BRACKET.finditer(code):
            if found[0] in "([{":
                waiting.append(found.start())
            elif waiting:
                self._ends[waiting.pop()] = found.end()

    def end(self, start: int, limit: int) -> int:
        """Return the offset after the group whose opening bracket is at an offset, at most `limit`."""
        return min(self._ends.get(start, self._length), limit)
