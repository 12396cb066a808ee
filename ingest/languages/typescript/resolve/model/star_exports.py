"""Find the `export *` statements of a file that may export a name.

A file with thousands of `export *` statements is asked for thousands of names, so each name leads to the statements whose targets
may have it.
"""

from __future__ import annotations

from typing import NamedTuple

from .program import Program
from .unit import Unit


class _Stars(NamedTuple):
    """The `export *` statements of a file that may lead to a file or an ambient module."""

    #: Indexes of their imports, in order.
    sources: list[int]
    #: For each name, the positions in `sources` of files that export it, if all names of the file are known.
    by_name: dict[str, list[int]]
    #: Positions in `sources` of modules that may export other names, too.
    others: list[int]


def star_imports(unit: Unit) -> list[int]:
    """Return the indexes of the imports of the `export *` statements of a file, in order."""
    return [entry.source for entry in unit.facts.exports if entry.name == "*" and entry.source >= 0]


class StarExports:
    """The `export *` statements of files. Answers are remembered."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._stars: dict[int, _Stars] = {}
        #: All names that a file exports, by the index of the file; None if the file may export other names, and while the names
        #: are collected.
        self._names: dict[int, frozenset[str] | None] = {}
        self._packages: dict[int, list[str]] = {}

    def release(self) -> None:
        """Free the remembered answers."""
        self._stars.clear()
        self._names.clear()
        self._packages.clear()

    def sources(self, unit: Unit, name: str) -> list[int]:
        """Return the indexes of the imports of the `export *` statements that may export a name, in order.

        In a file of a package, targets with the same name as the export come first, so that others need not be read.
        """
        if unit.external:
            imports = unit.facts.imports
            return sorted(
                star_imports(unit), key=lambda source: imports[source].specifier.rpartition("/")[2].partition(".")[0] != name
            )
        stars = self._stars_of(unit)
        positions = sorted([*stars.by_name.get(name, ()), *stars.others])
        return [stars.sources[position] for position in positions]

    def packages(self, unit: Unit) -> list[str]:
        """Return the packages that the `export *` statements of a file name."""
        found = self._packages.get(unit.index)
        if found is None:
            outside = (source for source in star_imports(unit) if self._program.imported_unit(unit, source) is None)
            found = self._packages[unit.index] = [
                package for source in outside if (package := self._program.imported_package(unit, source))
            ]
        return found

    def _stars_of(self, unit: Unit) -> _Stars:
        stars = self._stars.get(unit.index)
        if stars is None:
            stars = self._stars[unit.index] = _Stars([], {}, [])
            for position, source in enumerate(star_imports(unit)):
                stars.sources.append(source)
                names = self._names_behind(unit, source)
                if names is None:
                    stars.others.append(position)
                else:
                    for name in names:
                        stars.by_name.setdefault(name, []).append(position)
        return stars

    def _names_behind(self, unit: Unit, source: int) -> frozenset[str] | None:
        """Return the names of the repository that an `export *` statement exports; None if it may export other names."""
        if self._program.ambient_module(unit, source):
            return None
        target = self._program.imported_unit(unit, source)
        return self._names_of(target) if target is not None else frozenset()

    def _names_of(self, unit: Unit) -> frozenset[str] | None:
        """Return all names of the repository that a file exports; None if it may export other names. Other names come from an
        assigned object, an augmentation, an ambient module, or a cycle of `export *` statements.
        """
        if unit.index in self._names:
            return self._names[unit.index]
        self._names[unit.index] = None
        names = {entry.name for entry in unit.facts.exports if entry.name != "*"}
        if "=" in names or unit.external or unit.path in self._program.augmentations:
            return None
        for source in star_imports(unit):
            more = self._names_behind(unit, source)
            if more is None:
                return None
            names |= more
        found = self._names[unit.index] = frozenset(names)
        return found
