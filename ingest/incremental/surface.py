"""What other files can see of a file: for each exported name a digest of everything that resolution may read through it.

A name's slice is its declarations and all that these reach inside the file: annotations, initialisers and results that
are to be inferred, members, heritage, and what assignments add. Positions are left out, and so are bodies behind a declared
result. When the slice of a name is the same as before, no other file resolves differently because of it.

A slice also tells which names of which imports it reaches: when one of those changes, the slice changes with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from ..facts import Export, FileFacts
from .closure import Closed, Closures, Node
from .item_walk import FileTables, ItemWalk
from .taken_names import WHOLE


class Surface(NamedTuple):
    """What can be seen of a file."""

    #: By exported name, "=" for a module that is one value: the digest of its slice, and the names taken from imports in it.
    names: dict[str, Closed]
    #: Imports that all names are passed on from.
    stars: frozenset[int]
    #: What decides how any of the names is found.
    form: bytes
    #: The slice of what is declared for everybody, globals and `declare module`; None where nothing is.
    ambient: Closed | None


def surface_of(facts: FileFacts, symbols: list[str], *, is_declaration_file: bool) -> Surface:
    """The surface of a file; `symbols` are the ids of its symbols."""
    walk = _Slicer(facts, symbols)
    names: dict[str, list[Export]] = {}
    for entry in facts.exports:
        if entry.name != WHOLE:
            names.setdefault(entry.name, []).append(entry)
    stars = frozenset(entry.source for entry in facts.exports if entry.name == WHOLE and entry.source >= 0)
    is_es = any(entry.form in ("import", "export") for entry in facts.imports)
    form = repr(
        (
            facts.is_module,
            is_es,
            facts.language,
            [(facts.imports[e.source].specifier, e.type_only) for e in facts.exports if e.name == WHOLE and e.source >= 0],
        )
    )
    ambient = walk.ambient(with_root=is_declaration_file and not facts.is_module)
    return Surface({name: walk.slice(entries) for name, entries in names.items()}, stars, form.encode(), ambient)


class _Slicer(FileTables):
    def __init__(self, facts: FileFacts, symbols: list[str]) -> None:
        super().__init__(facts, symbols)
        self._items: dict[int, Node] = {}
        self._closures = Closures(self.item)
        self._added: Closed | None = None

    def slice(self, entries: Iterable[Export]) -> Closed:
        """Everything that some exports of one name reach."""
        walk = ItemWalk(self)
        for entry in entries:
            walk.export(entry)
        return self._closed(walk.done())

    def ambient(self, *, with_root: bool) -> Closed | None:
        """Everything that ambient scopes declare and reach."""
        scopes = [(index, scope) for index, scope in self.facts.scopes.items() if scope.ambient or (with_root and index == 0)]
        if not scopes:
            return None
        walk = ItemWalk(self)
        for _, scope in scopes:
            walk.scope(scope.ambient, scope.names, scope.exported)
            for entry in scope.exports:
                walk.export(entry)
        return self._closed(walk.done())

    def item(self, key: int) -> Node:
        """A binding or shape by itself, and what it refers to: bindings by their number, shapes by -1 minus theirs."""
        found = self._items.get(key)
        if found is None:
            walk = ItemWalk(self)
            if key >= 0:
                walk.binding(key)
            else:
                walk.shape(-1 - key)
            found = self._items[key] = walk.done()
        return found

    def _closed(self, root: Node) -> Closed:
        return self._close(root, self._what_is_added())

    def _what_is_added(self) -> Closed:
        """What assignments add, to whatever."""
        if self._added is None:
            walk = ItemWalk(self)
            for expando in self.facts.expandos:
                walk.expando(expando)
            self._added = self._close(walk.done(), Closed(b"", frozenset()))
        return self._added

    def _close(self, root: Node, more: Closed) -> Closed:
        reached = [self._closures.of(key) for key in root.targets]
        digest = blake2b(b"".join((root.digest, more.digest, *(closed.digest for closed in reached))), digest_size=16)
        return Closed(digest.digest(), root.labels.union(more.labels, *(closed.labels for closed in reached)))
