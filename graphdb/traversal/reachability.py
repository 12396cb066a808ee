"""Reachability along links, over any number of steps."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(starts: Iterable[Node], targets: Mapping[Node, Iterable[Node]]) -> list[Node]:
    """Return the start nodes and every node that is reachable from them, nearest first; `targets` maps nodes to linked nodes."""
    found = dict.fromkeys(starts)
    queue = list(found)
    for node in queue:
        new = [target for target in dict.fromkeys(targets.get(node, ())) if target not in found]
        found.update(dict.fromkeys(new))
        queue += new
    return queue
