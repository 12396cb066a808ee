"""The tables that Peewee creates for the models of a repository, and the names of these models for queries."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import md5
from posixpath import commonpath
from typing import Final, NamedTuple

from ......schema.paths import parent_of
from .....data.schemas.mapped import MappedAttribute, MappedChange, MappedChanges, MappedEntity, MappedSchema
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import MappedField, MappedKey, ModelKind
from ..declarations import DeclaredModel, Hierarchy
from .peewee import COMPUTES_NAMES, FRAMEWORK, LEGACY_NAMES, WITHOUT_KEY

#: Bases outside of the repository whose classes are models.
_MODEL_BASE: Final = re.compile(
    r"(?:peewee|playhouse|aiopeewee|peewee_async)\.(?:\w+\.)*\w*Model|(?:\w+\.)*(?:db|database)\.Model"
)
#: Types of columns in PostgreSQL by the class of the field.
_TYPES: Final = {
    "AutoField": "serial",
    "PrimaryKeyField": "serial",
    "BigAutoField": "bigserial",
    "IdentityField": "integer",
    "IntegerField": "integer",
    "BigIntegerField": "bigint",
    "SmallIntegerField": "smallint",
    "FloatField": "real",
    "DoubleField": "double precision",
    "DecimalField": "numeric",
    "CharField": "varchar",
    "FixedCharField": "char",
    "TextField": "text",
    "BlobField": "bytea",
    "BitField": "bigint",
    "BigBitField": "bytea",
    "UUIDField": "uuid",
    "BinaryUUIDField": "bytea",
    "DateTimeField": "timestamp",
    "DateTimeTZField": "timestamp with time zone",
    "DateField": "date",
    "TimeField": "time",
    "TimestampField": "integer",
    "IPField": "bigint",
    "BooleanField": "boolean",
    "JSONField": "jsonb",
    "BinaryJSONField": "jsonb",
    "ArrayField": "integer[]",
    "HStoreField": "hstore",
    "TSVectorField": "tsvector",
}
#: Maximum length of the name of an index.
_MAX_NAME: Final = 64
#: Maximum number of foreign keys that are followed for the type of a column.
_MAX_DEPTH: Final = 20
_STEP_1: Final = re.compile(r"(.)_*([A-Z][a-z]+)")
_STEP_2: Final = re.compile(r"([a-z0-9])_*([A-Z])")


class OwnField(NamedTuple):
    """A field of the table of a model, and the model that declares it."""

    holder: DeclaredModel
    field: MappedField


def peewee_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the database that the models of a repository declare."""
    return PeeweeModels(facts).schemas()


