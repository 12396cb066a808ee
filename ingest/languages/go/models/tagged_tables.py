"""The tables of xorm, of Beego's mapper and of SQLBoiler for the structs in all files of a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from .naming import snake_case
from .struct_names import StructNames
from .tagged_structs import BEEGO, SQLBOILER, TAGS

_TYPES: Final = {
    "string": "varchar(255)", "bool": "boolean", "int": "bigint", "int64": "bigint", "uint": "bigint", "uint64": "bigint",
    "int32": "integer", "uint32": "integer", "int16": "integer", "uint16": "integer", "int8": "integer", "uint8": "integer",
    "float32": "real", "float64": "double precision", "time.Time": "timestamp", "bytes": "bytea",
}  # fmt: skip
#: Maximum number of structs whose fields are columns of one table.
_MAX_STRUCTS: Final = 100


class _Column(NamedTuple):
    path: str
    field: MappedField
    name: str
    is_primary: bool


def tagged_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all structs."""
    found: list[MappedSchema] = []
    for framework in TAGS:
        every = declared_models(facts, framework)
        structs = _Structs([each for each in every if each.model.kind != ModelKind.SETTING], framework)
        registered = [each for each in every if each.model.kind == ModelKind.SETTING]
        models = structs.models(registered)
        found += [_Schema(framework, part, structs).made() for part in databases(models, structs.table)]
    return found


class _Structs(StructNames):
    def __init__(self, structs: Sequence[Declared], framework: str) -> None:
        super().__init__(structs)
        self._framework = framework

    def models(self, registered: Sequence[Declared]) -> list[Declared]:
        """Return the structs with tables: those that code registers, those with a table's name, and those with a tagged key."""
        named = {id(found.model) for each in registered if (found := self.find(each.model.table, each.path)) is not None}
        embedded = self.embedded(self.structs)
        return [
            each
            for each in self.structs
            if id(each.model) in named
            or each.model.kind == ModelKind.TABLE
            or (each.model.is_managed and id(each.model) not in embedded and self._has_key(each))
        ]

    def _has_key(self, declared: Declared) -> bool:
        return any(column.is_primary for column in self.columns(declared))

    def table(self, declared: Declared) -> str:
        """Return the name of the table of a struct."""
        return declared.model.table or snake_case(declared.model.name)

    def fields(self, declared: Declared) -> list[tuple[str, MappedField]]:
        """Return the fields of a struct and of the structs that it embeds, each with its file."""
        structs: dict[int, Declared] = {}
        waiting = [declared]
        while waiting and len(structs) < _MAX_STRUCTS:
            path, model = each = waiting.pop()
            if id(model) not in structs:
                structs[id(model)] = each
                inner = [*model.bases, *(field.target for field in model.fields if field.kind == FieldKind.EMBEDDED)]
                waiting += [target for name in inner if (target := self.find(name, path)) is not None]
        # The fields of a struct hide those of the structs that it embeds.
        found: dict[str, tuple[str, MappedField]] = {}
        for path, model in reversed(structs.values()):
            found.update((field.name, (path, field)) for field in model.fields if field.kind != FieldKind.EMBEDDED)
        return list(found.values())

    def columns(self, declared: Declared) -> list[_Column]:
        """Return the columns of the table of a struct."""
        fields = [(path, each) for path, each in self.fields(declared) if each.kind in (FieldKind.COLUMN, FieldKind.MANY_TO_ONE)]
        has_key = self._framework == SQLBOILER or any(each.is_primary for _, each in fields)
        found = []
        for path, each in fields:
            ending = "_id" if each.kind == FieldKind.MANY_TO_ONE else ""
            is_implied = not has_key and each.name.lower() == "id" and each.type in _TYPES
            found.append(_Column(path, each, each.column or snake_case(each.name) + ending, each.is_primary or is_implied))
        return found


class _Schema:
    def __init__(self, framework: str, models: Sequence[Declared], structs: _Structs) -> None:
        self._framework = framework
        self._models = models
        self._structs = structs
        self._numbers = {id(each.model): number for number, each in enumerate(models)}
        self._changes = MappedChanges()

    def made(self) -> MappedSchema:
        for each in self._models:
            self._create(each)
        entities = [MappedEntity(each.path, each.model.symbol, self._name(each), self._attributes(each)) for each in self._models]
        return MappedSchema(self._framework, folder_of(self._models), list(self._changes.all()), entities)

    def _name(self, declared: Declared) -> ObjectName:
        schema, _, name = self._structs.table(declared).rpartition(".")
        return ObjectName(name, schema)

    def _create(self, declared: Declared) -> None:
        path, model = declared
        table, columns = self._name(declared), self._structs.columns(declared)
        self._changes.create(path, "table", table, model.symbol, model.line)
        for each in columns:
            kind = "text" if each.field.is_list else _TYPES.get(each.field.type, "")
            nullable = each.field.nullable and not each.is_primary
            self._changes.column(each.path, table, each.field, each.name, kind, nullable=nullable, default=each.field.default)
        if primary := [each.name for each in columns if each.is_primary]:
            self._changes.constraint(path, table, model, "primary key", primary)
        for each in columns:
            if each.field.is_unique:
                self._changes.constraint(each.path, table, each.field, "unique", [each.name])

    def _attributes(self, declared: Declared) -> dict[str, MappedAttribute]:
        """Return the names that queries use: fields, columns and relations."""
        found: dict[str, MappedAttribute] = {}
        for each in self._structs.columns(declared):
            made = MappedAttribute(each.name, self._target(each.path, each.field))
            found.update(dict.fromkeys((each.field.name, snake_case(each.field.name), each.name), made))
        for path, field in self._structs.fields(declared):
            if field.name not in found and self._framework in (BEEGO, SQLBOILER):
                join = ObjectName(field.relation) if field.relation else None
                made = MappedAttribute("", self._target(path, field), field.is_list, join)
                found.update(dict.fromkeys((field.name, snake_case(field.name)), made))
        return found

    def _target(self, path: str, field: MappedField) -> int:
        target = self._structs.find(field.type, path) if field.kind != FieldKind.COLUMN else None
        return self._numbers.get(id(target.model), -1) if target is not None else -1
