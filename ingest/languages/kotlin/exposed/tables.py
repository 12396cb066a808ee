"""The tables of Exposed and Ktorm for the objects in all files of a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of, with_ancestors
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import MappedField, MappedModel, ModelKind
from .models import EXPOSED, KTORM, OR

#: Prefix of the qualified name of a table or an entity among all models.
NAME: Final = "exposed:"
#: Types of the key that a base class of the library adds.
_KEYS: Final = {
    "IntIdTable": "integer", "LongIdTable": "bigint", "UIntIdTable": "bigint", "ULongIdTable": "bigint", "UUIDTable": "uuid",
}  # fmt: skip
#: Base classes of the library.
_LIBRARY: Final = frozenset(("Table", "IdTable", "CompositeIdTable", "BaseTable", *_KEYS))
#: Maximum number of references that lead to the type of a column.
_MAX_REFERENCES: Final = 10


class _Column(NamedTuple):
    """A column of a table, and the model that declares it."""

    path: str
    field: MappedField
    name: str


class _Table(NamedTuple):
    declared: Declared
    name: ObjectName
    #: By name of the property.
    columns: Mapping[str, _Column]


def mapped_schemas(facts: Mapping[str, DataFacts]) -> Sequence[MappedSchema]:
    """Return the databases that the tables of all files declare."""
    return [schema for framework in (EXPOSED, KTORM) for schema in _schemas(declared_models(facts, framework), framework)]


def _schemas(every: Sequence[Declared], framework: str) -> list[MappedSchema]:
    by_name = {each.model.name: each for each in every if each.model.kind != ModelKind.BOUND}
    tables = {
        name: _read(each, by_name)
        for name, each in by_name.items()
        if each.model.kind == ModelKind.TABLE and _is_of_library(each, by_name)
    }
    entities = [each for each in every if each.model.kind == ModelKind.BOUND]
    parts = databases([each.declared for each in tables.values()], lambda each: ".".join(tables[each.model.name].name.key))
    return [_schema(framework, {each.model.name: tables[each.model.name] for each in part}, tables, entities) for part in parts]


def _library_base(declared: Declared, by_name: Mapping[str, Declared]) -> str:
    bases = with_ancestors(declared, by_name)[-1].model.bases
    return bases[-1].rpartition(".")[2] if bases else ""


def _is_of_library(declared: Declared, by_name: Mapping[str, Declared]) -> bool:
    return _library_base(declared, by_name) in _LIBRARY


def _read(declared: Declared, by_name: Mapping[str, Declared]) -> _Table:
    ancestors = with_ancestors(declared, by_name)
    model = declared.model
    columns: dict[str, _Column] = {}
    kind = _KEYS.get(_library_base(declared, by_name), "")
    if kind:
        name = next((each.model.options["id"] for each in ancestors if "id" in each.model.options), "id")
        key = MappedField("id", model.symbol, model.line, "", name, kind, is_primary=True)
        columns["id"] = _Column(declared.path, key, name)
    for each in reversed(ancestors):
        for field in each.model.fields:
            columns[field.name] = _Column(each.path, field, field.column)
    own = model.table or model.name.rpartition(".")[2].removesuffix("Table")
    return _Table(declared, ObjectName(own, model.schema), columns)


def _schema(
    framework: str, own: Mapping[str, _Table], tables: Mapping[str, _Table], entities: Sequence[Declared]
) -> MappedSchema:
    changes = MappedChanges()
    for table in own.values():
        _create(changes, table, tables)
    queried, names = _queried(own, tables, entities)
    folder = folder_of([each.declared for each in own.values()])
    return MappedSchema(framework, folder, list(changes.all()), queried, names)


def _target(field: MappedField, tables: Mapping[str, _Table]) -> tuple[_Table, _Column] | None:
    """Return the table and the column to which a column refers."""
    table = next((tables[name] for name in field.target.split(OR) if name in tables), None)
    column = table.columns.get(next(iter(field.target_fields), "id")) if table is not None else None
    return (table, column) if table is not None and column is not None else None


def _type(column: _Column, tables: Mapping[str, _Table]) -> str:
    for _ in range(_MAX_REFERENCES):
        if column.field.column_type:
            return f"{column.field.column_type}{column.field.size}"
        found = _target(column.field, tables)
        if found is None:
            return ""
        column = found[1]
    return ""


def _create(changes: MappedChanges, table: _Table, tables: Mapping[str, _Table]) -> None:
    path, model = table.declared
    name = table.name
    changes.create(path, "table", name, model.symbol, model.line)
    keys = model.keys
    primary = next(([*key.fields] for key in keys if key.kind == "primary key"), [])
    primary = primary or [property for property, each in table.columns.items() if each.field.is_primary]
    for property, each in table.columns.items():
        nullable = each.field.nullable and property not in primary
        changes.column(each.path, name, each.field, each.name, _type(each, tables), nullable=nullable, default=each.field.default)
    named = [table.columns[each].name for each in primary if each in table.columns]
    if named:
        changes.constraint(path, name, model, "primary key", named)
    for each in table.columns.values():
        if each.field.is_unique:
            changes.constraint(each.path, name, each.field, "unique", [each.name], f"{name.name}_{each.name}_unique")
        if each.field.is_indexed:
            changes.index(each.path, name, each.field, [each.name], f"{name.name}_{each.name}")
        found = _target(each.field, tables)
        if found is not None:
            other, referred = found
            own = f"fk_{name.name}_{each.name}__{referred.name}".lower()
            rules = (each.field.on_delete, each.field.on_update)
            changes.foreign_key(each.path, name, each.field, [each.name], other.name, [referred.name], own, rules)
    for key in keys:
        columns = [table.columns[each].name for each in key.fields if each in table.columns]
        if key.kind == "unique" and columns:
            made = key.name or f"{name.name}_{'_'.join(columns)}_unique"
            changes.constraint(path, name, key, "unique", columns, made)
        elif key.kind == "index" and columns:
            changes.index(path, name, key, columns, key.name or f"{name.name}_{'_'.join(columns)}")


def _queried(
    own: Mapping[str, _Table], tables: Mapping[str, _Table], entities: Sequence[Declared]
) -> tuple[list[MappedEntity], dict[str, int]]:
    """Return the tables and entities by which code queries a database, and their numbers by name."""
    found: list[MappedEntity] = []
    names: dict[str, int] = {}
    for name, table in own.items():
        names[f"{NAME}{name}"] = len(found)
        columns = {property: MappedAttribute(each.name) for property, each in table.columns.items()}
        found.append(MappedEntity(table.declared.path, table.declared.model.symbol, table.name, columns))
    held = [(each, used) for each in entities if (used := _table_of(each.model, own)) is not None]
    names.update({f"{NAME}{each.model.name}": len(own) + place for place, (each, _) in enumerate(held)})
    for each, table in held:
        attributes = {field.name: _attribute(field, table, tables, names) for field in each.model.fields}
        key = table.columns.get("id")
        attributes.setdefault("id", MappedAttribute(key.name if key is not None else ""))
        is_sequence = each.model.framework == KTORM
        if is_sequence:
            attributes = {property: MappedAttribute(column.name) for property, column in table.columns.items()}
        found.append(MappedEntity(each.path, each.model.symbol, table.name, attributes, is_separate=not is_sequence))
    return found, names


def _table_of(model: MappedModel, tables: Mapping[str, _Table]) -> _Table | None:
    return next((tables[name] for name in model.bases if name in tables), None)


def _attribute(field: MappedField, table: _Table, tables: Mapping[str, _Table], names: Mapping[str, int]) -> MappedAttribute:
    column = table.columns.get(field.column)
    if not field.kind:
        return MappedAttribute(column.name if column is not None else "", symbol=field.symbol)
    target = next((names[f"{NAME}{name}"] for name in field.target.split(OR) if f"{NAME}{name}" in names), -1)
    join = next((tables[name].name for name in field.through.split(OR) if name in tables), None)
    own = column.name if column is not None and field.is_owner else ""
    return MappedAttribute(own, target, not field.is_owner, join, symbol=field.symbol if own else -1)
