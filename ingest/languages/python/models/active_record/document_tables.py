"""The collections of MongoDB that the documents of MongoEngine and Beanie in a repository use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from .....data.schemas.mapped import MappedAttribute, MappedChanges, MappedSchema
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import MappedField, MappedKey, ModelKind
from ..declarations import DeclaredModel
from .documents import OF_BEANIE, OF_MONGOENGINE, SHARED, index_part
from .peewee_tables import OwnField, PeeweeModels

#: Bases outside of the repository whose classes are documents.
_OF_MONGOENGINE: Final = re.compile(r"\w*mongoengine\.(?:\w+\.)*(?:Dynamic)?Document|(?:\w+\.)*(?:db|me)\.(?:Dynamic)?Document")
_OF_BEANIE: Final = re.compile(r"(?:beanie|bunnet)\.(?:\w+\.)*Document(?:With\w+)?")
#: Types of values by the class of the field, and by the annotation.
_FIELDS: Final = {
    **dict.fromkeys(("StringField", "URLField", "EmailField", "EnumField", "ComplexDateTimeField"), "string"),
    **dict.fromkeys(("IntField", "SequenceField"), "int"),
    **dict.fromkeys(("FloatField", "DecimalField"), "double"),
    **dict.fromkeys(("DateTimeField", "DateField"), "date"),
    **dict.fromkeys(("ObjectIdField", "ReferenceField", "LazyReferenceField", "FileField", "ImageField"), "objectId"),
    **dict.fromkeys(("UUIDField", "BinaryField"), "binData"),
    **dict.fromkeys(("", "DynamicField"), "mixed"),
    "LongField": "long",
    "BooleanField": "bool",
    "Decimal128Field": "decimal",
    "GeoPointField": "double[]",
}
_ANNOTATIONS: Final = {
    "str": "string", "EmailStr": "string", "int": "int", "float": "double", "bool": "bool", "datetime": "date", "date": "date",
    "Decimal": "decimal", "bytes": "binData", "UUID": "binData", "PydanticObjectId": "objectId", "ObjectId": "objectId",
    "dict": "object", "Dict": "object", "Link": "objectId", "Any": "mixed",
}  # fmt: skip
_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")


def document_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases that the documents of a repository declare."""
    return [*_MongoEngineModels(facts).schemas(), *_BeanieModels(facts).schemas()]


class _Documents(PeeweeModels):
    inverse_end = ""
    default_key = ("_id", "objectId")
    has_columns_by_name = True

    def root(self, declared: DeclaredModel) -> DeclaredModel:
        top = self.top(declared)
        return top if SHARED in top.model.options else declared

    def _column(self, field: MappedField) -> str:
        return "_id" if field.is_primary or field.name == "id" else field.column or field.name

    def _type(self, own: OwnField, depth: int = 0) -> str:
        return self.types.get(own.field.type, "object") + own.field.size

    def _index(self, declared: DeclaredModel, columns: Sequence[str], *, is_unique: bool) -> str:
        return "_".join(f"{column}_1" for column in columns)

    def _attribute(self, declared: DeclaredModel, own: OwnField, attributes: list[dict[str, MappedAttribute]]) -> None:
        super()._attribute(declared, own, attributes)
        if own.field.is_primary:
            attributes[self._numbers[id(declared.model)]].setdefault("pk", MappedAttribute("_id"))


class _MongoEngineModels(_Documents):
    framework = OF_MONGOENGINE
    bases = _OF_MONGOENGINE
    types = _FIELDS

    def _table(self, declared: DeclaredModel) -> ObjectName | None:
        root = self.root(declared)
        above = (each.model.table for each in (root, *self.above(root)) if each is root or each.model.kind == ModelKind.ABSTRACT)
        stated = next((table for table in above if table), "")
        return ObjectName(stated or _CAPITAL.sub("_", root.model.name).lower())

    def _add_key(
        self, declared: DeclaredModel, name: ObjectName, key: MappedKey, columns: list[str], made: MappedChanges
    ) -> None:
        parts = [index_part(each) for each in key.fields]
        named = {own.field.name: self._column(own.field) for own in self._fields(declared)}
        found = [(named.get(field, field), direction) for field, direction in parts]
        index = "_".join(f"{column}{direction}" for column, direction in found)
        made.index(declared.path, name, key, [column for column, _ in found], index, is_unique=key.kind == "unique")


class _BeanieModels(_Documents):
    framework = OF_BEANIE
    bases = _OF_BEANIE
    types = _ANNOTATIONS

    def _table(self, declared: DeclaredModel) -> ObjectName | None:
        root = self.root(declared)
        if "name" in root.model.options:
            return ObjectName(root.model.table) if root.model.table else None
        return ObjectName(root.model.name)
