"""The Graph section: the calls and uses among the results, as chains, or as call trees for more than one hop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...schema.languages import DOCUMENTS, PARTLY_RESOLVED, WITH_KNOWN_USES, language_of_indexed
from .result_context import CallNode, GraphSymbol, ResultStructure

#: Maximum number of lines of call trees in an answer.
MAX_TREE_LINES = 80
#: Maximum number of results without connections that are listed line by line.
_MAX_ALONE = 3


@dataclass(frozen=True, slots=True)
class Topology:
    """The edges among results and the symbols that several of them use."""

    results: Sequence[ResultStructure]
    #: Edges from each result's index to the indices that it uses, with the label of the used symbol.
    edges: Mapping[int, Mapping[int, str]]
    #: Edges that are calls, as pairs of indices of results.
    calls: frozenset[tuple[int, int]]
    #: Symbols outside the results that two or more results use, with the indices of these results, the most used first.
    shared: Mapping[str, tuple[GraphSymbol, tuple[int, ...]]]

    def users(self, place: int) -> list[int]:
        """Return the indices of the results that use a result, in order."""
        return [source for source in sorted(self.edges) if place in self.edges[source]]

    def number(self, place: int, label: str | None = None) -> str:
        """Return a result with its number, such as `[2] AuthMiddleware.verify`."""
        return f"[{place + 1}] {label or self.results[place].symbol.label}"


def read_topology(results: Sequence[ResultStructure]) -> Topology:
    """Return the topology of some results, without edges from a result to itself."""
    places = {result.symbol.id: place for place, result in enumerate(results)}
    edges: dict[int, dict[int, str]] = {place: {} for place in range(len(results))}
    calls = set()
    shared: dict[str, tuple[GraphSymbol, list[int]]] = {}
    for place, result in enumerate(results):
        for use in result.uses:
            if use.result_id is None:
                users = shared.setdefault(use.target.id, (use.target, []))[1]
                if place not in users:
                    users.append(place)
            elif (target := places[use.result_id]) != place:
                edges[place].setdefault(target, use.target.label)
                if use.is_call:
                    calls.add((place, target))
    # A type and a namespace with the same name look the same.
    named = {(result.symbol.label, result.symbol.path) for result in results}
    common = {
        id: (symbol, tuple(users))
        for id, (symbol, users) in shared.items()
        if len(users) > 1 and (symbol.label, symbol.path) not in named
    }
    most_used_first = sorted(common.items(), key=lambda item: (-len(item[1][1]), item[1][1]))
    return Topology(results, edges, frozenset(calls), dict(most_used_first))


def chain_lines(topology: Topology, edges: Mapping[int, Sequence[int]]) -> list[str]:
    """Return chains of edges that begin at results without incoming edges and contain each edge once, then the results without
    edges.

    Pattern lines name all edges that are not in `edges`.
    """
    entered = {target for targets in edges.values() for target in targets}
    unused = {source: list(targets) for source, targets in edges.items() if targets}
    lines = []
    for start in sorted(unused, key=lambda source: (source in entered, source)):
        while unused.get(start):
            lines.append(_walk(topology, unused, start))
    linked = entered | {source for source, targets in edges.items() if targets}
    alone = [place for place in range(len(topology.results)) if place not in linked]
    if not lines:
        unknown = sorted(
            {language_of_indexed(result.symbol.path) or "" for result in topology.results} - WITH_KNOWN_USES - DOCUMENTS
        )
        named = " and ".join(unknown)
        known = f"not all of {named} are known" if PARTLY_RESOLVED.issuperset(unknown) else f"those of {named} are not known"
        but = f" ({known})" if unknown else ""
        return [f"  no calls or references among these results{but}"]
    if len(alone) > _MAX_ALONE:
        return [*lines, f"  {', '.join(f'[{place + 1}]' for place in alone)} (standalone)"]
    return lines + [f"  {topology.number(place)} (standalone {_plain_kind(topology.results[place])})" for place in alone]


def _walk(topology: Topology, unused: dict[int, list[int]], start: int) -> str:
    text, place, passed = "  " + topology.number(start), start, {start}
    while unused.get(place):
        target = unused[place].pop(0)
        text += f" → {topology.number(target, topology.edges[place][target])}"
        if target in passed:
            return text + " [cycle]"
        passed.add(target)
        place = target
    return text


def _plain_kind(result: ResultStructure) -> str:
    kind = result.symbol.kind
    return "constant" if kind in ("const", "variable") else kind


def tree_lines(topology: Topology) -> list[str]:
    """Return the call trees of the results. Each line has ★ for a result and ◆ for a symbol that two or more results use."""
    starred = {result.symbol.id for result in topology.results}
    lines: list[str] = []
    hidden = 0
    for place, result in enumerate(topology.results):
        calls = list(_branch(result.call_tree, 0, "→", starred, topology))
        callers = list(_branch(result.caller_tree, 0, "←", starred, topology)) if len(topology.results) == 1 else []
        if not (calls or callers) and any(place in targets for targets in topology.edges.values()):
            continue
        room = max(MAX_TREE_LINES - len(lines), 1)
        role = result.symbol.path if calls or callers else f"standalone {_plain_kind(result)}"
        block = [f"  {topology.number(place)} ({role})", *calls, *callers]
        lines += block[:room]
        hidden += max(len(block) - room, 0)
    if hidden:
        lines.append(f"  … {hidden} further lines of call trees")
    return lines


def _branch(nodes: Sequence[CallNode], depth: int, arrow: str, starred: set[str], topology: Topology) -> Iterator[str]:
    # Trees of unlimited depth may exceed Python's recursion limit.
    stack = [(node, depth) for node in reversed(nodes)]
    while stack:
        node, level = stack.pop()
        mark = " ★" if node.symbol.id in starred else " ◆" if node.symbol.id in topology.shared else ""
        end = " [cycle]" if node.is_cycle else " [depth limit]" if node.is_limited else ""
        yield f"{'  ' * (level + 2)}{arrow} {node.symbol.label} ({node.symbol.path}){'' if node.is_cycle else mark}{end}"
        stack += [(child, level + 1) for child in reversed(node.children)]
