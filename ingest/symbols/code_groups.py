"""Groups in brackets in code whose comments and texts are blank."""

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
