"""The tables that Drizzle Kit makes from the declarations in all files of a repository."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from ......schema.paths import common_parts, parent_of
from .....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from .....data.schemas.model_names import Declared, databases_of_dialects, declared_models, folder_of
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import FieldKind, MappedField, MappedKey, ModelKind
from ..references import ModelReferences
from .tables_of_file import FRAMEWORK

_WORDS: Final = re.compile(r"[\da-z]+|[A-Z]+(?![a-z])|[A-Z][\da-z]+")
_HOLE: Final = re.compile(r"\$\{([^{}]*)\}")
_OPTION: Final = re.compile(r"\w+\??\.(\w+)!?")
#: Maximum length of a chain of objects, each spread in the next.
_MAX_DEPTH: Final = 20


def drizzle_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all tables."""
    models = declared_models(facts, FRAMEWORK)
    casings = [each for each in models if each.model.kind == ModelKind.SETTING and each.model.name == "casing"]
    others = [each for each in models if each not in casings]
    relations = [each for each in others if each.model.kind == ModelKind.KEYS]
    # Relations have the names of their tables, and only a table can be the target of a reference.
    references = ModelReferences(each for each in others if each.model.kind != ModelKind.KEYS)
    tables = [each for each in others if each.model.kind in (ModelKind.TABLE, ModelKind.VIEW, ModelKind.ENUM)]
    dialects = {path: data.dialect for path, data in facts.items()}
    parts = databases_of_dialects(tables, _own_table, dialects)
    return [_Schema(part, references, casings, dialects, relations).made() for part in parts]


def _own_table(declared: Declared) -> str:
    model = declared.model
    return f"{model.bases[-1:]}{model.table}" if model.kind == ModelKind.TABLE else ""


