"""EXPORTS edges: the names that other files may import from a file, including names that it imports itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ....schema.edges import ExportEdge
from ...facts.model import DeclKind
from ...languages.typescript.resolve.edges.exports import offered
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from .. import imported_values
from ..engine import NominalEngine
from .annotations import Place

#: Kinds of symbols whose names belong to the scope around them, such as the block of an `if`.
_OPEN: Final = ("namespace", "expression")
#: Files that define the exports of the package around them.
_PACKAGES: Final = ("__init__.py", "__init__.pyi")
#: Maximum number of modules whose names are followed through `from … import *`.
_MAX_STARS: Final = 50


class Exports:
    """Finds the names that the files of one language export. `place_of` returns the symbol of a binding, following imports."""

    def __init__(
        self, engine: NominalEngine, symbol_id: SymbolIds, place_of: Callable[[tuple[Unit, int] | None], Place | None]
    ) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._place_of = place_of

    def of(self, unit: Unit) -> list[ExportEdge]:
        """Return one edge for each name under which others may import a symbol of the repository.

        A file exports its public declarations, and the imported names in `__all__`. An `__init__.py` without `__all__` exports
        all imported names.
        """
        found: dict[tuple[str, str], ExportEdge] = {}
        for symbol, name in offered(unit, _OPEN):
            self._put(found, unit, name, (unit, symbol))
        if unit.scopes:
            for name in self._imported_exports(unit):
                self._engine.refuel()
                place = self._place_of(imported_values.exported_value(self._engine, unit, name))
                if place is not None and not place[0].external:
                    self._put(found, unit, name, place)
        return list(found.values())

    def _put(self, found: dict[tuple[str, str], ExportEdge], unit: Unit, name: str, place: Place) -> None:
        owner, symbol = place
        to_id = self._symbol_id(owner, symbol)
        via = () if owner is unit else (owner.path,)
        found.setdefault((name, to_id), ExportEdge(unit.path, to_id, name, False, via))

    def _imported_exports(self, unit: Unit) -> Iterator[str]:
        """Yield the exported names that may be imports: the names in `__all__`, or all imported names of an `__init__.py`."""
        listed = imported_values.listed_names(self._engine, unit)
        if listed is not None:
            yield from sorted(listed)
        elif unit.path.rpartition("/")[2] in _PACKAGES:
            names = dict.fromkeys(name for name in unit.scopes[0].names if _imports(unit, name))
            for name in (*names, *self._from_stars(unit)):
                if not name.startswith("_") and name != "*":
                    yield name

    def _from_stars(self, unit: Unit) -> list[str]:
        """Return the names that a file may import by `from … import *`."""
        found: dict[str, None] = {}
        waiting, seen = self._stars(unit), {id(unit)}
        for current in waiting:
            if id(current) in seen or not current.scopes or len(seen) > _MAX_STARS:
                continue
            seen.add(id(current))
            listed = imported_values.listed_names(self._engine, current)
            found.update(dict.fromkeys(sorted(listed) if listed is not None else current.scopes[0].names))
            waiting += self._stars(current)
        return list(found)

    def _stars(self, unit: Unit) -> list[Unit]:
        binding = unit.scopes[0].names.get("*") if unit.scopes else None
        decls = unit.bindings[binding].decls if binding is not None else []
        modules = [self._engine.program.module(unit.strings[unit.decls[index].a], unit.path) for index in decls]
        return [module for module in modules if module is not None and not module.external]


def _imports(unit: Unit, name: str) -> bool:
    return any(unit.decls[index].kind == DeclKind.IMPORT for index in unit.bindings[unit.scopes[0].names[name]].decls)
