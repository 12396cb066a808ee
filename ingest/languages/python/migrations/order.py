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


def ordered_by_targets(names: Sequence[str], after: Mapping[str, Sequence[str]], groups: Mapping[str, str]) -> list[str]:
    """Return names in the order of Django's plan, in which the last names of each group are the targets.

    The targets run in the given order, each one after its predecessors, of which the last one runs first:
    https://github.com/django/django/blob/main/django/db/migrations/graph.py. `names` must be sorted.
    """
    place = {name: number for number, name in enumerate(names)}
    before = {name: sorted({each for each in after.get(name, ()) if each in place}, key=place.__getitem__) for name in names}
    followed = {each for name in names for each in before[name] if groups[each] == groups[name]}
    found: list[str] = []
    started: set[str] = set()
    waiting = [(name, False) for name in reversed([*(each for each in names if each not in followed), *names])]
    while waiting:
        name, is_ready = waiting.pop()
        if is_ready:
            found.append(name)
        elif name not in started:
            started.add(name)
            waiting.append((name, True))
            waiting += [(each, False) for each in before[name]]
    return found
