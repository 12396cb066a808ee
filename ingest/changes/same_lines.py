"""Find the lines that two states of a file share."""

from __future__ import annotations

from collections.abc import Sequence


def same_lines(old_lines: Sequence[bytes], lines: Sequence[bytes]) -> dict[int, int]:
    """Map old lines to new lines, if their text occurs equally often in both texts. Lines count from 1."""
    old_places, places = _places_of(old_lines), _places_of(lines)
    return {
        old: new
        for text, numbers in old_places.items()
        if len(numbers) == len(places.get(text, ()))
        for old, new in zip(numbers, places[text], strict=True)
    }


def _places_of(lines: Sequence[bytes]) -> dict[bytes, list[int]]:
    found: dict[bytes, list[int]] = {}
    for number, line in enumerate(lines, 1):
        found.setdefault(line, []).append(number)
    return found
