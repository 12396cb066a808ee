"""The tables for collections of values, and for relations without a column in the tables of entities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....data.schemas.mapped import MappedChanges
from ....data.schemas.model_names import Declared
from ....facts.data import ObjectName
from ....facts.mapped_tables import FieldKind, MappedField
from .attributes import Held
from .columns import Column, Columns
from .hibernate import key_name

_SETS: Final = frozenset(("Set", "SortedSet", "HashSet", "NavigableSet"))
_MAPS: Final = frozenset(("Map", "SortedMap"))


class CollectionTables:
    """Adds the tables of collections to the changes of a database."""

    def __init__(self, columns: Columns, changes: MappedChanges) -> None:
        self._columns = columns
        self._naming = columns.naming
        self._changes = changes
        self._made: set[str] = set()

    def add(self, declared: Declared, held: Held) -> None:
        """Add the table of an entity's collection, or the foreign key column in the table of the target entity."""
        field = held.field
        if field.kind == FieldKind.COLLECTION:
            self._values(declared, held)
        elif not field.is_owner or field.inverse:
            return
        elif field.kind == FieldKind.ONE_TO_MANY and field.fields and not field.relation and not field.inverse_fields:
            self._column_of_target(declared, held)
        elif field.kind in (FieldKind.MANY_TO_MANY, FieldKind.ONE_TO_MANY) or (field.relation and field.target):
            self._join_table(declared, held)

    # ------------------------------------------------------------------ values

    def _values(self, declared: Declared, held: Held) -> None:
        field = held.field
        naming = self._naming
        written = field.relation or f"{naming.entity(declared)}_{field.name}"
        name = ObjectName(naming.physical(written), naming.physical(field.through))
        path = held.path
        if not self._create(path, name, field):
            return
        leading = self._leading(declared, naming.entity(declared), field.fields)
        own = self._key_columns(path, name, field, leading, declared)
        target = self._columns.attributes.embedded(held._replace(field=_as_column(field)))
        key: list[str] = []
        if target is not None:
            for inner in self._columns.attributes.inside(target, held, {}):
                if inner.field.kind == FieldKind.COLUMN:
                    column = self._columns.plain(inner._replace(is_primary=False))
                    self._changes.column(inner.path, name, inner.field, column.name, column.type, nullable=column.nullable)
                    if not column.nullable:
                        key.append(column.name)
        else:
            value = naming.physical(field.column or field.name)
            kind = self._columns.type_of(field, path)
            nullable = field.nullable and field.collection not in _MAPS
            self._changes.column(path, name, field, value, kind, nullable=field.nullable)
            if not nullable and field.collection in _SETS:
                key.append(value)
        self._place(path, name, field, own, key if field.collection in _SETS else [])

    def _place(self, path: str, name: ObjectName, field: MappedField, own: Sequence[str], key: Sequence[str]) -> None:
        """Add the column with the list index or the map key of each value, and the primary key."""
        key = list(key)
        if field.place_column or field.collection in _MAPS:
            is_map = field.collection in _MAPS
            written = "" if field.place_column in ("OrderColumn", "MapKeyColumn") else field.place_column
            place = self._naming.physical(written or f"{field.name}_{'KEY' if is_map else 'ORDER'}")
            self._changes.column(path, name, field, place, "varchar(255)" if is_map else "integer", nullable=False)
            key = [place]
        if key:
            self._changes.constraint(path, name, field, "primary key", sorted([*own, *key]))

    # ------------------------------------------------------------------ relations

    def _join_table(self, declared: Declared, held: Held) -> None:
        field, naming = held.field, self._naming
        target = self._columns.target(held)
        if target is None:
            return
        name = self._columns.join_table(declared, held, target)
        if not self._create(held.path, name, field):
            return
        back = self._other_side(declared, field, target)
        start = back.name if back is not None else naming.entity(declared)
        own = self._key_columns(held.path, name, field, self._leading(declared, start, field.fields), declared)
        others = self._leading(target, field.name, field.inverse_fields)
        inverse = self._key_columns(held.path, name, field, others, target)
        if field.kind in (FieldKind.ONE_TO_MANY, FieldKind.ONE_TO_ONE):
            self._changes.constraint(held.path, name, field, "unique", inverse)
        if field.kind in (FieldKind.MANY_TO_ONE, FieldKind.ONE_TO_ONE):
            self._changes.constraint(held.path, name, field, "primary key", own)
            return
        is_set = field.collection in _SETS
        self._place(held.path, name, field, own, inverse if is_set else [])

    def _other_side(self, declared: Declared, field: MappedField, target: Declared) -> MappedField | None:
        for each in self._columns.attributes.of_table(self._columns.attributes.holder(target)):
            if each.field.inverse == field.name and self._columns.target(each) == declared:
                return each.field
        return None

    def _column_of_target(self, declared: Declared, held: Held) -> None:
        """Add the foreign key column for a list of entities to the table of these entities."""
        field = held.field
        target = self._columns.target(held)
        if target is None:
            return
        table = self._columns.table(target)
        pairs = self._columns.leading(declared, field.name, field.fields, field.target_fields)
        known = self._columns.of_table(self._columns.attributes.holder(target))
        for name, other in pairs:
            if name.lower() not in known:
                self._changes.column(held.path, table, field, name, other.type, nullable=field.nullable)
        self._foreign_key(held.path, table, field, pairs, declared)

    # ------------------------------------------------------------------ parts

    def _create(self, path: str, name: ObjectName, field: MappedField) -> bool:
        key = f"{name.schema}.{name.name}".lower()
        if key in self._made:
            return False
        self._made.add(key)
        self._changes.create(path, "table", name, field.symbol, field.line)
        return True

    def _leading(self, target: Declared, start: str, names: Sequence[str]) -> list[tuple[str, Column]]:
        return self._columns.leading(target, start, names, ())

    def _key_columns(
        self, path: str, name: ObjectName, field: MappedField, pairs: Sequence[tuple[str, Column]], target: Declared
    ) -> list[str]:
        """Add the columns that refer to an entity, with their foreign key. Return the names of the columns."""
        for column, other in pairs:
            self._changes.column(path, name, field, column, other.type, nullable=False)
        self._foreign_key(path, name, field, pairs, target)
        return [column for column, _ in pairs]

    def _foreign_key(
        self, path: str, name: ObjectName, field: MappedField, pairs: Sequence[tuple[str, Column]], target: Declared
    ) -> None:
        own = [column for column, _ in pairs]
        table = self._columns.table(target)
        made = key_name("FK", name.name, own, table.name)
        if own and field.has_foreign_key:
            self._changes.foreign_key(path, name, field, own, table, [other.name for _, other in pairs], made)


def _as_column(field: MappedField) -> MappedField:
    """Return an attribute with the type of a collection's values."""
    made = MappedField(field.name, field.symbol, field.line, field.type, kind=FieldKind.COLUMN)
    made.target = field.target
    return made
