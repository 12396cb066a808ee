"""Call trees of a symbol over several hops: fetched a hop at a time, and cut where a branch closes a circle."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ..graphdb.call_queries import CallNeighbour, callees, callers
from ..graphdb.database import GraphDatabase
from ..graphdb.symbol_queries import descendants
from .structure import CallNode, GraphSymbol

#: Symbols in one tree's graph; a traversal without a depth would follow a whole repository.
MOST_SYMBOLS = 400
#: Nodes of one tree: a symbol stands in it once for each way to it.
MOST_NODES = 400

#: The end of a statement's first line: a callback that begins there, and brackets.
_LEFT_OPEN = re.compile(
    r"""(?:(?:,\s*|(?<=\())(?:async\s*)?(?:(?:\([^()]*\)|[\w$]+)\s*=>|function\b\s*[\w$]*\([^()]*\)))?\s*[{\[,]*\s*$"""
)

_Hop = Callable[[Iterable[str]], Mapping[str, list[GraphSymbol]]]


class _Named(Protocol):
    """What every record of a symbol has."""

    @property
    def id(self) -> str: ...
    @property
    def qualified_name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def relative_path(self) -> str: ...


def graph_symbol(symbol: _Named) -> GraphSymbol:
    """A symbol as answers name it."""
    label = _closed(symbol.qualified_name) if symbol.kind == "expression" else symbol.qualified_name
    return GraphSymbol(symbol.id, label, symbol.relative_path, symbol.kind)


def _closed(statement: str) -> str:
    """The first line of a statement without what it leaves open: `test('x', () => {` is `test('x')`."""
    head = _LEFT_OPEN.sub("", statement)
    return head + ")" * (head.count("(") - head.count(")"))


def callee_tree(graph: GraphDatabase, symbol: _Named, depth: int) -> tuple[CallNode, ...]:
    """What a symbol calls, what that calls, and so on for `depth` hops (-1: all).

    What its nested functions call counts as its own.
    """

    def hop(ids: Iterable[str]) -> Mapping[str, list[GraphSymbol]]:
        owner = {id: id for id in ids}
        for entry in descendants(graph, list(owner)):
            owner[entry.descendant.id] = entry.symbol_id
        return _grouped(callees(graph, owner), owner)

    return _tree(hop, symbol.id, depth)


def caller_tree(graph: GraphDatabase, symbol: _Named, depth: int) -> tuple[CallNode, ...]:
    """What calls a symbol, what calls that, and so on for `depth` hops (-1: all)."""
    return _tree(lambda ids: _grouped(callers(graph, ids), {}), symbol.id, depth)


def _grouped(calls: Iterable[CallNeighbour], owner: Mapping[str, str]) -> dict[str, list[GraphSymbol]]:
    found: dict[str, dict[str, GraphSymbol]] = {}
    for call in calls:
        source = owner.get(call.symbol_id, call.symbol_id)
        # A call of one's own nested function stays within.
        if owner.get(call.neighbour.id) != source or call.neighbour.id == source:
            found.setdefault(source, {}).setdefault(call.neighbour.id, graph_symbol(call.neighbour))
    return {source: list(targets.values()) for source, targets in found.items()}


def _tree(hop: _Hop, start: str, depth: int) -> tuple[CallNode, ...]:
    """Fetches one hop more than is shown, to know which branches go on."""
    links: dict[str, list[GraphSymbol]] = {}
    frontier = [start]
    hops = 0
    while frontier and len(links) < MOST_SYMBOLS and (depth < 0 or hops <= depth):
        links.update({id: [] for id in frontier} | dict(hop(frontier)))
        frontier = list(dict.fromkeys(symbol.id for id in frontier for symbol in links[id] if symbol.id not in links))
        hops += 1
    return _grow(links, start, depth)


def _grow(links: Mapping[str, list[GraphSymbol]], start: str, depth: int) -> tuple[CallNode, ...]:
    budget = MOST_NODES

    def children(id: str, above: frozenset[str], level: int) -> tuple[CallNode, ...]:
        nonlocal budget
        nodes = []
        for symbol in links.get(id, ()):
            if budget <= 0:
                break
            budget -= 1
            is_cycle = symbol.id in above
            goes_on = not is_cycle and bool(links.get(symbol.id, symbol.id not in links))
            is_limited = goes_on and (level == depth or symbol.id not in links)
            below = () if is_cycle or is_limited else children(symbol.id, above | {symbol.id}, level + 1)
            nodes.append(CallNode(symbol, below, is_cycle, is_limited))
        return tuple(nodes)

    return children(start, frozenset((start,)), 1)
