"""The tables of the models of Lucid in all files of a repository. Migrations create these tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .....data.schemas.mapped import MappedAttribute, MappedEntity, MappedSchema
from .....data.schemas.model_names import Declared, classes_above, declared_models, folder_of
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import FieldKind, MappedField
from ..plurals import pluralized
from ..references import ModelReferences
from ..sequelize.naming import camelized, underscored
from .models_of_file import CAMEL_CASE, FRAMEWORK

_KEY: Final = "id"


def lucid_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the models of all files as the classes of one database, whose tables have other declarations."""
    models = declared_models(facts, FRAMEWORK)
    if not models:
        return []
    reading = _Models(models)
    entities = [reading.entity(each) for each in models]
    return [MappedSchema(FRAMEWORK, folder_of(models), (), entities, has_separate_tables=True)]


class _Models:
    def __init__(self, models: list[Declared]) -> None:
        self._references = ModelReferences(models)
        self._numbers = {id(each.model): number for number, each in enumerate(models)}

    def entity(self, declared: Declared) -> MappedEntity:
        """Return a model for queries, with its columns and relations."""
        fields = self._fields(declared)
        attributes = {name: self._attribute(declared, field, fields) for name, field in fields.items()}
        table = _table(declared)
        return MappedEntity(declared.path, declared.model.symbol, table, attributes, is_separate=True, has_columns_by_name=True)

    def _fields(self, declared: Declared) -> dict[str, MappedField]:
        """Return the fields of a model and of the classes that it extends, by name."""
        classes = [*reversed(list(classes_above(declared, self._references.find))), declared]
        return {field.name: field for each in classes for field in each.model.fields}

    def _attribute(self, declared: Declared, field: MappedField, fields: Mapping[str, MappedField]) -> MappedAttribute:
        if field.kind == FieldKind.COLUMN:
            return MappedAttribute(_column(declared, field.name, fields))
        target = self._references.find(field.target, declared.path)
        if target is None:
            return MappedAttribute()
        number = self._numbers[id(target.model)]
        if field.is_owner:
            key = field.fields[0] if field.fields else self._foreign_key(target)
            return MappedAttribute(_column(declared, key, fields), number)
        join = ObjectName(field.relation or _pivot(declared, target)) if field.kind == FieldKind.MANY_TO_MANY else None
        return MappedAttribute("", number, field.kind != FieldKind.ONE_TO_ONE, join)

    def _foreign_key(self, target: Declared) -> str:
        """Return the property that refers to a model: `userId` for a model `User` with the key `id`."""
        key = next((field.name for field in self._fields(target).values() if field.is_primary), _KEY)
        return camelized(f"{target.model.name[:1].lower()}{target.model.name[1:]}_{key}")


def _table(declared: Declared) -> ObjectName:
    """Return the table of a model: its own name, or the plural of the class in snake case."""
    if declared.model.table:
        schema, _, name = declared.model.table.rpartition(".")
        return ObjectName(name, schema)
    return ObjectName(pluralized(underscored(declared.model.name)))


def _column(declared: Declared, name: str, fields: Mapping[str, MappedField]) -> str:
    """Return the column of a property."""
    written = fields[name].column if name in fields else ""
    return written or (name if declared.model.options.get(CAMEL_CASE) else underscored(name))


def _pivot(declared: Declared, target: Declared) -> str:
    """Return the table that joins two models: their names in alphabetical order."""
    return underscored("_".join(sorted((declared.model.name, target.model.name))))
