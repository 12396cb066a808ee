"""The order in which migrations run, if they name their predecessors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush


def ordered(names: Sequence[str], after: Mapping[str, Sequence[str]]) -> list[str]:
    """Return names in an order in which each name follows its predecessors, but otherwise in the given order.

    In a cycle, the first name precedes its predecessors.
    """
    place = {name: number for number, name in enumerate(names)}
    waiting = {name: {each for each in after.get(name, ()) if each in place and each != name} for name in names}
    following: dict[str, list[str]] = {name: [] for name in names}
    for name, before in waiting.items():
        for each in sorted(before):
            following[each].append(name)
    ready = [place[name] for name in names if not waiting[name]]
    heapify(ready)
    found: list[str] = []
    done: set[str] = set()
    cut = 0
    while len(found) < len(names):
        if not ready:  # in a cycle, the first name precedes its predecessors
            while names[cut] in done:
                cut += 1
            ready.append(cut)
        name = names[heappop(ready)]
        if name in done:
            continue
        done.add(name)
        found.append(name)
        for each in following[name]:
            waiting[each].discard(name)
            if not waiting[each] and each not in done:
                heappush(ready, place[each])
    return found
