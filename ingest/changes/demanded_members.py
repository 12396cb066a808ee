"""Find the classes that lack a member which a changed interface or abstract class demands now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from ...schema.languages import language_of
from ...schema.records import Symbol
from ..facts.model import FileFacts
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import TreeState
from ..languages.change_rules import Demands
from ..languages.registry import change_rules, has_overloads
from .changed_symbols import FilesWith, is_abstract
from .written_types import WrittenTypes

if TYPE_CHECKING:
    from .state_edges import StateEdges

_TYPES: Final = frozenset(("class", "interface"))
_MEMBERS: Final = frozenset(("method", "property"))
#: The name of a member and, in a language with overloads, the number of its parameters.
_Key = tuple[str, int]


def demanded_members(
    before: TreeState,
    after: TreeState,
    new: Callable[[], StateEdges],
    changed: Iterable[str],
    files_with: FilesWith,
    deadline: float,
) -> set[Breakage]:
    """Return the classes of the new state that lack a member which a type in a changed file demands only in this state.

    A class with a base outside of the repository may inherit the member, so such a class is left out. Nothing more is read after
    `deadline`, in seconds of the monotonic clock.
    """
    pending = [(owner, member) for path in changed for owner, member in _gained(before, after, path)]
    found: set[Breakage] = set()
    seen: set[tuple[str, str]] = set()
    naming: dict[str, list[str]] = {}
    while pending and time.monotonic() < deadline:
        owner, member = pending.pop()
        if (owner.id, member.id) in seen:
            continue
        seen.add((owner.id, member.id))
        if owner.name not in naming:
            found_in = (path for path in files_with({owner.name}) if path in after.files.sources)
            naming[owner.name] = [path for path in found_in if change_rules(language_of(path)).demands == Demands.DECLARED]
        for path in naming[owner.name]:
            heirs = {edge.from_id for edge in new().heritage_of(path) if edge.to_id == owner.id and not edge.method_set}
            for heir in after.symbols(path) if heirs else ():
                if heir.id not in heirs:
                    continue
                if heir.kind == "interface" or is_abstract(heir):
                    pending.append((heir, member))
                elif _lacks(after, new(), heir, member):
                    reason = f"declares {heir.name}, which does not implement {member.qualified_name}"
                    found.add(Breakage(path, heir.name_line, reason))
    return found


def _gained(before: TreeState, after: TreeState, path: str) -> Iterator[tuple[Symbol, Symbol]]:
    """Yield the types of a file that demand a member only in the new state, each with the member."""
    facts = after.facts(path) if change_rules(language_of(path)).demands == Demands.DECLARED else None
    if facts is None:
        return
    old_types = {symbol.qualified_name for symbol in before.symbols(path) if symbol.kind in _TYPES}
    demanded = {
        (symbol.qualified_name, key)
        for place, symbol, key in _members(before, path)
        if _is_demanded(before.facts(path), place, symbol)
    }
    types = {symbol.qualified_name: symbol for symbol in after.symbols(path) if symbol.kind in _TYPES}
    for place, symbol, key in _members(after, path):
        owner = symbol.qualified_name.rpartition(".")[0]
        is_new = owner in old_types and owner in types and (symbol.qualified_name, key) not in demanded
        if is_new and _is_demanded(facts, place, symbol):
            yield types[owner], symbol


def _members(state: TreeState, path: str) -> Iterator[tuple[int, Symbol, _Key]]:
    """Yield the members in a file: the place of each among the symbols of the file, the symbol and its key."""
    facts = state.facts(path)
    types = WrittenTypes(facts) if facts is not None and has_overloads(facts.language) else None
    for place, symbol in enumerate(state.symbols(path)):
        if symbol.kind in _MEMBERS:
            yield place, symbol, (symbol.name, len(types.parameters(place) or ()) if types is not None else 0)


def _is_demanded(facts: FileFacts | None, place: int, symbol: Symbol) -> bool:
    """Return whether a class that is not abstract must have a member of one of its bases."""
    if facts is None:
        return False
    parent = facts.symbols[facts.symbols[place].parent] if facts.symbols[place].parent >= 0 else None
    if parent is None or parent.kind not in _TYPES:
        return False
    if parent.kind == "class":
        return is_abstract(symbol)
    if symbol.kind == "property":
        return not has_overloads(facts.language) and not symbol.signature.removeprefix("readonly ").startswith(f"{symbol.name}?")
    bodies = [function.has_body for function in facts.functions if function.symbol == place]
    return bodies == [False] and not symbol.signature.startswith(f"{symbol.name}?")


def _lacks(state: TreeState, edges: StateEdges, heir: Symbol, member: Symbol) -> bool:
    """Return whether neither a class nor any of its bases certainly implements a member that one of the bases demands."""
    wanted = next(key for _, symbol, key in _members(state, member.relative_path) if symbol.id == member.id)
    pending, seen = [heir], {heir.id}
    while pending:
        symbol = pending.pop()
        path = symbol.relative_path
        for _, each, key in _members(state, path):
            is_own = each.id != member.id and each.qualified_name == f"{symbol.qualified_name}.{each.name}"
            if is_own and (key == wanted or (each.name == member.name and each.kind == "property")):
                return False
        if edges.has_unknown_base(path, symbol.qualified_name):
            return False
        for edge in edges.heritage_of(path):
            if edge.from_id == symbol.id and edge.to_id not in seen:
                seen.add(edge.to_id)
                base = edges.symbol_of(edge.to_id)
                if edge.to_external or base is None:
                    return False
                pending.append(base)
    return True
