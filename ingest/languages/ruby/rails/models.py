"""The tables and relations of the models in all files of a repository. Migrations and `schema.rb` declare the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ....data.schemas.mapped import MappedAttribute, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, declared_models, folder_of, with_ancestors
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField
from .inflection import plural, underscored

FRAMEWORK: Final = "rails"
#: Prefix of the name of a model among all models.
NAME: Final = "rails:"
ROOTS: Final = frozenset(("ApplicationRecord", "ActiveRecord::Base"))


def mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return the models of all files as the classes of one database, whose tables have other declarations."""
    every = declared_models(facts, FRAMEWORK)
    by_name: dict[str, Declared] = {}
    for each in every:
        by_name.setdefault(each.model.name, each)
    models = _Models(by_name, {change.name.name for data in facts.values() for change in data.changes if change.kind == "table"})
    found = [each for each in by_name.values() if models.is_model(each)]
    if not found:
        return []
    numbers = {each.model.name: number for number, each in enumerate(found)}
    entities = [models.entity(each, numbers) for each in found]
    names = {f"{NAME}{name}": number for name, number in numbers.items()}
    for each in found:
        for ancestor in models.ancestors(each):
            for scope in ancestor.model.options.get("scopes", "").split():
                names.setdefault(f"{NAME}{each.model.name}.{scope}", numbers[each.model.name])
    return [MappedSchema(FRAMEWORK, folder_of(found), (), entities, names, has_separate_tables=True)]


class _Models:
    def __init__(self, by_name: Mapping[str, Declared], tables: set[str]) -> None:
        self._by_name = by_name
        self._tables = tables

    def ancestors(self, declared: Declared) -> list[Declared]:
        """Return a model and the models above it, the nearest first."""
        return with_ancestors(declared, self._by_name, ROOTS)

    def is_model(self, declared: Declared) -> bool:
        """Return whether a class with a base has rows."""
        return declared.model.name not in ROOTS and not ROOTS.isdisjoint(self.ancestors(declared)[-1].model.bases)

    def table(self, declared: Declared) -> ObjectName | None:
        """Return the table of a model; None for an abstract class. Models without their own table use the table of their base."""
        ancestors = self.ancestors(declared)
        if declared.model.options.get("abstract"):
            return None
        for each in ancestors:
            if each.model.table:
                schema, _, name = each.model.table.rpartition(".")
                return ObjectName(name, schema)
        concrete = [each for each in ancestors if not each.model.options.get("abstract")]
        parts = concrete[-1].model.name.split("::")
        own, prefixed = plural(underscored(parts[-1])), plural("_".join(map(underscored, parts)))
        return ObjectName(prefixed if prefixed in self._tables and own not in self._tables else own)

    def entity(self, declared: Declared, numbers: Mapping[str, int]) -> MappedEntity:
        """Return a model for queries, with its relations."""
        attributes: dict[str, MappedAttribute] = {}
        for each in reversed(self.ancestors(declared)):
            for field in each.model.fields:
                attributes[field.name] = self._attribute(field, numbers)
        table = self.table(declared)
        return MappedEntity(declared.path, declared.model.symbol, table, attributes, is_separate=True, has_columns_by_name=True)

    def _attribute(self, field: MappedField, numbers: Mapping[str, int]) -> MappedAttribute:
        target = next((numbers[name] for name in field.target_fields if name in numbers), -1)
        is_many = field.kind in (FieldKind.ONE_TO_MANY, FieldKind.MANY_TO_MANY)
        return MappedAttribute(field.column, target, is_many)
