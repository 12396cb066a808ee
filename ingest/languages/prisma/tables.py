"""The tables that Prisma Migrate creates for the models of Prisma schemas.

The names of keys follow https://www.prisma.io/docs/orm/prisma-schema/data-model/database-mapping, and the types of columns
follow the table of each connector in https://www.prisma.io/docs/orm/reference/prisma-schema-reference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....schema.paths import is_within, parent_of
from ...data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ...facts.data import DataFacts, ObjectName
from ...facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind

_POSTGRESQL: Final = {
    "String": "text", "Boolean": "boolean", "Int": "integer", "BigInt": "bigint", "Float": "double precision",
    "Decimal": "decimal(65,30)", "DateTime": "timestamp(3)", "Json": "jsonb", "Bytes": "bytea",
}  # fmt: skip
_TYPES: Final = {
    "postgresql": _POSTGRESQL,
    "cockroachdb": {**_POSTGRESQL, "String": "string", "Int": "int4", "BigInt": "int8", "Float": "float8", "Bytes": "bytes"},
    "mysql": {
        "String": "varchar(191)", "Boolean": "boolean", "Int": "integer", "BigInt": "bigint", "Float": "double",
        "Decimal": "decimal(65,30)", "DateTime": "datetime(3)", "Json": "json", "Bytes": "longblob",
    },
    "sqlite": {
        "String": "text", "Boolean": "boolean", "Int": "integer", "BigInt": "bigint", "Float": "real",
        "Decimal": "decimal", "DateTime": "datetime", "Json": "jsonb", "Bytes": "blob",
    },
    "sqlserver": {
        "String": "nvarchar(1000)", "Boolean": "bit", "Int": "int", "BigInt": "bigint", "Float": "float(53)",
        "Decimal": "decimal(32,16)", "DateTime": "datetime2", "Json": "nvarchar(1000)", "Bytes": "varbinary(max)",
    },
}  # fmt: skip
#: Maximum length of a name in each database.
_MAX_NAMES: Final = {"mysql": 64, "sqlserver": 128, "sqlite": 10_000}
_MAX_NAME: Final = 63
#: Auto-incrementing types of PostgreSQL, by the type of their values.
_SERIALS: Final = {"integer": "serial", "int": "serial", "bigint": "bigserial", "smallint": "smallserial"}
_NATIVE: Final = {"doubleprecision": "double precision"}
_UNSIGNED: Final = re.compile(r"unsigned(\w+)(.*)", re.IGNORECASE)
_RULES: Final = {
    "Cascade": "CASCADE", "Restrict": "RESTRICT", "NoAction": "NO ACTION", "SetNull": "SET NULL", "SetDefault": "SET DEFAULT",
}  # fmt: skip
#: Functions that Prisma evaluates. Their columns have no default in the database.
_MADE_BY_CLIENT: Final = ("uuid(", "cuid(", "nanoid(", "ulid(", "auto(", "autoincrement(")


class _Declared(NamedTuple):
    path: str
    model: MappedModel


def mapped_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all schemas. Files below the folder of a data source belong to its schema."""
    return [_Schema(facts, paths).made() for paths in _sets(facts)]


def _sets(facts: Mapping[str, DataFacts]) -> Iterator[Sequence[str]]:
    roots = [path for path in facts if facts[path].dialect]
    parts: dict[str, list[str]] = {path: [path] for path in roots}
    alone: dict[str, list[str]] = defaultdict(list)
    for path in facts:
        if path in parts:
            continue
        above = [root for root in roots if is_within(parent_of(path), parent_of(root))]
        above = above or [root for root in roots if parent_of(root) and is_within(parent_of(path), parent_of(parent_of(root)))]
        if above:
            parts[max(above, key=lambda root: (len(parent_of(root)), root))].append(path)
        else:
            alone[parent_of(path)].append(path)
    yield from parts.values()
    yield from alone.values()


