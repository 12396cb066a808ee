"""The tables that Tortoise ORM creates for the models of a repository: https://tortoise.github.io/models.html."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Final

from .....data.schemas.mapped import MappedChanges, MappedSchema
from .....facts.data import DataFacts, ObjectName
from ..declarations import DeclaredModel
from .peewee import OF_TORTOISE
from .peewee_tables import OwnField, PeeweeModels

#: Bases outside of the repository whose classes are models.
_MODEL_BASE: Final = re.compile(r"tortoise\.(?:\w+\.)*Model")
#: Types of columns in PostgreSQL by the class of the field.
_TYPES: Final = {
    "IntField": "integer",
    "SmallIntField": "smallint",
    "BigIntField": "bigint",
    "CharField": "varchar",
    "TextField": "text",
    "BooleanField": "boolean",
    "DecimalField": "numeric",
    "DatetimeField": "timestamp with time zone",
    "DateField": "date",
    "TimeField": "time with time zone",
    "TimeDeltaField": "bigint",
    "FloatField": "double precision",
    "JSONField": "jsonb",
    "UUIDField": "uuid",
    "BinaryField": "bytea",
    "CharEnumField": "varchar",
    "IntEnumField": "smallint",
}
#: Types of generated primary keys, by the type of the field.
_GENERATED: Final = {"integer": "serial", "smallint": "smallserial", "bigint": "bigserial"}
_REFERRING: Final = {generated: written for written, generated in _GENERATED.items()}


def tortoise_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the database that the models of a repository declare."""
    return _TortoiseModels(facts).schemas()


class _TortoiseModels(PeeweeModels):
    framework = OF_TORTOISE
    bases = _MODEL_BASE
    types = _TYPES
    inverse_end = "s"

    @cached_property
    def _by_class(self) -> Mapping[str, DeclaredModel]:
        """The first model with a table for each name of a class."""
        return {each.model.name: each for each in reversed(self.concrete)}

    def _index(self, declared: DeclaredModel, columns: Sequence[str], *, is_unique: bool) -> str:
        table = self._table(declared)
        name = table.name if table is not None else declared.model.name.lower()
        digest = sha256(";".join((name, *columns)).encode()).hexdigest()
        return f"{'uid' if is_unique else 'idx'}_{name[:11]}_{columns[0][:7]}_{digest[:6]}"

    def _type(self, own: OwnField, depth: int = 0) -> str:
        found = super()._type(own, depth)
        return _GENERATED.get(found, found) if own.field.is_primary else _REFERRING.get(found, found)

    def _target(self, own: OwnField) -> DeclaredModel | None:
        """Return the target of a relation, which a text names by the application and the class: `"models.Role"`."""
        return super()._target(own) or self._by_class.get(own.field.target.rpartition(".")[2])

    def _join_table(self, declared: DeclaredModel, own: OwnField) -> ObjectName | None:
        table, target = self._table(declared), self._target(own)
        other = self._table(target) if target is not None else None
        if own.field.through:
            return ObjectName(own.field.through)
        return ObjectName(f"{table.name}_{other.name}") if table is not None and other is not None else None

    def _join(self, declared: DeclaredModel, own: OwnField, made: MappedChanges) -> None:
        name, table, target = self._join_table(declared, own), self._table(declared), self._target(own)
        other = self._table(target) if target is not None else None
        if name is None or table is None or target is None or other is None:
            return
        path, field = own.holder.path, own.field
        forward = f"{target.model.name.lower()}_id"
        backward = f"{table.name}_id" if f"{table.name}_id" != forward else f"{table.name}_rel_id"
        made.create(path, "table", name, field.symbol, field.line)
        for column, side, of_side in ((backward, declared, table), (forward, target, other)):
            key = next((each for each in self._fields(side) if each.field.is_primary), None)
            kind = self._type(key) if key is not None else "integer"
            made.column(path, name, field, column, _REFERRING.get(kind, kind), nullable=False)
            made.foreign_key(path, name, field, [column], of_side, [self._key(side)], rules=("CASCADE", ""))
