"""The one traversal behind call trees, type hierarchies and impact: hop by hop, bounded, and safe from cycles.

A walk goes over internal offsets, asks one question for all symbols of a hop, and names at its end what it reached. What
lies in what, and all that is known of a symbol alone, comes from the table of symbols: the questions are about uses alone.
Links of no cost, as from a function to one nested in it, are followed within the hop.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of

#: Offsets of nodes in the table of symbols.
Offsets = Collection[int]


class Link(msgspec.Struct, frozen=True, gc=False):
    """A step of a walk along one edge, from the symbol it stood at to the one at `target`."""

    source: int
    target: int
    #: Table of the edge.
    label: str
    #: Of a reference, else what the hop calls it; "" for calls.
    role: str = ""
    #: Of the sites; of heritage its only line.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    #: Of a call, else "".
    form: str = ""
    evidence: str = ""
    #: Hops that it counts.
    cost: int = 1
    #: False where the walk need not look further from the target.
    leads_on: bool = True


#: All links from some symbols.
Hop = Callable[[Offsets], Iterable[Link]]


class Walk(msgspec.Struct, frozen=True):
    """What a walk has seen."""

    #: Hops from the seeds, which have 0; in the order in which symbols were reached.
    distances: Mapping[int, int]
    #: What was reached within the depth, and the seeds.
    symbols: Mapping[int, SymbolRef]
    #: Links by the symbol that they start from; empty for a symbol from which nothing leads on.
    links: Mapping[int, Sequence[Link]]
    #: Symbols that were reached, and from which the walk did not go on: too far, or too many.
    unexplored: frozenset[int]


def walk(graph: GraphDatabase, hop: Hop, seeds: Offsets, depth: int, *, most: int | None = None, peek: int = 0) -> Walk:
    """Follows links for `depth` hops (-1: until nothing is new), each symbol once, at its smallest distance.

    From a hop that begins with more than `most` known symbols the walk does not go on. It looks `peek` hops beyond the depth,
    only to tell from where it would: symbols there are not fetched.
    """
    distances = dict.fromkeys(seeds, 0)
    links: dict[int, list[Link]] = {}
    frontier = list(distances)
    hops = 0
    last = depth + peek if depth >= 0 else -1
    while frontier and hops != last and (most is None or len(distances) <= most):
        hops += 1
        further: dict[int, None] = {}
        while frontier:
            links.update((offset, []) for offset in frontier)
            within: dict[int, None] = {}
            for link in hop(frontier):
                links[link.source].append(link)
                if link.cost == 0 and distances.get(link.target, hops) >= hops and link.target not in links:
                    distances[link.target] = hops - 1
                    further.pop(link.target, None)
                    within[link.target] = None
                elif link.target not in distances:
                    distances[link.target] = hops
                    if link.leads_on:
                        further[link.target] = None
            frontier = list(within)
        frontier = list(further)
    shown = [offset for offset, distance in distances.items() if depth < 0 or distance <= depth]
    return Walk(distances, refs_by_offset(graph, shown), links, frozenset(frontier))


def held_by(graph: GraphDatabase, ids: Collection[str]) -> list[int]:
    """Internal offsets of some symbols and of all that is nested in them."""
    table = symbols_of(graph)
    found = table.offsets(ids)
    return list(dict.fromkeys([*found, *table.nested_at(found)]))


def refs_by_offset(graph: GraphDatabase, offsets: Offsets) -> dict[int, SymbolRef]:
    """The symbols at internal offsets, by offset."""
    known = list(offsets)
    return dict(zip(known, symbols_of(graph).refs_at(known), strict=True))


def linked(graph: GraphDatabase, pattern: str, offsets: Offsets, properties: str) -> list[tuple[Any, ...]]:
    """Rows of one hop: source, target and label, then the properties.

    `pattern` is a relationship `r` between `(o:Symbol)`, where the walk stands, and `(s:Symbol)`.
    """
    ends = "offset(id(o)), offset(id(s)), label(r)"
    statement = f"MATCH (o:Symbol){pattern}(s:Symbol) WHERE o.id IN $ids RETURN {ends}, {properties}"
    return rows_for_ids(graph, statement, symbols_of(graph).ids_at(list(offsets)))


def bases(graph: GraphDatabase) -> dict[int, list[int]]:
    """By internal offset of every member that overrides others, theirs."""
    found: dict[int, list[int]] = {}
    for member, base in graph.rows("MATCH (o:Symbol)-[:OVERRIDES]->(s:Symbol) RETURN offset(id(o)), offset(id(s))"):
        found.setdefault(member, []).append(base)
    return found