class _Schema:
    """Joins the models of one schema."""

    def __init__(self, facts: Mapping[str, DataFacts], paths: Sequence[str]) -> None:
        self._paths = paths
        provider = next((facts[path].dialect for path in paths if facts[path].dialect), "")
        self._provider = "postgresql" if provider in ("", "postgres", "prisma+postgres") else provider
        self._has_foreign_keys = provider != "mongodb" and not any(facts[path].is_without_foreign_keys for path in paths)
        self._models: dict[str, _Declared] = {}
        self._enums: dict[str, MappedModel] = {}
        for path in paths:
            for model in facts[path].models:
                if model.kind == ModelKind.ENUM:
                    self._enums.setdefault(model.name, model)
                else:
                    self._models.setdefault(model.name, _Declared(path, model))
        self._facts = facts
        self._changes = MappedChanges()
        self._joined: set[str] = set()

    def made(self) -> MappedSchema:
        for path in self._paths:
            for model in self._facts[path].models:
                if model.kind == ModelKind.ENUM:
                    self._changes.create(path, "enum", _table_name(model), model.symbol, model.line)
        for declared in self._models.values():
            self._table(declared)
        for declared in self._models.values():
            self._joins(declared)
        folders = {parent_of(path) for path in self._paths}
        folder = min(folders, key=lambda each: (each.count("/"), each))
        entities, names = self._entities()
        return MappedSchema("prisma", folder, list(self._changes.all()), entities, names)

    def _entities(self) -> tuple[list[MappedEntity], dict[str, int]]:
        """Return the models that the client can query, and the index of each model by the name of the model in the client."""
        numbers = {name: number for number, name in enumerate(self._models)}
        found = [
            MappedEntity(
                declared.path,
                declared.model.symbol,
                _table_name(declared.model),
                {field.name: self._attribute(field, declared, numbers) for field in declared.model.fields},
            )
            for declared in self._models.values()
        ]
        return found, {f"prisma:{name[:1].lower()}{name[1:]}": number for name, number in numbers.items()}

    def _attribute(self, field: MappedField, declared: _Declared, numbers: Mapping[str, int]) -> MappedAttribute:
        if self._is_column(field):
            return MappedAttribute(field.column or field.name)
        columns = {other.name: other.column or other.name for other in declared.model.fields}
        own = columns.get(field.fields[0], "") if field.fields else ""
        join = self._join_name(field, declared)
        target = numbers.get(field.target, -1)
        if join is None:
            return MappedAttribute(own, target, field.is_list)
        # The database deletes the rows that join two models with a row of either side.
        return MappedAttribute(own, target, field.is_list, join[0], on_delete="CASCADE")

    # ------------------------------------------------------------------ tables

    def _table(self, declared: _Declared) -> None:
        path, model = declared
        name = _table_name(model)
        self._changes.create(path, model.kind, name, model.symbol, model.line)
        columns = {field.name: field.column or field.name for field in model.fields if self._is_column(field)}
        for field in model.fields:
            if field.name in columns:
                self._column(path, name, field)
            elif field.fields and self._has_foreign_keys:
                self._foreign_key(path, model, field, columns)
        if model.kind == ModelKind.VIEW:
            return
        for field in model.fields:
            if field.name not in columns:
                continue
            named = [columns[field.name]]
            if field.is_primary:
                self._key(path, name, "primary key", named, field.primary_name, field)
            if field.is_unique:
                self._key(path, name, "unique", named, field.unique_name, field)
        for key in model.keys:
            named = [columns.get(each, each) for each in key.fields]
            self._key(path, name, key.kind, named, key.name, key)

    def _is_column(self, field: MappedField) -> bool:
        # A composite type is a document inside the row.
        return (
            not field.target
            or field.target in self._enums
            or (field.target not in self._models and not (field.relation or field.fields))
        )

    def _column(self, path: str, table: ObjectName, field: MappedField) -> None:
        name, kind = field.column or field.name, self._type(field) + ("[]" if field.is_list else "")
        nullable = field.nullable or field.is_list
        self._changes.column(path, table, field, name, kind, nullable=nullable, default=_default(field.default))

    def _type(self, field: MappedField) -> str:
        if field.target:
            enum = self._enums.get(field.target)
            return _table_name(enum).name if enum is not None else field.target
        written = _native(field.column_type) or _TYPES.get(self._provider, {}).get(field.type, field.type)
        if field.type == "Unsupported":
            return field.column_type
        if field.default.startswith("autoincrement(") and self._provider == "postgresql":
            return _SERIALS.get(written, written)
        return written

    def _key(self, path: str, table: ObjectName, kind: str, columns: list[str], name: str, at: MappedField | MappedKey) -> None:
        if kind == "primary key":
            own = name or ("" if self._provider in ("mysql", "sqlite") else self._fitted_name((table.name,), "_pkey"))
            self._changes.constraint(path, table, at, kind, columns, own)
        else:
            own = name or self._fitted_name((table.name, *columns), "_key" if kind == "unique" else "_idx")
            self._changes.index(path, table, at, columns, own, is_unique=kind == "unique")

    def _fitted_name(self, parts: tuple[str, ...], ending: str) -> str:
        """Return the name of a key. Prisma shortens the name to the limit of the database."""
        return "_".join(parts)[: _MAX_NAMES.get(self._provider, _MAX_NAME) - len(ending)] + ending

    # ------------------------------------------------------------------ relations

    def _foreign_key(self, path: str, model: MappedModel, field: MappedField, columns: Mapping[str, str]) -> None:
        target = self._models.get(field.target)
        if target is None:
            return
        table = _table_name(model)
        own = [columns.get(each, each) for each in field.fields]
        others = {other.name: other.column or other.name for other in target.model.fields}
        fields = {other.name: other for other in model.fields}
        is_required = any(each in fields and not fields[each].nullable for each in field.fields) or not field.nullable
        restricting = "NO ACTION" if self._provider == "sqlserver" else "RESTRICT"
        referred = [others.get(each, each) for each in field.target_fields]
        name = field.foreign_key_name or self._fitted_name((table.name, *own), "_fkey")
        on_delete = _RULES.get(field.on_delete, restricting if is_required else "SET NULL")
        rules = (on_delete, _RULES.get(field.on_update, "CASCADE"))
        self._changes.foreign_key(path, table, field, own, _table_name(target.model), referred, name, rules)

    def _joins(self, declared: _Declared) -> None:
        """Add the tables of relations that are lists on both sides."""
        if self._provider == "mongodb":
            return
        path, model = declared
        for field in model.fields:
            join = self._join_name(field, declared)
            if join is not None and join[0].name not in self._joined:
                self._joined.add(join[0].name)
                self._join_table(path, field, *join)

    def _join_name(self, field: MappedField, declared: _Declared) -> tuple[ObjectName, MappedModel, MappedModel] | None:
        """Return the join table of a relation that is a list on both sides, and the two sides; None for other fields."""
        target = self._models.get(field.target) if field.is_list and not field.fields else None
        if target is None:
            return None
        backs = [
            other
            for other in target.model.fields
            if other.target == declared.model.name and other.relation == field.relation and other is not field
        ]
        if len(backs) != 1 or not backs[0].is_list:
            return None
        first, second = sorted((declared.model, target.model), key=lambda each: each.name)
        return ObjectName(f"_{field.relation or f'{first.name}To{second.name}'}", first.schema), first, second

    def _join_table(self, path: str, field: MappedField, table: ObjectName, first: MappedModel, second: MappedModel) -> None:
        self._changes.create(path, "table", table, field.symbol, field.line)
        for column, model in (("A", first), ("B", second)):
            key = next((each for each in model.fields if each.is_primary), None)
            if key is None:
                continue
            kind = {serial: plain for plain, serial in _SERIALS.items() if plain != "int"}.get(self._type(key), self._type(key))
            self._changes.column(path, table, field, column, kind, nullable=False)
            if self._has_foreign_keys:
                name, rules = self._fitted_name((table.name, column), "_fkey"), ("CASCADE", "CASCADE")
                self._changes.foreign_key(path, table, field, [column], _table_name(model), [key.column or key.name], name, rules)
        if self._provider == "postgresql":
            self._key(path, table, "primary key", ["A", "B"], self._fitted_name((table.name, "AB"), "_pkey"), field)
        else:
            self._key(path, table, "unique", ["A", "B"], self._fitted_name((table.name, "AB"), "_unique"), field)
        self._key(path, table, "index", ["B"], self._fitted_name((table.name, "B"), "_index"), field)


def _table_name(model: MappedModel) -> ObjectName:
    return ObjectName(model.table or model.name, model.schema)


def _native(written: str) -> str:
    """Return a type of a database as SQL writes it: `VarChar(80)` -> `varchar(80)`, `UnsignedInt` -> `int unsigned`."""
    unsigned = _UNSIGNED.fullmatch(written)
    if unsigned is not None:
        return f"{unsigned[1].lower()}{unsigned[2]} unsigned"
    return _NATIVE.get(written.lower(), written.lower())


def _default(written: str) -> str:
    """Return a default as SQL writes it; "" if Prisma computes the value."""
    if written.startswith(_MADE_BY_CLIENT):
        return ""
    if written == "now()":
        return "CURRENT_TIMESTAMP"
    if written.startswith("dbgenerated("):
        return written[len("dbgenerated(") : -1].strip('"')
    return "'" + written[1:-1] + "'" if written.startswith('"') else written
