"""Declarations of one name for different platforms; a build contains one of these declarations."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...languages.typescript.resolve.model.unit import Unit
from ..engine import NominalEngine
from ..packages import Package


class Variant(NamedTuple):
    """A declaration, and the platforms for which it is compiled; "" for all platforms."""

    unit: Unit
    symbol: int
    label: str


class Variants:
    """Finds the other declarations of a name, in files of the package for other platforms."""

    def __init__(self, engine: NominalEngine) -> None:
        self._engine: Final = engine
        #: For each package, the declarations in platform-specific files, by owner and name.
        self._groups: Final[dict[int, dict[tuple[str, str], list[Variant]]]] = {}

    def of(self, user: Unit, unit: Unit, symbol: int) -> list[Variant]:
        """Return a declaration with its variants for other platforms, the declaration for the host's platform first.

        `user` is the file that uses the name. Declarations that no platform compiles together with this file are left out.
        """
        package = self._engine.program.packages.of(unit)
        if package is None or not package.is_varied:
            return [Variant(unit, symbol, "")]
        group = self._group(package, unit, symbol)
        rules = self._engine.program.rules
        fitting = [
            each for each in group if rules.fits(user.path, user.facts.constraint, each.unit.path, each.unit.facts.constraint)
        ]
        return fitting or [Variant(unit, symbol, "")]

    def _group(self, package: Package, unit: Unit, symbol: int) -> list[Variant]:
        groups = self._groups.get(id(package))
        if groups is None:
            groups = self._groups[id(package)] = self._collect(package)
        return groups.get(_key(unit, symbol), [])

    def _collect(self, package: Package) -> dict[tuple[str, str], list[Variant]]:
        found: dict[tuple[str, str], list[Variant]] = {}
        for unit in package.units:
            label = self._engine.program.rules.variant(unit.path, unit.facts.constraint)
            for index, symbol in enumerate(unit.symbols):
                if symbol.parent < 0 and symbol.name not in ("", "_", "init"):
                    found.setdefault(_key(unit, index), []).append(Variant(unit, index, label))
        return {key: group for key, group in found.items() if len({each.label for each in group}) > 1}


def _key(unit: Unit, symbol: int) -> tuple[str, str]:
    facts = unit.symbols[symbol]
    owner = facts.owner or (unit.symbols[facts.parent].name if facts.parent >= 0 else "")
    return owner, facts.name
