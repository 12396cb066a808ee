"""Split names into words, to compare names in code with words in documents and names of tests."""

from __future__ import annotations

import re
from typing import Final

_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def name_words(text: str) -> list[str]:
    """`HTTPServer_test2` -> ["http", "server", "test", "2"]."""
    return [word.lower() for word in _PART.findall(text)]


def singular(word: str) -> str:
    """Return a word without a final `s`, as an approximate singular: `methods` -> `method`."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
