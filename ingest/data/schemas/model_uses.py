"""Finds the tables and columns that calls of an object mapper use, from the models that the calls name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....schema.paths import common_parts
from ...facts.data import COMPARED, JOINED, ModelQuery, ModelUse, ObjectName, WrittenQuery
from .mapped import MappedAttribute, MappedEntity, MappedSchema
from .tables import Key, Place, Table, key_of

#: Maximum number of attributes that stand for attributes which stand for others.
_MAX_ALIASES: Final = 4
#: Maximum number of names on a path whose names stand for paths.
_MAX_NAMES: Final = 12


class MappedTables(NamedTuple):
    """The models of one database, and its tables. If there are migrations, the migrations define the tables."""

    mapped: MappedSchema
    tables: Mapping[Key, Table]


class Target(NamedTuple):
    """A table or a column that a query uses."""

    place: Place
    modifies: bool
    #: How the mapper comes to the table, if the code does not name it: relation or cascade; "" if the code names it.
    through: str = ""


class _Reached(NamedTuple):
    """A model of a database at the end of a path through relations."""

    of: MappedTables
    number: int
    #: The last relation of the path; None for the first model of the path.
    relation: MappedAttribute | None = None
    #: Number of the model before the last relation; -1 for the first model of the path.
    before: int = -1

    @property
    def entity(self) -> MappedEntity:
        return self.of.mapped.entities[self.number]

    def table(self, name: ObjectName | None) -> Table | None:
        return self.of.tables.get(key_of(name)) if name is not None else None


class ModelUses:
    """Finds the uses of models by queries in all databases."""

    def __init__(self, databases: Sequence[MappedTables], symbol_id: Callable[[str, int], str]) -> None:
        """`symbol_id` returns the id of a symbol of a file."""
        self._models: dict[str, list[_Reached]] = {}
        for each in databases:
            for number, entity in enumerate(each.mapped.entities):
                if entity.symbol >= 0:
                    self._models.setdefault(symbol_id(entity.path, entity.symbol), []).append(_Reached(each, number))
            for name, number in each.mapped.names.items():
                self._models.setdefault(name, []).append(_Reached(each, number))

    def has_table(self, model: str) -> bool:
        """Return whether a class is a model with a table, or stands for models that have one."""
        return any(each.entity.table is not None or each.entity.variants for each in self._models.get(model, ()))

    def targets(self, path: str, query: ModelQuery) -> list[Target]:
        """Return the tables and columns that a query of a file uses. Code that names a table has precedence over relations."""
        found = dict.fromkeys(target for use in query.uses for target in self._of_use(path, query.statement, use))
        return [each for each in found if not each.through or Target(each.place, each.modifies) not in found]

    def written(self, path: str, query: WrittenQuery) -> list[Target]:
        """Return the tables and columns that a query uses. The query names its models in text; unknown names are left out."""
        uses = [
            ModelUse(known, tuple(use.path), use.modifies, tuple(map(tuple, use.fields)), use.of_condition)
            for use in query.uses
            if (known := next((name for name in use.names if name in self._models), None)) is not None
        ]
        return self.targets(path, ModelQuery("", query.line, query.statement, tuple(uses), ""))

    def _of_use(self, path: str, statement: str, use: ModelUse) -> Iterator[Target]:
        for reached in self._end_of_path(path, use):
            table, relation = reached.table(reached.entity.table), reached.relation
            join = reached.table(relation.join) if relation is not None else None
            if use.of_links and use.modifies and relation is not None and relation.column and join is None:
                # The link is a foreign key of the model before the relation.
                table = reached.table(reached.of.mapped.entities[reached.before].table)
            fields = [
                target
                for field in use.fields
                for target in self._of_field(reached, field, modifies=use.modifies, of_row=use.of_fields)
            ]
            if use.of_fields and not fields:
                continue
            if join is not None and not use.of_condition:
                yield Target(join.place, use.modifies)
            if join is not None and use.of_links:
                continue
            if table is not None and not use.of_condition:
                yield Target(table.place, use.modifies)
                by_row = use.is_whole or not reached.of.mapped.deletes_by_row or statement != "delete"
                has_new_rows = statement == "insert" or (statement in ("merge", "delete") and not use.fields and by_row)
                is_joined = use.is_whole or (reached.of.mapped.joins_extended and not use.modifies)
                if is_joined or (use.modifies and has_new_rows):
                    yield from self._extended(reached, modifies=use.modifies)
            yield from (Target(*each) for each in fields)
            if use.is_whole and not use.modifies:
                yield from self._eager(reached)
            if use.is_whole and use.modifies and statement in ("insert", "merge"):
                yield from self._saved_with(reached)
            if statement == "delete" and use.modifies and (use.is_whole or not reached.of.mapped.deletes_by_row):
                yield from self._deleted_with(reached)
                is_of_query = use.is_whole and not reached.of.mapped.deletes_by_row
                if table is not None and is_of_query and any(each.on_delete for each in reached.entity.attributes.values()):
                    yield Target(table.place, False, "cascade")

    def _extended(self, reached: _Reached, *, modifies: bool, through: str = "relation") -> Iterator[Target]:
        """Yield the other tables in which each row of a model has a row: the tables of the models that it extends."""
        for number in reached.entity.extended:
            table = reached.table(reached.of.mapped.entities[number].table)
            if table is not None:
                yield Target(table.place, modifies, through)

    def _eager(self, reached: _Reached) -> Iterator[Target]:
        """Yield the tables of the relations that a mapper reads with each row of a model."""
        seen, waiting, inverse = {reached.number}, [reached], self._inverse(reached)
        while waiting:
            current = waiting.pop()
            for relation in current.entity.attributes.values():
                if relation.is_eager and relation.reads:
                    yield from (Target(place, False, "relation") for place, _ in self._computed(current, relation))
                following = self._next(current, relation) if relation.is_eager else None
                if following is None or (current is reached and relation == inverse):
                    continue
                yield from (Target(place, modifies, "relation") for place, modifies in self._tables(following))
                if following.number not in seen:
                    seen.add(following.number)
                    waiting.append(following)

    def _inverse(self, reached: _Reached) -> MappedAttribute | None:
        """Return the relation that leads from the rows of a relation back to the row whose relation it is, which is known."""
        relation = reached.relation
        if relation is None or relation.column or relation.join is not None or reached.before == reached.number:
            return None
        back = {each for each in reached.entity.attributes.values() if each.target == reached.before and each.column}
        return back.pop() if len(back) == 1 else None

    def _saved_with(self, reached: _Reached) -> Iterator[Target]:
        """Yield the tables whose rows a mapper saves together with a row of a model."""
        seen, waiting = {reached.number}, [reached]
        while waiting:
            current = waiting.pop()
            for relation in current.entity.attributes.values():
                following = self._next(current, relation) if relation.is_saved else None
                if following is None:
                    continue
                yield from (Target(place, True, "cascade") for place, _ in self._tables(following))
                if following.number not in seen:
                    seen.add(following.number)
                    waiting.append(following)

    def _deleted_with(self, reached: _Reached) -> Iterator[Target]:
        """Yield the tables whose rows a mapper deletes or changes together with rows of a model.

        A mapper first reads the rows to which other rows refer.
        """
        seen, waiting = {reached.number}, [reached]
        while waiting:
            current = waiting.pop()
            for relation in current.entity.attributes.values():
                following = self._next(current, relation)
                join = current.table(relation.join)
                if join is not None and relation.on_delete:
                    yield Target(join.place, True, "cascade")
                if following is None or not relation.on_delete or join is not None:
                    continue
                table = following.table(following.entity.table)
                if table is not None:
                    yield Target(table.place, True, "cascade")
                is_read = current.of.mapped.deletes_by_row
                if relation.on_delete == "CASCADE":
                    yield from self._extended(following, modifies=True, through="cascade")
                    is_read |= any(each.on_delete or each.join for each in following.entity.attributes.values())
                if table is not None and is_read:
                    yield Target(table.place, False, "cascade")
                if relation.on_delete == "CASCADE" and following.number not in seen:
                    seen.add(following.number)
                    waiting.append(following)

    def _starts(self, path: str, model: str) -> Sequence[_Reached]:
        """Return the models with a name. If a setting (`setting:…`) has several models, the nearest model counts."""
        found = self._models.get(model, ())
        if len(found) < 2 or ":" not in model:
            return found
        return [max(found, key=lambda each: common_parts(each.of.mapped.folder, path))]

    def _end_of_path(self, path: str, use: ModelUse) -> Iterator[_Reached]:
        for start in self._starts(path, use.model):
            is_alone = start.entity.table is not None or not start.entity.variants
            numbers = (start.number,) if is_alone else start.entity.variants
            for number in numbers:
                reached = [_Reached(start.of, number)]
                for name in use.path:
                    reached = [following for each in reached for following in self._named(each, name, _MAX_ALIASES)]
                for found in reached:
                    is_many = found.relation.is_many if found.relation is not None else None
                    if is_many is None or not use.leads_to or is_many == (use.leads_to == "many"):
                        yield found

    def _named(self, reached: _Reached, name: str, aliases: int) -> Iterator[_Reached]:
        """Yield the model at the end of a relation, or all models with which a mapper compares a row before code saves it.

        `aliases` is the maximum number of attributes that stand for others.
        """
        if not name.startswith(COMPARED):
            attribute = reached.entity.attributes.get(name)
            following = self._next(reached, attribute)
            if following is not None:
                yield following
            elif attribute is not None and attribute.path and aliases:
                yield from self._behind_alias(reached, attribute.path, aliases - 1)
            return
        kept = [each for own, each in reached.entity.attributes.items() if own not in name.split(" ")[1:]]
        relations = {each.target: each for each in kept if each.column and each.target >= 0}
        for relation in relations.values():
            yield _Reached(reached.of, relation.target)
        table = reached.table(reached.entity.table)
        keys = (*table.constraints.values(), *table.indexes.values()) if table is not None else ()
        is_unique = any(each.kind == "unique" or (each.kind == "index" and each.is_unique) for each in keys)
        if is_unique and reached.number not in relations:
            yield reached

    def _behind_alias(self, reached: _Reached, path: Sequence[str], aliases: int) -> Iterator[_Reached]:
        """Yield the models at the end of the path of an alias, whose last name may be a column."""
        ends = [reached]
        for name in path:
            following = [each for end in ends for each in self._named(end, name, aliases)]
            if not following:
                break
            ends = following
        yield from (each for each in ends if each != reached)

    def _computed(self, reached: _Reached, attribute: MappedAttribute) -> Iterator[tuple[Place, bool]]:
        """Yield the tables from which the database computes an attribute."""
        for number in attribute.reads:
            yield from self._tables(_Reached(reached.of, number))

    def _next(self, reached: _Reached, relation: MappedAttribute | None) -> _Reached | None:
        if relation is None or relation.target < 0:
            return None
        return _Reached(reached.of, relation.target, relation, reached.number)

    def _of_field(self, reached: _Reached, names: Sequence[str], *, modifies: bool, of_row: bool) -> Iterator[tuple[Place, bool]]:
        """Yield the columns that a path through relations uses, and the tables along the path.

        The path ends at the first name that is not an attribute. Such names are comparisons and names that the query defines.
        `of_row` says that code uses an attribute of a row.
        """
        if names and names[0].startswith(JOINED):
            names = _parted(names[0].removeprefix(JOINED), reached.entity)
        for place, name in enumerate(names):
            entity = reached.entity
            if name[:1] == JOINED:
                yield from self._tables(reached)
                yield from self._of_field(reached, names[place:], modifies=False, of_row=of_row)
                return
            attribute = entity.lookups.get(name) or entity.attributes.get(name)
            if attribute is None and entity.has_columns_by_name:
                attribute = MappedAttribute(name)
            if attribute is None:
                return
            if place and attribute == entity.attributes.get("pk"):
                relation = reached.relation
                join = reached.table(relation.join) if relation is not None else None
                if join is not None:
                    yield join.place, False
                elif relation is not None and not relation.column:
                    yield from self._tables(reached)
                return  # else the foreign key contains the value
            if place:
                yield from self._tables(reached)
            if attribute.path:
                if len(names) <= _MAX_NAMES:
                    yield from self._of_field(reached, (*attribute.path, *names[place + 1 :]), modifies=modifies, of_row=of_row)
                return
            has_value = of_row and (attribute.is_eager or name in entity.lookups)
            if attribute.reads and not has_value:
                yield from self._computed(reached, attribute)
            table = reached.table(attribute.table or entity.table)
            if table is not None and attribute.table not in (None, entity.table) and not place:
                yield table.place, modifies
            column = table.columns.get(attribute.column.lower()) if table is not None and attribute.column else None
            if table is not None and column is not None and column.place != table.place:
                yield column.place, modifies and not place
            following = self._next(reached, attribute)
            if following is None:
                return
            reached = following
            needs_table = reached.relation is not None and not reached.relation.column and not modifies
            if needs_table and place == len(names) - 1:
                yield from self._tables(reached)  # a relation without a column in this table uses the other table

    def _tables(self, reached: _Reached) -> Iterator[tuple[Place, bool]]:
        names = (reached.entity.table, reached.relation.join if reached.relation is not None else None)
        for table in map(reached.table, names):
            if table is not None:
                yield table.place, False


def _parted(name: str, entity: MappedEntity) -> Sequence[str]:
    """Return a field in camel case as a path: only the field, or the longest relation at its beginning and the rest."""
    if name in entity.attributes:
        return (name,)
    for place in range(len(name) - 1, 0, -1):
        if name[place].isupper() and name[:place] in entity.attributes:
            return (name[:place], f"{JOINED}{name[place].lower()}{name[place + 1 :]}")
    return (name,)
