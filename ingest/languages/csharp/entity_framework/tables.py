"""The tables that Entity Framework creates for the entities in all files of a repository, with the types of PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Final, NamedTuple

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, classes_above, databases, declared_models, folder_of
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from .class_names import ClassNames
from .column_types import COLUMN_TYPES
from .contexts import parts_by_context
from .models import FRAMEWORK
from .names import ENTITY, GLOBAL_USINGS, SCHEMA, SET

_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class _Column(NamedTuple):
    """A column of a table, and the file that declares it."""

    path: str
    field: MappedField
    name: str
    type: str
    nullable: bool


class _Relation(NamedTuple):
    """A property that leads to other rows, and the column of its foreign key in this table; "" without one."""

    field: MappedField
    target: Declared
    column: str


class _Entity(NamedTuple):
    """A class whose rows are in a table."""

    declared: Declared
    #: The class to which the table belongs: a base, or the class itself.
    root: Declared
    name: ObjectName
    #: Columns by name of the property.
    columns: Mapping[str, _Column]
    #: Relations by name of the property.
    relations: Mapping[str, _Relation]


def mapped_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases that the contexts and configurations of all files declare."""
    return _Reading(facts).schemas()


class _Reading:
    def __init__(self, facts: Mapping[str, DataFacts]) -> None:
        self._names_of_classes = ClassNames()
        self._contexts: list[Declared] = []
        self._configurations: dict[int, list[Declared]] = {}
        self._enums: set[str] = set()
        self._is_snake_case = False
        self._known_fields: dict[int, list[tuple[Declared, MappedField]]] = {}
        configurations: list[Declared] = []
        for each in declared_models(facts, FRAMEWORK):
            kind = each.model.kind
            if kind in (ModelKind.ABSTRACT, ModelKind.TABLE):
                self._names_of_classes.add(each)
            elif kind == ModelKind.BOUND:
                self._contexts.append(each)
            elif kind == ModelKind.ENUM:
                self._enums.add(each.model.name)
            elif kind == ModelKind.SETTING and each.model.name == GLOBAL_USINGS:
                self._names_of_classes.add_global_usings(each)
            elif kind == ModelKind.SETTING:
                self._is_snake_case = True
            else:
                configurations.append(each)
        for each in configurations:
            target = self._find(each.model.name, each)
            if target is not None:
                self._configurations.setdefault(id(target.model), []).append(each)

    def _find(self, name: str, user: Declared) -> Declared | None:
        return self._names_of_classes.find(name, user)

    def _above(self, declared: Declared) -> list[Declared]:
        """Return a class and its bases, the nearest first."""
        return [declared, *classes_above(declared, lambda name, path: self._find(name, declared))]

    # ------------------------------------------------------------------ entities

    @cached_property
    def _sets(self) -> list[tuple[Declared, MappedField, Declared]]:
        """The sets of all contexts, each with its context and its class."""
        found = (
            (context, field, self._find(field.type, context)) for context in self._contexts for field in context.model.fields
        )
        return [(context, field, target) for context, field, target in found if target is not None]

    @cached_property
    def _set_names(self) -> dict[int, str]:
        """The name of the first set of each class with a set."""
        return {id(target.model): field.name for _, field, target in reversed(self._sets)}

    @cached_property
    def _declared(self) -> dict[int, Declared]:
        """The classes with a table: those of sets and configurations, and those with a key to which their relations lead."""
        found = {id(target.model): target for _, _, target in self._sets}
        for each in self._names_of_classes.all():
            if each.model.kind == ModelKind.TABLE or id(each.model) in self._configurations:
                found[id(each.model)] = each
        waiting = list(found.values())
        while waiting:
            each = waiting.pop()
            for owner, field in self._fields(each):
                target = self._find(field.type, owner)
                if target is None or id(target.model) in found or field.name in self._option(each, "owned"):
                    continue
                if self._key(target):
                    found[id(target.model)] = target
                    waiting.append(target)
        return found

    def _option(self, declared: Declared, name: str) -> list[str]:
        of = self._configurations.get(id(declared.model), ())
        return [value for each in of for value in each.model.options.get(name, "").split()]

    def _fields(self, declared: Declared) -> list[tuple[Declared, MappedField]]:
        """Return the properties of a class and of its bases, each with its class."""
        known = self._known_fields.get(id(declared.model))
        if known is None:
            ignored = self._option(declared, "ignored")
            named: dict[str, tuple[Declared, MappedField]] = {}
            for owner in self._above(declared):
                for field in owner.model.fields:
                    if field.name not in ignored:
                        named.setdefault(field.name, (owner, field))
            known = self._known_fields[id(declared.model)] = list(named.values())
        return known

    def _key(self, declared: Declared) -> list[str]:
        """Return the properties of the primary key."""
        names = [field.name for _, field in self._fields(declared)]
        configured = self._option(declared, "key")
        stated = configured or [field.name for _, field in self._fields(declared) if field.is_primary]
        usual = ("id", f"{declared.model.name}id".lower())
        return stated or [name for name in names if name.lower() in usual][:1]

    def _root(self, declared: Declared) -> Declared:
        """Return the class to whose table the rows of a class belong."""
        if self._stated_table(declared) is not None:
            return declared
        return [each for each in self._above(declared) if id(each.model) in self._declared][-1]

    def _stated_table(self, declared: Declared) -> ObjectName | None:
        for each in self._configurations.get(id(declared.model), ()):
            if each.model.table:
                return ObjectName(each.model.table, each.model.schema)
        return ObjectName(declared.model.table, declared.model.schema) if declared.model.table else None

    def _table(self, root: Declared) -> ObjectName:
        stated = self._stated_table(root)
        if stated is not None:
            return stated
        return ObjectName(self._spelled(self._set_names.get(id(root.model), root.model.name)))

    def _spelled(self, name: str) -> str:
        return _WORDS.sub("_", name).lower() if self._is_snake_case else name

    # ------------------------------------------------------------------ columns

    @cached_property
    def _by_model(self) -> dict[int, _Entity]:
        return {
            id(each.model): self._entity(each)
            for each in sorted(self._declared.values(), key=lambda each: (each.path, each.model.line))
        }

    def _entity(self, declared: Declared) -> _Entity:
        root = self._root(declared)
        columns: dict[str, _Column] = {}
        relations: dict[str, _Relation] = {}
        overrides = {
            name: column
            for above in reversed(self._above(declared))
            for each in self._configurations.get(id(above.model), ())
            for name, column in each.model.overrides.items()
        }
        fields = self._fields(declared)
        names = {field.name for _, field in fields}
        key = self._key(declared)
        owned = self._option(declared, "owned")
        for owner, field in fields:
            name = overrides.get(field.name) or field.column or self._spelled(field.name)
            target = self._find(field.type, owner)
            if target is not None and field.name in owned:
                columns.update(self._embedded(field, name, target) if not field.is_list else {})
            elif target is not None and id(target.model) in self._declared:
                own = (
                    ""
                    if field.is_list or self._refers_back(target, declared)
                    else self._foreign_key(owner, field, target, columns)
                )
                relations[field.name] = _Relation(field, target, own)
            elif target is None or self._is_column(field) or field.name in key:
                columns[field.name] = self._column(owner, field, name)
        of = self._configurations.get(id(declared.model), ())
        for name, column in overrides.items():
            if name not in names and of:
                field = MappedField(name, of[0].model.symbol, of[0].model.line, "")
                columns.setdefault(name, _Column(of[0].path, field, column, "", nullable=True))
        return _Entity(declared, root, self._table(root), columns, relations)

    def _is_column(self, field: MappedField) -> bool:
        return field.type in COLUMN_TYPES or field.kind == FieldKind.COLUMN

    def _column(self, owner: Declared, field: MappedField, name: str) -> _Column:
        kind = "" if field.is_list else "integer" if field.type in self._enums else COLUMN_TYPES.get(field.type, "")
        if kind == "text" and field.size:
            kind = f"varchar{field.size}"
        return _Column(owner.path, field, name, kind, field.nullable)

    def _embedded(self, field: MappedField, prefix: str, target: Declared) -> Iterator[tuple[str, _Column]]:
        """Yield the columns of a value that belongs to a row."""
        for owner, each in self._fields(target):
            if self._is_column(each) or each.type in self._enums:
                column = self._column(owner, each, f"{prefix}_{each.column or self._spelled(each.name)}")
                yield f"{field.name}.{each.name}", column._replace(nullable=True)

    def _refers_back(self, target: Declared, declared: Declared) -> bool:
        """Return whether the other class has a key to this class, so that this class needs no key to the other one."""
        fields = self._fields(target)
        leads_back = any(not field.is_list and self._find(field.type, owner) is declared for owner, field in fields)
        return leads_back and any(field.name.lower() == f"{declared.model.name}id".lower() for _, field in fields)

    def _foreign_key(self, owner: Declared, field: MappedField, target: Declared, columns: dict[str, _Column]) -> str:
        """Return the column of the foreign key of a relation. Without a property, the column has its usual name and is added."""
        key = next(iter(self._key(target)), "Id")
        usual = [*field.fields, f"{field.name}Id", f"{field.name}{key}", f"{target.model.name}Id"]
        of_property = next((each for name in usual for each in self._fields(owner) if each[1].name == name), None)
        if of_property is not None:
            return of_property[1].column or self._spelled(of_property[1].name)
        of_key = next((each for _, each in self._fields(target) if each.name == key), None)
        made = field.fields[0] if field.fields else f"{field.name}{key}"
        kind = COLUMN_TYPES.get(of_key.type, "") if of_key is not None else ""
        columns[made] = _Column(owner.path, field, self._spelled(made), kind, field.nullable)
        return columns[made].name

    # ------------------------------------------------------------------ databases

    def schemas(self) -> list[MappedSchema]:
        by_model = self._by_model
        links = {
            key: [id(each.root.model), *(id(relation.target.model) for relation in each.relations.values())]
            for key, each in by_model.items()
        }
        sets = [(context, target) for context, _, target in self._sets]
        of_contexts = parts_by_context([each.declared for each in by_model.values()], sets, links)
        for contexts, part in of_contexts:
            self._put_into_schema({each.model.options.get(SCHEMA, "") for each in contexts}, part)
        parts = [
            found for _, part in of_contexts for found in databases(part, lambda each: self._place(by_model[id(each.model)]))
        ]
        return [self._schema([by_model[id(each.model)] for each in part]) for part in parts]

    def _put_into_schema(self, schemas: Set[str], part: Sequence[Declared]) -> None:
        """Put the tables of a database without a schema into the default schema, if all contexts have the same."""
        (schema, *others) = schemas or {""}
        for each in part if schema and not others else ():
            entity = self._by_model[id(each.model)]
            if not entity.name.schema:
                self._by_model[id(each.model)] = entity._replace(name=ObjectName(entity.name.name, schema))

    def _place(self, entity: _Entity) -> str:
        return ".".join(entity.name.key) if entity.root is entity.declared else ""

    def _schema(self, entities: Sequence[_Entity]) -> MappedSchema:
        changes = MappedChanges()
        tables: dict[tuple[str, str], list[_Entity]] = {}
        for each in sorted(entities, key=lambda each: each.root is not each.declared):
            tables.setdefault(each.name.key, []).append(each)
        for of_table in tables.values():
            self._create(changes, of_table)
        numbers = {id(each.declared.model): number for number, each in enumerate(entities)}
        queried = [self._queried(each, numbers) for each in entities]
        return MappedSchema(
            FRAMEWORK, folder_of([each.declared for each in entities]), list(changes.all()), queried, self._names(numbers)
        )

    def _create(self, changes: MappedChanges, of_table: Sequence[_Entity]) -> None:
        first = of_table[0]
        name, (path, model) = first.name, first.declared
        changes.create(path, "table", name, model.symbol, model.line)
        primary = [first.columns[each].name for each in self._key(first.declared) if each in first.columns]
        seen: set[str] = set()
        for each in of_table:
            for column in each.columns.values():
                if column.name.lower() not in seen:
                    seen.add(column.name.lower())
                    nullable = (column.nullable or each is not first) and column.name not in primary
                    changes.column(column.path, name, column.field, column.name, column.type, nullable=nullable)
        if primary:
            changes.constraint(path, name, model, "primary key", primary)
        for each in of_table:
            for relation in each.relations.values():
                target = self._by_model[id(relation.target.model)]
                referred = [target.columns[own].name for own in self._key(target.declared) if own in target.columns]
                if relation.column and len(referred) == 1:
                    changes.foreign_key(each.declared.path, name, relation.field, [relation.column], target.name, referred)

    def _queried(self, entity: _Entity, numbers: Mapping[int, int]) -> MappedEntity:
        attributes = {name: MappedAttribute(column.name) for name, column in entity.columns.items()}
        for name, each in entity.relations.items():
            attributes[name] = MappedAttribute(each.column, numbers.get(id(each.target.model), -1), each.field.is_list)
        return MappedEntity(entity.declared.path, entity.declared.model.symbol, entity.name, attributes)

    def _names(self, numbers: Mapping[int, int]) -> dict[str, int]:
        """Return the numbers of entities by the names of their classes and sets."""
        names = {f"{ENTITY}{each.model.name}": numbers[key] for key, each in self._declared.items() if key in numbers}
        by_set: dict[str, set[int]] = {}
        for context, field, target in self._sets:
            number = numbers.get(id(target.model))
            by_set.setdefault(field.name, set()).add(id(target.model))
            if number is not None:
                names[f"{SET}{context.model.name}.{field.name}"] = number
        for context in self._contexts:
            for base in context.model.bases:
                for name, number in [each for each in names.items() if each[0].startswith(f"{SET}{base}.")]:
                    names.setdefault(f"{SET}{context.model.name}.{name.rpartition('.')[2]}", number)
        for name, models in by_set.items():
            (key, *others) = models
            if not others and key in numbers:
                names[f"{SET}{name}"] = numbers[key]
        return names
