"""Finds the end of an entry of an object literal in the source."""

from __future__ import annotations

import re
from typing import Final

#: Matches a bracket or a comma, or a string or comment, whose brackets and commas are skipped.
_TOKENS: Final = re.compile(
    rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/|'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\"|`(?:[^`\\]|\\.)*+`|[(\[{]|[)\]}]|,",
    re.DOTALL,
)


def entry_end(source: bytes, start: int) -> int:
    """Return the offset of the comma or bracket that ends the entry which begins at an offset."""
    depth = 0
    for token in _TOKENS.finditer(source, start):
        text = token[0]
        if text in b"([{":
            depth += 1
        elif text in b")]}":
            depth -= 1
            if depth < 0:
                return token.start()
        elif text == b"," and depth == 0:
            return token.start()
    return len(source)
