"""What links lead to, over any number of steps."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reachable(starts: Iterable[Node], targets: Mapping[Node, Iterable[Node]]) -> set[Node]:
    """Return the starts and everything that they lead to, where `targets` maps nodes to what they link to."""
    found = set(starts)
    pending = list(found)
    while pending:
        new = set(targets.get(pending.pop(), ())) - found
        found |= new
        pending += new
    return found
