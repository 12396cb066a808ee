"""The models of SQLAlchemy for the code that queries them: columns and relations by the names of their attributes.

See https://docs.sqlalchemy.org/en/20/orm/relationships.html.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....data.schemas.mapped import MappedAttribute, MappedEntity
from ....facts.data import ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from .carried_rows import carried_models
from .declarations import DeclaredModel
from .hints import MAPPED, MODEL_ATTRIBUTES
from .sqlalchemy import ANY, HELD
from .sqlalchemy_classes import Classes
from .sqlalchemy_imperative import MAPPED_CLASS, MAPPED_TABLE
from .sqlalchemy_types import last_part

#: The action of the mapper on rows of the other side that has no cascade.
_SET_NULL: Final = "SET NULL"
#: Maximum number of attributes after the name of a model.
_MAX_PARTS: Final = 4


#: Bases of the model of users in Flask-Login and in packages around it, and the name for this model in queries.
_USERS: Final = frozenset(
    ("flask_login.UserMixin", "flask_login.mixins.UserMixin", "flask_security.UserMixin", "flask_security.core.UserMixin")
)
LOGGED_IN: Final = "flask_login:current_user"


class EntityTable(NamedTuple):
    """The table of a class."""

    name: ObjectName
    #: Names of the columns by the names of their attributes.
    columns: Mapping[str, str]
    #: The foreign keys: the name of the attribute, and the referred table.
    keys: Sequence[tuple[str, ObjectName]]


class Entities:
    """The entities of one metadata object."""

    def __init__(
        self, classes: Classes, tables: Mapping[int, EntityTable], join: Callable[[str, DeclaredModel], ObjectName | None]
    ) -> None:
        """`tables` has the tables of classes and values by the id of the model. `join` finds the table in `secondary`."""
        self._classes = classes
        self._tables = tables
        self._join = join
        self._declared: Final = [each for each in classes.declarations.all() if id(each.model) in tables]
        self._numbers: Final = {id(each.model): number for number, each in enumerate(self._declared)}
        self._by_name: dict[str, list[int]] = {}
        for number, each in enumerate(self._declared):
            if each.model.kind != ModelKind.VALUE:
                self._by_name.setdefault(each.model.name, []).append(number)
        self._relations: list[dict[str, MappedAttribute]] = [{} for _ in self._declared]
        #: Names that stand for expressions in conditions.
        self._lookups: list[dict[str, MappedAttribute]] = [{} for _ in self._declared]
        #: The tables of classes that calls map to them, by the name of the class, each with the declaration of the mapping.
        self._mapped: dict[str, tuple[int, DeclaredModel]] = {}
        for each in classes.declarations.all():
            found = classes.named(each.model.options.get(MAPPED_TABLE, ""), each) if MAPPED_TABLE in each.model.options else None
            if found is not None and id(found.model) in self._numbers:
                self._mapped.setdefault(each.model.options[MAPPED_CLASS], (self._numbers[id(found.model)], each))

    def made(self) -> list[MappedEntity]:
        """Return an entity for each class and each value with a table."""
        above = [self._above(declared) for declared in self._declared]
        for number, declared in enumerate(self._declared):
            beside = self._classes.keys.get((declared.path, declared.model.name), ())
            for field in (*declared.model.relations, *(field for each in beside for field in each.relations)):
                self._relate(number, field)
            for base in above[number]:
                if id(base.model) not in self._numbers:  # a mixin: each class has its own relation
                    for field in base.model.relations:
                        self._relate(number, field)
        for number, mapping in self._mapped.values():
            for field in mapping.model.relations:
                self._relate(number, field)
        renamed = {number: mapping.model.fields for number, mapping in self._mapped.values()}
        found = []
        for number, declared in enumerate(self._declared):
            table = self._tables[id(declared.model)]
            attributes = {name: MappedAttribute(column) for name, column in table.columns.items()}
            attributes.update((field.name, MappedAttribute(field.column)) for field in renamed.get(number, ()))
            parents = [self._numbers[id(base.model)] for base in above[number] if id(base.model) in self._numbers]
            for each in (number, *parents):
                for name, relation in self._relations[each].items():
                    attributes.setdefault(name, relation)
            extended = [each for each in parents if self._name(each) != table.name]
            for each in extended:
                for name, column in self._tables[id(self._declared[each].model)].columns.items():
                    attributes.setdefault(name, MappedAttribute(column, table=self._name(each)))
            lookups = {name: each for other in reversed((number, *parents)) for name, each in self._lookups[other].items()}
            found.append(
                MappedEntity(declared.path, declared.model.symbol, table.name, attributes, lookups, extended=tuple(extended))
            )
        found += self._mixins(above)
        return [*found, *self._holders(len(found))]

    def names(self) -> dict[str, int]:
        """Return the numbers of models by names that stand for them: the model of users who are logged in, if only one class is
        one, and the models of rows in attributes of requests, if all code assigns rows of one model.
        """
        users = [
            number
            for number, declared in enumerate(self._declared)
            for line in [[declared, *self._above(declared)]]
            if any(base in _USERS for each in line for base in each.model.bases)
            and not any(id(each.model) in self._numbers for each in line[1:])
        ]
        every = self._classes.declarations.all()
        found = carried_models(every, self._first)
        found.update((f"{MAPPED}{name}", number) for name, (number, _) in self._mapped.items())
        return {LOGGED_IN: users[0], **found} if len(users) == 1 else found

    def _mixins(self, above: Sequence[Sequence[DeclaredModel]]) -> Iterator[MappedEntity]:
        """Yield an entity for each base class without a table. It represents the models that derive from it."""
        bases: dict[int, DeclaredModel] = {}
        variants: dict[int, list[int]] = defaultdict(list)
        for number, each in enumerate(above):
            for base in each:
                if id(base.model) not in self._numbers and base.model.kind != ModelKind.SETTING:
                    bases[id(base.model)] = base
                    variants[id(base.model)].append(number)
        for key, base in bases.items():
            yield MappedEntity(base.path, base.model.symbol, None, variants=tuple(variants[key]))

    def _holders(self, start: int) -> list[MappedEntity]:
        """Return an entity for each class that names a model in an attribute, and for its bases, which represent such classes."""
        found: list[MappedEntity] = []
        variants: dict[int, list[int]] = defaultdict(list)
        bases: dict[int, DeclaredModel] = {}
        for declared in self._classes.declarations.all():
            held: dict[str, MappedAttribute] = {}
            for option, written in declared.model.options.items() if id(declared.model) not in self._numbers else ():
                number = self._first(written.split(","), declared) if option.startswith(HELD) else -1
                attribute = option.removeprefix(HELD)
                for each in MODEL_ATTRIBUTES if attribute == ANY else (attribute,):
                    if number >= 0:
                        held[each] = MappedAttribute("", number)
            for base in (declared, *self._above(declared)) if held else ():
                if id(base.model) not in self._numbers and base.model.kind != ModelKind.SETTING:
                    bases[id(base.model)] = base
                    variants[id(base.model)].append(start + len(found))
            if held:
                found.append(MappedEntity("", -1, None, held))
        return [
            *found,
            *(MappedEntity(each.path, each.model.symbol, None, variants=variants[key]) for key, each in bases.items()),
        ]

    def _first(self, names: Sequence[str], declared: DeclaredModel) -> int:
        """Return the number of the first model among names in the file of a declaration; -1 if none is a model."""
        found = (each for name in names for each in self._ways(name, declared))
        return next((self._numbers[id(each.model)] for each in found if each is not None and id(each.model) in self._numbers), -1)

    def _ways(self, name: str, declared: DeclaredModel) -> Iterator[DeclaredModel | None]:
        """Yield what a dotted name denotes, and what its beginning denotes: `app.models.User.query`."""
        for _ in range(_MAX_PARTS):
            if not name:
                return
            yield self._classes.named(name, declared)
            name = name.rpartition(".")[0]

    def _above(self, declared: DeclaredModel) -> list[DeclaredModel]:
        return list(self._classes.above(declared)) if declared.model.kind != ModelKind.VALUE else []

    def _name(self, number: int) -> ObjectName:
        return self._tables[id(self._declared[number].model)].name

    def _relate(self, number: int, field: MappedField) -> None:
        """Add a relation to a class, and the reverse relation that it creates to the target."""
        if field.kind in (FieldKind.ALIAS, FieldKind.COMPUTED, FieldKind.CONDITION):
            self._compute(number, field)
            return
        target = self._target(number, field)
        if target < 0:
            return
        join = self._join(field.through, self._declared[number]) if field.through else None
        if field.through and join is None:
            return
        column = self._column(number, target, field) if join is None else ""
        is_many = field.is_list or (not column and field.kind != FieldKind.ONE_TO_ONE)
        rule = _rule(field.on_delete, is_owner=bool(column), is_joined=join is not None)
        relation = MappedAttribute(column, target, is_many, join, on_delete=rule, is_eager=field.is_eager)
        self._relations[number].setdefault(field.name, relation)
        if field.relation:
            back_column = "" if column or join is not None else self._key_to(target, number, field)
            back_rule = _rule(field.overrides.get("delete", ""), is_owner=bool(back_column), is_joined=join is not None)
            is_eager = bool(field.overrides.get("eager"))
            back = MappedAttribute(back_column, number, not back_column, join, on_delete=back_rule, is_eager=is_eager)
            self._relations[target].setdefault(field.relation, back)

    def _compute(self, number: int, field: MappedField) -> None:
        """Add an attribute that stands for others, or whose value the database computes from other tables."""
        if field.kind == FieldKind.ALIAS:
            self._relations[number].setdefault(field.name, MappedAttribute(path=tuple(field.fields)))
            return
        others = dict.fromkeys(self._first([name], self._declared[number]) for name in field.fields)
        reads = tuple(each for each in others if each not in (-1, number))
        if reads:
            own = self._relations if field.kind == FieldKind.COMPUTED else self._lookups
            own[number].setdefault(field.name, MappedAttribute(reads=reads, is_eager=field.is_eager))

    def _target(self, number: int, field: MappedField) -> int:
        declared = self._declared[number]
        found = self._classes.named(field.target, declared) if field.target else None
        if found is not None and id(found.model) in self._numbers:
            return self._numbers[id(found.model)]
        if last_part(field.target) in self._mapped:
            return self._mapped[last_part(field.target)][0]
        named = self._by_name.get(last_part(field.target), ())
        return named[0] if len(named) == 1 else -1

    def _column(self, number: int, target: int, field: MappedField) -> str:
        """Return the column of a class that refers to the target of a relation; "" if the target refers to the class."""
        own, referring = self._keys(number, target), self._keys(target, number)
        names = {each.model.name for each in (self._declared[number], *self._above(self._declared[number]))}
        for written in field.fields:
            owner, _, column = written.rpartition(".")
            is_own = not owner or (last_part(owner) in names and (number != target or column in own))
            if is_own and column in own and number != target:
                return own[column]
            if not is_own and column in referring:
                return ""
        if not own or field.is_list:
            return ""
        if number == target:
            return next(iter(own.values())) if field.target_fields else ""
        return next(iter(own.values())) if not referring or field.kind != FieldKind.ONE_TO_ONE else ""

    def _key_to(self, number: int, target: int, field: MappedField) -> str:
        keys = self._keys(number, target)
        named = [keys[column] for each in field.fields if (column := last_part(each)) in keys]
        return next(iter([*named, *keys.values()]), "")

    def _keys(self, number: int, target: int) -> dict[str, str]:
        """Return the columns of a class that refer to the table of another class, by the names of their attributes."""
        table, referred = self._tables[id(self._declared[number].model)], self._referred(target)
        return {name: table.columns.get(name, name) for name, other in table.keys if other in referred}

    def _referred(self, number: int) -> set[ObjectName]:
        parents = (self._numbers.get(id(base.model), -1) for base in self._above(self._declared[number]))
        return {self._name(number), *(self._name(each) for each in parents if each >= 0)}


def _rule(written: str, *, is_owner: bool, is_joined: bool) -> str:
    """Return the action on the other side when the mapper deletes a row."""
    if written == "NO ACTION":
        return ""
    if written or is_joined:
        return "CASCADE"
    return "" if is_owner else _SET_NULL
