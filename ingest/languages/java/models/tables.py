"""The tables that Hibernate creates for the entities in all files of a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ....data.schemas.mapped import MappedChanges, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from .attributes import Attributes, Held
from .collections import CollectionTables
from .columns import Column, Columns, Naming
from .entities import FRAMEWORK
from .hibernate import key_name
from .queried import QueriedEntities
from .references import ClassReferences


def jpa_schemas(facts: Mapping[str, DataFacts], framework: str = FRAMEWORK) -> list[MappedSchema]:
    """Return the databases of all entities, or of all rows of another framework with the same names."""
    models = _without_bases(declared_models(facts, framework))
    is_spring = any(each.model.kind == ModelKind.SETTING for each in models)
    naming = Naming(is_spring)
    entities = [each for each in models if each.model.kind == ModelKind.TABLE]
    references = ClassReferences(each for each in models if each.model.kind != ModelKind.SETTING)
    converters = [each for each in models if each.model.kind == ModelKind.TYPE]

    def own_table(declared: Declared) -> str:
        return f"{declared.model.schema}.{naming.table(declared)}".lower()

    return [_Schema(framework, part, references, converters, naming).made() for part in databases(entities, own_table)]


def _without_bases(models: Sequence[Declared]) -> list[Declared]:
    """Return the models. A class that names no table, and that other models extend, has no table of its own."""
    extended = {base.rpartition(".")[2] for each in models for base in each.model.bases}
    return [
        each._replace(model=msgspec.structs.replace(each.model, kind=ModelKind.ABSTRACT))
        if each.model.kind == ModelKind.TABLE and not each.model.is_managed and each.model.name in extended
        else each
        for each in models
    ]


class _Schema:
    def __init__(
        self,
        framework: str,
        entities: Sequence[Declared],
        references: ClassReferences,
        converters: Sequence[Declared],
        naming: Naming,
    ) -> None:
        self._framework = framework
        self._entities = entities
        self._changes = MappedChanges()
        self._attributes = Attributes(entities, references)
        self._columns = Columns(self._attributes, references, converters, naming)
        self._collections = CollectionTables(self._columns, self._changes)
        self._naming = naming

    def made(self) -> MappedSchema:
        for each in self._entities:
            if self._attributes.holder(each) == each:
                self._table(each)
        # All tables of entities are created first, because a collection may add columns to the table of its target entity.
        for each in self._entities:
            for held in self._attributes.own(each):
                self._collections.add(each, held)
        queried = QueriedEntities(self._entities, self._columns)
        changes = list(self._changes.all())
        folder, by_row = folder_of(self._entities), self._framework == FRAMEWORK
        return MappedSchema(self._framework, folder, changes, queried.made(), queried.names(), deletes_by_row=by_row)

    def _table(self, declared: Declared) -> None:
        path, model = declared
        columns = self._columns
        name = columns.table(declared)
        self._changes.create(path, "table", name, model.symbol, model.line)
        every = columns.of_table(declared)
        for each in every.values():
            self._changes.column(each.path, name, each.field, each.name, each.type, nullable=each.nullable)
        # Hibernate orders the columns of a key by their names.
        primary = sorted(each.name for each in every.values() if each.is_primary)
        if primary:
            self._changes.constraint(path, name, model, "primary key", primary)
        self._key_to_base(declared, name)
        for each in every.values():
            if each.field.is_unique and not each.is_primary and not each.field.target:
                self._changes.constraint(each.path, name, each.field, "unique", [each.name])
        for held in self._attributes.of_table(declared):
            if held.field.kind in (FieldKind.MANY_TO_ONE, FieldKind.ONE_TO_ONE) and held.field.is_owner:
                self._foreign_key(declared, name, held)
        for owner in self._attributes.declaring(declared):
            for key in owner.model.keys:
                named = [self._column_of_key(part, every) for part in key.fields]
                if key.is_partial:
                    own = key.name or key_name("IDX", name.name, key.fields)
                    self._changes.index(owner.path, name, key, named, own, is_unique=key.kind == "unique")
                else:
                    self._changes.constraint(owner.path, name, key, "unique", named, key.name)

    def _column_of_key(self, written: str, columns: Mapping[str, Column]) -> str:
        """Return the column that a key names, by its name in the database, or by its name in the model."""
        if written in columns:
            return written
        physical = self._naming.physical(written)
        found = next((each.name for each in columns.values() if each.name.lower() in (written.lower(), physical.lower())), "")
        return found or physical

    def _key_to_base(self, declared: Declared, name: ObjectName) -> None:
        """Add the foreign key from the table of an entity to the table of its base, for the strategy "joined"."""
        base = self._attributes.parent(declared)
        if base is None or self._attributes.strategy(declared) != "joined":
            return
        own = [each.name for each in self._columns.key(declared)]
        target = self._columns.table(base)
        referred = [each.name for each in self._columns.key(base)]
        made = key_name("FK", name.name, own, target.name)
        self._changes.foreign_key(declared.path, name, declared.model, own, target, referred, made)

    def _foreign_key(self, declared: Declared, name: ObjectName, held: Held) -> None:
        field: MappedField = held.field
        target = self._columns.target(held)
        if target is None or field.relation or field.is_list:
            return
        pairs = self._columns.joined(declared, held)
        own = [column.name for column, _ in pairs]
        if not own:
            return
        if field.has_foreign_key:
            table = self._columns.table(target)
            made = field.foreign_key_name or key_name("FK", name.name, own, table.name)
            referred = [column.name for _, column in pairs]
            self._changes.foreign_key(held.path, name, field, own, table, referred, made, (field.on_delete, ""))
        is_key = all(column.is_primary for column, _ in pairs)
        if (field.kind == FieldKind.ONE_TO_ONE or field.is_unique) and not is_key:
            self._changes.constraint(held.path, name, field, "unique", own)