class _Schema:
    def __init__(
        self,
        tables: Sequence[Declared],
        references: ModelReferences,
        casings: Sequence[Declared],
        dialects: Mapping[str, str],
        relations: Sequence[Declared],
    ) -> None:
        self._tables = tables
        self._references = references
        self._folder = folder_of(tables)
        casing = max(casings, key=lambda each: common_parts(parent_of(each.path), self._folder), default=None)
        self._casing = casing.model.table if casing is not None else ""
        self._dialect = next((dialects[each.path] for each in tables if dialects.get(each.path)), "postgresql")
        self._relations = relations
        self._changes = MappedChanges()

    def made(self) -> MappedSchema:
        for each in self._tables:
            path, model = each
            name = self._name(each)
            self._changes.create(path, model.kind, name, model.symbol, model.line)
            if model.kind == ModelKind.VIEW:
                for owner, field in self._fields(each):
                    kind = self._type(field, owner)
                    self._changes.column(owner.path, name, field, self._column_name(field), kind, nullable=True)
            elif model.kind == ModelKind.TABLE:
                self._table(each, name)
        entities, names = self._entities()
        return MappedSchema(FRAMEWORK, self._folder, list(self._changes.all()), entities, names)

    def _entities(self) -> tuple[list[MappedEntity], dict[str, int]]:
        """Return the tables and views that code can query, and the number of each by its name in code."""
        declared = [each for each in self._tables if each.model.kind in (ModelKind.TABLE, ModelKind.VIEW)]
        numbers = {id(each.model): number for number, each in enumerate(declared)}
        attributes = [
            {
                field.name: MappedAttribute(self._column_name(field))
                for _, field in self._fields(each)
                if field.kind == FieldKind.COLUMN
            }
            for each in declared
        ]
        for relation in self._relations:
            source = self._references.find(relation.model.name, relation.path)
            number = numbers.get(id(source.model), -1) if source is not None else -1
            for field in relation.model.fields if number >= 0 else ():
                target = self._references.find(field.target, relation.path)
                column = attributes[number].get(field.fields[0]) if field.fields else None
                attributes[number][field.name] = MappedAttribute(
                    column.column if column is not None else "",
                    numbers.get(id(target.model), -1) if target is not None else -1,
                    field.kind == FieldKind.ONE_TO_MANY,
                )
        found = [
            MappedEntity(each.path, each.model.symbol, self._name(each), own)
            for each, own in zip(declared, attributes, strict=True)
        ]
        return found, {f"{FRAMEWORK}:{each.model.name}": number for number, each in enumerate(declared)}

    # ------------------------------------------------------------------ names

    def _name(self, declared: Declared) -> ObjectName:
        """Return the name of a table, a view or an enum with its schema, and with the prefix of its creator."""
        model, maker = declared.model, self._maker(declared)
        if maker is None:
            return ObjectName(model.table)
        if maker.model.kind == ModelKind.NAMESPACE:
            return ObjectName(model.table, maker.model.schema)
        return ObjectName(_HOLE.sub(lambda _: model.table, maker.model.table))

    def _maker(self, declared: Declared) -> Declared | None:
        for base in declared.model.bases:
            found = self._references.find(base, declared.path)
            if found is not None and found.model.kind in (ModelKind.NAMESPACE, ModelKind.SETTING):
                return found
        return None

    def _column_name(self, field: MappedField) -> str:
        if field.column or not self._casing:
            return field.column or field.name
        words = _WORDS.findall(field.name.replace("'", ""))
        if self._casing == "snake_case":
            return "_".join(word.lower() for word in words)
        return "".join(word.lower() if place == 0 else word[:1].upper() + word[1:] for place, word in enumerate(words))

    # ------------------------------------------------------------------ columns

    def _fields(self, declared: Declared, depth: int = 0) -> list[tuple[Declared, MappedField]]:
        """Return the fields of a table and of the objects that it spreads, each with its declaration."""
        found: dict[str, tuple[Declared, MappedField]] = {}
        for base in declared.model.bases:
            spread = self._references.find(base, declared.path) if depth < _MAX_DEPTH else None
            if spread is not None and spread.model.kind == ModelKind.EMBEDDED:
                found.update((field.name, (owner, field)) for owner, field in self._fields(spread, depth + 1))
        keys = []
        for field in declared.model.fields:
            if field.kind == FieldKind.COLUMN:
                found[field.name] = (declared, self._completed(field, declared))
            else:
                keys.append((declared, field))
        return [*found.values(), *keys]

    def _completed(self, field: MappedField, declared: Declared) -> MappedField:
        """Return a field with the properties that a function of the repository gives to the column it creates."""
        maker = self._references.find(field.type, declared.path) if field.type else None
        if maker is None or maker.model.kind != ModelKind.EMBEDDED or len(maker.model.fields) != 1:
            return field
        inner = maker.model.fields[0]
        if inner.name:
            return field
        given = field.texts[inner.name_parameter : inner.name_parameter + 1] if inner.name_parameter >= 0 else ()
        column = "".join(given) or inner.column
        made = MappedField(field.name, field.symbol, field.line, inner.type, column, inner.column_type)
        made.kind, made.size = FieldKind.COLUMN, inner.size + field.size
        made.nullable = field.nullable and inner.nullable
        made.is_list = field.is_list or inner.is_list
        made.is_primary, made.is_unique = field.is_primary or inner.is_primary, field.is_unique or inner.is_unique
        made.primary_name, made.unique_name = field.primary_name, field.unique_name
        made.default = field.default or inner.default
        source = field if field.target else inner
        made.target, made.target_fields = source.target, source.target_fields
        made.on_delete, made.on_update = source.on_delete, source.on_update
        return made

    def _type(self, field: MappedField, declared: Declared) -> str:
        options, _, brackets = field.size.partition("[")
        ending = f"[{brackets}" if brackets else ""
        if field.column_type:
            return field.column_type + ending
        found = self._references.find(field.type, declared.path)
        if found is None:
            return field.type.rpartition("#")[2] + ending
        if found.model.kind == ModelKind.ENUM:
            name = self._name(found)
            return (f"{name.schema}.{name.name}" if name.schema else found.model.table) + ending
        if found.model.kind == ModelKind.TYPE:
            values = dict(each.partition("=")[::2] for each in options.split(",") if each)
            return _custom_type([each.type for each in found.model.fields], values) + ending
        return found.model.name + ending

    def _table(self, declared: Declared, name: ObjectName) -> None:
        path, model = declared
        fields = self._fields(declared)
        columns: dict[str, str] = {}
        for owner, field in fields:
            if field.kind != FieldKind.COLUMN:
                continue
            column = columns[field.name] = self._column_name(field)
            self._changes.column(
                owner.path, name, field, column, self._type(field, owner), nullable=field.nullable, default=field.default
            )
            if field.is_primary:
                written = field.primary_name or (f"{name.name}_{column}" if self._dialect == "mysql" else "")
                self._changes.constraint(owner.path, name, field, "primary key", [column], written)
            if field.is_unique:
                self._unique(owner.path, name, field, [column], field.unique_name)
        for key in model.keys:
            self._key(path, name, key, [columns.get(each, "") if each else "" for each in key.fields])
        for owner, field in fields:
            if field.target:
                self._foreign_key(owner, name, field, columns)

    # ------------------------------------------------------------------ keys

    def _unique(self, path: str, table: ObjectName, at: MappedField | MappedKey, columns: Sequence[str], written: str) -> None:
        own = written or f"{table.name}_{'_'.join(columns)}_unique"
        if self._dialect == "sqlite":  # in this dialect a unique key is an index
            self._changes.index(path, table, at, columns, own, is_unique=True)
        else:
            self._changes.constraint(path, table, at, "unique", columns, own)

    def _key(self, path: str, table: ObjectName, key: MappedKey, columns: Sequence[str]) -> None:
        joined = "_".join(columns)
        if key.kind == "primary key":
            self._changes.constraint(path, table, key, "primary key", columns, key.name or f"{table.name}_{joined}_pk")
        elif not key.is_partial:
            self._unique(path, table, key, columns, key.name)
        else:
            own = key.name or f"{table.name}_{joined}_index"
            self._changes.index(path, table, key, columns, own, is_unique=key.kind == "unique")

    def _foreign_key(self, declared: Declared, table: ObjectName, field: MappedField, columns: Mapping[str, str]) -> None:
        target = self._references.find(field.target, declared.path)
        if target is None or target.model.kind != ModelKind.TABLE:
            return
        name = self._name(target)
        own = [columns.get(each, each) for each in field.fields] or [columns[field.name]]
        others = {each.name: self._column_name(each) for _, each in self._fields(target) if each.kind == FieldKind.COLUMN}
        referred = [others.get(each, each) for each in field.target_fields]
        made = f"{table.name}_{'_'.join(own)}_{name.name}_{'_'.join(referred)}_fk"
        rules = (field.on_delete.upper(), field.on_update.upper())
        self._changes.foreign_key(declared.path, table, field, own, name, referred, field.foreign_key_name or made, rules)


def _custom_type(templates: Sequence[str], options: Mapping[str, str]) -> str:
    """Return the type that code computes from options: the first template with values for all parts, else the last plain text."""
    for template in templates:
        holes = [found[1] for hole in _HOLE.findall(template) if (found := _OPTION.fullmatch(hole.strip())) is not None]
        if len(holes) == len(_HOLE.findall(template)) and all(options.get(each) for each in holes):
            filled = iter(options[each] for each in holes)
            return _HOLE.sub(lambda _: next(filled), template)  # noqa: B023 - the text is made at once
    plain = [each for each in templates if "${" not in each]
    return plain[-1] if plain else templates[-1].partition("(")[0]
