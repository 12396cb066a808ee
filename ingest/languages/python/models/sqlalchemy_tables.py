"""The tables of SQLAlchemy and SQLModel in all files of a repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from posixpath import commonpath
from typing import Final, NamedTuple

from msgspec.structs import replace

from .....schema.paths import parent_of
from ....data.schemas.mapped import MappedChanges, MappedSchema
from ....facts.data import ObjectName
from ....facts.mapped_tables import MappedField, MappedKey, ModelKind
from .declarations import DeclaredModel
from .sqlalchemy import UNKNOWN
from .sqlalchemy_classes import Classes, conventions_of
from .sqlalchemy_columns import completed
from .sqlalchemy_entities import Entities, EntityTable
from .sqlalchemy_keys import add_key, key_of_column
from .sqlalchemy_names import Named, key_name
from .sqlalchemy_types import ANNOTATED, last_part, quoted, type_of_class

#: Maximum length of a chain of foreign keys or type aliases.
_MAX_STEPS: Final = 20
#: Modules of types whose values are strings.
_TEXTS: Final = ("pydantic.", "pydantic_extra_types.")


class _Column(NamedTuple):
    holder: DeclaredModel
    field: MappedField

    @property
    def name(self) -> str:
        return self.field.column or self.field.name


class _Table(NamedTuple):
    """A table, with the columns and keys of all its classes."""

    name: ObjectName
    declared: DeclaredModel
    metadata: Metadata
    columns: dict[str, _Column]
    #: Foreign keys over several columns.
    several: list[_Column]
    keys: list[tuple[DeclaredModel, MappedKey]]


class Metadata(NamedTuple):
    """The common settings of the tables of one database."""

    #: Path and name of the declaration.
    key: tuple[str, str]
    conventions: Mapping[str, str]
    schema: str


def sqlalchemy_schemas(classes: Classes) -> list[MappedSchema]:
    """Return the databases that SQLAlchemy creates for the classes and tables of a repository."""
    return _Schemas(classes).made()


class _Schemas:
    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        self._metadata: dict[int, Metadata] = {}
        #: Tables by the class or value that declares them, and by metadata and name.
        self._tables: dict[int, _Table] = {}
        self._by_name: dict[tuple[tuple[str, str], tuple[str, str]], _Table] = {}

    def made(self) -> list[MappedSchema]:
        declared = self._classes.declarations.all()
        for each in declared:
            if each.model.kind == ModelKind.VALUE:
                self._add_value(each)
        for each in declared:
            self._add_class(each)
        for each in declared:
            self._add_to_parent(each)
        changes: dict[tuple[str, str], MappedChanges] = defaultdict(MappedChanges)
        for table in self._by_name.values():
            self._emit(table, changes[table.metadata.key])
        schemas = []
        for key, found in sorted(changes.items()):
            entities = self._entities(key)
            schemas.append(_schema(found)._replace(entities=entities.made(), names=entities.names()))
        return schemas

    def _entities(self, key: tuple[str, str]) -> Entities:
        """Return the entities that statements may name: the classes and variables of the tables of one metadata object."""
        made = {id(table): self._entity_table(table) for table in self._tables.values() if table.metadata.key == key}
        tables = {model: made[id(table)] for model, table in self._tables.items() if id(table) in made}
        return Entities(self._classes, tables, lambda name, declared: self._join(name, declared, key))

    def _entity_table(self, table: _Table) -> EntityTable:
        keys = []
        for column in table.columns.values():
            field = self._with_alias(column)
            target = self._referred_table(field, column.holder, table) if field.target and field.target != UNKNOWN else None
            if target is not None:
                keys.append((field.name, target.name))
        return EntityTable(table.name, {name: column.name for name, column in table.columns.items()}, keys)

    def _join(self, name: str, declared: DeclaredModel, key: tuple[str, str]) -> ObjectName | None:
        """Return the table in the argument `secondary` of a relation: a variable, a class, or the name of a table."""
        found = self._classes.named(name.removesuffix(".__table__"), declared)
        table = self._tables.get(id(found.model)) if found is not None else None
        if table is None:
            schema, _, own = name.rpartition(".")
            table = self._by_name.get((key, ObjectName(own, schema).key))
        return table.name if table is not None else None

    # ------------------------------------------------------------------ contents of tables

    def _add_value(self, declared: DeclaredModel) -> None:
        model = declared.model
        name = model.bases[0] if model.bases else ""
        owner = self._metadata_named(name, declared)
        metadata = self._metadata_of(owner) if owner is not None else Metadata(("", name.removesuffix(".metadata")), {}, "")
        if UNKNOWN in model.table:
            return
        columns = {field.name: _Column(declared, field) for field in model.fields if field.name}
        several = [_Column(declared, field) for field in model.fields if not field.name]
        self._add(declared, model.table, model.schema, metadata, columns, several, self._keys([declared], declared))

    def _add_class(self, declared: DeclaredModel) -> None:
        mapped = self._classes.mapped(declared)
        root = self._classes.root(declared)
        if mapped is None or mapped.parent is not None or root is None:
            return
        metadata = self._metadata_of(root.declared) if root.declared is not None else Metadata(("", root.name), {}, "")
        holders = self._classes.holders(declared)
        schema = next((each.model.schema for each in holders if each.model.schema and each.model.kind != ModelKind.SETTING), "")
        fields = [_Column(*each) for each in self._classes.fields(declared)]
        columns = {each.field.name: each for each in fields if each.field.name}
        several = [each for each in fields if not each.field.name]
        self._add(declared, mapped.table, schema, metadata, columns, several, self._keys(holders, declared))

    def _keys(self, holders: Sequence[DeclaredModel], declared: DeclaredModel) -> list[tuple[DeclaredModel, MappedKey]]:
        """Return the keys in the nearest class's `__table_args__`, and the keys that are declared beside the class."""
        listing = next((each for each in holders if each.model.keys or each.model.schema), None)
        keys = [(listing, key) for key in listing.model.keys] if listing is not None else []
        beside = self._classes.keys.get((declared.path, declared.model.name), ())
        return keys + [(declared, replace(key, symbol=declared.model.symbol)) for model in beside for key in model.keys]

    def _add(
        self,
        declared: DeclaredModel,
        table: str,
        schema: str,
        metadata: Metadata,
        columns: dict[str, _Column],
        several: list[_Column],
        keys: list[tuple[DeclaredModel, MappedKey]],
    ) -> None:
        schema = "" if schema == UNKNOWN else schema or metadata.schema
        name = ObjectName(table, schema)
        made = _Table(name, declared, metadata, columns, several, keys)
        self._tables[id(declared.model)] = self._by_name.setdefault((metadata.key, name.key), made)

    def _add_to_parent(self, declared: DeclaredModel) -> None:
        """Add the columns of a class to the table that it shares with its base class."""
        mapped = self._classes.mapped(declared)
        parent = mapped.parent if mapped is not None else None
        for _ in range(_MAX_STEPS):
            if parent is None or id(parent.model) in self._tables:
                break
            above = self._classes.mapped(parent)
            parent = above.parent if above is not None else None
        table = self._tables.get(id(parent.model)) if parent is not None else None
        if table is None:
            return
        self._tables[id(declared.model)] = table
        for holder, field in self._classes.fields(declared):
            if field.name:
                table.columns.setdefault(field.name, _Column(holder, field))
            else:
                table.several.append(_Column(holder, field))
        table.keys.extend(self._keys(self._classes.holders(declared), declared))

    def _metadata_of(self, declared: DeclaredModel) -> Metadata:
        """Return the metadata of a class, a base, an extension or a value of `MetaData`."""
        known = self._metadata.get(id(declared.model))
        if known is None:
            known = self._metadata[id(declared.model)] = self._found_metadata(declared)
        return known

    def _found_metadata(self, declared: DeclaredModel) -> Metadata:
        at, conventions, schema = declared, dict[str, str](), ""
        for _ in range(_MAX_STEPS):
            model = at.model
            conventions = conventions or conventions_of(model)
            schema = schema or (model.schema if model.kind == ModelKind.SETTING else model.options.get("schema", ""))
            names = [*filter(None, [model.options.get("metadata")]), *(model.bases if model.kind != ModelKind.VALUE else ())]
            found = [inner for name in names if (inner := self._metadata_named(name, at)) is not None]
            following = next((each for each in found if each.model is not model and _is_metadata(each)), None)
            if following is None:
                break
            at = following
        return Metadata((at.path, at.model.name), conventions, "" if schema == UNKNOWN else schema)

    def _metadata_named(self, name: str, declared: DeclaredModel) -> DeclaredModel | None:
        return self._classes.named(name, declared) or self._classes.named(name.removesuffix(".metadata"), declared)

    # ------------------------------------------------------------------ columns

    def _type(self, column: _Column, table: _Table, steps: int = 0) -> str:
        field = column.field
        written = field.type
        if not written and not field.column_type and field.target:
            return self._type_of_target(column, table, steps)
        is_annotation = written.startswith("Mapped[")
        name = written.removeprefix("Mapped[").removesuffix("]")
        if is_annotation and field.column_type:
            return field.column_type
        if is_annotation and (mapped := self._by_annotation(name, table)):
            return self._classes.type_named(mapped, column.holder) or type_of_class(last_part(mapped)) or mapped
        declared = self._classes.type_named(name, column.holder)
        if declared or not is_annotation:
            return declared or field.column_type or (self._type_of_target(column, table, steps) if field.target else "")
        if field.target and name not in ANNOTATED:
            return self._type_of_target(column, table, steps)
        if name in ANNOTATED or name.startswith(_TEXTS):
            return ANNOTATED.get(name, "varchar")
        # Any other type in an annotation is an enum. Its database type has the name of its class.
        return quoted(last_part(name).lower()) if name.isidentifier() or "." in name else ""

    def _type_of_target(self, column: _Column, table: _Table, steps: int) -> str:
        """Return the type of the column to which a foreign key refers; "" if it is not known."""
        referred = self._referred_column(column.field, column.holder, table)
        return self._type(referred[1], referred[0], steps + 1) if referred is not None and steps < _MAX_STEPS else ""

    def _by_annotation(self, name: str, table: _Table) -> str:
        for each in (table.declared, *self._classes.above(table.declared)):
            if found := each.model.options.get(f"type of {name}"):
                return found
        return ""

    def _with_alias(self, column: _Column) -> MappedField:
        """Return a column, completed by the alias in its annotation: `key = Annotated[int, mapped_column(…)]`, `Mapped[key]`."""
        field = column.field
        name = field.type.removeprefix("Mapped[").removesuffix("]")
        found = self._classes.named(name, column.holder) if field.type.startswith("Mapped[") else None
        if found is None or found.model.kind != ModelKind.TYPE or not found.model.fields:
            return field
        alias = found.model.fields[0]
        return replace(completed(field, alias), nullable=field.nullable or (alias.nullable and not alias.is_primary))

    # ------------------------------------------------------------------ relations

    def _referred_table(self, field: MappedField, holder: DeclaredModel, table: _Table) -> _Table | None:
        if not field.targets_table:
            found = self._classes.named(field.target, holder)
            return self._tables.get(id(found.model)) if found is not None else None
        schema, _, name = field.target.rpartition(".")
        return self._by_name.get((table.metadata.key, ObjectName(name, schema or table.metadata.schema).key))

    def _referred_column(self, field: MappedField, holder: DeclaredModel, table: _Table) -> tuple[_Table, _Column] | None:
        target = self._referred_table(field, holder, table)
        if target is None or not field.target_fields:
            return None
        found = [each for each in target.columns.values() if field.target_fields[0] in (each.name, each.field.name)]
        return (target, found[0]) if found else None

    # ------------------------------------------------------------------ changes

    def _emit(self, table: _Table, changes: MappedChanges) -> None:
        model = table.declared.model
        changes.create(table.declared.path, "table", table.name, model.symbol, model.line)
        primary: list[str] = []
        named: dict[str, str] = {}
        for column in table.columns.values():
            field = self._with_alias(column)
            kind = self._type(column, table)
            named[field.name] = column.name
            nullable = field.nullable and not field.is_primary
            path = column.holder.path
            changes.column(path, table.name, field, column.name, kind, nullable=nullable, default=field.default)
            if field.is_primary:
                primary.append(column.name)
            self._keys_of_column(_Column(column.holder, field), table, changes)
        keys = [key for _, key in table.keys if key.kind == "primary key"]
        if primary and not keys:
            self._key(table, table.declared.path, MappedKey("primary key", primary, model.symbol, model.line), named, changes)
        for holder, key in table.keys:
            self._key(table, holder.path, key, named, changes)
        for column in table.several:
            self._foreign_key(column, table, named, changes)

    def _keys_of_column(self, column: _Column, table: _Table, changes: MappedChanges) -> None:
        field = column.field
        if (key := key_of_column(field, column.name)) is not None:
            self._key(table, column.holder.path, key, {}, changes)
        if field.target and field.target != UNKNOWN:
            self._foreign_key(column, table, {}, changes)

    def _key(self, table: _Table, path: str, key: MappedKey, named: Mapping[str, str], changes: MappedChanges) -> None:
        columns = [named.get(each, each) for each in key.fields]
        kind = "index" if key.kind == "unique index" else key.kind
        name = key_name(table.metadata.conventions, kind, key.name, Named(table.name.name, table.name.schema, columns))
        add_key(changes, path, table.name, key, columns, name or "")

    def _foreign_key(self, column: _Column, table: _Table, named: Mapping[str, str], changes: MappedChanges) -> None:
        field = column.field
        target = self._referred_table(field, column.holder, table)
        if target is None and not field.targets_table:
            return
        schema, _, written = field.target.rpartition(".")
        referred = target.name if target is not None else ObjectName(written, schema or table.metadata.schema)
        names = {each.field.name: each.name for each in target.columns.values()} if target is not None else {}
        referred_columns = [names.get(each, each) for each in field.target_fields]
        columns = [named.get(each, each) for each in field.fields] or [column.name]
        about = Named(table.name.name, table.name.schema, columns, referred.name, referred_columns)
        name = key_name(table.metadata.conventions, "foreign key", field.foreign_key_name, about)
        rules = (field.on_delete, field.on_update)
        changes.foreign_key(column.holder.path, table.name, field, columns, referred, referred_columns, name or "", rules)


def _is_metadata(declared: DeclaredModel) -> bool:
    """Return whether a declaration may define metadata: a base, a value of `MetaData`, or a naming convention."""
    return declared.model.kind == ModelKind.SETTING or bool(declared.model.options)


def _schema(changes: MappedChanges) -> MappedSchema:
    made = list(changes.all())
    folder = commonpath([parent_of(each.path) for each in made])
    return MappedSchema("sqlalchemy", folder, made, deletes_by_row=True, joins_extended=True)
