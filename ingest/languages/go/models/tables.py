"""The tables that GORM creates for the structs in all files of a repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from ....files.path_roles import is_test_path
from .column_types import column_type, is_value
from .naming import key_name, plural, singular, snake_case
from .struct_names import StructNames
from .structs import FRAMEWORK

_MAX_DEPTH: Final = 20
_MODEL: Final = "gorm.io/gorm.Model"
_KEYS: Final = ("ID", "Id")
#: Attribute in queries for the columns whose values the database chooses in a new row. The first version of GORM reads them.
DEFAULTS: Final = "?defaults"
#: Fields whose values GORM itself sets in a new row.
_TIMES: Final = frozenset(("CreatedAt", "UpdatedAt"))


class _Column(NamedTuple):
    path: str
    field: MappedField
    name: str
    type: str
    is_primary: bool


class _Relation(NamedTuple):
    """A relation with a foreign key: the table of the key, the columns of the key, and the referenced columns."""

    owner: Declared
    columns: Sequence[str]
    target: Declared
    referred: Sequence[str]


def gorm_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all models."""
    every = declared_models(facts, FRAMEWORK)
    settings: dict[str, set[str]] = defaultdict(set)
    for each in every:
        if each.model.kind == ModelKind.SETTING:
            settings[each.model.name].add(each.model.table)
            if each.model.name == "migrated" and not is_test_path(each.path):
                settings["migrated outside of tests"].add(each.model.table)
    structs = _Structs([each for each in every if each.model.kind != ModelKind.SETTING], settings)
    models = structs.models()
    return [_Schema(part, structs).made() for part in databases(models, structs.table)]


