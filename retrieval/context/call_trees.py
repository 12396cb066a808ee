"""Compute call trees of several hops for the connection graph."""

from __future__ import annotations

import re

from ...graphdb.database import GraphDatabase
from ...graphdb.symbols.symbol_table import symbols_of
from ...graphdb.traversal.edge_expanders import CallsOut, calls_in
from ...graphdb.traversal.walk import walk
from ...schema.records import SymbolRef
from ..analyses.call_hierarchy import HOLDER_KINDS
from ..analyses.call_tree import Call, grow_callees, grow_callers
from .result_context import CallNode, GraphSymbol

#: Maximum number of symbols in a call tree. A traversal of unlimited depth may visit a whole repository.
MAX_SYMBOLS = 400

#: End of the first line of an incomplete statement: the beginning of a callback, or opening brackets.
_LEFT_OPEN = re.compile(
    r"""(?:(?:,\s*|(?<=\())(?:async\s*)?(?:(?:\([^()]*\)|[\w$]+)\s*=>|function\b\s*[\w$]*\([^()]*\)))?\s*[{\[,]*\s*$"""
)


#: Separator in qualified names between a callback and a declaration inside the callback.
_IN_CALLBACK = re.compile(r"(?: callback|(?<=\))\.callback)\.")
#: Parts of qualified names that are patterns or lists: `{ a, b }` for `const { a, b } = …`, and `a, b` for `var a = 1, b = 2`.
_PATTERN = re.compile(r"(?:^|(?<=\.))\{[^{}]*\}\.|^\[[^\[\]]*\]\.|^[\w$]+,[\w$, ]*\.")
_IDENTIFIER = re.compile(r"[\w$]+")


def graph_symbol(symbol: SymbolRef) -> GraphSymbol:
    """Return a symbol with its label for answers."""
    name = _PATTERN.sub("", symbol.qualified_name)
    label = _closed(name) if symbol.kind == "expression" else _without_callbacks(name)
    return GraphSymbol(symbol.id, label, symbol.relative_path, symbol.kind)


def _without_callbacks(qualified_name: str) -> str:
    """Return a short label for a declaration inside callbacks, such as `Panel … useMemo callback` or `it('x')`."""
    *around, last = _IN_CALLBACK.split(qualified_name)
    if not around:
        return qualified_name
    root = around[0].split(".")[0]
    if _IDENTIFIER.fullmatch(root):
        return f"{root} … {last}"
    # The label of a test is its title, possibly cut, without the titles of enclosing tests.
    name = last.removesuffix(" callback")
    return name if name.endswith(")") else f"{name.rstrip()}…)" if "(" in name and name != last else last


def _closed(statement: str) -> str:
    """Return the first line of a statement without its open part: `test('x', () => {` becomes `test('x')`."""
    head = _LEFT_OPEN.sub("", statement)
    return head + ")" * (head.count("(") - head.count(")"))


def callee_tree(graph: GraphDatabase, symbol: SymbolRef, depth: int) -> tuple[CallNode, ...]:
    """Return the callees of a symbol over `depth` hops (-1: all).

    Calls in nested functions count as calls of the symbol.
    """
    seeds = symbols_of(graph).offsets([symbol.id])
    whole = frozenset(seeds if symbol.kind in HOLDER_KINDS else ())
    seen = walk(graph, CallsOut(graph, whole), seeds, depth, most=MAX_SYMBOLS, peek=1)
    return _nodes(grow_callees(seen, seeds, seen.distances, depth))


def caller_tree(graph: GraphDatabase, symbol: SymbolRef, depth: int) -> tuple[CallNode, ...]:
    """Return the callers of a symbol over `depth` hops (-1: all)."""
    seeds = symbols_of(graph).offsets([symbol.id])
    seen = walk(graph, calls_in(graph), seeds, depth, most=MAX_SYMBOLS, peek=1)
    return _nodes(grow_callers(seen, seeds, depth))


def _nodes(calls: tuple[Call, ...]) -> tuple[CallNode, ...]:
    return tuple(
        CallNode(graph_symbol(call.symbol), _nodes(call.calls), call.cyclic, call.depth_limited or call.repeated)
        for call in calls
    )
