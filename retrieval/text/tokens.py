"""Counting tokens: four characters each, everywhere, so that budgets mean the same in every part."""

from __future__ import annotations

from collections.abc import Sequence


def count_tokens(text: str) -> int:
    """Tokens of a text: its characters divided by four, rounded up."""
    return tokens_of_characters(len(text))


def lines_that_fit(lines: Sequence[str], characters: int) -> int:
    """How many of the first lines, each with the break behind it, have at most so many characters."""
    shown = length = 0
    while shown < len(lines) and length + len(lines[shown]) + 1 <= characters:
        length += len(lines[shown]) + 1
        shown += 1
    return shown


def tokens_of_characters(characters: int) -> int:
    """Tokens of a text of so many characters."""
    return -(-characters // 4)