class _Structs(StructNames):
    """All structs, with their fields and keys."""

    def __init__(self, structs: Sequence[Declared], settings: Mapping[str, set[str]]) -> None:
        super().__init__(structs)
        self._migrated = {name.rpartition(".")[2] for name in settings.get("migrated", ())} - {""}
        #: Whether the code outside of tests names all structs for which it creates tables.
        self._names_all = "" not in settings.get("migrated outside of tests", {""})
        self._prefix = next(iter(sorted(settings.get("prefix", ()))), "")
        self._is_singular = "singular" in settings

    def models(self) -> list[Declared]:
        """Return the structs with tables: the structs for which code creates tables, else all structs that look like models."""
        structs = [each for each in self.structs if each.model.kind != ModelKind.TYPE]
        embedded = self.embedded(structs)
        models: list[Declared] = []
        for each in structs:
            model = each.model
            is_named = model.kind == ModelKind.TABLE or model.name in self._migrated
            has_tags = model.is_managed and any(self._is_tagged(field) for field in model.fields)
            has_tags = has_tags or any(field.is_primary for _, field, _ in self.fields(each))
            looks_like = has_tags and id(model) not in embedded and self._has_key(each) and not self._names_all
            if (is_named or looks_like) and model.table != "?" and self._has_columns(each):
                models.append(each)
        if not self._names_all:
            self._add_related(models, embedded)
        return models

    def _add_related(self, models: list[Declared], embedded: set[int]) -> None:
        """Add the structs to which relations of models lead. GORM needs a table for each of them."""
        known = {id(each.model) for each in models} | embedded
        for each in models:  # also those that the loop adds
            for path, field, _ in self.fields(each):
                target = self.find(field.type, path) if field.kind != FieldKind.EMBEDDED else None
                if target is not None and id(target.model) not in known and self._may_be_related(target):
                    known.add(id(target.model))
                    models.append(target)

    def _may_be_related(self, declared: Declared) -> bool:
        is_struct = declared.model.kind in (ModelKind.ABSTRACT, ModelKind.TABLE) and declared.model.table != "?"
        return is_struct and self._has_columns(declared) and self._has_key(declared)

    def _is_tagged(self, field: MappedField) -> bool:
        is_column = bool(field.column or field.column_type or field.size or field.is_primary or field.default)
        return is_column or not field.nullable or bool(field.relation or field.fields or field.target_fields)

    def _has_columns(self, declared: Declared) -> bool:
        return bool(declared.model.fields or declared.model.bases)

    def _has_key(self, declared: Declared) -> bool:
        return any(field.is_primary or field.name in _KEYS for _, field, _ in self.fields(declared))

    def table(self, declared: Declared) -> str:
        """Return the name of the table of a struct."""
        model = declared.model
        if model.table:
            return model.table
        name = snake_case(model.name)
        return self._prefix + (name if self._is_singular else plural(name))

    def join_table(self, written: str) -> str:
        """Return the name of the table of a many-to-many relation."""
        if written == written.lower():
            return self._prefix + written
        name = snake_case(written)
        return self._prefix + (name if self._is_singular else plural(name))

    def fields(self, declared: Declared, around: frozenset[int] = frozenset()) -> list[tuple[str, MappedField, str]]:
        """Return the fields of a struct and of the structs that it embeds, each with its file and the prefix of its column."""
        found: dict[str, tuple[str, MappedField, str]] = {}
        path, model = declared
        around |= {id(model)}
        for base in model.bases:
            if base == _MODEL:
                found.update((field.name, (path, field, "")) for field in _gorm_model(model))
                continue
            inner = self.inner(base, path, around)
            if inner is not None:
                found.update((field.name, (owner, field, prefix)) for owner, field, prefix in self.fields(inner, around))
        for field in model.fields:
            target = self.inner(field.target, path, around) if field.kind == FieldKind.EMBEDDED else None
            if target is not None:
                for owner, each, prefix in self.fields(target, around):
                    found[f"{field.name}.{each.name}"] = (owner, each, field.prefix + prefix)
            elif field.kind != FieldKind.EMBEDDED:
                found[field.name] = (path, field, "")
        return list(found.values())

    def keys(self, declared: Declared, around: frozenset[int] = frozenset()) -> Iterator[tuple[str, MappedKey]]:
        """Yield the keys of a struct and of the structs that it embeds, each with its file."""
        path, model = declared
        around |= {id(model)}
        for base in model.bases:
            inner = self.inner(base, path, around)
            if base == _MODEL:
                yield path, MappedKey("index", ["DeletedAt"], model.symbol, model.line, "", True)
            elif inner is not None:
                yield from self.keys(inner, around)
        for key in model.keys:
            yield path, key

    def value_type(self, field: MappedField, path: str) -> str:
        """Return the Go type of a field with declared types resolved; "" if the type is not a column type."""
        kind = field.type
        for _ in range(_MAX_DEPTH):
            if is_value(kind):
                return kind
            found = self.find(kind, path)
            if found is None or found.model.kind != ModelKind.TYPE or not found.model.fields:
                return ""
            kind, path = found.model.fields[0].type, found.path
        return ""


