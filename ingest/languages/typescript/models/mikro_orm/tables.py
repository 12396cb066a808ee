"""The tables that MikroORM makes from the entities in all files of a repository. Types are types of PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from .....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from .....data.schemas.model_names import Declared, classes_above, databases, declared_models, folder_of
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import FieldKind, MappedField, ModelKind
from ..references import ModelReferences
from ..sequelize.naming import underscored
from .defined_entities import FRAMEWORK

_TYPES: Final = {
    "string": "varchar(255)", "number": "int", "boolean": "boolean", "#Date": "timestamptz", "Date": "timestamptz",
    "[]": "text[]", "date": "date", "text": "text", "uuid": "uuid", "json": "jsonb", "bigint": "bigint",
    "decimal": "numeric(10,0)",
}  # fmt: skip
_MAX_DEPTH: Final = 8


class _Held(NamedTuple):
    path: str
    field: MappedField
    #: Name of the property, after the names of the embedded values that contain the property.
    property: str
    #: Name of the column, after the names of the same embedded values.
    column: str


def mikro_orm_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all entities."""
    every = declared_models(facts, FRAMEWORK)
    references = ModelReferences(every)
    entities = [each for each in every if each.model.kind == ModelKind.TABLE]
    classes = [each for each in every if each.model.kind == ModelKind.PROXY]
    return [_Schema(part, classes, references).made() for part in databases(entities, lambda each: _table_name(each).name)]


def _table_name(declared: Declared) -> ObjectName:
    return ObjectName(declared.model.table or underscored(declared.model.entity or declared.model.name), declared.model.schema)