class PeeweeModels(Hierarchy):
    """The models of Peewee in all files."""

    #: Name of the object mapper, the bases outside of the repository whose classes are models, and the types of columns.
    framework = FRAMEWORK
    bases = _MODEL_BASE
    types: Mapping[str, str] = _TYPES
    #: End of the name of the relation that leads back, after the name of the model; "" if only the model can name this relation.
    inverse_end = "_set"
    #: Name and type of the key of a model that declares none.
    default_key = ("id", "serial")
    #: Whether queries may also name columns.
    has_columns_by_name = False

    def __init__(self, facts: Mapping[str, DataFacts]) -> None:
        super().__init__()
        for path in sorted(facts):
            for model in facts[path].models:
                if model.framework == self.framework:
                    self.declarations.add(path, model)
        every = self.declarations.all()
        models = [each for each in every if self._derives(each)]
        extended = {id(base.model) for each in models for base in self.bases_of(each)}
        #: Models with a table. A base model without its own fields has no table, and only passes options to derived models.
        self.concrete: Final = [
            each
            for each in models
            if each.model.kind != ModelKind.ABSTRACT and (each.model.fields or each.model.table or id(each.model) not in extended)
        ]
        self._every: Final = models
        self._numbers = {id(each.model): number for number, each in enumerate(models)}

    def schemas(self) -> list[MappedSchema]:
        """Return the database of the models; none if there are no models."""
        changes = self.changes()
        if not changes:
            return []
        folder = commonpath([parent_of(each.path) for each in self.concrete])
        return [MappedSchema(self.framework, folder, changes, self.entities())]

    def _derives(self, declared: DeclaredModel) -> bool:
        return any(
            self.bases.fullmatch(base) is not None for each in (declared, *self.above(declared)) for base in each.model.bases
        )

    # ------------------------------------------------------------------ names

    def _table(self, declared: DeclaredModel) -> ObjectName | None:
        """Return the name of a table; None if a function computes it."""
        order = [declared, *self.above(declared)]
        schema = next((each.model.schema for each in order if each.model.schema), "")
        if declared.model.table:
            return ObjectName(declared.model.table, schema)
        if any(COMPUTES_NAMES in each.model.options for each in order):
            return None
        name = declared.model.name
        return ObjectName(name.lower() if self._has_legacy_names(declared) else snake_case(name), schema)

    def _has_legacy_names(self, declared: DeclaredModel) -> bool:
        order = (declared, *self.above(declared))
        return next((found for each in order if (found := each.model.options.get(LEGACY_NAMES))), "yes") == "yes"

    def _index(self, declared: DeclaredModel, columns: Sequence[str], *, is_unique: bool) -> str:
        table = None if self._has_legacy_names(declared) else self._table(declared)
        return _index_name(table.name if table is not None else declared.model.name.lower(), columns)

    def _fields(self, declared: DeclaredModel) -> list[OwnField]:
        """Return the fields of a table, without fields that join tables."""
        order = [declared, *self.above(declared)]
        found: dict[str, OwnField] = {}
        for each in reversed(order):
            for field in each.model.fields:
                found[field.name] = OwnField(each, field)
        return list(found.values())

    def _column(self, field: MappedField) -> str:
        if field.column:
            return field.column
        is_key = bool(field.target) and not field.is_list
        return f"{field.name}_id" if is_key and not field.name.endswith("_id") else field.name

    def _target(self, own: OwnField) -> DeclaredModel | None:
        if own.field.target == "self":
            return own.holder
        return self.declarations.exported(own.field.target, own.holder.path)

    def _key(self, declared: DeclaredModel) -> str:
        """Return the column of the primary key."""
        for own in self._fields(declared):
            if own.field.is_primary:
                return self._column(own.field)
        return self.default_key[0]

    # ------------------------------------------------------------------ tables

    def changes(self) -> list[MappedChange]:
        made = MappedChanges()
        columns: dict[ObjectName, set[str]] = {}
        tables = [(each, self.root(each), name) for each in self.concrete if (name := self._table(each)) is not None]
        for each, root, name in tables:
            if root is each:
                self._create(each, name, made)
                columns[name] = {own.field.name for own in self._fields(each)}
        for each, root, name in tables:
            if root is not each:
                self._extend(each, name, columns.setdefault(name, set()), made)
        return list(made.all())

    def root(self, declared: DeclaredModel) -> DeclaredModel:
        """Return the model whose table has the rows of a model: the model itself, unless a mapper has one table for several."""
        return declared

    def top(self, declared: DeclaredModel) -> DeclaredModel:
        """Return the model with a table that is above all others of a model."""
        concrete = {id(each.model) for each in self.concrete}
        return next((each for each in [*self.above(declared)][::-1] if id(each.model) in concrete), declared)

    def _extend(self, declared: DeclaredModel, name: ObjectName, known: set[str], made: MappedChanges) -> None:
        """Add the columns that a model has in addition to those of the model whose table it uses."""
        for own in self._fields(declared):
            field, column = own.field, self._column(own.field)
            if field.name not in known and not field.is_list:
                made.column(own.holder.path, name, field, column, self._type(own), nullable=True)
                if field.target:
                    self._foreign_key(own, name, column, made)
            known.add(field.name)

    def _create(self, declared: DeclaredModel, name: ObjectName, made: MappedChanges) -> None:
        path, model = declared.path, declared.model
        made.create(path, "table", name, model.symbol, model.line)
        fields = [own for own in self._fields(declared) if not own.field.is_list]
        keys = [key for key in model.keys if key.kind == "primary key"]
        primary = [self._column(own.field) for own in fields if own.field.is_primary]
        if not primary and not keys and WITHOUT_KEY not in model.options:
            made.column(path, name, model, *self.default_key, nullable=False)
            primary = [self.default_key[0]]
        for own in fields:
            field, column = own.field, self._column(own.field)
            made.column(own.holder.path, name, field, column, self._type(own), nullable=field.nullable and not field.is_primary)
            if field.target:
                self._foreign_key(own, name, column, made)
            if (field.is_indexed or field.is_unique) and not field.is_primary:
                self._key_of_field(declared, own, name, made)
        named = {own.field.name: self._column(own.field) for own in fields}
        if primary:
            made.constraint(path, name, model, "primary key", primary)
        for key in model.keys:
            self._add_key(declared, name, key, [named.get(each, each) for each in key.fields], made)
        for own in self._fields(declared):
            if own.field.is_list:
                self._join(declared, own, made)

    def _key_of_field(self, declared: DeclaredModel, own: OwnField, name: ObjectName, made: MappedChanges) -> None:
        """Add the index of an indexed or unique field."""
        field, columns = own.field, [self._column(own.field)]
        index = self._index(declared, columns, is_unique=field.is_unique)
        made.index(own.holder.path, name, field, columns, index, is_unique=field.is_unique)

    def _add_key(
        self, declared: DeclaredModel, name: ObjectName, key: MappedKey, columns: list[str], made: MappedChanges
    ) -> None:
        if key.kind == "primary key":
            made.constraint(declared.path, name, key, key.kind, columns)
        else:
            is_unique = key.kind == "unique"
            index = self._index(declared, columns, is_unique=is_unique)
            made.index(declared.path, name, key, columns, index, is_unique=is_unique)

    def _type(self, own: OwnField, depth: int = 0) -> str:
        """Return the type of a column. A foreign key has the type of the column that it references."""
        field = own.field
        if not field.target:
            return self.types.get(field.type, field.type.removesuffix("Field").lower()) + field.size
        target = self._target(own)
        for other in self._fields(target) if target is not None and depth < _MAX_DEPTH else ():
            if other.field.name in field.target_fields or (not field.target_fields and other.field.is_primary):
                return {"serial": "integer", "bigserial": "bigint"}.get(kind := self._type(other, depth + 1), kind)
        return "integer"

    def _foreign_key(self, own: OwnField, name: ObjectName, column: str, made: MappedChanges) -> None:
        target = self._target(own)
        table = self._table(target) if target is not None else None
        if target is None or table is None:
            return
        field = own.field
        referred = next((self._column(each.field) for each in self._fields(target) if each.field.name in field.target_fields), "")
        rules = (field.on_delete, field.on_update)
        made.foreign_key(own.holder.path, name, field, [column], table, [referred or self._key(target)], rules=rules)

    def _join_table(self, declared: DeclaredModel, own: OwnField) -> ObjectName | None:
        """Return the table that joins both sides of a many-to-many relation."""
        if own.field.through:
            through = self.declarations.exported(own.field.through, own.holder.path)
            return self._table(through) if through is not None else None
        target = self._target(own)
        names = [self._table(each) for each in (declared, target) if each is not None]
        known = [each.name for each in names if each is not None]
        return ObjectName(f"{known[0]}_{known[1]}_through") if len(known) == 2 else None

    def _join(self, declared: DeclaredModel, own: OwnField, made: MappedChanges) -> None:
        name, target = self._join_table(declared, own), self._target(own)
        if name is None or target is None or own.field.through:  # the table of `through` is the table of a model
            return
        path, field = own.holder.path, own.field
        made.create(path, "table", name, field.symbol, field.line)
        made.column(path, name, field, "id", "serial", nullable=False)
        made.constraint(path, name, field, "primary key", ["id"])
        columns: list[str] = []
        through = f"{declared.model.name}{target.model.name}Through".lower()
        for side in (declared, target):
            table = self._table(side)
            columns.append(f"{side.model.name.lower()}_id")
            key = next((each for each in self._fields(side) if each.field.is_primary), None)
            made.column(path, name, field, columns[-1], self._type(key) if key is not None else "integer", nullable=False)
            made.index(path, name, field, [columns[-1]], _index_name(through, [columns[-1]]))
            if table is not None:
                made.foreign_key(path, name, field, [columns[-1]], table, [self._key(side)])
        made.index(path, name, field, columns, _index_name(through, columns), is_unique=True)

    # ------------------------------------------------------------------ names for queries

    def entities(self) -> list[MappedEntity]:
        """Return an entity for each model; a base without a table represents the models that extend it."""
        attributes: list[dict[str, MappedAttribute]] = [{} for _ in self._every]
        variants: list[list[int]] = [[] for _ in self._every]
        for declared in self.concrete:
            number = self._numbers[id(declared.model)]
            for base in self.above(declared):
                if id(base.model) in self._numbers:
                    variants[self._numbers[id(base.model)]].append(number)
            for own in self._fields(declared):
                self._attribute(declared, own, attributes)
            attributes[number].setdefault("id", MappedAttribute(self._key(declared)))
        concrete = {id(each.model) for each in self.concrete}
        tables = [self._table(each) if id(each.model) in concrete else None for each in self._every]
        return [
            MappedEntity(
                each.path, each.model.symbol, table, own, variants=tuple(found), has_columns_by_name=self.has_columns_by_name
            )
            for each, table, own, found in zip(self._every, tables, attributes, variants, strict=True)
        ]

    def _attribute(self, declared: DeclaredModel, own: OwnField, attributes: list[dict[str, MappedAttribute]]) -> None:
        field, number = own.field, self._numbers[id(declared.model)]
        if not field.target:
            attributes[number][field.name] = MappedAttribute(self._column(field))
            return
        found = self._target(own)
        target = self._numbers.get(id(found.model), -1) if found is not None else -1
        join = self._join_table(declared, own) if field.is_list else None
        column = "" if field.is_list else self._column(field)
        attributes[number][field.name] = MappedAttribute(column, target, field.is_list, join)
        if not field.is_list:
            attributes[number].setdefault(column, MappedAttribute(column))
        if target >= 0 and (field.inverse or self.inverse_end):
            back = MappedAttribute("", number, True, join, on_delete="CASCADE" if field.on_delete == "CASCADE" else "")
            attributes[target].setdefault(field.inverse or f"{declared.model.name.lower()}{self.inverse_end}", back)


def snake_case(name: str) -> str:
    return _STEP_2.sub(r"\1_\2", _STEP_1.sub(r"\1_\2", name)).lower()


def _index_name(prefix: str, columns: Sequence[str]) -> str:
    name = "_".join((prefix, *columns))
    if len(name) <= _MAX_NAME:
        return name
    return f"{name[:56]}_{md5(name.encode(), usedforsecurity=False).hexdigest()[:7]}"
