"""The Patterns section: hubs, shared dependencies, shared types, diamonds and cycles among the results."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from ...schema.symbol_kinds import MEMBER_KINDS, TYPE_KINDS
from .graph_section import Topology
from .result_context import GraphSymbol, TypeName

#: A networkx.DiGraph whose nodes are indices of results. networkx has no type annotations.
ResultGraph = Any

#: Maximum number of lines for each kind of pattern.
MAX_LINES = 4
#: Kinds of members that have a value.
_FIELD_KINDS = frozenset(("property", "enumMember"))
#: A type is shared if at least one in this number of results uses it.
_SHARING = 5


def result_graph(topology: Topology) -> ResultGraph:
    """Return the edges among the results, as a graph of their indices."""
    # The import takes 0.1 s, and most answers have a single result.
    import networkx

    graph: ResultGraph = networkx.DiGraph()
    graph.add_nodes_from(range(len(topology.results)))
    graph.add_edges_from((source, target) for source, targets in topology.edges.items() for target in targets)
    return graph


def chain_edges(topology: Topology, graph: ResultGraph) -> dict[int, list[int]]:
    """Return the edges for the chains, without edges that a longer chain implies, such as a -> c beside a -> b -> c.

    Pattern lines name these edges: c has two users, and a line "Hub" or "Shared dep" lists a. If the graph has a cycle, all edges
    are returned.
    """
    import networkx

    if not networkx.is_directed_acyclic_graph(graph):
        return {source: sorted(targets) for source, targets in topology.edges.items()}
    reduced = networkx.transitive_reduction(graph)
    return {source: sorted(reduced.successors(source)) for source in topology.edges}


def pattern_lines(topology: Topology, graph: ResultGraph) -> list[str]:
    """Return lines for all patterns, the most informative first."""
    return [
        *_first(_hubs(topology)),
        *_first(_shared_dependencies(topology)),
        *_first(_shared_types(topology)),
        *_first(_diamonds(topology, graph)),
        *_first(_cycles(topology, graph)),
    ]


def _first(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line, _ in zip(lines, range(MAX_LINES), strict=False)]


def _numbers(places: Iterable[int]) -> str:
    return ", ".join(f"[{place + 1}]" for place in places)


def _hubs(topology: Topology) -> Iterable[str]:
    for place, result in enumerate(topology.results):
        callers = [source for source in topology.users(place) if (source, place) in topology.calls]
        if result.is_callable and len(topology.users(place)) > 1:
            users = topology.users(place)
            verb = "called by" if callers == users else "used by"
            yield f"Hub: {topology.number(place)} — {verb} {_numbers(users)}"


def _shared_dependencies(topology: Topology) -> Iterable[str]:
    for place, result in enumerate(topology.results):
        users = topology.users(place)
        if not result.is_callable and len(users) > 1:
            labels = {topology.edges[source][place] for source in users}
            label = labels.pop() if len(labels) == 1 else None
            yield f"Shared dep: {topology.number(place, label)} — used by {_numbers(users)}"
    for (owner, path, places), names in _fields_together(topology).items():
        label = ", ".join([f"{owner}{names[0]}", *(name for name in names[1:])])
        yield f"Shared dep: {label} ({path}) ◆ — used by {_numbers(places)}"


def _fields_together(topology: Topology) -> dict[tuple[str, str, tuple[int, ...]], list[str]]:
    """Return the names of shared members, grouped by owner, path and users, so that `x` and `y` of a point are on one line."""
    found: dict[tuple[str, str, tuple[int, ...]], list[str]] = {}
    for symbol, places in topology.shared.values():
        if symbol.kind in _FIELD_KINDS:
            owner, dot, name = symbol.label.rpartition(".")
            found.setdefault((owner, symbol.path, places), []).append(f"{dot}{name}")
        elif symbol.kind not in TYPE_KINDS:
            found[symbol.label, symbol.path, places] = [""]
    return found


def _shared_types(topology: Topology) -> Iterable[str]:
    own = {result.symbol.id for result in topology.results}
    types: dict[str, tuple[str, str]] = {}
    users: dict[str, set[int]] = {}
    for place, result in enumerate(topology.results):
        # All members of a class share the types that the class extends, so only classes count.
        heritage = (*result.extends, *result.implements) if result.symbol.kind in MEMBER_KINDS else ()
        for named in (*result.types_in, *result.types_out, *heritage):
            _note(named, place, types, users)
        for use in result.uses:
            if use.result_id is None and use.target.kind in TYPE_KINDS:
                _note(_as_type(use.target), place, types, users)
    ranked = sorted(
        (id for id in types if id not in own and not _is_covered(types[id], users[id], topology)),
        key=lambda id: (-len(users[id]), min(users[id])),
    )
    for id in ranked:
        if len(users[id]) > 1 and len(users[id]) * _SHARING >= len(topology.results):
            name, path = types[id]
            yield f"Shared type: {name} ({path}) — used by {len(users[id])}/{len(topology.results)} results"


def _is_covered(named: tuple[str, str], places: set[int], topology: Topology) -> bool:
    """Return whether all users of a type also share a member of the type."""
    name, path = named
    return any(
        symbol.path == path and symbol.label.startswith(f"{name}.") and places <= set(users)
        for symbol, users in topology.shared.values()
    )


def _as_type(symbol: GraphSymbol) -> TypeName:
    return TypeName(symbol.label, symbol.path, symbol.id)


def _note(named: TypeName, place: int, types: dict[str, tuple[str, str]], users: dict[str, set[int]]) -> None:
    if named.id:
        types.setdefault(named.id, (named.name, named.origin))
        users.setdefault(named.id, set()).add(place)


def _diamonds(topology: Topology, graph: ResultGraph) -> Iterable[str]:
    """Yield a line for each pair of results that two or more paths through a third result connect."""
    for top, bottom in combinations(range(len(topology.results)), 2):
        for start, end in ((top, bottom), (bottom, top)):
            between = sorted((set(graph.successors(start)) & set(graph.predecessors(end))) - {start, end})
            if len(between) > 1:
                yield f"Diamond: {topology.number(start)} → {_numbers(between)} → {topology.number(end)}"


def _cycles(topology: Topology, graph: ResultGraph) -> Iterable[str]:
    """Yield a line with one cycle for each strongly connected component of the results."""
    import networkx

    for group in sorted(networkx.strongly_connected_components(graph), key=min):
        if len(group) > 1:
            circle = [source for source, _ in networkx.find_cycle(graph.subgraph(sorted(group)), min(group))]
            yield "Cycle: " + " → ".join(topology.number(place) for place in [*circle, circle[0]])
