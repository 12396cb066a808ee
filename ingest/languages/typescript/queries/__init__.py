"""Uses of tables by calls of TypeScript's object mappers: the client of Prisma."""

from __future__ import annotations

from collections.abc import Iterator

from ....facts.data import ModelQuery
from ..resolve.engine import Engine
from ..resolve.model.program import SymbolIds, Unit
from .prisma import prisma_queries


def queries_of(engine: Engine, unit: Unit, symbol_id: SymbolIds) -> list[ModelQuery]:
    """Return the statements that the calls of a file make, each once."""
    return list(dict.fromkeys(_queries(engine, unit, symbol_id)))


def _queries(engine: Engine, unit: Unit, symbol_id: SymbolIds) -> Iterator[ModelQuery]:
    for node, statement, uses in prisma_queries(engine, unit):
        owner = unit.named_owner(node)
        if owner >= 0:
            yield ModelQuery(symbol_id(unit, owner), unit.line(unit.code[node + 4]), statement, uses, "call")
