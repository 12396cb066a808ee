"""Call trees of a symbol over several hops, as the connection graph shows them."""

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

#: Symbols in one tree's graph; a traversal without a depth would follow a whole repository.
MAX_SYMBOLS = 400

#: The end of a statement's first line: a callback that begins there, and brackets.
_LEFT_OPEN = re.compile(
    r"""(?:(?:,\s*|(?<=\())(?:async\s*)?(?:(?:\([^()]*\)|[\w$]+)\s*=>|function\b\s*[\w$]*\([^()]*\)))?\s*[{\[,]*\s*$"""
)


#: A declaration in a callback, and one in the callback of the statement around it.
_IN_CALLBACK = re.compile(r"(?: callback|(?<=\))\.callback)\.")
#: The declarations of `const { a, b } = …` are within the pattern, and those of `var a = 1, b = 2` in the statement.
_PATTERN = re.compile(r"(?:^|(?<=\.))\{[^{}]*\}\.|^\[[^\[\]]*\]\.|^[\w$]+,[\w$, ]*\.")
_IDENTIFIER = re.compile(r"[\w$]+")


def graph_symbol(symbol: SymbolRef) -> GraphSymbol:
    """Return a symbol as answers name it."""
    name = _PATTERN.sub("", symbol.qualified_name)
    label = _closed(name) if symbol.kind == "expression" else _without_callbacks(name)
    return GraphSymbol(symbol.id, label, symbol.relative_path, symbol.kind)


def _without_callbacks(qualified_name: str) -> str:
    """Return a nested declaration, named by itself and by the declaration around the callback: `Panel … useMemo callback`,
    `it('x')`.
    """
    *around, last = _IN_CALLBACK.split(qualified_name)
    if not around:
        return qualified_name
    root = around[0].split(".")[0]
    if _IDENTIFIER.fullmatch(root):
        return f"{root} … {last}"
    # A test is called by its title, which may be cut short; the tests around it are not.
    name = last.removesuffix(" callback")
    return name if name.endswith(")") else f"{name.rstrip()}…)" if "(" in name and name != last else last


def _closed(statement: str) -> str:
    """Return the first line of a statement without its open part: `test('x', () => {` becomes `test('x')`."""
    head = _LEFT_OPEN.sub("", statement)
    return head + ")" * (head.count("(") - head.count(")"))


def callee_tree(graph: GraphDatabase, symbol: SymbolRef, depth: int) -> tuple[CallNode, ...]:
    """Return the callees of a symbol, their callees, and so on for `depth` hops (-1: all).

    Calls in nested functions count as calls of the symbol.
    """
    seeds = symbols_of(graph).offsets([symbol.id])
    whole = frozenset(seeds if symbol.kind in HOLDER_KINDS else ())
    seen = walk(graph, CallsOut(graph, whole), seeds, depth, most=MAX_SYMBOLS, peek=1)
    return _nodes(grow_callees(seen, seeds, seen.distances, depth))


def caller_tree(graph: GraphDatabase, symbol: SymbolRef, depth: int) -> tuple[CallNode, ...]:
    """Return the callers of a symbol, their callers, and so on for `depth` hops (-1: all)."""
    seeds = symbols_of(graph).offsets([symbol.id])
    seen = walk(graph, calls_in(graph), seeds, depth, most=MAX_SYMBOLS, peek=1)
    return _nodes(grow_callers(seen, seeds, depth))


def _nodes(calls: tuple[Call, ...]) -> tuple[CallNode, ...]:
    return tuple(
        CallNode(graph_symbol(call.symbol), _nodes(call.calls), call.cyclic, call.depth_limited or call.repeated)
        for call in calls
    )
