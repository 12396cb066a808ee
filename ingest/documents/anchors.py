"""Computes the anchors of headings as GitHub does: `## Set up: a plan` has the anchor `set-up-a-plan`."""

from __future__ import annotations

import unicodedata
from typing import Final

#: Categories of the characters that an anchor keeps: letters, marks, decimal digits, letter-like numbers, connectors.
_KEPT: Final = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"))
#: Ranges of symbols that Unicode counts as alphabetic: letters in circles and squares.
_ALPHABETIC_SYMBOLS: Final = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
#: What becomes of each ASCII character: letters, digits, "_" and "-" stay, a space is replaced, and all others are removed.
_ASCII: Final = {
    code: "-" if letter == " " else letter if letter.isalnum() or letter in "_-" else None
    for code, letter in enumerate(map(chr, range(128)))
}


class Anchors:
    """Assigns a unique anchor to each heading of a document."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def of(self, title: str) -> str:
        """Return the anchor of the next heading. A repeated anchor ends in a number."""
        base = slug(title)
        anchor = base
        while anchor in self._used:
            self._used[base] += 1
            anchor = f"{base}-{self._used[base]}"
        self._used[anchor] = 0
        return anchor


def slug(title: str) -> str:
    """Return the anchor of a heading, without a number for repetition."""
    lowered = title.lower()
    if lowered.isascii():
        return lowered.translate(_ASCII)
    return "".join(letter for letter in lowered if letter in "- " or _is_word(letter)).replace(" ", "-")


def _is_word(letter: str) -> bool:
    if unicodedata.category(letter) in _KEPT:
        return True
    return any(first <= ord(letter) <= last for first, last in _ALPHABETIC_SYMBOLS)
