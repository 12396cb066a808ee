"""The tables that TypeORM makes from the entities in all files of a repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from ......schema.paths import common_parts, parent_of
from .....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from .....data.schemas.model_names import Declared, classes_above, databases, declared_models, folder_of
from .....facts.data import DataFacts, ObjectName
from .....facts.mapped_tables import FieldKind, MappedField, MappedKey, ModelKind
from ..references import ModelReferences
from .column_types import INDEXES_UNIQUES, column_type
from .entities import FRAMEWORK
from .naming import DefaultNaming, SnakeNaming, key_name, snake_case

#: Values that the database generates for each row.
_GENERATED: Final = frozenset(("increment()", "uuid()", "rowid()", "identity()"))
#: Maximum depth of nested embedded values.
_MAX_DEPTH: Final = 50


class _Column(NamedTuple):
    """A column of a table, with the path of its property: `address.town`."""

    path: str
    property: str
    name: str
    type: str
    nullable: bool
    is_primary: bool
    field: MappedField


class _Held(NamedTuple):
    """A field of a table, which may belong to an embedded value."""

    path: str
    field: MappedField
    #: Names of the enclosing properties, and the prefixes of the column.
    around: tuple[str, ...]
    prefixes: tuple[str, ...]
    is_of_child: bool

    @property
    def property(self) -> str:
        return ".".join((*self.around, self.field.name))


def typeorm_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all entities."""
    every = declared_models(facts, FRAMEWORK)
    settings = [each for each in every if each.model.kind == ModelKind.SETTING]
    models = [each for each in every if each.model.kind != ModelKind.SETTING]
    references = ModelReferences(models)
    entities = [each for each in models if each.model.kind in (ModelKind.TABLE, ModelKind.CHILD, ModelKind.VIEW)]
    return [_Schema(part, references, settings).made() for part in databases(entities, _own_table)]


def _own_table(declared: Declared) -> str:
    return declared.model.table or snake_case(declared.model.name) if declared.model.kind == ModelKind.TABLE else ""


