"""The tables that Piccolo creates for the models of a repository."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from .....data.schemas.mapped import MappedChanges, MappedSchema
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import MappedField
from ..declarations import DeclaredModel
from .peewee_tables import OwnField, PeeweeModels
from .piccolo import FRAMEWORK

#: Bases outside of the repository whose classes are tables. Classes named so are tables of packages that programs extend.
_MODEL_BASE: Final = re.compile(r"piccolo(?:_\w+)?\.(?:\w+\.)*(?:\w*Table|tables\.\w+)")
#: Types of columns in PostgreSQL by the class of the column.
_TYPES: Final = {
    "Varchar": "varchar",
    "Secret": "varchar",
    "Email": "varchar",
    "Text": "text",
    "UUID": "uuid",
    "Integer": "integer",
    "BigInt": "bigint",
    "SmallInt": "smallint",
    "Serial": "serial",
    "BigSerial": "bigserial",
    "PrimaryKey": "serial",
    "Timestamp": "timestamp",
    "Timestamptz": "timestamp with time zone",
    "Date": "date",
    "Time": "time",
    "Interval": "interval",
    "Boolean": "boolean",
    "Numeric": "numeric",
    "Decimal": "numeric",
    "Real": "real",
    "Float": "double precision",
    "DoublePrecision": "double precision",
    "JSON": "json",
    "JSONB": "jsonb",
    "Bytea": "bytea",
    "Blob": "bytea",
}
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def piccolo_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the database that the tables of a repository declare."""
    return _PiccoloModels(facts).schemas()


class _PiccoloModels(PeeweeModels):
    framework = FRAMEWORK
    bases = _MODEL_BASE
    types = _TYPES
    inverse_end = ""

    def _table(self, declared: DeclaredModel) -> ObjectName | None:
        name = declared.model.table or _CAPITAL.sub("_", declared.model.name).lower()
        return ObjectName(name, declared.model.schema)

    def _column(self, field: MappedField) -> str:
        return field.column or field.name

    def _key_of_field(self, declared: DeclaredModel, own: OwnField, name: ObjectName, made: MappedChanges) -> None:
        field, column = own.field, self._column(own.field)
        if field.is_unique:
            made.constraint(own.holder.path, name, field, "unique", [column])
        if field.is_indexed:
            made.index(own.holder.path, name, field, [column], f"{name.name}_{column}")
