"""Packages whose files share one scope: their names, and the methods that their files declare for their types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ..facts.model import ShapeKind
from ..languages.base import NominalRules
from ..languages.typescript.resolve.model.unit import Unit

#: Returns the paths of the files in the folder of a path, including the path itself.
Beside = Callable[[str], Sequence[str]]


class Package:
    """The files of one package; files for the host's platform come first."""

    def __init__(self, units: Sequence[Unit], rules: NominalRules) -> None:
        self._rules = rules
        self.units: Final = tuple(units)
        #: Whether some of the files belong only to some platforms.
        self.is_varied: Final = any(rules.variant(unit.path, unit.facts.constraint) for unit in units)
        #: The file and binding of each name.
        self.names: Final[dict[str, tuple[Unit, int]]] = {}
        #: Shapes with methods of each type, by the name of the type.
        self.extensions: Final[dict[str, list[tuple[Unit, int]]]] = {}
        #: The file and binding of each name on platforms other than the host's, by platform.
        self._other_names: dict[str, dict[str, tuple[Unit, int]]] = {}
        self._add_names(units, self.names)
        for unit in units:
            for index, shape in enumerate(unit.shapes):
                if shape.kind == ShapeKind.EXTENSION:
                    self.extensions.setdefault(shape.name, []).append((unit, index))

    def named(self, unit: Unit, name: str) -> tuple[Unit, int] | None:
        """Return the file and binding of a name on the platforms of the file that uses the name."""
        constraint = unit.facts.constraint
        if not self.is_varied or not self._rules.is_left_out(unit.path, constraint):
            return self.names.get(name)
        if unit.scopes and name in unit.scopes[0].names:
            return unit, unit.scopes[0].names[name]
        key = self._rules.variant(unit.path, constraint)
        found = self._other_names.get(key)
        if found is None:
            found = self._other_names[key] = {}
            fitting = [each for each in self.units if self._rules.fits(unit.path, constraint, each.path, each.facts.constraint)]
            self._add_names(fitting, found)
            self._add_names(self.units, found)
        return found.get(name)

    def _add_names(self, units: Sequence[Unit], names: dict[str, tuple[Unit, int]]) -> None:
        for unit in units:
            for name, binding in unit.scopes[0].names.items() if unit.scopes else ():
                names.setdefault(name, (unit, binding))


class Packages:
    """The packages of one program, each read on first use."""

    def __init__(
        self,
        unit_at: Callable[[str], Unit | None],
        beside: Beside,
        rules: NominalRules,
        outside: Callable[[Unit], Sequence[Unit]],
        files: Callable[[], Iterable[str]],
    ) -> None:
        """`outside` returns the files of the package around an external file, and `files` the paths of the language."""
        self._unit_at = unit_at
        self._beside = beside
        self._rules = rules
        self._outside = outside
        self._files = files
        #: The paths in each folder, by the last part of the folder; None before first use.
        self._by_folder: dict[str, dict[str, list[str]]] | None = None
        #: The packages by three keys: whether the package is external, its import path or else its folder, and its name.
        self._known: dict[tuple[bool, str, str], Package] = {}
        #: The names of each package by its folder and name, as `other_names` returns them.
        self._other_names: dict[tuple[str, str], dict[str, list[tuple[Unit, int]]]] = {}

    def of(self, unit: Unit) -> Package | None:
        """Return the package of a file; None in a language whose files have scopes of their own."""
        name = unit.facts.package
        if not name:
            return None
        is_outside = bool(unit.external)
        key = (is_outside, unit.external if is_outside else unit.path.rpartition("/")[0], name)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Package(self._ordered(unit, self._around(unit)), self._rules)
        return found

    def other_names(self, unit: Unit) -> dict[str, list[tuple[Unit, int]]]:
        """Return the files and bindings of the names of a file's package in other folders with the package's name."""
        key = (unit.path.rpartition("/")[0], unit.facts.package)
        found = self._other_names.get(key)
        if found is None:
            found = self._other_names[key] = {}
            for path in self._elsewhere(*key):
                other = self._unit_at(path)
                if other is not None and other.facts.package == unit.facts.package and other.scopes:
                    for name, binding in other.scopes[0].names.items():
                        found.setdefault(name, []).append((other, binding))
        return found

    def _elsewhere(self, folder: str, package: str) -> list[str]:
        """Return the paths in other folders whose last parts are the name of a package: `src/main/java/shop` for `shop`."""
        folders = self._by_folder
        if folders is None:
            folders = self._by_folder = {}
            for path in self._files():
                around = path.rpartition("/")[0]
                folders.setdefault(around.rpartition("/")[2], {}).setdefault(around, []).append(path)
        tail = "/" + package.replace(".", "/")
        named = folders.get(package.rpartition(".")[2], {})
        return [path for other, paths in named.items() if other != folder and f"/{other}".endswith(tail) for path in paths]

    def representative(self, unit: Unit | None) -> Unit | None:
        """Return a file of the package that an import of a folder means, given any file of the folder.

        The folder may contain programs that no build reads, such as generators with `//go:build ignore`.
        """
        if unit is None or not unit.facts.package or not self.is_left_out(unit):
            return unit
        counts: Counter[str] = Counter()
        first: dict[str, Unit] = {}
        for each in self._around(unit):
            if each is not None and each.facts.language == unit.facts.language and not self.is_left_out(each):
                counts[each.facts.package] += 1
                first.setdefault(each.facts.package, each)
        return first[counts.most_common(1)[0][0]] if counts else unit

    def _around(self, unit: Unit) -> Sequence[Unit | None]:
        if unit.external:
            return self._outside(unit)
        return [self._unit_at(path) for path in self._beside(unit.path)]

    def _ordered(self, unit: Unit, units: Sequence[Unit | None]) -> list[Unit]:
        same = [
            each
            for each in units
            if each is not None and each.facts.package == unit.facts.package and each.facts.language == unit.facts.language
        ]
        return sorted(same, key=lambda each: (self.is_left_out(each), each.path))

    def is_left_out(self, unit: Unit) -> bool:
        """Return whether a file does not belong to the program on the host's platform."""
        return self._rules.is_left_out(unit.path, unit.facts.constraint)