class _Schema:
    def __init__(self, entities: Sequence[Declared], references: ModelReferences, settings: Sequence[Declared]) -> None:
        self._entities = entities
        self._numbers = {id(each.model): number for number, each in enumerate(entities)}
        self._references = references
        self._folder = folder_of(entities)
        self._settings = settings
        self._driver = self._setting("type") or "postgres"
        self._prefix = self._setting("entityPrefix")
        self._naming = SnakeNaming() if "snake" in self._setting("namingStrategy").lower() else DefaultNaming()
        self._changes = MappedChanges()
        self._columns: dict[int, list[_Column]] = {}
        self._held: dict[int, list[_Held]] = {}

    def made(self) -> MappedSchema:
        if self._driver != "mongodb":
            for each in self._entities:
                if each.model.kind == ModelKind.VIEW:
                    self._view(each)
                elif each.model.kind == ModelKind.TABLE and each.model.is_managed:
                    self._table(each)
        names = {f"{FRAMEWORK}:{each.model.name}": number for number, each in enumerate(self._entities)}
        return MappedSchema(FRAMEWORK, self._folder, list(self._changes.all()), [*map(self._entity, self._entities)], names)

    def _setting(self, name: str) -> str:
        """Return the value of a setting from the data source nearest to the entities.

        A data source for PostgreSQL is preferred.
        """
        found = [each for each in self._settings if each.model.name == name]

        def preference(each: Declared) -> tuple[int, bool]:
            return common_parts(parent_of(each.path), self._folder), each.model.table == "postgres"

        best = max(found, key=preference, default=None)
        return best.model.table if best is not None else ""

    # ------------------------------------------------------------------ classes

    def _bases(self, declared: Declared) -> Iterator[Declared]:
        """Yield the classes that a class extends, the nearest first."""
        return classes_above(declared, self._references.find)

    def _root(self, declared: Declared) -> Declared:
        """Return the entity that owns the table of a model; a child shares the table of its parent."""
        if declared.model.kind != ModelKind.CHILD:
            return declared
        return next((each for each in self._bases(declared) if each.model.kind == ModelKind.TABLE), declared)

    def _tree(self, declared: Declared) -> list[Declared]:
        """Return the classes whose fields are in the table of an entity, base classes first."""
        found = [*reversed(list(self._bases(declared))), declared]
        if declared.model.inheritance == "single table":
            children = [each for each in self._entities if each.model.kind == ModelKind.CHILD and self._root(each) == declared]
            found += sorted(children, key=lambda each: len(list(self._bases(each))))
            own = {id(each.model) for each in found}
            for child in children:  # add the classes between a child and its entity
                for base in self._bases(child):
                    if id(base.model) not in own:
                        own.add(id(base.model))
                        found.append(base)
        return found

    def _fields(self, declared: Declared) -> list[_Held]:
        known = self._held.get(id(declared.model))
        if known is None:
            names: set[str] = set()
            known = []
            for each in self._tree(declared):
                is_child = each.model.kind == ModelKind.CHILD
                for written in each.model.fields:
                    field = self._made(written, each.path)
                    if field is not None and field.name not in names:
                        names.add(field.name)
                        known += self._flat(_Held(each.path, field, (), (), is_child))
            self._held[id(declared.model)] = known
        return known

    def _made(self, field: MappedField, path: str) -> MappedField | None:
        """Return a field, with the column that a decorator of the repository declares; None if none of its decorators does."""
        if not field.maker:
            return field
        found = [self._references.find(each, path) for each in field.maker.split(" ")]
        maker = next((each.model.fields[0] for each in found if each is not None and each.model.kind == ModelKind.TYPE), None)
        if maker is None:
            return None
        return replace(
            maker,
            name=field.name,
            symbol=field.symbol,
            line=field.line,
            type=field.type,
            column=field.column or maker.column,
            column_type=field.column_type or maker.column_type,
            size=field.size or maker.size,
            nullable=field.nullable or maker.nullable,
            default=field.default or maker.default,
            is_unique=field.is_unique or maker.is_unique,
            is_list=field.is_list or maker.is_list,
        )

    def _flat(self, held: _Held) -> Iterator[_Held]:
        """Yield a field, or the fields of an embedded value."""
        field = held.field
        if field.kind != FieldKind.EMBEDDED:
            yield held
            return
        target = self._references.find(field.target, held.path)
        if target is None or field.is_list or len(held.around) >= _MAX_DEPTH:
            return
        around = (*held.around, field.name)
        prefixes = (*held.prefixes, field.prefix) if field.prefix else held.prefixes
        names: set[str] = set()
        for each in [*reversed(list(self._bases(target))), target]:
            for written in each.model.fields:
                inner = self._made(written, each.path)
                if inner is not None and inner.name not in names:
                    names.add(inner.name)
                    yield from self._flat(_Held(each.path, inner, around, prefixes, held.is_of_child))

    # ------------------------------------------------------------------ columns

    def _table_name(self, declared: Declared) -> ObjectName:
        root = self._root(declared)
        return ObjectName(self._prefix + self._bare_name(root), root.model.schema)

    def _bare_name(self, declared: Declared) -> str:
        return declared.model.table or self._naming.table(declared.model.name)

    def _plain_columns(self, declared: Declared) -> list[_Column]:
        """Return the columns of an entity that are not relations."""
        root = self._root(declared)
        known = self._columns.get(id(root.model))
        if known is None:
            table = self._table_name(root).name
            known = self._columns[id(root.model)] = [
                self._column(held, table, is_shared=root.model.inheritance == "single table")
                for held in self._fields(root)
                if held.field.kind in (FieldKind.COLUMN, FieldKind.DISCRIMINATOR)
                and not (held.field.column_type == "TreeLevelColumn" and root.model.tree == "closure-table")
            ]
            taken = {each.property for each in known if each.field.kind == FieldKind.COLUMN}
            known[:] = [each for each in known if each.field.kind == FieldKind.COLUMN or each.property not in taken]
        return known

    def _column(self, held: _Held, table: str, *, is_shared: bool) -> _Column:
        field = held.field
        name = field.name if field.kind == FieldKind.DISCRIMINATOR and not field.column else ""
        name = name or self._naming.column(field.name, field.column, held.prefixes)
        # In a table with the rows of several models, embedded columns and the columns of a single model may be null.
        nullable = field.nullable or held.is_of_child or (is_shared and len(held.around) == 1)
        kind = column_type(field, self._driver, field.relation or f"{table}_{name.lower()}_enum")
        return _Column(held.path, held.property, name, kind, nullable and not field.is_primary, field.is_primary, field)

    def _primary(self, declared: Declared, seen: frozenset[int] = frozenset()) -> list[_Column]:
        """Return the primary key columns of an entity, including the columns of relations that are part of it."""
        found = [each for each in self._plain_columns(declared) if each.is_primary]
        names = {each.name for each in found}
        for held in self._fields(self._root(declared)):
            if held.field.is_primary and held.field.target and id(held.field) not in seen:
                own = self._join_columns(declared, held, seen | {id(held.field)})
                found += [each for each, _ in own if each.name not in names]
        return found

    def _join_columns(self, declared: Declared, held: _Held, seen: frozenset[int] = frozenset()) -> list[tuple[_Column, _Column]]:
        """Return the columns of a relation, each with the referenced column."""
        field = held.field
        target = self._target(field, declared, held.path)
        if target is None:
            return []
        if any(field.target_fields):
            by_name = {each.property: each for each in self._plain_columns(target)}
            referred = [by_name[each] for each in field.target_fields if each in by_name]
        else:
            referred = self._primary(target, seen)
        plain = {each.name: each for each in self._plain_columns(declared)}
        pairs = []
        for place, other in enumerate(referred):
            written = [
                name for name, to in zip(field.fields, field.target_fields, strict=False) if name and to in ("", other.property)
            ]
            by_place = field.fields[place] if len(field.fields) == len(referred) and not any(field.target_fields) else ""
            name = (written[0] if (written and len(referred) == 1) or (any(field.target_fields) and written) else "") or by_place
            own_name = name or self._naming.join_column(field.name, other.property)
            known = plain.get(own_name)
            if held.prefixes:
                own_name = self._naming.column(own_name, own_name, held.prefixes)
            nullable = known.nullable if known is not None else field.nullable
            is_primary = field.is_primary or (known is not None and known.is_primary)
            at = known.field if known is not None else field
            path = known.path if known is not None else held.path
            pairs.append((_Column(path, held.property, own_name, other.type, nullable and not is_primary, is_primary, at), other))
        return pairs

    def _target(self, field: MappedField, declared: Declared, path: str) -> Declared | None:
        if field.target == "#self":
            return declared
        return self._references.find(field.target, path)

    # ------------------------------------------------------------------ entities

    def _entity(self, declared: Declared) -> MappedEntity:
        """Return the columns and relations of an entity by their properties."""
        attributes = {each.property: MappedAttribute(each.name) for each in self._plain_columns(declared)}
        for held in self._fields(self._root(declared)):
            target = self._target(held.field, declared, held.path) if held.field.target else None
            if target is None:
                continue
            kind, join = held.field.kind, self._joined(declared, held, target)
            is_many = kind in (FieldKind.ONE_TO_MANY, FieldKind.MANY_TO_MANY)
            is_owner = held.field.is_owner and kind in (FieldKind.MANY_TO_ONE, FieldKind.ONE_TO_ONE)
            pairs = self._join_columns(declared, held) if is_owner else []
            number = self._numbers.get(id(target.model), -1)
            attributes[held.property] = MappedAttribute(
                pairs[0][0].name if pairs else "",
                number,
                is_many,
                join,
                is_eager=held.field.is_eager,
                is_saved=held.field.is_saved,
            )
        return MappedEntity(declared.path, declared.model.symbol, self._table_name(declared), attributes)

    def _joined(self, declared: Declared, held: _Held, target: Declared) -> ObjectName | None:
        """Return the table that joins both sides of a relation, which one side declares; None for other relations."""
        if held.field.kind != FieldKind.MANY_TO_MANY:
            return None
        if held.field.is_owner:
            return self._join_name(declared, held, target)
        for each in self._fields(self._root(target)):
            if each.property == held.field.inverse and each.field.is_owner:
                return self._join_name(target, each, declared)
        return None

    # ------------------------------------------------------------------ tables

    def _view(self, declared: Declared) -> None:
        path, model = declared
        name = self._table_name(declared)
        self._changes.create(path, "view", name, model.symbol, model.line)
        for each in self._plain_columns(declared):
            self._changes.column(each.path, name, each.field, each.name, each.type, nullable=True)

    def _table(self, declared: Declared) -> None:
        path, model = declared
        name = self._table_name(declared)
        self._changes.create(path, "table", name, model.symbol, model.line)
        columns = {each.name: each for each in self._plain_columns(declared)}
        by_property: dict[str, list[str]] = {each.property: [each.name] for each in columns.values()}
        keys: list[tuple[_Held, list[tuple[_Column, _Column]]]] = []
        for held in self._fields(declared):
            field = held.field
            if field.is_owner and field.kind in (FieldKind.MANY_TO_ONE, FieldKind.ONE_TO_ONE):
                pairs = self._join_columns(declared, held)
                columns.update((own.name, own) for own, _ in pairs)
                by_property.setdefault(held.property, [own.name for own, _ in pairs])
                keys.append((held, pairs))
            elif field.is_owner and field.kind == FieldKind.MANY_TO_MANY:
                self._join_table(declared, held)
        for each in columns.values():
            default = each.field.default if each.field.kind == FieldKind.COLUMN else ""
            self._changes.column(each.path, name, each.field, each.name, each.type, nullable=each.nullable, default=default)
        self._tree_columns(declared, name)
        primary = [each.name for each in columns.values() if each.is_primary]
        if primary:
            own = next((each.field.primary_name for each in columns.values() if each.field.primary_name), "")
            self._changes.constraint(path, name, model, "primary key", primary, own or key_name("PK", name.name, primary))
        self._keys(declared, name, by_property)
        for held, pairs in keys:
            self._foreign_key(declared, name, held, pairs)

    def _keys(self, declared: Declared, table: ObjectName, by_property: Mapping[str, Sequence[str]]) -> None:
        indexed: list[list[str]] = []
        for each in self._tree(declared):
            for key in each.model.keys:
                self._key(each.path, table, key, [name for part in key.fields for name in by_property.get(part.strip(), ())])
                indexed.append(key.fields)
        columns = self._plain_columns(declared)
        discriminator = next((each for each in columns if each.field.kind == FieldKind.DISCRIMINATOR), None)
        # TypeORM does not create this index in tables with a generated column.
        is_generated = any(each.field.default in _GENERATED for each in columns)
        if discriminator is not None and not is_generated and [discriminator.name] not in indexed:
            own = [discriminator.name]
            self._changes.index(declared.path, table, discriminator.field, own, key_name("IDX", table.name, own))

    def _key(self, path: str, table: ObjectName, key: MappedKey, columns: Sequence[str]) -> None:
        if not columns:
            return
        is_unique = key.kind == "unique"
        if key.is_partial or self._driver in INDEXES_UNIQUES:
            name = key.name or key_name("IDX", table.name, columns, key.where)
            self._changes.index(path, table, key, columns, name, is_unique=is_unique)
        else:
            self._changes.constraint(path, table, key, "unique", columns, key.name or key_name("UQ", table.name, columns))

    def _foreign_key(self, declared: Declared, table: ObjectName, held: _Held, pairs: Sequence[tuple[_Column, _Column]]) -> None:
        field = held.field
        target = self._target(field, declared, held.path)
        if not pairs or target is None or not field.has_foreign_key:
            return
        own = [column.name for column, _ in pairs]
        name = field.foreign_key_name or key_name("FK", table.name, own)
        rules = (field.on_delete.upper(), field.on_update.upper())
        referred = [column.name for _, column in pairs]
        self._changes.foreign_key(held.path, table, field, own, self._table_name(target), referred, name, rules)
        if field.kind == FieldKind.ONE_TO_ONE and not all(column.is_primary for column, _ in pairs):
            unique = key_name("REL", table.name, own)
            if self._driver in INDEXES_UNIQUES:
                self._changes.index(held.path, table, field, own, unique, is_unique=True)
            else:
                self._changes.constraint(held.path, table, field, "unique", own, unique)

    def _tree_columns(self, declared: Declared, table: ObjectName) -> None:
        path, model = declared
        text, number = MappedField("", model.symbol, model.line, "string"), MappedField("", model.symbol, model.line, "number")
        if model.tree == "materialized-path":
            self._changes.column(path, table, model, "mpath", column_type(text, self._driver, ""), nullable=True)
        elif model.tree == "nested-set":
            for name in ("nsleft", "nsright"):
                self._changes.column(path, table, model, name, column_type(number, self._driver, ""), nullable=False)
        elif model.tree == "closure-table":
            closure = ObjectName(f"{table.name}_closure", table.schema)
            self._changes.create(path, "table", closure, model.symbol, model.line)
            columns: list[str] = []
            primary = self._primary(declared)
            for ending in ("ancestor", "descendant"):
                own = [f"{each.property}_{ending}" for each in primary]
                for name, each in zip(own, primary, strict=True):
                    self._changes.column(path, closure, model, name, each.type, nullable=False)
                columns += own
                self._changes.index(path, closure, model, own, key_name("IDX", closure.name, own))
                referred = [each.name for each in primary]
                name = key_name("FK", closure.name, own)
                self._changes.foreign_key(path, closure, model, own, table, referred, name, ("CASCADE", ""))
            self._changes.constraint(path, closure, model, "primary key", columns, key_name("PK", closure.name, columns))

    # ------------------------------------------------------------------ relations of many to many

    def _join_name(self, declared: Declared, held: _Held, target: Declared) -> ObjectName:
        first, second = self._bare_name(self._root(declared)), self._bare_name(self._root(target))
        written = held.field.relation or self._naming.join_table(first, second, held.property)
        return ObjectName(self._prefix + written, declared.model.schema)

    def _join_table(self, declared: Declared, held: _Held) -> None:
        field = held.field
        target = self._target(field, declared, held.path)
        if target is None:
            return
        first, second = self._bare_name(self._root(declared)), self._bare_name(self._root(target))
        table = self._join_name(declared, held, target)
        sides = [
            (first, self._primary(declared), field.fields, declared),
            (second, self._primary(target), field.inverse_fields, target),
        ]
        named: list[list[str]] = []
        for bare, primary, names, _ in sides:
            own = list(names) if len(names) == len(primary) else [""] * len(primary)
            named.append(
                [name or self._naming.join_table_column(bare, each.name) for name, each in zip(own, primary, strict=True)]
            )
        if set(named[0]) & set(named[1]):
            named = [[f"{name}_{side}" for name in part] for side, part in enumerate(named, 1)]
        self._changes.create(held.path, "table", table, field.symbol, field.line)
        inverse = next((each.field for each in self._fields(self._root(target)) if each.property == field.inverse), None)
        for (_, primary, _, model), own, is_inverse in zip(sides, named, (False, True), strict=True):
            for name, column in zip(own, primary, strict=True):
                self._changes.column(held.path, table, field, name, column.type, nullable=False)
            self._changes.index(held.path, table, field, own, key_name("IDX", table.name, own))
            rules = (field.on_delete or "CASCADE", field.on_update or "CASCADE")
            if is_inverse:
                rules = (inverse.on_delete, inverse.on_update) if inverse is not None else ("CASCADE", "CASCADE")
            if field.has_foreign_key:
                referred = [column.name for column in primary]
                key = key_name("FK", table.name, own)
                self._changes.foreign_key(held.path, table, field, own, self._table_name(model), referred, key, rules)
        every = [*named[0], *named[1]]
        self._changes.constraint(held.path, table, field, "primary key", every, key_name("PK", table.name, every))
