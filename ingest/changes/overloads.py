"""Compare declarations in languages with overloads, in which a function with other types of parameters is another function."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from ...schema.records import Symbol
from ..incremental.tree_state import TreeState
from .changed_symbols import SymbolSide
from .written_types import WrittenTypes

_Key = tuple[str, str, tuple[str, ...] | None]


def lost_overloads(before: TreeState, after: TreeState, path: str, kinds: Collection[str]) -> dict[str, SymbolSide]:
    """Return the declarations of a file that the change removed, renamed, or gave other types of parameters, by id.

    Only declarations of some kinds and constructors count.
    """
    kept = Counter(_keys(after, path))
    found: dict[str, SymbolSide] = {}
    for symbol, key in zip(before.symbols(path), _keys(before, path), strict=True):
        if kept[key] > 0:
            kept[key] -= 1
        elif symbol.kind in kinds or symbol.kind == "constructor":
            found[symbol.id] = SymbolSide.of(symbol, symbol.qualified_name)
    return found


def _keys(state: TreeState, path: str) -> list[_Key]:
    """Return the keys that distinguish the declarations of a file, in the order of its symbols."""
    facts = state.facts(path)
    if facts is None:
        return []
    types = WrittenTypes(facts)
    return [(each.kind, each.qualified_name, types.parameters(place)) for place, each in enumerate(state.symbols(path))]


def marked_line(symbol: Symbol, lines: Sequence[bytes], mark: re.Pattern[bytes] | None) -> int:
    """Return the line with the mark of a method that must override another method; 0 if there is no such line."""
    end = min(symbol.name_line, len(lines))
    lines_of_head = range(symbol.declaration_line, end + 1) if mark is not None else ()
    return next((line for line in lines_of_head if mark is not None and mark.search(lines[line - 1])), 0)
