"""The collections of MongoDB that the models of Mongoose in all files of a repository use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from .....data.schemas.model_names import Declared, classes_above, databases, declared_models, folder_of
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import FieldKind, MappedField, ModelKind
from ..plurals import collection_name
from ..references import ModelReferences
from .models_of_file import FRAMEWORK


def mongoose_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all models."""
    every = declared_models(facts, FRAMEWORK)
    references = ModelReferences(every)
    models = [each for each in every if each.model.kind == ModelKind.TABLE]
    return [_Schema(part, references).made() for part in databases(models, _collection)]


def _model_name(declared: Declared) -> str:
    return declared.model.entity or declared.model.name


def _collection(declared: Declared) -> str:
    return declared.model.table or collection_name(_model_name(declared))


class _Schema:
    def __init__(self, models: Sequence[Declared], references: ModelReferences) -> None:
        self._models = models
        self._references = references
        self._numbers = {_model_name(each): number for number, each in enumerate(models)}
        self._changes = MappedChanges()

    def made(self) -> MappedSchema:
        entities = [self._entity(each) for each in self._models]
        for declared, entity in zip(self._models, entities, strict=True):
            if entity.table is not None:
                self._keys(declared, entity.table)
        names = {f"{FRAMEWORK}:{name}": number for name, number in self._numbers.items()}
        return MappedSchema(FRAMEWORK, folder_of(self._models), list(self._changes.all()), entities, names)

    def _parts(self, declared: Declared) -> list[Declared]:
        """Return the declarations with the fields of a model: bases, schema, and the model itself."""
        return [*reversed(list(classes_above(declared, self._references.find))), declared]

    def _entity(self, declared: Declared) -> MappedEntity:
        path, model = declared
        parts = self._parts(declared)
        written = model.table or next((each.model.table for each in parts if each.model.table), "")
        name = ObjectName(written or collection_name(_model_name(declared)))
        self._changes.create(path, "table", name, model.symbol, model.line)
        attributes = {"_id": MappedAttribute("_id"), "id": MappedAttribute("_id")}
        self._changes.column(path, name, model, "_id", "objectId", nullable=False)
        for part in parts:
            for field in part.model.fields:
                target = self._numbers.get(field.target.rpartition("#")[2], -1)
                if field.kind == FieldKind.COLUMN and field.name != "_id":
                    kind = field.column_type + ("[]" if field.is_list else "")
                    self._changes.column(part.path, name, field, field.name, kind, nullable=field.nullable, default=field.default)
                    attributes[field.name] = MappedAttribute(field.name, target, field.is_list)
                elif field.kind != FieldKind.COLUMN:
                    attributes[field.name] = MappedAttribute("", target, field.kind == FieldKind.ONE_TO_MANY)
        for part in parts:
            for made in part.model.options.values():
                if made not in attributes:
                    self._changes.column(part.path, name, part.model, made, "date", nullable=True)
                    attributes[made] = MappedAttribute(made)
        return MappedEntity(path, model.symbol, name, attributes)

    def _keys(self, declared: Declared, name: ObjectName) -> None:
        self._changes.constraint(declared.path, name, declared.model, "primary key", ["_id"])
        for part in self._parts(declared):
            for field in part.model.fields:
                if field.is_unique or field.is_indexed:
                    self._changes.index(part.path, name, field, [field.name], f"{field.name}_1", is_unique=field.is_unique)
                self._reference(part.path, name, field)

    def _reference(self, path: str, name: ObjectName, field: MappedField) -> None:
        """Add the reference of a field to another model as a foreign key. MongoDB does not enforce this key."""
        number = self._numbers.get(field.target.rpartition("#")[2], -1)
        if number >= 0 and field.kind == FieldKind.COLUMN:
            target = ObjectName(_collection(self._models[number]))
            self._changes.foreign_key(path, name, field, [field.name], target, ["_id"])
