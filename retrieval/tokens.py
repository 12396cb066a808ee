"""Counting tokens: four characters each, everywhere, so that budgets mean the same in every part."""

from __future__ import annotations


def count_tokens(text: str) -> int:
    """Tokens of a text: its characters divided by four, rounded up."""
    return tokens_of_characters(len(text))


def tokens_of_characters(characters: int) -> int:
    """Tokens of a text of so many characters."""
    return -(-characters // 4)
