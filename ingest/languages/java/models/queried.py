"""Entities as code queries them: their attributes, and the column or relation of each attribute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....data.schemas.mapped import MappedAttribute, MappedEntity
from ....data.schemas.model_names import Declared
from ....facts.data import ObjectName
from ....facts.mapped_tables import FieldKind, ModelKind
from ...jvm.entity_names import ENTITY
from .attributes import Held
from .columns import Columns

#: Prefix of an entity's name among the names of a database.
NAME: Final = ENTITY


class QueriedEntities:
    """The entities of a database for queries."""

    def __init__(self, entities: Sequence[Declared], columns: Columns) -> None:
        self._entities = entities
        self._columns = columns
        self._numbers = {id(each.model): number for number, each in enumerate(entities)}

    def made(self) -> list[MappedEntity]:
        """Return an entity for each class, in order."""
        return [
            MappedEntity(each.path, each.model.symbol, self._columns.table(each), self._attributes(each))
            for each in self._entities
        ]

    def names(self) -> dict[str, int]:
        """Return the numbers of the entities by the names that queries use for them."""
        naming = self._columns.naming
        return {f"{NAME}{naming.entity(each)}": number for number, each in enumerate(self._entities)}

    def _attributes(self, declared: Declared) -> dict[str, MappedAttribute]:
        attributes = self._columns.attributes
        holder, found = attributes.holder(declared), dict[str, MappedAttribute]()
        above = [base for base in attributes.bases(declared) if base.model.kind == ModelKind.TABLE]
        is_joined = attributes.strategy(declared) == "joined"
        for owner in (holder, *(above if is_joined else ())):
            table = self._columns.table(owner) if owner is not holder else None
            for held in attributes.of_table(owner):
                for name in (held.property, held.field.name):
                    found.setdefault(name, self._attribute(owner, held)._replace(table=table))
        return found

    def _attribute(self, owner: Declared, held: Held) -> MappedAttribute:
        field, columns = held.field, self._columns
        target = columns.target(held) if field.kind not in (FieldKind.COLUMN, FieldKind.COLLECTION) else None
        if target is None:
            return MappedAttribute(columns.plain(held).name if field.kind == FieldKind.COLUMN else "")
        number = self._numbers.get(id(target.model), -1)
        pairs = columns.joined(owner, held)
        is_many = field.kind in (FieldKind.MANY_TO_MANY, FieldKind.ONE_TO_MANY)
        join = self._join(owner, held, target)
        # The rows of a join table belong to the owner of the relation, and Hibernate deletes them with the owner.
        is_removed = field.is_removed or (join is not None and field.is_owner)
        return MappedAttribute(
            pairs[0][0].name if pairs else "",
            number,
            is_many,
            join,
            on_delete="CASCADE" if is_removed else "",
            is_eager=field.is_eager,
            is_saved=field.is_saved,
        )

    def _join(self, owner: Declared, held: Held, target: Declared) -> ObjectName | None:
        field, attributes = held.field, self._columns.attributes
        if field.is_owner and not field.inverse:
            is_joined = field.kind == FieldKind.MANY_TO_MANY or (
                field.kind == FieldKind.ONE_TO_MANY and (not field.fields or bool(field.relation or field.inverse_fields))
            )
            return self._columns.join_table(owner, held, target) if is_joined else None
        for other in attributes.of_table(attributes.holder(target)) if field.kind == FieldKind.MANY_TO_MANY else ():
            if other.field.name == field.inverse:
                return self._columns.join_table(target, other, owner)
        return None
