"""Count tokens, and cut texts.

A token is four characters in every part of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text: its characters divided by four, rounded up."""
    return tokens_of_characters(len(text))


def lines_that_fit(lines: Sequence[str], characters: int) -> int:
    """Return the number of first lines, with line breaks, that fit in a number of characters."""
    shown = length = 0
    while shown < len(lines) and length + len(lines[shown]) + 1 <= characters:
        length += len(lines[shown]) + 1
        shown += 1
    return shown


def tokens_of_characters(characters: int) -> int:
    """Return the number of tokens of a text with `characters` characters."""
    return -(-characters // 4)


def shortened(text: str, length: int) -> str:
    """Return a text with its white space folded; a text of more than `length` characters is cut and ends in "…"."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[: length - 1] + "…"
