"""The one traversal behind call trees, type hierarchies and impact: hop by hop, bounded, and safe from cycles.

A walk goes over internal offsets, which the engine compares far faster than ids, and asks one question for all symbols of
a hop. On 40,000 symbols a hop from ten takes 5 ms of processor time, from a thousand 40 ms. Links of no cost, such as that
from a function to one nested in it, are followed within the hop.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from ..schema import ddl
from .database import GraphDatabase
from .symbol_queries import property_list

#: Offsets of nodes in the table of symbols.
Offsets = Collection[int]


class TracedSymbol(msgspec.Struct, frozen=True, gc=False):
    """A symbol as analyses name it: fields as in `graph.cypher`."""

    id: str
    name: str
    qualified_name: str
    kind: str
    relative_path: str
    start_line: int
    end_line: int
    declaration_line: int
    modifiers: tuple[str, ...]
    exported: bool

    @property
    def is_abstract(self) -> bool:
        """Whether it is declared abstract."""
        return "abstract" in self.modifiers

    @property
    def place(self) -> str:
        """`path:line`, with the line of the declaration."""
        return f"{self.relative_path}:{self.declaration_line}"


class Link(msgspec.Struct, frozen=True, gc=False):
    """A step of a walk along one edge, from the symbol it stood at to `symbol`."""

    source: int
    target: int
    #: Table of the edge.
    label: str
    #: What stands at `target`.
    symbol: TracedSymbol
    #: Of a reference, else "".
    role: str = ""
    #: Of the sites; of heritage its only line.
    lines: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    #: Of a call, else "".
    form: str = ""
    evidence: str = ""
    #: Hops that it counts.
    cost: int = 1


#: All links from some symbols, in the order in which an answer shows them.
Hop = Callable[[Offsets], Iterable[Link]]


class Walk(msgspec.Struct, frozen=True):
    """What a walk has seen."""

    #: Hops from the seeds, which have 0; in the order in which symbols were reached.
    distances: Mapping[int, int]
    #: Symbols that were reached, seeds that nothing led to aside.
    symbols: Mapping[int, TracedSymbol]
    #: Links by the symbol that they start from; empty for a symbol from which nothing leads on.
    links: Mapping[int, Sequence[Link]]
    #: Symbols that were reached, and from which the walk did not go on: too far, or too many.
    unexplored: frozenset[int]


def walk(hop: Hop, seeds: Offsets, depth: int, most: int | None = None) -> Walk:
    """Follows links for `depth` hops (-1: until nothing is new), each symbol once, at its smallest distance.

    From a hop that begins with more than `most` known symbols the walk does not go on.
    """
    distances = dict.fromkeys(seeds, 0)
    symbols: dict[int, TracedSymbol] = {}
    links: dict[int, list[Link]] = {}
    frontier = list(distances)
    hops = 0
    while frontier and hops != depth and (most is None or len(distances) <= most):
        hops += 1
        further: dict[int, None] = {}
        while frontier:
            links.update((offset, []) for offset in frontier)
            within: dict[int, None] = {}
            for link in hop(frontier):
                links[link.source].append(link)
                symbols.setdefault(link.target, link.symbol)
                if link.cost == 0 and distances.get(link.target, hops) >= hops and link.target not in links:
                    distances[link.target] = hops - 1
                    further.pop(link.target, None)
                    within[link.target] = None
                elif link.target not in distances:
                    distances[link.target] = hops
                    further[link.target] = None
            frontier = list(within)
        frontier = list(further)
    return Walk(distances, symbols, links, frozenset(frontier))


#: Columns of a link's symbol in a RETURN clause, where it is called `s`.
SYMBOL = property_list(TracedSymbol, "s")
_SYMBOL_LENGTH = len(TracedSymbol.__struct_fields__)
#: The head of each statement of a hop: from the symbols `o` on the walk to those beyond, `s`.
_ENDS = f"offset(id(o)), offset(id(s)), label(r), {SYMBOL}"


def offsets_of(graph: GraphDatabase, ids: Collection[str]) -> list[int]:
    """Internal offsets of the symbols that exist among the ids, in no order."""
    return graph.node_offsets(ddl.tables()["Symbol"], ids)


def linked(
    graph: GraphDatabase, pattern: str, offsets: Offsets, properties: str = "", condition: str = ""
) -> list[tuple[Any, ...]]:
    """Rows of one hop: source, target, label and symbol, then the properties.

    `pattern` is a relationship `r` between `(o:Symbol)` and `(s:Symbol)`.
    """
    if not offsets:
        return []
    more = f" AND {condition}" if condition else ""
    also = f", {properties}" if properties else ""
    statement = f"MATCH (o:Symbol){pattern}(s:Symbol) WHERE offset(id(o)) IN $offsets{more} RETURN {_ENDS}{also}"
    end = 3 + _SYMBOL_LENGTH
    return [
        (row[0], row[1], row[2], TracedSymbol(*row[3:end]), *row[end:])
        for row in graph.rows(statement, {"offsets": list(offsets)})
    ]
