"""The traversal that finds call trees, type hierarchies and impact. The traversal is breadth-first, bounded, and safe from
cycles.

A walk uses internal offsets, runs one query for all symbols of a hop, and looks up names at the end. Properties and nesting of
symbols come from the symbol table, so queries only read edges. Links without cost, such as the link from a function to a nested
function, are followed within the hop.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ...schema.records import SymbolRef
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of

#: Internal offsets of nodes in the table of symbols.
Offsets = Collection[int]


class Link(msgspec.Struct, frozen=True, gc=False):
    """A step of a walk along one edge, from `source` to `target`."""

    source: int
    target: int
    #: Table of the edge.
    label: str
    #: Role of the reference, or a name that the expander chooses; "" for calls.
    role: str = ""
    #: Lines of the sites; for inheritance, the line of the clause.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    #: Form of a call; "" for other edges.
    form: str = ""
    evidence: str = ""
    #: Platforms on which a call runs the target; "" for all platforms.
    variant: str = ""
    #: Number of hops of the step: 1, or 0 for a step within a hop.
    cost: int = 1
    #: Whether the walk continues at the target.
    leads_on: bool = True


#: A function that returns all links from some symbols.
Hop = Callable[[Offsets], Iterable[Link]]


class Walk(msgspec.Struct, frozen=True):
    """The result of a walk."""

    #: Number of hops from the seeds, by symbol, in the order in which the walk reached them; 0 for a seed.
    distances: Mapping[int, int]
    #: The seeds and the symbols that were reached within the depth.
    symbols: Mapping[int, SymbolRef]
    #: Links by source symbol; empty for a symbol without links.
    links: Mapping[int, Sequence[Link]]
    #: Symbols that the walk reached but did not expand, because of the depth or the number of symbols.
    unexplored: frozenset[int]


def walk(graph: GraphDatabase, hop: Hop, seeds: Offsets, depth: int, *, most: int | None = None, peek: int = 0) -> Walk:
    """Follow links for `depth` hops (-1: without limit), and visit each symbol once, at its smallest distance.

    The walk stops before a hop if it has reached more than `most` symbols. After the last hop, it follows `peek` more hops to
    find symbols with further links. `symbols` does not contain the symbols that only these hops reach.
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
    """Return the internal offsets of some symbols and of all symbols nested in them."""
    table = symbols_of(graph)
    found = table.offsets(ids)
    return list(dict.fromkeys([*found, *table.nested_at(found)]))


def refs_by_offset(graph: GraphDatabase, offsets: Offsets) -> dict[int, SymbolRef]:
    """Return the symbols at internal offsets, by offset."""
    known = list(offsets)
    return dict(zip(known, symbols_of(graph).refs_at(known), strict=True))


def linked(graph: GraphDatabase, pattern: str, offsets: Offsets, properties: str) -> list[tuple[Any, ...]]:
    """Return the rows of one hop: source, target and label, then the properties.

    `pattern` is a relationship `r` between `(o:Symbol)`, the source, and `(s:Symbol)`.
    """
    ends = "offset(id(o)), offset(id(s)), label(r)"
    statement = f"MATCH (o:Symbol){pattern}(s:Symbol) WHERE o.id IN $ids RETURN {ends}, {properties}"
    return rows_for_ids(graph, statement, symbols_of(graph).ids_at(list(offsets)))
