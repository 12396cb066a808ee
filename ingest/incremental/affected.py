"""Find the files that resolve differently after some files changed.

A change spreads along names. A file is affected if it imports a changed name. If the slice of an export of the file reaches the
changed name, this export changes, too, and the change spreads further. Changes inside a file do not spread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Final

from ..languages.typescript.module_resolution.configurations.auto_imports import AUTO_IMPORT
from .closure import Closed
from .file_links import FileLinks, importers
from .memory import KnownFile
from .surface import Surface
from .taken_names import WHOLE, TakenImport

#: Represents all names of a file.
EVERYTHING: Final = frozenset((WHOLE,))
#: Represents everything that a file declares with `declare module`.
MODULES: Final = "declare module"
_ONE_VALUE: Final = "="


def changed_names(before: Surface | None, after: Surface | None) -> frozenset[str]:
    """Return the names whose slices differ.

    The result is EVERYTHING if the file was added or removed, or if the form of its exports changed.
    """
    if before is None or after is None or before.form != after.form:
        return EVERYTHING
    different = {
        name
        for name in {*before.names, *after.names}
        if name not in before.names or name not in after.names or before.names[name].digest != after.names[name].digest
    }
    return EVERYTHING if _ONE_VALUE in different else frozenset(different)


def changed_globals(before: Surface | None, after: Surface | None) -> frozenset[str]:
    """Return the global names whose slices differ, and MODULES if the slice of `declare module` differs."""
    modules = [_digest(surface.modules if surface is not None else None) for surface in (before, after)]
    old = before.globals if before is not None else {}
    new = after.globals if after is not None else {}
    names = {name for name in {*old, *new} if _digest(old.get(name)) != _digest(new.get(name))}
    return frozenset(names) if modules[0] == modules[1] else frozenset(names | {MODULES})


def _digest(closed: Closed | None) -> bytes:
    return closed.digest if closed is not None else b""


class Spread:
    """Spreads changes over the files of a repository in their current state."""

    def __init__(
        self,
        links: Mapping[str, FileLinks],
        file: Callable[[str], KnownFile],
        imports: Callable[[str], Sequence[TakenImport]],
        refuse_many: Callable[[int], None],
        change_globals: Callable[[Spread, str, frozenset[str]], None],
    ) -> None:
        """`file` returns a file as it was read; `imports` returns the names that the file imports.

        `refuse_many` receives the number of affected files and may raise. `change_globals` receives the global names of
        a file, or MODULES, that change because of its imports.
        """
        self._links = links
        self._file = file
        self._imports = imports
        self._refuse_many = refuse_many
        self._change_globals = change_globals
        #: The changed names, by path of their file.
        self._changed: dict[str, frozenset[str]] = {}
        self.affected: set[str] = set()

    @property
    def changed_files(self) -> set[str]:
        """Paths of the files with a changed name."""
        return {path for path, names in self._changed.items() if names}

    def changed_names_of(self, path: str) -> frozenset[str]:
        """Return the changed names of a file; EVERYTHING if all may differ."""
        return self._changed.get(path, frozenset())

    def from_names(self, path: str, names: frozenset[str]) -> None:
        """Spread a change of some names of a file."""
        pending = [(path, names)]
        while pending:
            source, changed = pending.pop()
            known = self._changed.get(source, frozenset())
            new = changed - known
            if not new or known == EVERYTHING:
                continue
            self._changed[source] = EVERYTHING if new == EVERYTHING else known | new
            for importer in self._importers.get(source, ()):
                pending += self._changed_names_of_importer(importer, source, new)
            self._refuse_many(len(self.affected))

    def from_imports(self, path: str, specifiers: frozenset[str]) -> None:
        """Spread a change of the targets of some imports in a file."""
        self.affected.add(path)
        if any(specifier.startswith(AUTO_IMPORT) for specifier in specifiers):
            self.from_names(path, EVERYTHING)
            return
        hit = {(index, WHOLE) for index, taken in enumerate(self._imports(path)) if taken.specifier in specifiers}
        self.from_names(path, self._changed_exports(path, hit))

    @cached_property
    def _importers(self) -> dict[str, list[str]]:
        return importers(self._links)

    def _changed_names_of_importer(self, importer: str, source: str, names: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
        """Return the changed names of a file that imports a file with changed names."""
        links = self._links[importer]
        hit: set[tuple[int, str]] = set()
        held: set[tuple[int, str]] = set()
        passed: frozenset[str] = frozenset()
        for index, taken in enumerate(self._imports(importer)):
            if source not in links.targets(taken.specifier):
                continue
            used = taken.names
            if names == EVERYTHING or WHOLE in used or ("default" in used and "default" not in self._exported(source)):
                hit.add((index, WHOLE))
            hit |= {(index, name) for name in used & names}
            if taken.is_passed_on:
                passed = names
            if taken.is_held:
                held.add((index, WHOLE))
        if any(links.target(specifier) == source for specifier in links.auto_imports):
            self.affected.add(importer)
            return [(importer, EVERYTHING)]
        if hit or passed:
            self.affected.add(importer)
        elif not held:
            return []
        found = self._changed_exports(importer, hit | held)
        return [(importer, EVERYTHING if EVERYTHING in (found, passed) else found | passed)]

    def _exported(self, path: str) -> Mapping[str, object]:
        return self._file(path).surface.names if path in self._links else {}

    def _changed_exports(self, path: str, hit: set[tuple[int, str]]) -> frozenset[str]:
        """Return the exported names of a file whose slices reach one of some imported names."""
        surface = self._file(path).surface
        whole, touched = {index for index, name in hit if name == WHOLE}, {index for index, _ in hit}

        def reaches(closed: Closed) -> bool:
            return any(
                label in hit or label[0] in whole or (label[1] == WHOLE and label[0] in touched) for label in closed.labels
            )

        if surface.ambient is not None and reaches(surface.ambient):
            names = {name for name, closed in surface.globals.items() if reaches(closed)}
            if surface.modules is not None and reaches(surface.modules):
                names.add(MODULES)
            self._change_globals(self, path, frozenset(names))
        if whole & surface.stars:
            return EVERYTHING
        found = frozenset(name for name, closed in surface.names.items() if reaches(closed))
        return EVERYTHING if _ONE_VALUE in found else found


class AmbientChange(Exception):
    """Raised if a global declaration of a file depends on a change, so that any file may be affected."""
