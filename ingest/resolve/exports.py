"""EXPORTS edges: what importers can take from a file, re-exports included."""

from __future__ import annotations

from collections.abc import Callable

from ...schema.records import ExportEdge
from .engine import Engine
from .entities import Declared, Entity, Value
from .program import Unit


#: The compiler's name for `export = …` and `module.exports = …`.
_AS_A_WHOLE = "export="


def export_edges(engine: Engine, unit: Unit, symbol_id: Callable[[Unit, int], str]) -> list[ExportEdge]:
    """One edge for each exported name that leads to a symbol of the repository."""
    found: list[ExportEdge] = []
    type_only = {entry.name for entry in unit.facts.exports if entry.type_only}
    for name in [*engine.linker.export_names(unit), "="]:
        place = _symbol(engine, engine.linker.exported(unit, name))
        if place is not None:
            owner, symbol = place
            via = () if owner is unit else (owner.path,)
            found.append(ExportEdge(unit.path, symbol_id(owner, symbol), _AS_A_WHOLE if name == "=" else name, name in type_only, via))
    return found


def _symbol(engine: Engine, entity: Entity | None) -> tuple[Unit, int] | None:
    if isinstance(entity, Declared):
        unit, symbol = engine.linker.symbol(entity)
        return (unit, symbol) if symbol >= 0 and not unit.external else None
    if isinstance(entity, Value) and entity.symbol >= 0:
        return entity.unit, entity.symbol
    return None
