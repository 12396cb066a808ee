"""The tables of bun and of go-pg for the structs in all files of a repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from .bun_structs import FRAMEWORKS
from .naming import plural, snake_case
from .struct_names import StructNames

_TYPES: Final = {
    "string": "varchar", "bool": "boolean", "int": "bigint", "int64": "bigint", "uint": "bigint", "uint64": "bigint",
    "int32": "integer", "uint32": "bigint", "int16": "smallint", "uint16": "integer", "int8": "smallint", "uint8": "smallint",
    "float32": "real", "float64": "double precision", "time.Time": "timestamptz", "bytes": "bytea",
    "encoding/json.RawMessage": "jsonb", "github.com/uptrace/bun.NullTime": "timestamptz", "database/sql.NullString": "varchar",
    "database/sql.NullBool": "boolean", "database/sql.NullInt64": "bigint", "database/sql.NullFloat64": "double precision",
    "database/sql.NullTime": "timestamptz", "time.Duration": "bigint",
}  # fmt: skip
#: Fields that are the primary key if no field says that it is.
_KEYS: Final = ("id", "uuid")


class _Column(NamedTuple):
    path: str
    field: MappedField
    name: str


def bun_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all models."""
    found: list[MappedSchema] = []
    for framework in FRAMEWORKS:
        every = declared_models(facts, framework)
        structs = _Structs(every)
        models = structs.models()
        found += [_Schema(framework, part, structs).made() for part in databases(models, structs.table)]
    return found


class _Structs(StructNames):
    """All structs, with their fields and keys."""

    def models(self) -> list[Declared]:
        """Return the structs with tables: those that say so, and those with tags and a key."""
        embedded = self.embedded(self.structs)
        models: list[Declared] = []
        for each in self.structs:
            is_named = each.model.kind == ModelKind.TABLE
            looks_like = each.model.is_managed and id(each.model) not in embedded and bool(self.keys(each))
            if is_named or (looks_like and each.model.kind == ModelKind.ABSTRACT):
                models.append(each)
        return models

    def table(self, declared: Declared) -> str:
        """Return the name of the table of a struct. A struct without a name of its own may have that of a struct it embeds."""
        model = declared.model
        if model.table:
            return model.table
        for base in model.bases:
            inner = self.find(base, declared.path)
            if inner is not None and inner.model.table and "named" not in model.options:
                return inner.model.table
        return plural(snake_case(model.name))

    def fields(self, declared: Declared, around: frozenset[int] = frozenset()) -> list[_Column]:
        """Return the fields of a struct and of the structs that it embeds, each with the name of its column."""
        found: dict[str, _Column] = {}
        path, model = declared
        around |= {id(model)}
        for base in model.bases:
            inner = self.inner(base, path, around)
            if inner is not None:
                found.update((each.field.name, each) for each in self.fields(inner, around))
        for field in model.fields:
            target = self.inner(field.target, path, around) if field.kind == FieldKind.EMBEDDED else None
            if target is not None:
                for each in self.fields(target, around):
                    found[f"{field.name}.{each.field.name}"] = each._replace(name=field.prefix + each.name)
            elif field.kind != FieldKind.EMBEDDED:
                found[field.name] = _Column(path, field, field.column or snake_case(field.name))
        return list(found.values())

    def keys(self, declared: Declared) -> list[_Column]:
        """Return the columns of the primary key of a struct."""
        fields = [each for each in self.fields(declared) if each.field.kind == FieldKind.COLUMN]
        primary = [each for each in fields if each.field.is_primary]
        return primary or [each for each in fields if each.name in _KEYS][:1]


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
        return ObjectName(self._structs.table(declared), declared.model.schema)

    def _target(self, each: _Column) -> int:
        found = self._structs.find(each.field.type, each.path)
        return self._numbers.get(id(found.model), -1) if found is not None else -1

    def _is_column(self, each: _Column) -> bool:
        return each.field.kind == FieldKind.COLUMN and (self._framework == "bun" or self._target(each) < 0)

    def _create(self, declared: Declared) -> None:
        path, model = declared
        table, columns = self._name(declared), {}
        self._changes.create(path, "table", table, model.symbol, model.line)
        keys = self._structs.keys(declared)
        for each in self._structs.fields(declared):
            if not self._is_column(each) or each.name in columns:
                continue
            columns[each.field.name] = each.name
            kind = each.field.column_type or ("jsonb" if each.field.is_list else _TYPES.get(each.field.type, ""))
            nullable = each.field.nullable and each not in keys
            self._changes.column(each.path, table, each.field, each.name, kind, nullable=nullable, default=each.field.default)
        if keys:
            self._changes.constraint(path, table, model, "primary key", [each.name for each in keys])
        groups: dict[str, list[str]] = defaultdict(list)
        for key in model.keys:
            if key.fields[0] in columns:
                groups[key.name or f"{table.name}_{columns[key.fields[0]]}_key"].append(columns[key.fields[0]])
        for name, names in groups.items():
            self._changes.constraint(path, table, model, "unique", names, name)

    def _attributes(self, declared: Declared) -> dict[str, MappedAttribute]:
        """Return the names that queries use: fields, columns and relations."""
        found: dict[str, MappedAttribute] = {}
        fields = self._structs.fields(declared)
        for each in fields:
            if self._is_column(each):
                found[each.field.name] = found[each.name] = MappedAttribute(each.name)
        for each in fields:
            target = self._target(each)
            if target < 0 or self._is_column(each):
                continue
            field = each.field
            join = ObjectName(field.relation) if field.kind == FieldKind.MANY_TO_MANY else None
            default = f"{snake_case(field.name)}_id"
            own = field.fields[0] if field.fields else snake_case(field.foreign_key_name) or default
            is_here = not field.is_list and field.kind in (FieldKind.MANY_TO_ONE, FieldKind.COLUMN) and join is None
            found[field.name] = MappedAttribute(own if is_here else "", target, field.is_list, join)
        return found
