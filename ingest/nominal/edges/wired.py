"""WIRED edges: symbols that frameworks run or pass to other code, by the rules of a language."""

from __future__ import annotations

from ....schema.edges import Wiring
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..engine import NominalEngine
from ..wired_files import NominalFile


def wirings(engine: NominalEngine, unit: Unit, symbol_id: SymbolIds) -> list[Wiring]:
    """Return the edges of a file, without repetition."""
    rules = engine.program.wiring
    found: dict[Wiring, None] = {}
    if rules is None:
        return []
    engine.refuel()
    for each in rules.wired(engine.wired.file(unit)):
        file = each.target.file
        if isinstance(file, NominalFile):
            is_own = each.source < 0
            from_id = unit.path if is_own else symbol_id(unit, each.source)
            to_id = symbol_id(file.unit, each.target.symbol)
            line, column = unit.line(each.position), unit.column(each.position)
            found[Wiring(from_id, to_id, each.framework, each.role, each.evidence, each.text, line, column, is_own)] = None
        engine.refuel()
    return list(found)
