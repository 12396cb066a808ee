"""The columns of the tables of entities, and the columns to which relations refer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....data.schemas.model_names import Declared
from ....facts.data import ObjectName
from ....facts.mapped_tables import FieldKind, MappedField
from .attributes import Attributes, Held
from .hibernate import column_type, underscored
from .references import ClassReferences


class Column(NamedTuple):
    """A column of a table."""

    path: str
    property: str
    name: str
    type: str
    nullable: bool
    is_primary: bool
    field: MappedField


class Naming:
    """The naming strategies of Hibernate or of Spring Boot."""

    def __init__(self, is_spring: bool) -> None:
        self.is_spring = is_spring

    def physical(self, name: str) -> str:
        """Return the name in the database for an explicit or implicit name in a model."""
        quoted = name[:1] in ("`", '"')
        bare = name.strip('`"')
        return bare if quoted or not self.is_spring else underscored(bare)

    def entity(self, declared: Declared) -> str:
        """Return the name of an entity."""
        return declared.model.entity or declared.model.name

    def table(self, declared: Declared) -> str:
        """Return the name of the table of an entity."""
        return self.physical(declared.model.table or self.entity(declared))


class Columns:
    """The columns of all entities of a database."""

    def __init__(
        self, attributes: Attributes, references: ClassReferences, converters: Sequence[Declared], naming: Naming
    ) -> None:
        self.attributes = attributes
        self.naming = naming
        self._references = references
        self._converted = {
            each.model.application: each.model.fields[0].type
            for each in converters
            if each.model.application and each.model.fields
        }
        self._keys: dict[int, list[Column]] = {}
        self._tables: dict[int, dict[str, Column]] = {}

    def table(self, declared: Declared) -> ObjectName:
        """Return the table that has the rows of an entity."""
        holder = self.attributes.holder(declared)
        return ObjectName(self.naming.table(holder), self.naming.physical(holder.model.schema))

    def target(self, held: Held) -> Declared | None:
        """Return the target entity of a relation."""
        return self._references.find(held.field.target, held.path)

    def join_table(self, declared: Declared, held: Held, target: Declared) -> ObjectName:
        """Return the table that joins an entity with the target of a relation."""
        field, naming = held.field, self.naming
        first, second = self.table(declared), self.table(target)
        ending = naming.physical(field.name) if naming.is_spring else second.name
        return ObjectName(naming.physical(field.relation or f"{first.name}_{ending}"), naming.physical(field.through))

    # ------------------------------------------------------------------ types

    def type_of(self, field: MappedField, path: str) -> str:
        """Return the type of the column of an attribute."""
        kind = field.type
        if kind.startswith("@"):
            converter = self._references.find(kind[1:], path)
            kind = converter.model.fields[0].type if converter is not None and converter.model.fields else ""
        else:
            kind = self._converted.get(kind, kind)
        return column_type(field, kind)

    # ------------------------------------------------------------------ columns

    def of_table(self, declared: Declared) -> dict[str, Column]:
        """Return the columns of the table of an entity, by name."""
        known = self._tables.get(id(declared.model))
        if known is not None:
            return known
        found: dict[str, Column] = {}
        attributes = self.attributes.of_table(declared)
        is_child = self.attributes.strategy(declared) == "joined" and self.attributes.parent(declared) is not None
        for each in self.key(declared):
            found[each.name.lower()] = each
        for held in attributes:
            if held.field.kind == FieldKind.COLUMN:
                if held.is_primary and not is_child:
                    continue
                column = self.plain(held)
                found.setdefault(column.name.lower(), column)
        for held in attributes:
            for column, _ in self.joined(declared, held):
                known_column = found.get(column.name.lower())
                if known_column is None:
                    found[column.name.lower()] = column
                elif not column.nullable and known_column.nullable:
                    found[column.name.lower()] = known_column._replace(nullable=False)
        self._discriminator(declared, found)
        self._tables[id(declared.model)] = found
        return found

    def plain(self, held: Held) -> Column:
        """Return the column of an attribute that is not a relation."""
        field = held.field
        name = self.naming.physical(held.column or field.column or field.name)
        nullable = (field.nullable and not field.is_required) or held.is_shared
        kind = self.type_of(field, held.path)
        return Column(held.path, held.property, name, kind, nullable and not held.is_primary, held.is_primary, field)

    def _discriminator(self, declared: Declared, found: dict[str, Column]) -> None:
        """Add the discriminator column, which names the entity of a row."""
        model = declared.model
        written = next((each for each in model.fields if each.kind == FieldKind.DISCRIMINATOR), None)
        is_root = self.attributes.parent(declared) is None
        if not is_root or not (self.attributes.is_shared(declared) or written is not None or model.inheritance == "single table"):
            return
        if written is None and self.attributes.strategy(declared) != "single table":
            return
        field = written or MappedField("DTYPE", model.symbol, model.line, "String", size="(31)", kind=FieldKind.DISCRIMINATOR)
        name = self.naming.physical(field.column or field.name)
        kind = self.type_of(field, declared.path)
        found.setdefault(name.lower(), Column(declared.path, "", name, kind, False, False, field))

    # ------------------------------------------------------------------ keys

    def key(self, declared: Declared) -> list[Column]:
        """Return the primary key columns of an entity's table."""
        known = self._keys.get(id(declared.model))
        if known is not None:
            return known
        self._keys[id(declared.model)] = []  # read if a key depends on itself
        parent = self.attributes.parent(declared)
        if parent is not None and self.attributes.strategy(declared) != "table per class":
            found = self._key_of_child(declared, parent)
        else:
            found = self._own_key(declared)
        self._keys[id(declared.model)] = found
        return found

    def _key_of_child(self, declared: Declared, parent: Declared) -> list[Column]:
        above = self.key(parent)
        if self.attributes.strategy(declared) == "single table":
            return above
        written = declared.model.key_columns
        at = MappedField("", declared.model.symbol, declared.model.line, "", kind=FieldKind.COLUMN)
        return [
            Column(
                declared.path,
                each.property,
                self.naming.physical(written[place]) if len(written) == len(above) and written[place] else each.name,
                each.type,
                False,
                True,
                at,
            )
            for place, each in enumerate(above)
        ]

    def _own_key(self, declared: Declared) -> list[Column]:
        attributes = self.attributes.of_table(declared)
        found: list[Column] = []
        replaced: dict[str, list[Column]] = {}
        for held in attributes:
            if held.field.key_of and held.field.is_owner:
                replaced[held.field.key_of] = [
                    column._replace(is_primary=True, nullable=False) for column, _ in self.joined(declared, held)
                ]
        if "*" in replaced:
            return replaced["*"]
        for held in attributes:
            if not held.is_primary:
                continue
            if held.field.name in replaced or held.property in replaced:
                found += replaced.get(held.field.name) or replaced.get(held.property, [])
            elif held.field.kind == FieldKind.COLUMN:
                found.append(self.plain(held))
            elif held.field.target:
                found += [column._replace(is_primary=True, nullable=False) for column, _ in self.joined(declared, held)]
        return found

    # ------------------------------------------------------------------ relations

    def joined(self, declared: Declared, held: Held) -> list[tuple[Column, Column]]:
        """Return the columns of a relation in the table of an entity, each with the referenced column."""
        field = held.field
        if field.kind not in (FieldKind.MANY_TO_ONE, FieldKind.ONE_TO_ONE) or not field.is_owner or field.relation:
            return []
        target = self.target(held)
        if target is None:
            return []
        nullable = field.nullable and not field.is_required
        if held.is_shared:
            nullable = True
        pairs = self.leading(target, held.field.name, field.fields, field.target_fields)
        found = []
        for name, other in pairs:
            own = self.naming.physical(held.column) if held.column and len(pairs) == 1 else name
            is_primary = held.is_primary or bool(field.key_of)
            column = Column(held.path, held.property, own, other.type, nullable and not is_primary, is_primary, field)
            found.append((column, other))
        return found

    def leading(self, target: Declared, start: str, names: Sequence[str], referred: Sequence[str]) -> list[tuple[str, Column]]:
        """Return the names of columns that refer to an entity, each with the referenced column.

        Generated names begin with `start`.
        """
        if any(referred):
            every = self.plain_columns(target)
            found = []
            for name, to in zip(names, referred, strict=False):
                other = every.get(to.lower()) or every.get(self.naming.physical(to).lower())
                if other is not None:
                    found.append((self.naming.physical(name or f"{start}_{other.name}"), other))
            if len(found) == len(names):
                return found
        others = self.key(target)
        written = list(names) if len(names) == len(others) else [""] * len(others)
        return [
            (self.naming.physical(name or f"{start}_{other.name}"), other) for name, other in zip(written, others, strict=True)
        ]

    def plain_columns(self, declared: Declared) -> dict[str, Column]:
        """Return the columns of the key of an entity and of its attributes that are not relations."""
        holder = self.attributes.holder(declared)
        found = {each.name.lower(): each for each in self.key(holder)}
        for held in self.attributes.of_table(holder):
            if held.field.kind == FieldKind.COLUMN:
                column = self.plain(held)
                found.setdefault(column.name.lower(), column)
        return found