class _Schema:
    def __init__(self, models: Sequence[Declared], structs: _Structs) -> None:
        self._models = models
        self._structs = structs
        self._ids = {id(each.model) for each in models}
        self._changes = MappedChanges()
        self._known: dict[int, list[_Column]] = {}
        self._related: set[tuple[str, tuple[str, ...], str]] = set()

    def made(self) -> MappedSchema:
        for each in self._models:
            self._take_types(each)
        for each in self._models:
            self._table(each)
        # The side that has rows of the other side is read first, and names the foreign key. The side with the column then adds no
        # second key.
        for is_own in (False, True):
            for each in self._models:
                for path, field, _ in self._structs.fields(each):
                    self._add_relation(each, path, field, is_own=is_own)
        numbers = {id(each.model): number for number, each in enumerate(self._models)}
        entities = [
            MappedEntity(each.path, each.model.symbol, self._name(each), self._queried(each, numbers)) for each in self._models
        ]
        return MappedSchema(FRAMEWORK, folder_of(self._models), list(self._changes.all()), entities)

    def _queried(self, declared: Declared, numbers: Mapping[int, int]) -> dict[str, MappedAttribute]:
        """Return the names that queries use: fields, columns and relations."""
        found: dict[str, MappedAttribute] = {}
        for column in self._columns(declared):
            found[column.field.name] = found[column.name] = MappedAttribute(column.name)
        for path, field, _ in self._structs.fields(declared):
            target = self._target(field, path)
            if target is None:
                continue
            is_joined = field.kind == FieldKind.MANY_TO_MANY
            belongs = self._belongs(declared, field, target) if not is_joined else None
            column_name = belongs.columns[0] if belongs is not None else ""
            join = ObjectName(self._structs.join_table(field.relation)) if is_joined else None
            found[field.name] = MappedAttribute(column_name, numbers[id(target.model)], field.is_list, join)
        fields = [field for _, field, _ in self._structs.fields(declared)]
        if any(field.default and not field.is_primary and field.name not in _TIMES for field in fields):
            found[DEFAULTS] = MappedAttribute(target=numbers[id(declared.model)])
        return found

    def _name(self, declared: Declared) -> ObjectName:
        schema, _, name = self._structs.table(declared).rpartition(".")
        return ObjectName(name, schema)

    # ------------------------------------------------------------------ columns

    def _columns(self, declared: Declared) -> list[_Column]:
        known = self._known.get(id(declared.model))
        if known is None:
            fields = self._structs.fields(declared)
            has_key = any(field.is_primary for _, field, _ in fields)
            known = []
            for path, field, prefix in fields:
                kind = "" if field.is_list else self._structs.value_type(field, path)
                made = column_type(kind, field.column_type, field.size)
                if not made or field.kind != FieldKind.COLUMN or (field.is_list and not field.column_type):
                    continue
                is_primary = field.is_primary or (not has_key and field.name in _KEYS and not prefix)
                known.append(_Column(path, field, prefix + (field.column or snake_case(field.name)), made, is_primary))
            self._known[id(declared.model)] = known
        return known

    def _table(self, declared: Declared) -> None:
        path, model = declared
        name = self._name(declared)
        self._changes.create(path, "table", name, model.symbol, model.line)
        columns = self._columns(declared)
        for each in columns:
            nullable = each.field.nullable and not each.is_primary
            self._changes.column(each.path, name, each.field, each.name, each.type, nullable=nullable, default=each.field.default)
        primary = [each.name for each in columns if each.is_primary]
        if primary:
            self._changes.constraint(path, name, model, "primary key", primary)
        for each in columns:
            if each.field.is_unique:
                self._changes.constraint(
                    each.path, name, each.field, "unique", [each.name], key_name("uni", name.name, each.name)
                )
        self._indexes(declared, name, {each.field.name: each.name for each in columns})

    def _indexes(self, declared: Declared, table: ObjectName, columns: Mapping[str, str]) -> None:
        """Add the indexes of a table. Fields with the same index are its columns, in the order of their priorities."""
        found: dict[str, list[tuple[str, MappedKey]]] = defaultdict(list)
        for path, key in self._structs.keys(declared):
            if key.fields[0] in columns:
                found[key.name or key_name("idx", table.name, key.fields[0])].append((path, key))
        for name, parts in found.items():
            parts.sort(key=lambda each: each[1].place)
            named = [columns[key.fields[0]] for _, key in parts]
            is_unique = any(key.kind == "unique" for _, key in parts)
            path, first = parts[0]
            self._changes.index(path, table, first, named, name, is_unique=is_unique)

    # ------------------------------------------------------------------ relations

    def _add_relation(self, declared: Declared, path: str, field: MappedField, *, is_own: bool) -> None:
        target = self._target(field, path)
        if target is None:
            return
        if field.kind == FieldKind.MANY_TO_MANY:
            if is_own:
                self._join_table(declared, path, field, target)
            return
        relation = self._belongs(declared, field, target)
        if (relation is not None) != is_own:
            return
        relation = relation or self._has(declared, field, target)
        if relation is None or not field.has_foreign_key:
            return
        owner, referred = self._name(relation.owner), self._name(relation.target)
        known = (owner.name, tuple(relation.columns), referred.name)
        if known in self._related and is_own:
            return
        self._related.add(known)
        name = key_name("fk", self._name(declared).name, field.name)
        rules = (field.on_delete, field.on_update)
        self._changes.foreign_key(path, owner, field, relation.columns, referred, relation.referred, name, rules)

    def _take_types(self, declared: Declared) -> None:
        """Set the types of relations' columns to the types of the referenced columns, as GORM does."""
        for path, field, _ in self._structs.fields(declared):
            target = self._target(field, path)
            if target is None or field.kind == FieldKind.MANY_TO_MANY:
                continue
            relation = self._belongs(declared, field, target) or self._has(declared, field, target)
            if relation is None:
                continue
            types = {each.name: each.type for each in self._columns(relation.target)}
            taken = {own: types[other] for own, other in zip(relation.columns, relation.referred, strict=True)}
            columns = self._columns(relation.owner)
            columns[:] = [each._replace(type=taken.get(each.name, each.type)) for each in columns]

    def _named(self, declared: Declared, field: str) -> _Column | None:
        return next((each for each in self._columns(declared) if field in (each.field.name, each.name)), None)

    def _pairs(
        self, owner: Declared, names: Sequence[str], target: Declared, referred: Sequence[str], start: str
    ) -> _Relation | None:
        """Return the column pairs of a relation, from the fields in tags, or from fields whose names begin with `start`."""
        keys = [each for each in self._columns(target) if each.is_primary]
        others = [self._named(target, each) for each in referred] if referred else list(keys)
        if names:
            own = [self._named(owner, each) for each in names]
        else:
            own = [self._leading(owner, start, each, len(others)) for each in others if each is not None]
        if not own or len(own) != len(others):
            return None
        columns = [each.name for each in own if each is not None]
        ends = [each.name for each in others if each is not None]
        return _Relation(owner, columns, target, ends) if len(columns) == len(ends) == len(own) else None

    def _leading(self, owner: Declared, start: str, referred: _Column, count: int) -> _Column | None:
        """Return the column of the field whose name is `start` and the name of the key's field; for a key of one field, also
        `start` and `ID`."""
        found = self._named(owner, f"{start}{referred.field.name}")
        for ending in ("ID", "Id") if count == 1 else ():
            found = found or self._named(owner, start + ending) or self._named(owner, snake_case(start + ending))
        return found

    def _target(self, field: MappedField, path: str) -> Declared | None:
        """Return the model that is the type of a field."""
        target = self._structs.find(field.type, path)
        return target if target is not None and id(target.model) in self._ids else None

    def _belongs(self, declared: Declared, field: MappedField, target: Declared) -> _Relation | None:
        if field.is_list:
            return None
        return self._pairs(declared, field.fields, target, field.target_fields, field.name)

    def _has(self, declared: Declared, field: MappedField, target: Declared) -> _Relation | None:
        return self._pairs(target, field.fields, declared, field.target_fields, declared.model.name)

    def _join_table(self, declared: Declared, path: str, field: MappedField, target: Declared) -> None:
        name = ObjectName(self._structs.join_table(field.relation))
        if ("join", (), name.name) in self._related:
            return
        self._related.add(("join", (), name.name))
        self._changes.create(path, "table", name, field.symbol, field.line)
        is_same = target == declared
        second = singular(field.name) if is_same else target.model.name
        sides = ((declared, declared.model.name, field.fields), (target, second, field.inverse_fields))
        every: list[str] = []
        for side, start, names in sides:
            keys = [each for each in self._columns(side) if each.is_primary]
            own = [snake_case(names[place] if place < len(names) else start + each.field.name) for place, each in enumerate(keys)]
            for column, each in zip(own, keys, strict=True):
                self._changes.column(path, name, field, column, each.type, nullable=False)
            every += own
            if field.has_foreign_key and own:
                key = key_name("fk", name.name, start)
                rules = (field.on_delete, field.on_update)
                self._changes.foreign_key(path, name, field, own, self._name(side), [each.name for each in keys], key, rules)
        self._changes.constraint(path, name, field, "primary key", every)


def _gorm_model(model: MappedModel) -> list[MappedField]:
    """Return the fields of `gorm.Model`."""
    kinds = {"ID": "uint", "CreatedAt": "time.Time", "UpdatedAt": "time.Time", "DeletedAt": "gorm.io/gorm.DeletedAt"}
    found = []
    for name, kind in kinds.items():
        field = MappedField(name, model.symbol, model.line, kind, kind=FieldKind.COLUMN, nullable=name != "ID")
        field.is_primary = name == "ID"
        found.append(field)
    return found
