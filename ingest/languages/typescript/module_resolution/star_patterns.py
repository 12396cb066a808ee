"""Patterns with one star, as tsconfig `paths`, `typesVersions` and package.json `exports` and `imports` use them."""

from __future__ import annotations

from collections.abc import Iterable


def match_star(pattern: str, text: str) -> str | None:
    """What the star of a pattern stands for; "" when a pattern without star equals the text; None without a match."""
    head, star, tail = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    if len(text) < len(head) + len(tail) or not text.startswith(head) or not text.endswith(tail):
        return None
    return text[len(head) : len(text) - len(tail)]


class StarPatterns:
    """Finds the pattern for a text: an exact one, else that with the longest part before its star."""

    __slots__ = ("_exact", "_starred")

    def __init__(self, patterns: Iterable[str]) -> None:
        every = list(patterns)
        self._exact = {pattern for pattern in every if "*" not in pattern}
        self._starred = sorted(
            (pattern for pattern in every if "*" in pattern), key=lambda pattern: pattern.index("*"), reverse=True
        )

    def match(self, text: str) -> tuple[str, str] | None:
        """The pattern and what its star stands for; None when no pattern matches."""
        if text in self._exact:
            return text, ""
        for pattern in self._starred:
            if (matched := match_star(pattern, text)) is not None:
                return pattern, matched
        return None
