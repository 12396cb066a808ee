"""The tables of the rows in all files of a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of, nearest
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from ...jvm.entity_names import ENTITY, REPOSITORY
from .rows import MAPPERS, ROOM

#: Name of the mapper of repositories, which stand for their rows.
REPOSITORIES: Final = "kotlin repositories"
_SQLITE: Final = {
    **dict.fromkeys(("Int", "Long", "Short", "Byte", "Boolean"), "INTEGER"), "String": "TEXT", "Char": "TEXT",
    **dict.fromkeys(("Float", "Double"), "REAL"), "ByteArray": "BLOB",
}  # fmt: skip
_TYPES: Final = {
    "Int": "integer", "Long": "bigint", "Short": "smallint", "Byte": "smallint", "Boolean": "boolean", "String": "varchar(255)",
    "Float": "real", "Double": "double precision", "BigDecimal": "numeric(38,2)", "UUID": "uuid", "ByteArray": "bytea",
    "LocalDate": "date", "LocalTime": "time", "LocalDateTime": "timestamp", "Instant": "timestamptz",
    "OffsetDateTime": "timestamptz", "ZonedDateTime": "timestamptz",
}  # fmt: skip
#: Maximum number of classes above a row.
_MAX_DEPTH: Final = 20


def mapped_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases that the rows of all files declare."""
    repositories = declared_models(facts, REPOSITORIES)
    found = []
    for framework in dict.fromkeys(mapper.framework for mapper in MAPPERS):
        models = declared_models(facts, framework)
        rows = [each for each in models if each.model.kind == ModelKind.TABLE]
        for part in databases(rows, lambda each: f"{each.model.schema}.{each.model.table}".lower()):
            found.append(_Schema(framework, part, models, repositories).made())
    return found


class _Schema:
    def __init__(
        self, framework: str, rows: Sequence[Declared], models: Sequence[Declared], repositories: Sequence[Declared]
    ) -> None:
        self._framework = framework
        self._rows = rows
        self._repositories = repositories
        self._by_name: dict[str, list[Declared]] = {}
        for each in models:
            self._by_name.setdefault(each.model.name, []).append(each)
        self._numbers = {id(each.model): number for number, each in enumerate(rows)}
        self._types = _SQLITE if framework == ROOM.framework else _TYPES
        self._changes = MappedChanges()

    def made(self) -> MappedSchema:
        for each in self._rows:
            self._table(each)
        entities = [
            MappedEntity(each.path, each.model.symbol, self._name(each), self._attributes(each), has_columns_by_name=True)
            for each in self._rows
        ]
        names = {f"{ENTITY}{each.model.name}": number for number, each in enumerate(self._rows)}
        for repository in self._repositories:
            number = names.get(f"{ENTITY}{repository.model.options['model']}")
            if number is not None:
                names[f"{REPOSITORY}{repository.model.name}"] = number
        return MappedSchema(self._framework, folder_of(self._rows), list(self._changes.all()), entities, names)

    def _name(self, declared: Declared) -> ObjectName:
        return ObjectName(declared.model.table, declared.model.schema)

    def _find(self, name: str, path: str) -> Declared | None:
        return nearest(self._by_name.get(name, ()), path)

    def _fields(self, declared: Declared) -> list[tuple[str, MappedField]]:
        """Return the fields of a row and of the classes above it, each with its file."""
        found, waiting, seen = list[tuple[str, MappedField]](), [declared], {id(declared.model)}
        while waiting and len(seen) < _MAX_DEPTH:
            each = waiting.pop()
            found += [(each.path, field) for field in each.model.fields]
            for base in each.model.bases:
                above = self._find(base, each.path)
                if above is not None and above.model.kind == ModelKind.ABSTRACT and id(above.model) not in seen:
                    seen.add(id(above.model))
                    waiting.append(above)
        return found

    def _columns(self, declared: Declared) -> dict[str, tuple[str, MappedField]]:
        return {field.column: (path, field) for path, field in self._fields(declared) if field.column}

    def _key(self, declared: Declared) -> list[str]:
        stated = next((key.fields for key in declared.model.keys if key.kind == "primary key"), None)
        if stated is not None:
            return stated
        return [name for name, (_, field) in self._columns(declared).items() if field.is_primary]

    def _type(self, field: MappedField, path: str) -> str:
        target = self._find(field.target, path) if field.target else None
        keys = self._columns(target) if target is not None else {}
        own = next((key for _, key in keys.values() if key.is_primary), field)
        return self._types.get(own.type, "")

    def _table(self, declared: Declared) -> None:
        path, model = declared
        name = self._name(declared)
        self._changes.create(path, "table", name, model.symbol, model.line)
        primary = self._key(declared)
        columns = self._columns(declared)
        for column, (of, field) in columns.items():
            nullable = field.nullable and column not in primary
            self._changes.column(of, name, field, column, self._type(field, of), nullable=nullable)
        if primary:
            self._changes.constraint(path, name, model, "primary key", primary)
        for key in model.keys:
            if key.kind != "primary key":
                made = f"index_{name.name}_{'_'.join(key.fields)}"
                self._changes.index(path, name, key, key.fields, made, is_unique=key.kind == "unique")
        for relation in model.relations:
            target = self._find(relation.target, path)
            if target is not None:
                self._foreign_key(path, name, relation, relation.fields, target)
        for of, field in self._fields(declared):
            target = self._find(field.target, of) if field.target and field.is_owner else None
            if target is not None and field.column:
                self._foreign_key(of, name, field, [field.column], target)
            if field.relation and field.is_list:
                self._changes.create(of, "table", ObjectName(field.relation), field.symbol, field.line)

    def _foreign_key(self, path: str, name: ObjectName, field: MappedField, own: Sequence[str], target: Declared) -> None:
        referred = field.target_fields or self._key(target)
        if len(own) == len(referred):
            self._changes.foreign_key(path, name, field, own, self._name(target), referred, "", (field.on_delete, ""))

    def _attributes(self, declared: Declared) -> dict[str, MappedAttribute]:
        found: dict[str, MappedAttribute] = {}
        for path, field in self._fields(declared):
            if not field.target:
                found[field.name] = MappedAttribute(field.column)
                continue
            target = self._find(field.target, path)
            number = self._numbers.get(id(target.model), -1) if target is not None else -1
            join = ObjectName(field.relation) if field.relation else None
            is_many = field.kind == FieldKind.ONE_TO_MANY
            found[field.name] = MappedAttribute(field.column, number, is_many, join, is_eager=field.is_eager)
        return found
