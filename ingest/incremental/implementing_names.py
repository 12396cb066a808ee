"""Find the files that may read changed declarations in a language in which a type implements an interface by having its methods.

A file reads declarations of its package and of the packages that it imports, directly or not. A change affects the files among
them that contain the name of a changed declaration. If a changed declaration is a type, it also affects the files with a name
whose declaration mentions the type, directly or through other declarations.

A type may implement an interface without an import between their files. Edges of implementation therefore change in further
files:

- If methods, fields or embedded types of a type change, the type and all types that embed it may implement other interfaces.
These edges are in the files that declare such a type, its methods, and the methods of its embedded types.
- If an interface changes, the edges of all types that have its methods may change.
- The interfaces of imported packages outside of the repository count, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, NamedTuple

from ...schema.paths import parent_of
from ..facts.model import FileFacts
from .file_links import FileLinks, target_path
from .package_names import Entry, changed_entries, entries_of

#: Forms of the names of types.
_TYPES: Final = ("type", "plain", "interface", "alias")


class _Type(NamedTuple):
    """The name of a type, and the folder of its package."""

    folder: str
    name: str


class ChangedPackages:
    """The changed declarations of one language."""

    def __init__(self) -> None:
        #: Changed declarations by the path of their file, as they were and as they are.
        self.entries: Final[dict[str, list[Entry]]] = {}

    def compare(self, path: str, before: FileFacts | None, after: FileFacts | None) -> None:
        """Add the declarations of a file that differ."""
        different = changed_entries(before, after)
        if different:
            self.entries[path] = different


def files_of_changes(changed: ChangedPackages, before: Mapping[str, FileLinks], after: Mapping[str, FileLinks]) -> set[str]:
    """Return the paths of the files that may read changed declarations. `before` and `after` have all files of the language."""
    if _outside(before) != _outside(after):
        return set(after)
    if not changed.entries:
        return set()
    folders = _importing({parent_of(path) for path in changed.entries}, before, after)
    state = _Declarations(changed, before, after)
    wanted, carriers = _wanted(changed, [entry for path, entry in state.entries if parent_of(path) in folders])
    found = {
        path for path, links in after.items() if parent_of(path) in folders and not wanted.isdisjoint(links.words.split("\n"))
    }
    touched = state.touched(folders, carriers)
    for each in touched:
        found |= state.files_around(each)
        for methods in state.interfaces.get(each, ()):
            holders = state.holders_of(methods)
            if holders is None:
                return set(after)
            for holder in holders:
                found |= state.files_around(holder)
    return found & after.keys()


def _outside(links: Mapping[str, FileLinks]) -> set[tuple[str, str]]:
    """Return the imports of packages outside of the repository, each with its target."""
    resolved = {pair for entry in links.values() for pair in entry.resolved.items()}
    return {(specifier, target) for specifier, target in resolved if target_path(target) is None}


def _importing(folders: set[str], *states: Mapping[str, FileLinks]) -> set[str]:
    """Return some folders, and all folders that import these folders in one of two states, directly or not."""
    importers: dict[str, set[str]] = {}
    for links in states:
        for path, entry in links.items():
            for target in entry.resolved.values():
                source = target_path(target)
                if source is not None:
                    importers.setdefault(parent_of(source), set()).add(parent_of(path))
    waiting, seen = list(folders), set(folders)
    while waiting:
        for folder in importers.get(waiting.pop(), ()):
            if folder not in seen:
                seen.add(folder)
                waiting.append(folder)
    return seen


def _wanted(changed: ChangedPackages, entries: Iterable[Entry]) -> tuple[set[str], set[str]]:
    """Return the names that changes reach, and the types, variables and constants among them.

    A changed type reaches all names whose declarations mention it. A changed function or member only reaches variables without a
    written type whose values use it.
    """
    mentioning: dict[str, list[Entry]] = {}
    values: dict[str, list[Entry]] = {}
    for entry in entries:
        for name in entry.names:
            (values if entry.form == "value" else mentioning).setdefault(name, []).append(entry)
    waiting = [each for of_file in changed.entries.values() for each in of_file]
    wanted, carriers = set[str](), set[str]()
    while waiting:
        at = waiting.pop()
        if at.name not in wanted:
            wanted.add(at.name)
            waiting += values.get(at.name, ())
        if at.is_carrier and at.name not in carriers:
            carriers.add(at.name)
            waiting += mentioning.get(at.name, ())
    return wanted, carriers


class _Declarations:
    """The declarations of all files of a language, in both states."""

    def __init__(self, changed: ChangedPackages, before: Mapping[str, FileLinks], after: Mapping[str, FileLinks]) -> None:
        self._changed = {(parent_of(path), each.owner) for path, of_file in changed.entries.items() for each in of_file}
        texts = [(path, links.named) for path, links in after.items()]
        texts += [(path, before[path].named) for path in changed.entries.keys() & before.keys()]
        self.entries: Final = [(path, entry) for path, named in texts for entry in entries_of(named)]
        #: Files that declare each type or its members.
        self._files: dict[_Type, set[str]] = {}
        #: The types with each name, and the types whose declarations mention a name.
        self._named: dict[str, set[_Type]] = {}
        self._mentioning: dict[str, set[_Type]] = {}
        #: Names in the declaration of each type.
        self._names: dict[_Type, set[str]] = {}
        for path, entry in self.entries:
            folder = parent_of(path)
            if entry.owner:
                self._files.setdefault(_Type(folder, entry.owner), set()).add(path)
            elif entry.form in _TYPES:
                kind = _Type(folder, entry.name)
                self._files.setdefault(kind, set()).add(path)
                self._named.setdefault(entry.name, set()).add(kind)
                if entry.form == "plain":
                    continue
                self._names.setdefault(kind, set()).update(entry.names)
                for name in entry.names:
                    self._mentioning.setdefault(name, set()).add(kind)
                    if entry.form == "alias":  # methods of an alias belong to the other type
                        self._mentioning.setdefault(entry.name, set()).add(_Type(folder, name))

    def touched(self, folders: set[str], carriers: set[str]) -> set[_Type]:
        """Return the types whose methods may have changed, also through embedded types, in the folders that may read changes."""
        found: set[_Type] = set()
        for path, entry in self.entries:
            folder = parent_of(path)
            if folder not in folders:
                continue
            if entry.owner:
                if (folder, entry.owner) in self._changed or not carriers.isdisjoint(entry.names):
                    found.add(_Type(folder, entry.owner))
            elif entry.form in _TYPES and entry.name in carriers:
                found.add(_Type(folder, entry.name))
        return {each for each in self._embedding(found) if each.folder in folders}

    def files_around(self, kind: _Type) -> set[str]:
        """Return the files that declare a type, its methods, and the methods of types that it may embed."""
        waiting, seen = [kind], {kind}
        found: set[str] = set()
        while waiting:
            at = waiting.pop()
            found |= self._files.get(at, set())
            for name in self._names.get(at, ()):
                waiting += self._named.get(name, set()) - seen
                seen |= self._named.get(name, set())
        return found

    @cached_property
    def interfaces(self) -> dict[_Type, list[set[str]]]:
        """The names of the methods that each interface declares, in one state or both."""
        kinds = {_Type(parent_of(path), entry.name): set[str]() for path, entry in self.entries if entry.form == "interface"}
        for path, entry in self.entries:
            kind = _Type(parent_of(path), entry.owner)
            if entry.owner and kind in kinds:
                kinds[kind].add(entry.name)
        changed = {kind for kind in kinds if tuple(kind) in self._changed}
        # An interface with changed methods had some of the names before the change, and has some now.
        return {
            kind: [{name} for name in names] if kind in changed else [names]
            for kind, names in kinds.items()
            if names or self._names.get(kind)
        }

    def holders_of(self, methods: set[str]) -> set[_Type] | None:
        """Return the types that may have all methods with some names; None if any type may."""
        if not methods:
            return None
        rarest = min(methods, key=lambda name: (len(self._owners.get(name, ())), name))
        return self._embedding(self._owners.get(rarest, set()))

    @cached_property
    def _owners(self) -> dict[str, set[_Type]]:
        """The types with members of each name."""
        found: dict[str, set[_Type]] = {}
        for path, entry in self.entries:
            if entry.owner:
                found.setdefault(entry.name, set()).add(_Type(parent_of(path), entry.owner))
        return found

    def _embedding(self, kinds: Iterable[_Type]) -> set[_Type]:
        """Return types, and all types whose declarations mention them, directly or not."""
        found = set(kinds)
        waiting = list(found)
        while waiting:
            for each in self._mentioning.get(waiting.pop().name, ()):
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return found
