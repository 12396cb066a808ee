"""Regular expressions that are compiled when they are needed."""

from __future__ import annotations

import re


class LazyPattern:
    """A regular expression that is compiled at its first match.

    The rules of frameworks have hundreds of patterns. A check before a commit uses few of them, and should not wait for the rest.
    """

    __slots__ = ("_compiled", "_flags", "_pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match a whole text."""
        if self._compiled is None:
            self._compiled = re.compile(self._pattern, self._flags)
        return self._compiled.fullmatch(text)
