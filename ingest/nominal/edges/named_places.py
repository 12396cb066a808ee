"""The symbols to which names and member accesses in a file refer."""

from __future__ import annotations

from typing import Final

from ...facts.model import DeclKind, Reach
from ...facts.operations import Op
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

    def alternatives(self, unit: Unit, node: int) -> list[tuple[Unit, int]]:
        """Return the symbols that a name may mean: that of its first declaration, and what imports bind to the name.

        After `try: from shop import Cart` and `except ImportError: Cart = None`, `Cart` means the class and the variable.
        """
        binding, code = unit.code[node + 1], unit.code
        named = self.named(unit, node)
        found = [named] if named is not None else []
        if binding < 0 or len(unit.bindings[binding].decls) < 2 or self._engine.program.rules.is_static:
            return found
        reaching = unit.bindings[binding].decls
        if code[node] == Op.FLOW:
            values = unit.items(code[node + 2])
            reaching = [code[value + 1] for value in values if code[value] == Op.DECLARED and code[value + 1] >= 0]
        known = {(id(place[0]), place[1]) for place in found}
        return [*found, *(place for place in self._imported(unit, reaching) if (id(place[0]), place[1]) not in known)]

    def _imported(self, unit: Unit, decls: list[int]) -> list[tuple[Unit, int]]:
        """Return the symbols of the repository that the imports among declarations bind."""
        entries = [entry for index in decls if (entry := unit.decls[index]).kind == DeclKind.IMPORT and entry.b >= 0]
        places = [self.behind_imports(imported_values.imported_binding(self._engine, unit, entry)) for entry in entries]
        return [place for place in places if place is not None and place[1] >= 0 and not place[0].external]

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
                exported = imported_values.exported_value(engine, part.unit, name)
                place = self.behind_imports(exported)
                if place is not None:
                    found[id(place[0]), place[1]] = place
                if exported is not None and place is not None and place[0] is exported[0] and not engine.program.rules.is_static:
                    for other in self._imported(exported[0], exported[0].bindings[exported[1]].decls):
                        found[id(other[0]), other[1]] = other
        return list(found.values())
