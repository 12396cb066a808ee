"""Compute digests of the nodes of a directed graph, each including all reachable nodes, in time linear in the graph.

Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) finds the strongly connected components. It returns a
component after all components that are reachable from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple


class Closed(NamedTuple):
    """A node, including all nodes that it reaches."""

    digest: bytes
    #: Labels of the node and of all nodes that it reaches.
    labels: frozenset[tuple[int, str]]


class Node(NamedTuple):
    """A node, without the nodes that it reaches."""

    digest: bytes
    targets: Sequence[int]
    labels: frozenset[tuple[int, str]]


class Closures:
    """The closed nodes of a graph, computed on demand."""

    def __init__(self, node: Callable[[int], Node]) -> None:
        self._node = node
        self._closed: dict[int, Closed] = {}

    def of(self, key: int) -> Closed:
        """Return a node, including all nodes that it reaches. The nodes of a component share the result."""
        if key not in self._closed:
            for component in self._components(key):
                self._close(component)
        return self._closed[key]

    def _close(self, members: list[int]) -> None:
        nodes = {key: self._node(key) for key in members}
        labels = frozenset[tuple[int, str]]().union(*(node.labels for node in nodes.values()))
        described = []
        outside: dict[int, Closed] = {}
        for node in nodes.values():
            parts = [node.digest]
            for target in node.targets:
                if target in nodes:
                    parts.append(b"inside" + nodes[target].digest)
                else:
                    outside[target] = self._closed[target]
                    parts.append(outside[target].digest)
            described.append(b"".join(parts))
        labels = labels.union(*(closed.labels for closed in outside.values()))
        whole = blake2b(b"|".join(sorted(described)), digest_size=16).digest()
        for key, own in zip(nodes, described, strict=True):
            digest = whole if len(nodes) == 1 else blake2b(own + whole, digest_size=16).digest()
            self._closed[key] = Closed(digest, labels)

    def _components(self, start: int) -> Iterator[list[int]]:
        """Yield the reachable components without a result. A component follows the components that are reachable from it."""
        numbers = {start: 0}
        lowest = {start: 0}
        path = [start]
        on_path = {start}
        work = [(start, iter(self._node(start).targets))]
        while work:
            key, targets = work[-1]
            for target in targets:
                if target in self._closed:
                    continue
                if target not in numbers:
                    numbers[target] = lowest[target] = len(numbers)
                    path.append(target)
                    on_path.add(target)
                    work.append((target, iter(self._node(target).targets)))
                    break
                if target in on_path:
                    lowest[key] = min(lowest[key], numbers[target])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[key])
                if lowest[key] == numbers[key]:
                    component: list[int] = []
                    while not component or component[-1] != key:
                        component.append(path.pop())
                        on_path.discard(component[-1])
                    yield component
