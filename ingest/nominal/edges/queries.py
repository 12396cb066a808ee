"""Uses of tables by calls of object mappers in a file, by the rules of a language."""

from __future__ import annotations

from ...facts.data import ModelQuery, ModelUse
from ...languages.framework_rules.queries import FoundUse
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..call_sites.argument_types import ArgumentTypes
from ..engine import NominalEngine
from ..wired_files import NominalFile
from .query_files import NominalQueryFile


def queries_of(engine: NominalEngine, unit: Unit, arguments: ArgumentTypes, symbol_id: SymbolIds) -> list[ModelQuery]:
    """Return the database statements that calls of a file run, without repetition."""
    rules = engine.program.queries
    if rules is None:
        return []
    found: dict[ModelQuery, None] = {}
    file = NominalQueryFile(engine.wired, unit, arguments)
    for each in rules.queries(file):
        owner = each.symbol if each.symbol >= 0 else unit.named_owner(each.node)
        if owner >= 0:
            uses = tuple([_use(use, symbol_id) for use in each.uses])
            evidence = "inferred" if each.is_inferred else "row" if each.is_of_row else "call"
            found[ModelQuery(symbol_id(unit, owner), unit.line(unit.code[each.node + 4]), each.statement, uses, evidence)] = None
    return list(found)


def _use(use: FoundUse, symbol_id: SymbolIds) -> ModelUse:
    model = use.model if isinstance(use.model, str) else ""
    if not isinstance(use.model, str):
        file = use.model.file
        model = symbol_id(file.unit, use.model.symbol) if isinstance(file, NominalFile) else ""
    return ModelUse(
        model,
        use.path,
        use.modifies,
        use.fields,
        use.of_condition,
        use.leads_to,
        use.of_links,
        use.is_whole,
        use.of_fields,
        use.default_name,
    )
