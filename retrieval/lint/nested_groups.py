"""Remove groups of duplicates inside of other duplicates. A declaration nested in a copy is not a separate copy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

#: Number of lines or tokens in a bucket of the index of places.
_STRETCH = 50
#: Minimum share of a nested place that is inside the other place. It is below 1, because runs that are shifted by a few tokens
#: are equivalent.
_NESTED_SHARE = 0.8


class Place(NamedTuple):
    """A range of lines of a file, or of tokens; both ends are inclusive."""

    within: Hashable
    begin: int
    end: int


def outermost(groups: Sequence[Sequence[Place]], alike: Sequence[float]) -> list[int]:
    """Return the indices of the groups to keep; `groups` are sorted, and the groups with most repeated code come first.

    A group is left out if all its places are nested in places of one kept group, and the kept group is at least as similar.
    """
    held: dict[tuple[Hashable, int], list[tuple[int, Place]]] = defaultdict(list)
    kept: list[int] = []
    for index, places in enumerate(groups):
        if _is_nested(places, alike[index], held, alike):
            continue
        kept.append(index)
        for place in places:
            for stretch in range(place.begin // _STRETCH, place.end // _STRETCH + 1):
                held[place.within, stretch].append((index, place))
    return kept


def _length(place: Place) -> int:
    return place.end - place.begin + 1


def _overlap(one: Place, other: Place) -> int:
    return min(one.end, other.end) - max(one.begin, other.begin) + 1


def _is_nested(
    places: Sequence[Place],
    similarity: float,
    held: dict[tuple[Hashable, int], list[tuple[int, Place]]],
    alike: Sequence[float],
) -> bool:
    holders: dict[int, set[Place]] | None = None
    for place in places:
        here = [
            (group, holder)
            for group, holder in held.get((place.within, (place.begin + place.end) // 2 // _STRETCH), ())
            if _overlap(place, holder) >= _NESTED_SHARE * _length(place) and alike[group] >= similarity
        ]
        known = {group: set[Place]() for group, _ in here} if holders is None else holders
        holders = {group: known[group] | {holder} for group, holder in here if group in known}
        if not holders:
            return False
    # Two places in the same copy are a repetition inside the copy, so the group is kept.
    return any(len(found) >= len(places) for found in (holders or {}).values())
