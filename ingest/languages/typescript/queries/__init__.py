"""Uses of tables by calls of TypeScript's object mappers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.data import ARGUMENT, ModelQuery, ModelUse
from ..resolve.engine import Engine
from ..resolve.model.unit import SymbolIds, Unit
from .mapper_calls import MapperCalls
from .mappers.drizzle import DRIZZLE
from .mappers.knex import KNEX, OBJECTION
from .mappers.kysely import KYSELY
from .mappers.lucid import LUCID, LUCID_DATABASE
from .mappers.mikro_orm import MIKRO_ORM
from .mappers.mongoose import MONGOOSE
from .mappers.sequelize import SEQUELIZE
from .mappers.supabase import SUPABASE
from .mappers.typeorm import TYPEORM
from .mappers.waterline import WATERLINE
from .pgtyped import named_queries
from .prisma import prisma_queries

_MAPPERS: Final = (
    DRIZZLE,
    KNEX,
    KYSELY,
    LUCID_DATABASE,
    LUCID,
    MIKRO_ORM,
    MONGOOSE,
    OBJECTION,
    SEQUELIZE,
    SUPABASE,
    TYPEORM,
    WATERLINE,
)


class TypeScriptQueries:
    """Reads the uses of tables in the files of a program."""

    def __init__(self, engine: Engine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id
        self._calls = MapperCalls(engine, symbol_id, _MAPPERS)

    def of(self, unit: Unit) -> list[ModelQuery]:
        """Return the distinct database queries that the calls in a file run."""
        return list(dict.fromkeys(self._queries(unit)))

    def _queries(self, unit: Unit) -> Iterator[ModelQuery]:
        for slot, model in self._calls.arguments(unit):
            yield ModelQuery(slot, 0, "", (ModelUse(f"{ARGUMENT}{model.model}", model.path, False),), ARGUMENT)
        for node, statement, uses, evidence in self._statements(unit):
            owner = unit.named_owner(node)
            if owner >= 0:
                yield ModelQuery(self._symbol_id(unit, owner), unit.line(unit.code[node + 4]), statement, uses, evidence)

    def _statements(self, unit: Unit) -> Iterator[tuple[int, str, tuple[ModelUse, ...], str]]:
        yield from prisma_queries(self._engine, unit)
        for named in named_queries(self._engine, unit):
            yield (*named, "call")
        yield from self._calls.of_file(unit)
