"""The tables that Sequelize makes from the models in all files of a repository. Types are types of PostgreSQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from ......schema.paths import common_parts, parent_of
from .....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from .....data.schemas.model_names import Declared, classes_above, databases, declared_models, folder_of
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import FieldKind, MappedField, ModelKind
from ..plurals import plural, singular
from ..references import ModelReferences
from .models_of_file import FRAMEWORK
from .naming import camelized, underscored

_TIME: Final = "timestamp with time zone"
#: Columns with times, and whether a column exists by default.
_TIMES: Final = ("createdAt", "updatedAt")


class _Column(NamedTuple):
    path: str
    field: MappedField
    name: str
    type: str
    nullable: bool


class _Relation(NamedTuple):
    """An association in a model, with the file that declares it."""

    path: str
    field: MappedField
    target: Declared

    @property
    def is_many(self) -> bool:
        return self.field.kind in (FieldKind.ONE_TO_MANY, FieldKind.MANY_TO_MANY)


def sequelize_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all models."""
    every = declared_models(facts, FRAMEWORK)
    settings = [each for each in every if each.model.kind == ModelKind.SETTING]
    associations = [each for each in every if each.model.kind == ModelKind.KEYS]
    models = [each for each in every if each.model.kind in (ModelKind.TABLE, ModelKind.ABSTRACT)]
    references = ModelReferences(models)
    tables = [each for each in models if each.model.kind == ModelKind.TABLE]
    return [_Schema(part, references, settings, associations).made() for part in databases(tables, _own_name)]


def _own_name(declared: Declared) -> str:
    return declared.model.table or declared.model.entity or declared.model.name


