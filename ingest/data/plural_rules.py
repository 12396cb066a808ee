"""Rules by which object mappers form plurals and singulars of the names of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Patterns with their replacements.
Rules = Sequence[tuple[re.Pattern[str], str]]


def compiled(*pairs: tuple[str, str], flags: re.RegexFlag = re.IGNORECASE) -> Rules:
    """Return rules whose patterns are compiled."""
    return tuple((re.compile(pattern, flags), replacement) for pattern, replacement in pairs)


def inflected(rules: Rules, word: str) -> str:
    """Return a word after the first rule whose pattern matches; the word itself if none does."""
    return next((pattern.sub(replacement, word, count=1) for pattern, replacement in rules if pattern.search(word)), word)
