"""Match patterns with one star, as in tsconfig `paths`, `typesVersions`, and package.json `exports` and `imports`."""

from __future__ import annotations

from collections.abc import Iterable


def match_star(pattern: str, text: str) -> str | None:
    """Return the text that a pattern's star matches, or None.

    The result is "" if a pattern without a star equals the text.
    """
    head, star, tail = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    if len(text) < len(head) + len(tail) or not text.startswith(head) or not text.endswith(tail):
        return None
    return text[len(head) : len(text) - len(tail)]


class StarPatterns:
    """Finds the pattern for a text: an exact pattern, else the pattern with the longest part before its star."""

    __slots__ = ("_exact", "_starred")

    def __init__(self, patterns: Iterable[str]) -> None:
        every = list(patterns)
        self._exact = {pattern for pattern in every if "*" not in pattern}
        self._starred = sorted(
            (pattern for pattern in every if "*" in pattern), key=lambda pattern: pattern.index("*"), reverse=True
        )

    def match(self, text: str) -> tuple[str, str] | None:
        """Return the matching pattern and the text of its star, or None."""
        if text in self._exact:
            return text, ""
        for pattern in self._starred:
            if (matched := match_star(pattern, text)) is not None:
                return pattern, matched
        return None
