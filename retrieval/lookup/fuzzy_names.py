"""Find names that are similar to a written name, by prefix, initials, part, letters in order, or typo."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Score of each kind of similarity, 0 to 1.
SAME = 1.0
SAME_LETTERS = 0.95
BEGINNING = 0.85
INITIALS = 0.8
PART = 0.7
IN_ORDER = 0.5
#: Score of a name with one changed letter; each further changed letter subtracts 0.1.
TYPO = 0.6
#: Maximum number of changed letters in a typo.
MAX_CHANGES = 2
#: Minimum number of letters in the written name for typos and letters in order.
_MIN_LETTERS = 4
#: A word in a name: `get`, `User`, `HTTP`, `2`.
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


def likeness(name: str, written: str) -> float:
    """Return the similarity of a name and a written name, 0 to 1."""
    if name == written:
        return SAME
    lower, wanted = name.lower(), written.lower()
    if lower == wanted:
        return SAME_LETTERS
    # Among names with the same kind of similarity, a shorter name is more similar.
    share = len(wanted) / max(len(lower), len(wanted), 1) * 0.04
    if lower.startswith(wanted):
        return BEGINNING + share
    if len(wanted) > 1 and wanted[0] == lower[:1] and _fits_humps(name, wanted):
        return INITIALS + share
    if wanted in lower:
        return PART + share
    if len(wanted) < _MIN_LETTERS:
        return 0.0
    changes = _changes(lower, wanted)
    if changes <= min(MAX_CHANGES, len(wanted) // 4):
        return TYPO - 0.1 * (changes - 1) + share
    return IN_ORDER * (0.5 + len(wanted) / len(lower) / 2) if _in_order(lower, wanted) else 0.0


def like(names: Iterable[str], written: str) -> dict[str, float]:
    """Return the names that are similar to a written name, with their similarity."""
    return {name: score for name in names if (score := likeness(name, written)) > 0}


def _fits_humps(name: str, wanted: str) -> bool:
    """Return whether prefixes of the words of a name, in order, form the letters, as in `gUBI` for `getUserById`."""
    # The possible numbers of letters that the examined words cover. Words are short, so there are few numbers.
    reached = {0}
    for word in _HUMP.findall(name):
        for taken in list(reached):
            length = 0
            while length < len(word) and taken + length < len(wanted) and word[length].lower() == wanted[taken + length]:
                length += 1
                reached.add(taken + length)
        if len(wanted) in reached:
            return True
    return False


def _in_order(name: str, wanted: str) -> bool:
    place = -1
    for letter in wanted:
        place = name.find(letter, place + 1)
        if place < 0:
            return False
    return True


def _changes(name: str, wanted: str) -> int:
    """Return the number of letters to replace, insert, delete or swap, but at most `MAX_CHANGES` + 1."""
    if abs(len(name) - len(wanted)) > MAX_CHANGES or len(set(name) ^ set(wanted)) > 2 * MAX_CHANGES:
        return MAX_CHANGES + 1
    before: list[int] = []
    row = list(range(len(wanted) + 1))
    for place, letter in enumerate(name, 1):
        earlier, before, row = before, row, [place]
        for at, other in enumerate(wanted, 1):
            best = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != other))
            if place > 1 and at > 1 and letter == wanted[at - 2] and name[place - 2] == other:
                best = min(best, earlier[at - 2] + 1)
            row.append(best)
        if min(row) > MAX_CHANGES:
            return MAX_CHANGES + 1
    return row[-1]
