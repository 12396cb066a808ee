"""Compute the surface of a file: for each exported name, a digest of everything that resolution may read through it.

The slice of a name consists of its declarations and the parts of the file that the declarations reach: annotations, initializers,
bodies of functions whose result type is inferred, members, heritage, and members that assignments add. Positions, and bodies of
functions with a declared result type, are omitted. A name whose slice is unchanged does not change the resolution of any other
file.

A slice also lists the imported names that its declarations reach. If one of these names changes, the slice changes, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from ..facts.model import DeclKind, Export, FileFacts, MemberKind, Scope
from .closure import Closed, Closures, Node
from .item_walk import FileTables, ItemWalk
from .taken_names import WHOLE, Taken

#: Name of the scope of `declare global` in facts.
_GLOBAL = "global"
#: Kinds of members that are accessed by name.
_NAMED = (MemberKind.PROPERTY, MemberKind.METHOD, MemberKind.GETTER, MemberKind.SETTER)


class Surface(NamedTuple):
    """The surface of a file."""

    #: By exported name ("=" for a module whose whole value is exported), the digest of the slice, and the imported names in the
    #: slice.
    names: dict[str, Closed]
    #: Imports from which all names are re-exported.
    stars: frozenset[int]
    #: Digest of everything else that affects the look-up of exported names.
    form: bytes
    #: The slice of global declarations and `declare module`, or None if there are none.
    ambient: Closed | None
    #: The part of `ambient` for each global name.
    globals: dict[str, Closed]
    #: The part of `ambient` for `declare module`.
    modules: Closed | None
    #: By global name: the member names of an interface. None for any other declaration, because a file can use it without naming
    #: a member.
    global_members: dict[str, frozenset[str] | None]
    #: Names of the interfaces in `declare module` blocks and of their members. None if a file can use a declaration of a block
    #: without writing one of these names.
    module_words: frozenset[str] | None


def surface_of(facts: FileFacts, symbols: list[str], *, is_script: bool, implied: Iterable[Export] = ()) -> Surface:
    """Return the surface of a file; `symbols` has the ids of its symbols. The names at the root of a script are global.

    `implied` are exports that the file does not write.
    """
    walk = Slicer(facts, symbols)
    names: dict[str, list[Export]] = {}
    for entry in (*facts.exports, *implied):
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
    globals_, modules = walk.globals(with_root=is_script), walk.modules()
    parts = [*globals_.values(), *([modules] if modules is not None else ())]
    ambient = None
    if modules is not None or walk.has_globals(with_root=is_script):
        named = repr(sorted((name, closed.digest) for name, closed in globals_.items())).encode()
        digest = blake2b(named + (modules.digest if modules is not None else b""), digest_size=16).digest()
        ambient = Closed(digest, frozenset[Taken]().union(*(part.labels for part in parts)))
    return Surface(
        {name: walk.slice(entries) for name, entries in names.items()},
        stars,
        form.encode(),
        ambient,
        globals_,
        modules,
        walk.global_members(with_root=is_script),
        walk.module_words(),
    )


class Slicer(FileTables):
    """Computes the slices of a file."""

    def __init__(self, facts: FileFacts, symbols: list[str]) -> None:
        super().__init__(facts, symbols)
        self._items: dict[int, Node] = {}
        self._closures = Closures(self.item)
        self._added: Closed | None = None

    def slice(self, entries: Iterable[Export]) -> Closed:
        """Return the slice of an exported name."""
        walk = ItemWalk(self)
        for entry in entries:
            walk.export(entry)
        return self.closed(walk.done())

    def has_globals(self, *, with_root: bool) -> bool:
        """Return whether there is a scope for globals, even an empty one."""
        return bool(self._global_scopes(with_root))

    def globals(self, *, with_root: bool) -> dict[str, Closed]:
        """Return, for each global name, everything that it reaches."""
        found = {}
        for name, entries in self._global_bindings(with_root).items():
            walk = ItemWalk(self)
            for binding, exported in entries:
                walk.scope("global", {name: binding}, [name] if exported else [])
            found[name] = self.closed(walk.done())
        return found

    def global_members(self, *, with_root: bool) -> dict[str, frozenset[str] | None]:
        """Return the member names of each global interface, by its name; None for globals that are not only interfaces."""
        bindings = self.facts.bindings
        return {
            name: self._members(decl for binding, _ in entries for decl in bindings[binding].decls)
            for name, entries in self._global_bindings(with_root).items()
        }

    def module_words(self) -> frozenset[str] | None:
        """Return names, at least one of which a file must contain to be affected by a change of `declare module`.

        Returns None if the change may affect a file without these names.
        """
        found: set[str] = set()
        for scope in self._module_scopes():
            for name, binding in scope.names.items():
                members = self._members(self.facts.bindings[binding].decls)
                if members is None or scope.exports:
                    return None
                found |= {name, *members}
        exported = any(scope.ambient == _GLOBAL and scope.exports for scope in self.facts.scopes.values())
        return None if exported else frozenset(found)

    def _module_scopes(self) -> list[Scope]:
        return [scope for scope in self.facts.scopes.values() if scope.ambient and scope.ambient != _GLOBAL]

    def _members(self, decls: Iterable[int]) -> frozenset[str] | None:
        found: set[str] = set()
        for decl in map(self.facts.decls.__getitem__, decls):
            if decl.kind != DeclKind.INTERFACE:
                return None
            shape = self.facts.shapes[decl.a]
            if shape.extends or any(member.kind not in _NAMED for member in shape.members):
                return None
            found.update(member.name for member in shape.members)
        return frozenset(found)

    def _global_bindings(self, with_root: bool) -> dict[str, list[tuple[int, bool]]]:
        """Return the bindings of each global name, each with whether it is exported."""
        found: dict[str, list[tuple[int, bool]]] = {}
        for scope in self._global_scopes(with_root):
            for name, binding in scope.names.items():
                found.setdefault(name, []).append((binding, name in scope.exported))
        return found

    def modules(self) -> Closed | None:
        """Return everything that `declare module` declares and reaches, and the global exports; None if there is nothing."""
        others = self._module_scopes()
        exports = [entry for scope in self.facts.scopes.values() if scope.ambient == _GLOBAL for entry in scope.exports]
        if not others and not exports:
            return None
        walk = ItemWalk(self)
        for scope in others:
            walk.scope(scope.ambient, scope.names, scope.exported)
            exports += scope.exports
        for entry in exports:
            walk.export(entry)
        return self.closed(walk.done())

    def _global_scopes(self, with_root: bool) -> list[Scope]:
        return [scope for index, scope in self.facts.scopes.items() if scope.ambient == _GLOBAL or (with_root and index == 0)]

    def item(self, key: int) -> Node:
        """Return the node for a key: the index of a binding, or -1 minus the index of a shape."""
        found = self._items.get(key)
        if found is None:
            walk = ItemWalk(self)
            if key >= 0:
                walk.binding(key)
            else:
                walk.shape(-1 - key)
            found = self._items[key] = walk.done()
        return found

    def closed(self, root: Node) -> Closed:
        return self._close(root, self._assigned_members())

    def _assigned_members(self) -> Closed:
        """Return all members that assignments add to any target."""
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