class _Schema:
    def __init__(
        self,
        tables: Sequence[Declared],
        references: ModelReferences,
        settings: Sequence[Declared],
        associations: Sequence[Declared],
    ) -> None:
        self._tables = tables
        self._references = references
        #: Models whose key Sequelize adds, by identity.
        self._generated_keys: set[int] = set()
        self._folder = folder_of(tables)
        self._settings = settings
        self._changes = MappedChanges()
        self._numbers = {id(each.model): number for number, each in enumerate(tables)}
        self._columns: dict[int, dict[str, _Column]] = {id(each.model): self._own_columns(each) for each in tables}
        self._relations: dict[int, dict[str, _Relation]] = {id(each.model): {} for each in tables}
        #: The columns of tables that join two models, by name of the table.
        self._joins: dict[str, tuple[_Relation, ObjectName, list[tuple[str, Declared]]]] = {}
        related = list(self._related(associations))
        #: Keys to one side of relations between many rows, by the models of that side, of the other side, and in between.
        self._paired: dict[tuple[int, int, str], str] = {}
        for relation, source in related:
            if relation.field.kind == FieldKind.MANY_TO_MANY:
                name = relation.field.fields[0] if relation.field.fields else ""
                self._paired[id(source.model), id(relation.target.model), self._between(relation)] = name
        for relation, source in related:
            self._relate(source, relation)

    def made(self) -> MappedSchema:
        for declared in self._tables:
            self._table(declared)
        for declared in self._tables:
            for column in self._columns[id(declared.model)].values():
                self._foreign_key(declared, column)
        for relation, table, columns in self._joins.values():
            self._join_table(relation, table, columns)
        names: dict[str, int] = {}
        for number, each in enumerate(self._tables):
            names.setdefault(f"{FRAMEWORK}:{self._model_name(each)}", number)
            names.setdefault(f"{FRAMEWORK}:{each.model.name}", number)
        for name, number in list(names.items()):  # `db.User = …` for `define("user", …)`
            own = name.removeprefix(f"{FRAMEWORK}:")
            names.setdefault(f"{FRAMEWORK}:{own[:1].upper()}{own[1:]}", number)
        entities = [self._entity(each) for each in self._tables]
        return MappedSchema(FRAMEWORK, self._folder, list(self._changes.all()), entities, names)

    # ------------------------------------------------------------------ names

    def _option(self, declared: Declared, name: str) -> str:
        for each in (declared, *self._classes(declared)):
            if name in each.model.options:
                return each.model.options[name]
        found = [each for each in self._settings if each.model.name == name]
        best = max(found, key=lambda each: common_parts(parent_of(each.path), self._folder), default=None)
        return best.model.table if best is not None else ""

    def _classes(self, declared: Declared) -> list[Declared]:
        """Return the classes whose fields a model has, base classes first."""
        return [*reversed(list(classes_above(declared, self._references.find))), declared]

    def _model_name(self, declared: Declared) -> str:
        return declared.model.entity or declared.model.name

    def _table_name(self, declared: Declared) -> ObjectName:
        name = declared.model.table
        if not name:
            name = self._model_name(declared)
            if self._option(declared, "freezeTableName") != "true":
                name = plural(name)
                name = underscored(name) if self._option(declared, "underscored") == "true" else name
        return ObjectName(name, declared.model.schema)

    def _column_name(self, declared: Declared, field: MappedField) -> str:
        return field.column or (underscored(field.name) if self._option(declared, "underscored") == "true" else field.name)

    # ------------------------------------------------------------------ columns

    def _own_columns(self, declared: Declared) -> dict[str, _Column]:
        """Return the columns that a model declares, with the key and the times that Sequelize adds, by attribute."""
        found: dict[str, _Column] = {}
        for owner in self._classes(declared):
            for field in owner.model.fields:
                if field.kind == FieldKind.COLUMN:
                    found[field.name] = self._column(declared, owner.path, field, field.column_type, nullable=field.nullable)
        model = declared.model
        if not any(each.field.is_primary for each in found.values()):
            key = MappedField("id", model.symbol, model.line, "", kind=FieldKind.COLUMN, is_primary=True, default="increment()")
            self._generated_keys.add(id(model))
            found = {"id": self._column(declared, declared.path, key, "integer", nullable=False), **found}
        for name in self._times(declared):
            if name not in found:
                field = MappedField(name, model.symbol, model.line, "", kind=FieldKind.COLUMN)
                is_of_deletion = name == (self._option(declared, "deletedAt") or "deletedAt")
                found[name] = self._column(declared, declared.path, field, _TIME, nullable=is_of_deletion)
        return found

    def _column(self, declared: Declared, path: str, field: MappedField, kind: str, *, nullable: bool) -> _Column:
        name = self._column_name(declared, field)
        kind = kind.replace('"enum__', f'"enum_{self._table_name(declared).name}_')
        # A copy, because associations add the target of the key.
        return _Column(path, msgspec.structs.replace(field), name, kind, nullable and not field.is_primary)

    def _times(self, declared: Declared) -> Iterator[str]:
        if self._option(declared, "timestamps") == "false":
            return
        is_paranoid = self._option(declared, "paranoid") == "true"
        for name in (*_TIMES, "deletedAt") if is_paranoid else _TIMES:
            written = self._option(declared, name)
            if written != "false":
                yield written if written not in ("", "true") else name

    def _key(self, declared: Declared) -> _Column:
        columns = self._columns[id(declared.model)].values()
        return next((each for each in columns if each.field.is_primary), next(iter(columns)))

    # ------------------------------------------------------------------ associations

    def _related(self, associations: Sequence[Declared]) -> Iterator[tuple[_Relation, Declared]]:
        """Yield the associations between models of the database, each with its source."""
        found = [
            (declared, owner.path, field)
            for declared in self._tables
            for owner in self._classes(declared)
            for field in owner.model.fields
            if field.kind != FieldKind.COLUMN
        ]
        for each in associations:
            source = self._references.find(each.model.name, each.path)
            if source is not None and id(source.model) in self._numbers:
                found.append((source, each.path, each.model.fields[0]))
        for source, path, field in found:
            target = self._references.find(field.target, path)
            if target is not None and id(target.model) in self._numbers:
                yield _Relation(path, msgspec.structs.replace(field), target), source

    def _between(self, relation: _Relation) -> str:
        """Return the name of the model or the table that joins both sides of a relation between many rows."""
        field = relation.field
        through = self._references.find(field.through, relation.path) if field.through else None
        return self._model_name(through) if through is not None else field.relation

    def _relate(self, source: Declared, relation: _Relation) -> None:
        field, target = relation.field, relation.target
        name = field.name or self._default_name(target, many=relation.is_many)
        self._relations[id(source.model)][name] = relation
        if field.kind == FieldKind.MANY_TO_ONE:
            self._add_key(source, target, relation, field.name or singular(self._model_name(target)))
        elif field.kind == FieldKind.MANY_TO_MANY:
            self._join(source, target, relation)
        else:
            self._add_key(target, source, relation, singular(self._model_name(source)))

    def _default_name(self, target: Declared, *, many: bool) -> str:
        name = self._model_name(target)
        return plural(name) if many else singular(name)

    def _add_key(self, owner: Declared, referred: Declared, relation: _Relation, name: str) -> None:
        """Add the foreign key of an association to the columns of a model, unless the model declares the column."""
        field, columns = relation.field, self._columns[id(owner.model)]
        key = self._key(referred)
        attribute = field.fields[0] if field.fields else self._declared_key(owner, referred) or self._key_name(owner, name, key)
        known = columns.get(attribute)
        if known is None:
            made = MappedField(attribute, field.symbol, field.line, "", kind=FieldKind.COLUMN)
            made.states_nullable = not field.is_required
            known = columns[attribute] = self._column(owner, relation.path, made, key.type, nullable=not field.is_required)
        own = known.field
        if field.has_foreign_key:
            if not own.target:
                own.target = f"#{referred.model.name}"
                own.target_fields = own.target_fields or list(field.target_fields)
            own.on_delete = (
                own.on_delete or field.on_delete or self._rule_on_delete(relation, is_required=not own.states_nullable)
            )
            own.on_update = own.on_update or field.on_update or "CASCADE"
        field.fields = [attribute]

    def _rule_on_delete(self, relation: _Relation, *, is_required: bool) -> str:
        if not is_required:
            return "SET NULL"
        return "NO ACTION" if relation.field.kind == FieldKind.MANY_TO_ONE else "CASCADE"

    def _declared_key(self, owner: Declared, referred: Declared) -> str:
        """Return the attribute that a decorator declares as the foreign key to a model; "" if there is none."""
        for column in self._columns[id(owner.model)].values():
            field = column.field
            if field.target and not field.targets_table and self._references.find(field.target, column.path) == referred:
                return field.name
        return ""

    def _key_name(self, owner: Declared, name: str, key: _Column) -> str:
        is_underscored = self._option(owner, "underscored") == "true"
        return camelized(f"{underscored(name) if is_underscored else name}_{key.field.name}")

    def _join(self, source: Declared, target: Declared, relation: _Relation) -> None:
        field = relation.field
        through = self._references.find(field.through, relation.path) if field.through else None
        own = field.fields[0] if field.fields else ""
        paired = self._paired.get((id(target.model), id(source.model), self._between(relation)), "")
        other = field.inverse_fields[0] if field.inverse_fields else paired
        if through is not None and id(through.model) in self._numbers:
            keys = [self._through_key(through, each, name, relation) for each, name in ((source, own), (target, other))]
            self._key_of_join(through, keys, is_unique=field.is_unique)
            field.relation = self._table_name(through).name
        elif field.relation:
            own = own or self._key_name(source, singular(self._model_name(source)), self._key(source))
            other = other or self._key_name(target, singular(self._model_name(target)), self._key(target))
            table = ObjectName(field.relation, source.model.schema)
            self._joins.setdefault(table.name, (relation, table, [(own, source), (other, target)]))

    def _through_key(self, through: Declared, model: Declared, name: str, relation: _Relation) -> str:
        """Add the key to one side of a relation to the model that joins both sides, and return its attribute."""
        known = "" if name else self._declared_key(through, model)
        if known:
            return known
        given = relation.field
        made = MappedField("", given.symbol, given.line, "", kind=FieldKind.ONE_TO_MANY, on_delete=given.on_delete or "CASCADE")
        made.on_update, made.has_foreign_key = given.on_update, given.has_foreign_key
        made.fields = [name] if name else []
        self._add_key(through, model, _Relation(relation.path, made, through), singular(self._model_name(model)))
        own = self._columns[id(through.model)][made.fields[0]].field
        if made.has_foreign_key:
            own.target, own.targets_table, own.target_fields = f"#{model.model.name}", False, []
        return own.name

    def _key_of_join(self, through: Declared, keys: Sequence[str], *, is_unique: bool) -> None:
        """Make both keys of a joining model its primary key if Sequelize would generate one, else a unique key."""
        columns = self._columns[id(through.model)]
        is_generated = id(through.model) in self._generated_keys
        if is_generated:
            columns.pop("id", None)
        for each in keys:
            column = columns[each]
            if is_generated:
                column.field.is_primary = True
                columns[each] = column._replace(nullable=False)
            elif is_unique:
                column.field.is_unique, column.field.unique_name = True, "_".join((*sorted(keys), "unique"))

    # ------------------------------------------------------------------ tables

    def _table(self, declared: Declared) -> None:
        path, model = declared
        name = self._table_name(declared)
        columns = self._columns[id(model)].values()
        self._changes.create(path, "table", name, model.symbol, model.line)
        for each in columns:
            self._changes.column(
                each.path, name, each.field, each.name, each.type, nullable=each.nullable, default=each.field.default
            )
        primary = [each.name for each in columns if each.field.is_primary]
        self._changes.constraint(path, name, model, "primary key", primary, f"{name.name}_pkey")
        unique: dict[str, list[_Column]] = defaultdict(list)
        for each in columns:
            if each.field.is_unique:
                unique[each.field.unique_name or f".{each.name}"].append(each)
        for parts in unique.values():
            keys = [each.name for each in parts]
            if keys == primary:
                continue  # PostgreSQL makes no second index for the same columns
            self._changes.constraint(parts[0].path, name, parts[0].field, "unique", keys, "_".join([name.name, *keys, "key"]))
        for key in model.keys:
            written = key.name or underscored("_".join([name.name, *key.fields]))
            self._changes.index(path, name, key, key.fields, written, is_unique=key.kind == "unique")

    def _foreign_key(self, declared: Declared, column: _Column) -> None:
        field = column.field
        name = self._table_name(declared)
        if not field.target or not field.has_foreign_key:
            return
        rules = (field.on_delete.upper(), field.on_update.upper())
        written = f"{name.name}_{column.name}_fkey"
        if field.targets_table:
            referred = ObjectName(field.target)
            self._changes.foreign_key(
                column.path, name, field, [column.name], referred, field.target_fields or ["id"], written, rules
            )
            return
        target = self._references.find(field.target, column.path)
        if target is not None and id(target.model) in self._numbers:
            key = self._key(target)
            columns = self._columns[id(target.model)]
            referred_names = [columns[each].name for each in field.target_fields if each in columns] or [key.name]
            self._changes.foreign_key(
                column.path, name, field, [column.name], self._table_name(target), referred_names, written, rules
            )

    def _join_table(self, relation: _Relation, table: ObjectName, columns: Sequence[tuple[str, Declared]]) -> None:
        path, field = relation.path, relation.field
        self._changes.create(path, "table", table, field.symbol, field.line)
        if self._option(columns[0][1], "timestamps") != "false":
            for name in _TIMES:
                made = underscored(name) if self._option(columns[0][1], "underscored") == "true" else name
                self._changes.column(path, table, field, made, _TIME, nullable=False)
        named = []
        for name, declared in columns:
            key = self._key(declared)
            made = underscored(name) if self._option(declared, "underscored") == "true" else name
            named.append(made)
            self._changes.column(path, table, field, made, key.type, nullable=False)
            referred = self._table_name(declared)
            self._changes.foreign_key(
                path, table, field, [made], referred, [key.name], f"{table.name}_{made}_fkey", ("CASCADE", "CASCADE")
            )
        self._changes.constraint(path, table, field, "primary key", named, f"{table.name}_pkey")

    # ------------------------------------------------------------------ entities

    def _entity(self, declared: Declared) -> MappedEntity:
        attributes = {name: MappedAttribute(column.name) for name, column in self._columns[id(declared.model)].items()}
        for name, (_, field, target) in self._relations[id(declared.model)].items():
            own = attributes.get(field.fields[0]) if field.kind == FieldKind.MANY_TO_ONE and field.fields else None
            is_many = field.kind in (FieldKind.ONE_TO_MANY, FieldKind.MANY_TO_MANY)
            join = ObjectName(field.relation, declared.model.schema) if field.relation else None
            number = self._numbers[id(target.model)]
            made = MappedAttribute(own.column if own is not None else "", number, is_many, join)
            # The names of an association in methods of rows, such as `getPosts` and `addPost`.
            capital = name[:1].upper() + name[1:]
            attributes |= {capital: made, singular(capital): made, name: made}
        return MappedEntity(declared.path, declared.model.symbol, self._table_name(declared), attributes)
