"""Models of Waterline: https://sailsjs.com/documentation/concepts/models-and-orm/models.

module.exports = { tableName: 'users', attributes: { name: { type: 'string' }, club: { model: 'Club' } } }

The name of the file is the name of the model, by which all files know it without an import.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from .....data.schemas.model_names import Declared, databases, declared_models, folder_of
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from .....facts.model import Shape, ShapeKind
from ..declared import DeclaredNames

FRAMEWORK: Final = "waterline"
#: The folder with the files of models.
_FOLDER: Final = "models"
_ATTRIBUTES: Final = "attributes"
#: Entries of which each attribute has one.
_KINDS: Final = ("type", "model", "collection")
_TYPES: Final = {"string": "text", "number": "real", "boolean": "boolean", "json": "json", "ref": "text"}
_KEY: Final = "id"


def waterline_models(names: DeclaredNames, source: bytes) -> list[MappedModel]:
    """Return the model of a file: the only object with attributes."""
    found = [shape for shape in names.facts.shapes if shape.kind == ShapeKind.OBJECT_LITERAL and _has_attributes(names, shape)]
    return [_model(names, found[0], source)] if len(found) == 1 else []


def _has_attributes(names: DeclaredNames, shape: Shape) -> bool:
    value = next((each.value for each in shape.members if each.name == _ATTRIBUTES), -1)
    attributes = [names.object(each.value) for each in names.properties(value)] if value >= 0 else []
    return bool(attributes) and all(any(names.text(each.get(kind, -1)) for kind in _KINDS) for each in attributes)


def _model(names: DeclaredNames, shape: Shape, source: bytes) -> MappedModel:
    options = {each.name: each.value for each in shape.members}
    table, at = names.text(options.get("tableName", -1)), options[_ATTRIBUTES]
    # Without a stated name, the table has the name of the file, which the facts of a file do not depend on.
    symbol = names.add_table(table, at, source) if table else max(names.owner(at), 0)
    model = MappedModel(FRAMEWORK, "", ModelKind.TABLE, symbol, names.line_of(symbol), table)
    for member in names.properties(at):
        written = names.object(member.value)
        made = names.add_property(symbol, member, source)
        field = MappedField(member.name, made, names.line_of(made), names.text(written.get("type", -1)), kind=FieldKind.COLUMN)
        field.column = names.text(written.get("columnName", -1))
        field.column_type = names.text(written.get("columnType", -1))
        field.nullable = not names.is_true(written.get("required", -1))
        field.is_unique = names.is_true(written.get("unique", -1))
        if target := names.text(written.get("model", -1)):
            field.kind, field.target = FieldKind.MANY_TO_ONE, target.lower()
        elif target := names.text(written.get("collection", -1)):
            field.kind, field.target = FieldKind.ONE_TO_MANY, target.lower()
        model.fields.append(field)
    return model


def waterline_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all models."""
    models = [each for each in declared_models(facts, FRAMEWORK) if each.path.split("/")[-2:-1] == [_FOLDER]]
    return [_Schema(part).made() for part in databases(models, _table)]


def _name(declared: Declared) -> str:
    """Return the name of a model in lower case, as Waterline compares it."""
    return declared.path.rpartition("/")[2].partition(".")[0].lower()


def _table(declared: Declared) -> str:
    return declared.model.table or _name(declared)


class _Schema:
    def __init__(self, models: Sequence[Declared]) -> None:
        self._models = models
        self._numbers = {_name(each): number for number, each in enumerate(models)}
        self._changes = MappedChanges()

    def made(self) -> MappedSchema:
        entities = [self._entity(each) for each in self._models]
        names = {f"{FRAMEWORK}:{name}": number for name, number in self._numbers.items()}
        return MappedSchema(FRAMEWORK, folder_of(self._models), list(self._changes.all()), entities, names)

    def _entity(self, declared: Declared) -> MappedEntity:
        path, model = declared
        table = ObjectName(_table(declared))
        self._changes.create(path, "table", table, model.symbol, model.line)
        attributes = {_KEY: MappedAttribute(_KEY)}
        for field in model.fields:
            attributes[field.name] = self._attribute(path, table, field)
        if all(field.name != _KEY for field in model.fields):
            self._changes.column(path, table, model, _KEY, "serial", nullable=False)
        key = attributes[_KEY].column
        self._changes.constraint(path, table, model, "primary key", [key], f"{table.name}_pkey")
        return MappedEntity(path, model.symbol, table, attributes)

    def _attribute(self, path: str, table: ObjectName, field: MappedField) -> MappedAttribute:
        target = self._numbers.get(field.target, -1)
        if field.kind == FieldKind.ONE_TO_MANY:
            return MappedAttribute("", target, is_many=True)
        column = field.column or field.name
        kind = field.column_type or _TYPES.get(field.type, "")
        self._changes.column(path, table, field, column, kind, nullable=field.nullable)
        if field.is_unique:
            self._changes.constraint(path, table, field, "unique", [column], f"{table.name}_{column}_key")
        return MappedAttribute(column, target)
