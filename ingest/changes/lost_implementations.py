"""Find the places at which a type of Go is used as an interface that the type no longer implements."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ...schema.languages import language_of
from ...schema.paths import parent_of
from ...schema.records import Symbol
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import TreeState
from ..languages.registry import has_implicit_interfaces
from .changed_symbols import FilesWith

if TYPE_CHECKING:
    from .state_edges import StateEdges

#: The ids of a type and of an interface.
Pair = tuple[str, str]


class ChangedMethods(NamedTuple):
    """The types that lost a method, and the interfaces that gained or lost a method."""

    #: The names of these types.
    types: set[str]
    #: The names of these methods.
    methods: set[str]


def changed_method_sets(before: TreeState, after: TreeState, paths: Iterable[str]) -> ChangedMethods:
    """Return the types of some changed files whose methods changed, so that they may implement fewer interfaces."""
    found = ChangedMethods(set(), set())
    for path in paths:
        if has_implicit_interfaces(language_of(path)):
            was, now = _methods(before.symbols(path)), _methods(after.symbols(path))
            kinds = {symbol.qualified_name: symbol.kind for symbol in (*before.symbols(path), *after.symbols(path))}
            for method in (was - now) + (now - was):
                owner, name, _ = method
                if kinds.get(owner) == "interface" or method in was - now:
                    found.types.add(owner)
                    found.methods.add(name)
    return found


def _methods(symbols: Iterable[Symbol]) -> Counter[tuple[str, str, str]]:
    """Return the methods by the name of their type, their name and their signature."""
    return Counter(
        (each.qualified_name.rpartition(".")[0], each.name, each.signature) for each in symbols if each.kind == "method"
    )


def lost_implementations(
    before: TreeState,
    after: TreeState,
    old: Callable[[], StateEdges],
    new: Callable[[], StateEdges],
    words: Collection[str],
    files_with: FilesWith,
    deadline: float,
) -> set[Breakage]:
    """Return the places of the new state that use a type as an interface that the type implemented only in the old state.

    `words` come from `changed_method_sets`. Nothing more is read after `deadline`, in seconds of the monotonic clock.
    """
    if not words:
        return set()
    naming = _files(after, files_with(words))
    lost: set[Pair] = set()
    for path in sorted({*naming, *_declaring(after, naming)}):
        if time.monotonic() > deadline:
            return set()
        if path in before.files.sources:
            lost |= old().implemented_by(path) - new().implemented_by(path)
    declaring = _files(after, files_with({old().name_of(each).rpartition(".")[2] for pair in lost for each in pair}))
    known = {symbol.id: symbol for path in declaring for symbol in after.symbols(path)}
    lost = {(one, other) for one, other in lost if one in known and (other in known or ":" in other)}
    if not lost:
        return set()
    types = {known[one].name for one, _ in lost}
    interfaces = {new().name_of(other).rpartition(".")[2] for _, other in lost}
    makers = {
        symbol.name
        for symbol in chain.from_iterable(after.symbols(path) for path in _files(after, files_with(types)))
        if symbol.kind in ("function", "method") and any(name in symbol.signature for name in types)
    }
    found: set[Breakage] = set()
    for path in _files(after, files_with({*types, *interfaces, *makers})):
        if time.monotonic() > deadline:
            break
        for line, pair in new().conversions_of(path):
            if pair in lost:
                one, other = known[pair[0]].name, new().name_of(pair[1])
                found.add(Breakage(path, line, f"uses {one} as {other}, which it does not implement any more"))
    return found


def _files(after: TreeState, paths: Iterable[str]) -> list[str]:
    return sorted(path for path in paths if has_implicit_interfaces(language_of(path)) and path in after.files.sources)


def _declaring(after: TreeState, paths: Collection[str]) -> Iterator[str]:
    """Yield the files that declare the types of the methods in some files, and are in the same folders."""
    owners: dict[str, set[str]] = {}
    for path in paths:
        for symbol in after.symbols(path):
            if symbol.kind == "method":
                owners.setdefault(parent_of(path), set()).add(symbol.qualified_name.rpartition(".")[0])
    for path in after.files.sources if owners else ():
        names = owners.get(parent_of(path), set()) if has_implicit_interfaces(language_of(path)) else set()
        if names and any(symbol.name in names and symbol.kind != "method" for symbol in after.symbols(path)):
            yield path