class _Schema:
    def __init__(self, entities: Sequence[Declared], classes: Sequence[Declared], references: ModelReferences) -> None:
        """`classes` extend entities that calls define, and have their tables."""
        self._entities = entities
        self._classes = classes
        self._references = references
        self._numbers = {id(each.model): number for number, each in enumerate(entities)}
        self._changes = MappedChanges()

    def made(self) -> MappedSchema:
        for each in self._entities:
            self._table(each)
        names = {f"{FRAMEWORK}:{each.model.entity or each.model.name}": number for number, each in enumerate(self._entities)}
        entities = [self._entity(each) for each in self._entities]
        for each in self._classes:
            defined = self._defined(each)
            number = self._numbers.get(id(defined.model)) if defined is not None else None
            if number is not None:
                entities.append(entities[number]._replace(path=each.path, symbol=each.model.symbol))
        return MappedSchema(FRAMEWORK, folder_of(self._entities), list(self._changes.all()), entities, names)

    # ------------------------------------------------------------------ fields

    def _fields(self, declared: Declared, around: str = "", prefix: str = "", depth: int = 0) -> list[_Held]:
        """Return the fields of an entity, of its bases, and of its embedded values."""
        found: dict[str, _Held] = {}
        for each in [*reversed(list(classes_above(declared, self._references.find))), declared]:
            for field in each.model.fields:
                name, column = f"{around}{field.name}", prefix + self._column(field, each.path)
                target = self._references.find(field.target, each.path) if field.kind == FieldKind.EMBEDDED else None
                if target is not None and depth < _MAX_DEPTH:
                    start = field.prefix or f"{prefix}{underscored(field.name)}_"
                    found |= {held.property: held for held in self._fields(target, f"{name}.", start, depth + 1)}
                elif field.kind != FieldKind.EMBEDDED:
                    found[name] = _Held(each.path, field, name, column)
        return list(found.values())

    def _column(self, field: MappedField, path: str) -> str:
        if field.column or field.kind == FieldKind.COLUMN:
            return field.column or underscored(field.name)
        target = self._target(field, path)
        key = self._key(target).column if target is not None else "id"
        return f"{underscored(field.name)}_{key}"

    def _target(self, field: MappedField, path: str) -> Declared | None:
        found = self._references.find(field.target, path)
        found = self._defined(found) if found is not None and found.model.kind == ModelKind.PROXY else found
        return found if found is not None and id(found.model) in self._numbers else None

    def _defined(self, declared: Declared) -> Declared | None:
        """Return the entity that a class extends: `UserSchema` for `class User extends UserSchema.class`."""
        return self._references.find(declared.model.bases[0], declared.path)

    def _key(self, declared: Declared) -> _Held:
        for each in [declared, *classes_above(declared, self._references.find)]:
            for field in each.model.fields:
                if field.is_primary and field.kind == FieldKind.COLUMN:
                    return _Held(each.path, field, field.name, field.column or underscored(field.name))
        field = MappedField("id", declared.model.symbol, declared.model.line, "number", kind=FieldKind.COLUMN)
        return _Held(declared.path, field, "id", "id")

    def _type(self, field: MappedField) -> str:
        if field.column_type and field.column_type not in _TYPES:
            return field.column_type
        made = _TYPES.get(field.column_type or field.type, "varchar(255)" if "#" not in field.type else "jsonb")
        return f"varchar({field.size})" if field.size and made.startswith("varchar") else made

    # ------------------------------------------------------------------ tables

    def _table(self, declared: Declared) -> None:
        path, model = declared
        name = _table_name(declared)
        self._changes.create(path, "table", name, model.symbol, model.line)
        primary: list[str] = []
        for held in self._fields(declared):
            field = held.field
            if field.kind == FieldKind.COLUMN:
                self._changes.column(
                    held.path, name, field, held.column, self._type(field), nullable=field.nullable, default=field.default
                )
            elif field.is_owner and (target := self._target(field, held.path)) is not None:
                if field.kind == FieldKind.MANY_TO_MANY:
                    self._join_table(declared, held, target)
                    continue
                key = self._key(target)
                self._changes.column(held.path, name, field, held.column, self._type(key.field), nullable=field.nullable)
                self._foreign_key(held.path, name, field, held.column, target, key)
            else:
                continue
            primary += [held.column] if field.is_primary else []
            if field.is_unique:
                self._changes.constraint(held.path, name, field, "unique", [held.column], f"{name.name}_{held.column}_unique")
        if primary:
            self._changes.constraint(path, name, model, "primary key", primary, f"{name.name}_pkey")

    def _foreign_key(self, path: str, table: ObjectName, field: MappedField, column: str, target: Declared, key: _Held) -> None:
        rules = (field.on_delete.upper(), "CASCADE")
        name = f"{table.name}_{column}_foreign"
        self._changes.foreign_key(path, table, field, [column], _table_name(target), [key.column], name, rules)

    def _join_name(self, declared: Declared, held: _Held) -> ObjectName:
        own = _table_name(declared)
        return ObjectName(held.field.relation or f"{own.name}_{underscored(held.field.name)}", own.schema)

    def _join_table(self, declared: Declared, held: _Held, target: Declared) -> None:
        table, field = self._join_name(declared, held), held.field
        self._changes.create(held.path, "table", table, field.symbol, field.line)
        columns: list[str] = []
        is_self = declared.model is target.model
        for place, (side, written) in enumerate(((declared, field.fields), (target, field.inverse_fields))):
            key = self._key(side)
            made = written[0] if written else f"{_table_name(side).name}{f'_{place + 1}' if is_self else ''}_{key.column}"
            columns.append(made)
            self._changes.column(held.path, table, field, made, self._type(key.field), nullable=False)
            self._foreign_key(held.path, table, field, made, side, key)
        self._changes.constraint(held.path, table, field, "primary key", columns, f"{table.name}_pkey")

    # ------------------------------------------------------------------ entities

    def _entity(self, declared: Declared) -> MappedEntity:
        attributes: dict[str, MappedAttribute] = {}
        for held in self._fields(declared):
            field = held.field
            if field.kind == FieldKind.COLUMN:
                attributes[held.property] = MappedAttribute(held.column)
                continue
            target = self._target(field, held.path)
            if target is None:
                continue
            is_many = field.kind in (FieldKind.ONE_TO_MANY, FieldKind.MANY_TO_MANY)
            column = held.column if field.is_owner and not is_many else ""
            join = self._joined(declared, held, target) if field.kind == FieldKind.MANY_TO_MANY else None
            attributes[held.property] = MappedAttribute(column, self._numbers[id(target.model)], is_many, join)
        return MappedEntity(declared.path, declared.model.symbol, _table_name(declared), attributes)

    def _joined(self, declared: Declared, held: _Held, target: Declared) -> ObjectName | None:
        if held.field.is_owner:
            return self._join_name(declared, held)
        other = next((each for each in self._fields(target) if each.property == held.field.inverse), None)
        return self._join_name(target, other) if other is not None else None
