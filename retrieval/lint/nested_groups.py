"""Drop groups of alike places that only repeat others: a declaration nested in a copy is not a copy of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

#: Places are looked up by stretches of this length.
_STRETCH = 50
#: Minimum part of a place inside another place at which it counts as nested: runs that are shifted by some tokens are
#: equivalent.
_NESTED_SHARE = 0.8


class Place(NamedTuple):
    """A part of a file, or of a row of tokens; both ends are inside."""

    within: Hashable
    begin: int
    end: int


def outermost(groups: Sequence[Sequence[Place]], alike: Sequence[float]) -> list[int]:
    """Return the indices of the groups to keep; `groups` begin with those that repeat most.

    A group is left out if most of each of its places is inside another place of one kept group that is at least as similar.
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
    # Two places in one copy are a repetition inside of it.
    return any(len(found) >= len(places) for found in (holders or {}).values())
