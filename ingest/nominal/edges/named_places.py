"""The symbols to which names and member accesses in a file refer."""

from __future__ import annotations

from typing import Final

from ...facts.model import DeclKind, Reach
from ...languages.typescript.resolve.model.unit import Unit
from .. import imported_values, member_lookup
from ..engine import NominalEngine
from ..program import last_name
from ..types import ModuleValue, parts


class NamedPlaces:
    """Finds the symbols that code of one language names, and their files."""

    def __init__(self, engine: NominalEngine) -> None:
        self._engine: Final = engine

    def named(self, unit: Unit, node: int) -> tuple[Unit, int] | None:
        """Return the symbol that a name means."""
        binding = unit.code[node + 1]
        if binding >= 0:
            return self.behind_imports((unit, binding))
        return self.behind_imports(imported_values.free_name(self._engine, unit, last_name(unit, node)))

    def behind_imports(self, place: tuple[Unit, int] | None) -> tuple[Unit, int] | None:
        """Return the symbol of a binding, following imports."""
        for _ in range(12):
            if place is None:
                return None
            unit, binding = place
            entries = [unit.decls[index] for index in unit.bindings[binding].decls]
            # If branches define a name several times, the first definition is the symbol.
            named = [entry for entry in entries if entry.symbol >= 0]
            ends = [entry for entry in named if entry.c == Reach.END and entry.kind != DeclKind.PARAMETER]
            symbol = ends[0].symbol if ends else named[-1].symbol if named else -1
            if symbol >= 0:
                return unit, symbol
            imported = next((entry for entry in entries if entry.kind == DeclKind.IMPORT and entry.b >= 0), None)
            if imported is None:
                return None
            place = imported_values.imported_binding(self._engine, unit, imported)
        return None

    def of_member(self, unit: Unit, receiver: int, name: str) -> list[tuple[Unit, int]]:
        """Return the symbols that a member access may refer to."""
        engine = self._engine
        found: dict[tuple[int, int], tuple[Unit, int]] = {}
        for part in parts(engine.type_of(unit, receiver)):
            if not isinstance(part, ModuleValue):
                for each in member_lookup.find_members(engine, part, name):
                    found[id(each.unit), each.symbol] = (each.unit, each.symbol)
            elif part.unit is not None:
                place = self.behind_imports(imported_values.exported_value(engine, part.unit, name))
                if place is not None:
                    found[id(place[0]), place[1]] = place
        return list(found.values())
