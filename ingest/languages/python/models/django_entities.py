"""The models of Django for the code that queries them: the names of columns, relations and reverse relations.

See https://docs.djangoproject.com/en/stable/topics/db/queries/#related-objects.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ....data.schemas.mapped import MappedAttribute, MappedEntity, MappedSchema
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import MappedField, ModelKind
from .carried_rows import carried_models
from .declarations import DeclaredModel
from .django_bindings import (
    CHOICE,
    FIELDS,
    FILTERS,
    LABEL,
    MANY,
    MODEL,
    NESTED,
    OF_FIELD,
    PERMISSIONS,
    QUERIED,
    SAVED,
    SERIALIZER,
    USER,
)
from .django_names import CONTRIBUTED
from .django_tables import DjangoModels

#: Method that creates a manager from a class of query sets.
_AS_MANAGER: Final = ".as_manager"
#: Maximum number of ancestors of a model.
_MAX_PARENTS: Final = 100
#: Attributes of a view or a form for the rows of its model. `HELD` includes the models of derived classes; `OWN` does not.
HELD: Final = "."
OWN: Final = ".own"
#: Attribute for the related rows of the relations that are fields of a form.
RELATED: Final = ".related"
#: Attribute for the many-to-many relations among these, whose links a form writes.
LINKS: Final = ".links"
#: Attributes like `HELD` and `RELATED` for a serializer by which a view writes rows.
WRITTEN: Final = ".written"
WRITTEN_RELATED: Final = ".written.related"
#: Attribute for the rows of its model if a form or a serializer compares values with them, because a key is unique.
UNIQUE: Final = ".unique"
#: Attribute for the rows of its model if such a serializer compares new rows with them, because a key is unique.
WRITTEN_UNIQUE: Final = ".written.unique"
#: Attribute like `LINKS` for such a serializer.
WRITTEN_LINKS: Final = ".written.links"
#: Attribute for the rows of its model that a serializer reads as a field of another serializer.
SHOWN: Final = ".shown"
#: Beginning of the attributes of a form or a serializer for the rows that its fields choose: `form.cleaned_data["book"]`.
CHOSEN: Final = ".chosen."
#: Attribute of a polymorphic model for the rows of the models that extend its table, and the package with such models.
DERIVED: Final = ".derived"
_POLYMORPHIC: Final = "polymorphic."
#: Names of the classes of views that write rows by a serializer.
_WRITING: Final = re.compile(r"(?:\w+\.)*(?:ModelViewSet|\w*(?:Create|Update)\w*(?:APIView|ModelMixin))")
#: Names of the classes of views that add rows of the model that they name, whatever rows they query.
_ADDING: Final = re.compile(r"(?:\w+\.)*Create\w*View")
#: Maximum number of models whose rows a class of permissions checks. One that checks more works with any model.
_MAX_PERMITTED: Final = 3
#: Package whose serializers write by the serializers among their fields, too.
_NESTING: Final = "drf_writable_nested."
#: End of the name of a model of links: `Book.tags.through`.
_LINKED: Final = ".through"
#: The setting that names the model of users.
_USER_MODEL: Final = "AUTH_USER_MODEL"
_USER: Final = "auth.user"
#: The action of Django on rows that join two models, if it deletes a row of one of the models.
_CASCADE: Final = "CASCADE"


def django_schema(facts: Mapping[str, DataFacts]) -> MappedSchema | None:
    """Return the database that the models of a repository declare, with the names for queries; None without models."""
    models = DjangoModels(facts)
    schema = models.schema()
    if not schema.changes:
        return None
    entities = _Entities(models)
    return schema._replace(entities=entities.made(), names=entities.names())


class _Entities:
    def __init__(self, models: DjangoModels) -> None:
        self._models = models
        self._numbers = {id(each.model): number for number, each in enumerate(models.all)}
        self._attributes: list[dict[str, MappedAttribute]] = [{} for _ in models.all]
        self._lookups: list[dict[str, MappedAttribute]] = [{} for _ in models.all]
        #: Numbers of Django's own models to which relations refer, by label.
        self._outside: dict[str, int] = {}
        #: For each class without a table, the models that derive from the class or use the class as manager.
        self._variants: list[list[int]] = [[] for _ in models.all]

    def made(self) -> list[MappedEntity]:
        """Return an entity for each class, in the order of the classes."""
        models = self._models
        concrete = [each for each in models.all if models.derives(each, 0) and each.model.kind == ModelKind.TABLE]
        for each in concrete:
            self._fields(each)
        for each in concrete:
            self._other_sides(each)
            self._add_representing_classes(each)
        for each in models.all:
            if each.model.kind == ModelKind.PROXY and models.derives(each, 0):
                for manager in self._managers(each):
                    self._add_variant(manager, self._number(each))
        tables = [self._table_of(each) for each in models.all]
        for each in models.all:
            self._inherit(each)
        self._add_derived_rows(concrete)
        found = [
            MappedEntity(
                each.path, each.model.symbol, table, attributes, lookups, tuple(variants), extended=self._extended(each, table)
            )
            for each, table, attributes, lookups, variants in zip(
                models.all, tables, self._attributes, self._lookups, self._variants, strict=False
            )
        ]
        outside = [self._attributes[number] for number in self._outside.values()]
        return [*found, *(MappedEntity("", -1, None, attributes) for attributes in outside), *self._bound()]

    def names(self) -> dict[str, int]:
        """Return the numbers of the models that settings and labels name, and of the models of Django itself."""
        found = {f"library:{name}": number for name, number in self._outside.items()}
        for label, each in self._models.labels():
            found[f"{LABEL}{label}"] = labelled = self._numbers[id(each.model)]
            found.setdefault(f"{LABEL}.{label.rpartition('.')[2]}", labelled)  # for code that does not name the application
        found |= {f"setting:{name}": self._numbers[id(each.model)] for name, each in self._models.swappable().items()}
        if (number := self._user()) >= 0:
            found[USER] = number
        return {**self._carried(), **found}

    def _user(self) -> int:
        """Return the number of the model of users; -1 if it is not known."""
        user = self._models.setting(_USER_MODEL)
        if user is None and _USER in self._outside:
            return self._outside[_USER]
        return self._number(user or self._models.swappable().get(_USER_MODEL))

    def _carried(self) -> dict[str, int]:
        """Return the models of rows in attributes of requests, by the names in place of the models."""

        def number_of(names: Sequence[str], declared: DeclaredModel) -> int:
            return next((number for name in names if (number := self._model_named(name, declared)) >= 0), -1)

        return carried_models(self._models.all, number_of)

    def _number(self, declared: DeclaredModel | None) -> int:
        return self._numbers[id(declared.model)] if declared is not None else -1

    def _table_of(self, declared: DeclaredModel) -> ObjectName | None:
        for _ in range(_MAX_PARENTS):
            if not self._models.derives(declared, 0):
                return None
            if declared.model.kind == ModelKind.TABLE:
                return ObjectName(self._models.table_name(declared))
            parent = self._models.parent_of(declared) if declared.model.kind == ModelKind.PROXY else None
            if parent is None:
                return None
            declared = parent
        return None

    # ------------------------------------------------------------------ names

    def _fields(self, declared: DeclaredModel) -> None:
        found = self._attributes[self._number(declared)]
        primary = "id"
        for own in self._models.fields_of(declared):
            field = own.field
            if not field.target:
                found[field.name] = MappedAttribute(field.column or field.name)
            elif field.is_list:
                target = self._target(field, declared)
                join = self._join(field, declared)
                found[field.name] = MappedAttribute("", target, True, join, on_delete=_CASCADE)
            else:
                column = field.column or f"{field.name}_id"
                found[field.name] = MappedAttribute(column, self._target(field, declared))
                found.setdefault(f"{field.name}_id", MappedAttribute(column))
            primary = found[field.name].column if field.is_primary else primary
        for above in (declared, *self._models.above(declared)):
            for field in above.model.relations:  # rows that refer to rows of any model
                target = self._target(field, above)
                found.setdefault(field.name, MappedAttribute("", target, True, on_delete=_CASCADE))
        parent = self._models.parent_of(declared)
        if parent is not None and primary == "id":
            pointer = f"{parent.model.name.lower()}_ptr"
            primary = f"{pointer}_id"
            found[pointer] = MappedAttribute(primary, self._number(parent))
            back = MappedAttribute("", self._number(declared), on_delete=_CASCADE)
            for names in (self._attributes, self._lookups):
                names[self._number(parent)].setdefault(declared.model.name.lower(), back)
        elif primary == "id":
            found.setdefault("id", MappedAttribute("id"))
        found["pk"] = MappedAttribute(primary)

    def _join(self, field: MappedField, declared: DeclaredModel) -> ObjectName | None:
        if not field.through:
            return self._models.join_table_name(field, declared)
        through = self._models.target_of(MappedField("", 0, 0, "", target=field.through), declared)
        return self._table_of(through) if through is not None else None

    def _other_sides(self, declared: DeclaredModel) -> None:
        """Add the reverses of a model's relations to the target models."""
        own = declared.model.name.lower()
        for each in self._models.fields_of(declared):
            field = each.field
            if not field.target:
                continue
            target = self._target(field, declared)
            if target < 0:
                continue
            is_many = not _is_single(field)
            label = self._models.application_of(declared)
            inverse = field.inverse.replace("%(class)s", own).replace("%(app_label)s", label)
            lookup = field.inverse_lookup.replace("%(class)s", own).replace("%(app_label)s", label) or inverse or own
            if inverse.endswith("+"):  # code cannot name this relation, but deletions still follow it
                inverse = f"{inverse}{label}.{own}.{field.name}"
                lookup = inverse
            join = self._join(field, declared) if field.is_list else None
            rule = _CASCADE if field.is_list else field.on_delete
            back = MappedAttribute("", self._number(declared), is_many, join, on_delete=rule)
            self._attributes[target].setdefault(inverse or (f"{own}_set" if is_many else own), back)
            self._lookups[target].setdefault(lookup, back)

    def _target(self, field: MappedField, declared: DeclaredModel) -> int:
        """Return the number of the target model of a relation, which may be a model of Django; -1 if it is not known."""
        target = self._models.target_of(field, declared)
        if target is not None:
            return self._number(target)
        *_, application, name = f".{self._models.target_name(field)}".lower().replace(".models.", ".").split(".")
        label = f"{application}.{name}"
        if label not in CONTRIBUTED:
            return -1
        if label not in self._outside:
            self._outside[label] = len(self._attributes)
            self._attributes.append({})
            self._lookups.append({})
        return self._outside[label]

    def _inherit(self, declared: DeclaredModel) -> None:
        """Copy attributes and look-ups to a model from the model whose table is extended or shared."""
        number, parent = self._number(declared), declared
        for _ in range(_MAX_PARENTS):
            above = self._models.parent_of(parent) if self._models.derives(parent, 0) else None
            if above is None:
                return
            parent, table = above, self._table_of(above)
            for own in (self._attributes, self._lookups):
                for name, attribute in own[self._number(parent)].items():
                    if self._leads_to_child(attribute, parent):
                        continue  # a row of the parent belongs to a row of one child, which is the row itself
                    own[number].setdefault(name, attribute if attribute.table else attribute._replace(table=table))

    def _add_derived_rows(self, concrete: Sequence[DeclaredModel]) -> None:
        """Record that a query of a polymorphic model also reads the tables of the models that extend its table."""
        derived: dict[int, list[int]] = defaultdict(list)
        for each in concrete:
            if any(base.startswith(_POLYMORPHIC) for one in (each, *self._models.above(each)) for base in one.model.bases):
                for number in self._extended(each, self._table_of(each)):
                    derived[number].append(self._number(each))
        for number, numbers in derived.items():
            self._attributes[number][DERIVED] = MappedAttribute(reads=tuple(numbers), is_eager=True)

    def _extended(self, declared: DeclaredModel, table: ObjectName | None) -> Sequence[int]:
        """Return the numbers of the models whose tables a model extends: each of its rows has a row there, too."""
        found: list[int] = []
        if table is None:
            return found
        above: DeclaredModel | None = self._models.parent_of(declared)
        while above is not None and len(found) < _MAX_PARENTS:
            if self._table_of(above) not in (None, table):
                found.append(self._number(above))
            above = self._models.parent_of(above) if self._models.derives(above, 0) else None
        return found

    def _leads_to_child(self, attribute: MappedAttribute, parent: DeclaredModel) -> bool:
        """Return whether an attribute of a model leads to the row of a model that extends its table."""
        is_one = not attribute.column and not attribute.is_many and 0 <= attribute.target < len(self._models.all)
        above = self._models.parent_of(self._models.all[attribute.target]) if is_one else None
        return above is not None and above.model is parent.model

    # ------------------------------------------------------------------ classes that work with a model

    def _bound(self) -> Iterator[MappedEntity]:
        """Yield an entity for each pair of a class and a model with which the class or a derived class works."""
        held: dict[int, dict[int, bool]] = {}
        classes = [each for each in self._models.all if not self._models.derives(each, 0)]
        for each in classes:
            order = [each, *self._models.above(each)]
            number = self._bound_model(order)
            for one in order if number >= 0 else ():
                targets = held.setdefault(id(one.model), {})
                targets[number] = targets.get(number, False) or one.model is each.model
        for helper, number in self._helpers(classes):
            held.setdefault(id(helper.model), {}).setdefault(number, False)
        written, shown = self._written_serializers(classes), self._shown_serializers(classes)
        for each in classes:
            is_written = id(each.model) in written
            for number, is_own in held.get(id(each.model), {}).items():
                target = MappedAttribute(target=number)
                names = (HELD, *((OWN,) if is_own else ()), *((WRITTEN,) if is_own and is_written else ()))
                if is_own and self._has_unique_key(each, number):
                    names = (*names, UNIQUE, *((WRITTEN_UNIQUE,) if is_written else ()))
                if is_own and id(each.model) in shown:
                    names = (*names, SHOWN)
                yield MappedEntity(each.path, each.model.symbol, None, dict.fromkeys(names, target))
                related = (RELATED, *((WRITTEN_RELATED,) if is_written else ()))
                for name, relation in self._relations(each, number) if is_own else ():
                    attributes = dict.fromkeys(related, relation)
                    if relation.join is not None:
                        attributes.update(dict.fromkeys((LINKS, *((WRITTEN_LINKS,) if is_written else ())), relation))
                    attributes[f"{CHOSEN}{name}"] = relation._replace(column="", join=None)
                    yield MappedEntity(each.path, each.model.symbol, None, attributes)
            yield from self._choosing(each)

    def _has_unique_key(self, declared: DeclaredModel, number: int) -> bool:
        """Return whether the fields of a form or a serializer include all fields of a unique key of its model."""
        if number >= len(self._models.all):
            return False
        model, listed = self._models.all[number], set(declared.model.options.get(FIELDS, "").split())
        unique = [{own.field.name} for own in self._models.fields_of(model) if own.field.is_unique or _is_single(own.field)]
        unique += [set(key.fields) for key in model.model.keys if key.kind == "unique"]
        return any(not listed or fields <= listed for fields in unique)

    def _choosing(self, declared: DeclaredModel) -> Iterator[MappedEntity]:
        """Yield an entity with the models among whose rows the fields of a form or a serializer choose."""
        chosen: dict[str, MappedAttribute] = {}
        for one in (declared, *self._models.above(declared)):
            for option, value in one.model.options.items():
                name = option.removeprefix(CHOICE)
                number = self._model_named(value.removesuffix(MANY), one) if name != option else -1
                if number >= 0:
                    chosen.setdefault(f"{CHOSEN}{name}", MappedAttribute(target=number, is_many=value.endswith(MANY)))
        if chosen:
            yield MappedEntity(declared.path, declared.model.symbol, None, chosen)

    def _relations(self, declared: DeclaredModel, number: int) -> Iterator[tuple[str, MappedAttribute]]:
        """Yield the names and relations of a model among the fields of a class; all relations if the class names no fields.

        An abstract model has no relations of its own.
        """
        fields = declared.model.options.get(FIELDS, "").split()
        for own in self._models.fields_of(self._models.all[number]) if number < len(self._models.all) else ():
            relation = self._attributes[number].get(own.field.name)
            if own.field.target and relation is not None and (not fields or own.field.name in fields):
                yield own.field.name, relation

    def _written_serializers(self, classes: Sequence[DeclaredModel]) -> set[int]:
        """Return the serializers by which views or functions write rows, as the ids of their declarations.

        Some serializers also write by the serializers among their fields.
        """
        found: set[int] = set()
        waiting: list[DeclaredModel] = []
        for each in classes:
            name = each.model.options.get(SERIALIZER)
            bases = [base for one in (each, *self._models.above(each)) for base in one.model.bases] if name else ()
            serializer = self._models.declarations.exported(name, each.path) if name else None
            if serializer is not None and any(_WRITING.fullmatch(base) for base in bases):
                waiting.append(serializer)
            saved = (self._models.declarations.exported(name, each.path) for name in each.model.options.get(SAVED, "").split())
            waiting += [serializer for serializer in saved if serializer is not None]
        while waiting:
            serializer = waiting.pop()
            if id(serializer.model) in found:
                continue
            found.add(id(serializer.model))
            line = (serializer, *self._models.above(serializer))
            if any(base.startswith(_NESTING) for one in line for base in one.model.bases):
                nested = (name for one in line for name in one.model.options.get(NESTED, "").split())
                named = [self._models.declarations.exported(name, serializer.path) for name in nested]
                waiting += [each for each in named if each is not None]
        return found

    def _shown_serializers(self, classes: Sequence[DeclaredModel]) -> set[int]:
        """Return the serializers that other serializers have as fields, as the ids of their declarations."""
        nested = ((name, each.path) for each in classes for name in each.model.options.get(NESTED, "").split())
        found = (self._models.declarations.exported(name, path) for name, path in nested)
        return {id(each.model) for each in found if each is not None}

    def _helpers(self, classes: Sequence[DeclaredModel]) -> Iterator[tuple[DeclaredModel, int]]:
        """Yield the classes that get rows from other classes, each with the number of the model: filters, fields, permissions."""
        permitted: dict[int, tuple[DeclaredModel, dict[int, None]]] = {}
        for each in classes:
            names = each.model.options.get(PERMISSIONS, "").split()
            number = self._bound_model([each, *self._models.above(each)]) if names else -1
            for name in names if number >= 0 else ():
                helper = self._models.declarations.exported(name, each.path)
                if helper is not None:
                    permitted.setdefault(id(helper.model), (helper, {}))[1][number] = None
            filters = each.model.options.get(FILTERS, "")
            given = [(filters, self._bound_model([each, *self._models.above(each)]))] if filters else []
            for option, model in each.model.options.items():
                if option.startswith(OF_FIELD):
                    given.append((option.removeprefix(OF_FIELD), self._model_named(model, each)))
            for name, number in given:
                helper = self._models.declarations.exported(name, each.path)
                if helper is not None and number >= 0:
                    yield helper, number
        for helper, numbers in permitted.values():
            yield from ((helper, number) for number in numbers if len(numbers) <= _MAX_PERMITTED)

    def _bound_model(self, order: Sequence[DeclaredModel]) -> int:
        """Return the number of the model that a class or a class above it names, perhaps followed by a manager; -1 if it is not
        known. `order` has the class first.
        """
        adds = any(_ADDING.fullmatch(base) for one in order for base in one.model.bases)
        for one in order:
            for option in (MODEL, QUERIED) if adds else (QUERIED, MODEL):
                number = self._model_named(one.model.options.get(option, ""), one)
                if number >= 0:
                    return number
        return -1

    def _model_named(self, name: str, owner: DeclaredModel) -> int:
        if name == USER:
            return self._user()
        if name.startswith(LABEL):
            return self._number(self._models.labelled(name.removeprefix(LABEL)))
        while name and not name.endswith(_LINKED):
            found = self._models.declarations.exported(name, owner.path)
            if found is not None and self._models.derives(found, 0):
                return self._numbers[id(found.model)]
            name = name.rpartition(".")[0]
        return -1

    # ------------------------------------------------------------------ classes without a table

    def _add_representing_classes(self, declared: DeclaredModel) -> None:
        """Record that the abstract bases and the managers of a model may represent the model."""
        number = self._number(declared)
        for base in self._models.above(declared):
            self._add_variant(base, number)
            for manager in self._managers(base):
                self._add_variant(manager, number)
        for manager in self._managers(declared):
            self._add_variant(manager, number)

    def _add_variant(self, base: DeclaredModel, number: int) -> None:
        variants = self._variants[self._number(base)]
        if number not in variants:
            variants.append(number)

    def _managers(self, declared: DeclaredModel) -> Iterator[DeclaredModel]:
        """Yield the classes of a model's attributes that are not models: managers, and the bases of managers."""
        for field in declared.model.fields:
            name = field.type.removesuffix(_AS_MANAGER)
            nested = self._models.declarations.nested(name, declared)
            cls = (nested or self._models.named(name, declared)) if not field.target else None
            if cls is not None and not self._models.derives(cls, 0):
                yield cls
                yield from self._models.above(cls)


def _is_single(field: MappedField) -> bool:
    return field.type.endswith("OneToOneField")
