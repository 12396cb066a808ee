"""The tables of the Django models in all files of a repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from posixpath import commonpath
from typing import Final, NamedTuple

from .....schema.paths import parent_of
from ....data.schemas.mapped import MappedChanges, MappedSchema
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from .declarations import DeclaredModel, Hierarchy
from .django import COLUMN_TYPE, CONSTRUCTED, FIELD_TYPE, RELATIONS, TAG_OF_JOIN, UNKNOWN_SIZE
from .django_libraries import is_library_model, library_fields
from .django_names import CONTRIBUTED, TYPES, fitted_name, index_name, option_index_name, type_of_field
from .hints import is_model_setting

#: Bases outside of the repository whose classes are models.
_MODEL_BASES: Final = (".models.Model", ".MPTTModel", ".AbstractUser", ".AbstractBaseUser", ".PermissionsMixin")
#: Modules of fields for models only.
_MODEL_FIELDS: Final = ("django.db.models.", "django.contrib.postgres.fields.", "django.contrib.gis.db.models.")
#: Maximum number of bases above a model, and of classes above a field.
_MAX_BASES: Final = 100
_TEXTS: Final = ("varchar", "text")
#: Class of Django from which all fields derive.
_FIELD: Final = "Field"


class OwnField(NamedTuple):
    """A field of the table of a model, and the file that declares it."""

    path: str
    field: MappedField


class DjangoModels(Hierarchy):
    """The models of a repository, and the changes that create their tables."""

    def __init__(self, facts: Mapping[str, DataFacts]) -> None:
        super().__init__()
        self._applications: dict[str, MappedModel] = {}
        self._settings: dict[str, str] = {}
        for path in sorted(facts):
            for model in facts[path].models:
                if model.framework != "django":
                    continue
                if model.kind == ModelKind.SETTING:
                    self._settings.setdefault(model.name, model.table)
                elif model.kind == ModelKind.APPLICATION:
                    self._applications.setdefault(parent_of(path), model)
                else:
                    self.declarations.add(path, model)
        self._is_model: dict[int, bool] = {}
        self._tables: dict[str, DeclaredModel] = {}
        self._changes = MappedChanges()

        #: All declarations, grouped by name, including declarations that are not models.
        self.all: Final = self.declarations.all()

    def setting(self, name: str) -> DeclaredModel | None:
        """Return the model that a setting names."""
        return self._tables.get(self._settings.get(name, "").lower())

    def labels(self) -> Iterator[tuple[str, DeclaredModel]]:
        """Yield the models with tables by their labels: `library.reader`."""
        yield from self._tables.items()

    def labelled(self, label: str) -> DeclaredModel | None:
        """Return the model with a table that has a label; None if there is none."""
        return self._tables.get(label)

    def swappable(self) -> dict[str, DeclaredModel]:
        """Return the models that settings may replace, or their replacements, by the names of the settings.

        A package often has its own name for a setting, without the prefix of the package: `TOKEN_MODEL` for `KNOX_TOKEN_MODEL`.
        """
        found: dict[str, DeclaredModel] = {}
        ends: dict[str, list[DeclaredModel]] = defaultdict(list)
        for each in self.all:
            name = each.model.options.get("swappable", "")
            if name and is_model_setting(name):
                found[name] = self.setting(name) or each
                words = name.split("_")
                for count in range(1, len(words) - 1):
                    ends["_".join(words[count:])].append(found[name])
        return {**{name: models[0] for name, models in ends.items() if len(models) == 1}, **found}

    def default_auto_field(self) -> str:
        """Return the type of automatic keys that the settings state, or Django's default."""
        return self._settings.get("DEFAULT_AUTO_FIELD", "").rpartition(".")[2] or "BigAutoField"

    def is_swapped(self, declared: DeclaredModel) -> bool:
        """Return whether a setting names another model in place of a model, which then has no table."""
        named = self._settings.get(declared.model.options.get("swappable", ""), "")
        return bool(named) and named.lower() != f"{self.application_of(declared)}.{declared.model.name}".lower()

    def setting_text(self, name: str) -> str:
        """Return the value of a setting; Django's default for the unset user model, "" for other unset settings."""
        return self._settings.get(name, "auth.User" if name == "AUTH_USER_MODEL" else "")

    def schema(self) -> MappedSchema:
        """Return the database that the models declare."""
        models = [each for each in self.all if self.derives(each, 0)]
        concrete = [each for each in models if each.model.kind == ModelKind.TABLE]
        for each in concrete:
            self._tables.setdefault(f"{self.application_of(each)}.{each.model.name}".lower(), each)
        for each in concrete:
            if not self.is_swapped(each):
                self._table(each)
        folder = commonpath([parent_of(each.path) for each in concrete]) if concrete else ""
        return MappedSchema("django", folder, list(self._changes.all()))

    # ------------------------------------------------------------------ classes

    def derives(self, declared: DeclaredModel, depth: int) -> bool:
        """Return whether a class is a model."""
        key = id(declared.model)
        known = self._is_model.get(key)
        if known is None:
            self._is_model[key] = False  # read if a class is among its own bases
            bases = declared.model.bases
            inside = self.bases_of(declared)
            known = any(f".{base}".endswith(_MODEL_BASES) or is_library_model(base) for base in bases) or (
                depth < _MAX_BASES and any(self.derives(each, depth + 1) for each in inside)
            )
            # Base classes of other packages are not read, so the fields of the class decide.
            has_fields = any(field.type.startswith(_MODEL_FIELDS) for field in declared.model.fields)
            known = known or (has_fields and self._has_unread_base(declared))
            self._is_model[key] = known
        return known

    def _has_unread_base(self, declared: DeclaredModel) -> bool:
        """Return whether a class that may be a model is among the bases of a class, and is not in the repository."""
        for each in (declared, *self.above(declared)):
            # A class without bases, such as a mixin of the repository, is no model by itself.
            found = {base: self.named(base, each) for base in each.model.bases}
            unread = [base for base, inner in found.items() if inner is None or inner.model is each.model]
            if unread and not any(_is_no_model(base) for base in unread):
                return True
        return False

    def application_of(self, declared: DeclaredModel) -> str:
        """Return the label of a model's application: of the nearest folder with a label, else the name of the model's folder."""
        if declared.model.application:
            return declared.model.application
        folder = parent_of(declared.path)
        while folder:
            known = self._applications.get(folder)
            if known is not None and known.name:
                return known.name
            folder = parent_of(folder)
        parts = declared.path.split("/")[:-1]
        if "models" in parts[1:]:
            parts = parts[: parts.index("models", 1)]
        return parts[-1] if parts else ""

    # ------------------------------------------------------------------ tables

    def table_name(self, declared: DeclaredModel) -> str:
        written = declared.model.table
        return fitted_name(written or f"{self.application_of(declared)}_{declared.model.name}".lower())

    def _gives_its_fields(self, base: DeclaredModel) -> bool:
        return base.model.kind == ModelKind.ABSTRACT or not self.derives(base, 0)

    def _abstract_bases(self, declared: DeclaredModel) -> Iterator[DeclaredModel]:
        return filter(self._gives_its_fields, self.above(declared, self._gives_its_fields))

    def fields_of(self, declared: DeclaredModel) -> list[OwnField]:
        """Return the fields of a model's table: the fields of the model and of its abstract bases."""
        found: dict[str, OwnField] = {}
        removed: set[str] = set()
        for each in (declared, *self._abstract_bases(declared)):
            removed.update(name for name in each.model.overrides if name not in found)
            for field in each.model.fields:
                if field.name not in found and self._is_column(field, each):
                    found[field.name] = OwnField(each.path, field)
            for field in (field for base in each.model.bases for field in library_fields(base, declared.model)):
                found.setdefault(field.name, OwnField(declared.path, field))
        return [own for name, own in found.items() if name not in removed]

    def _is_column(self, field: MappedField, declared: DeclaredModel) -> bool:
        cls = self.named(field.type, declared)
        if cls is not None:
            return self._is_column_of_class(field, cls)
        if field.target or type_of_field(field.type.rpartition(".")[2])[0]:
            return True
        # A field of another package has a column, although its type is not known.
        is_imported = "." in field.type and field.type.endswith("Field")
        return is_imported and self.derives(declared, 0)

    def _is_column_of_class(self, field: MappedField, cls: DeclaredModel) -> bool:
        """Return whether a field has a column if the repository declares the class of the field."""
        bases = {base.rpartition(".")[2] for base in self._outer_bases(cls)}
        if field.target:  # a class whose name ends like that of a relation, but that is a field of its own, may have no column
            return _FIELD not in bases or any(base.endswith(RELATIONS) for base in bases)
        return _FIELD in bases or bool(self._type_of_class(cls, cls.model.name)[0])

    def _outer_bases(self, cls: DeclaredModel) -> Iterator[str]:
        """Yield the names of the bases of a class, and of its bases, that the repository does not declare."""
        waiting, seen = [cls], {id(cls.model)}
        while waiting and len(seen) < _MAX_BASES:
            at = waiting.pop()
            for base in at.model.bases:
                found = self.named(base, at)
                if found is None:
                    yield base
                elif id(found.model) not in seen:
                    seen.add(id(found.model))
                    waiting.append(found)

    def _known_type(self, name: str, declared: DeclaredModel, seen: set[int] | None = None) -> tuple[str, str]:
        """Return the type and size of a column by the class of its field, which may derive from a field class of Django.

        `seen` has the classes that were already searched.
        """
        last = name.rpartition(".")[2]
        cls = self.named(name, declared)
        return type_of_field(last) if cls is None else self._type_of_class(cls, last, seen)

    def _type_of_class(self, cls: DeclaredModel, name: str, seen: set[int] | None = None) -> tuple[str, str]:
        """Return the type and size of a column by the class of its field in the repository."""
        found = TYPES.get(name, ("", ""))
        seen = set() if seen is None else seen
        if id(cls.model) in seen or len(seen) >= _MAX_BASES:
            return found
        seen.add(id(cls.model))
        if written := cls.model.options.get(COLUMN_TYPE):
            return written, ""
        inner = cls.model.options.get(FIELD_TYPE)
        known = [type_of_field(inner)] if inner else (self._known_type(base, cls, seen) for base in cls.model.bases)
        kind, size = next((each for each in known if each[0]), found)
        return kind, "" if CONSTRUCTED in cls.model.options else size

    def parent_of(self, declared: DeclaredModel) -> DeclaredModel | None:
        """Return the model whose table the table of a model extends."""
        above = self.above(declared, lambda base: self.derives(base, 0))
        return next((base for base in above if base.model.kind == ModelKind.TABLE and self.derives(base, 0)), None)

    def _table(self, declared: DeclaredModel) -> None:
        path, model = declared.path, declared.model
        name = ObjectName(self.table_name(declared))
        self._changes.create(path, "table", name, model.symbol, model.line)
        fields = self.fields_of(declared)
        parent = self.parent_of(declared)
        if parent is not None and not any(own.field.is_primary for own in fields):
            pointer = MappedField(f"{parent.model.name.lower()}_ptr", model.symbol, model.line, "OneToOneField", is_primary=True)
            pointer.target = parent.model.name
            self._relation(path, name, pointer, declared, parent)
        elif not any(own.field.is_primary for own in fields):
            key = MappedField("id", model.symbol, model.line, self.auto_field(declared), is_primary=True)
            self._column(path, name, key, "id", TYPES.get(key.type, ("bigint", ""))[0])
        columns: dict[str, str] = {}
        for own in fields:
            field = own.field
            if field.target and field.is_list:
                self._join_table(own, declared)
            elif field.target:
                columns[field.name] = self._relation(own.path, name, field, declared, self.target_of(field, declared))
            else:
                columns[field.name] = field.column or field.name
                self._column(own.path, name, field, columns[field.name], self._type(field, declared))
        holders = [declared]
        if model.inherits_keys:
            holders += self._abstract_bases(declared)
        for holder in holders:
            for key_of_model in holder.model.keys:
                self._key(holder.path, name, key_of_model, columns, declared)

    def auto_field(self, declared: DeclaredModel) -> str:
        """Return the type of the automatic key of a model."""
        folder = parent_of(declared.path)
        while folder and folder not in self._applications:
            folder = parent_of(folder)
        application = self._applications.get(folder)
        written = application.table if application is not None else ""
        return written.rpartition(".")[2] or self.default_auto_field()

    def _type(self, field: MappedField, declared: DeclaredModel) -> str:
        kind, size = self._known_type(field.type, declared)
        size = "" if field.column_type == UNKNOWN_SIZE else field.column_type or size
        return f"{kind}{size if kind in ('varchar', 'numeric') else ''}{'[]' if field.is_list else ''}"

    def _column(self, path: str, table: ObjectName, field: MappedField, column: str, kind: str) -> None:
        nullable = field.nullable and not field.is_primary
        self._changes.column(path, table, field, column, kind, nullable=nullable)
        if field.is_primary:
            self._changes.constraint(path, table, field, "primary key", [column])
        elif field.is_unique:
            self._changes.constraint(path, table, field, "unique", [column])
        elif field.is_indexed:
            self._changes.index(path, table, field, [column], index_name(table.name, [column], ""))
        is_text = kind.startswith(_TEXTS) and not kind.endswith("]")
        if is_text and (field.is_primary or field.is_unique or field.is_indexed):
            self._changes.index(path, table, field, [column], index_name(table.name, [column], "_like"))

    def _key(self, path: str, table: ObjectName, key: MappedKey, columns: Mapping[str, str], declared: DeclaredModel) -> None:
        named = [columns.get(each, each) for each in key.fields]
        own = key.name.replace("%(app_label)s", self.application_of(declared)).replace("%(class)s", declared.model.name.lower())
        if key.kind == "unique" and not key.is_partial:
            self._changes.constraint(path, table, key, "unique", named, own or index_name(table.name, named, "_uniq"))
        else:
            name = own or option_index_name(table.name, named, {columns.get(each, each) for each in key.descending}, key.method)
            self._changes.index(path, table, key, named, name, is_unique=key.kind == "unique")

    # ------------------------------------------------------------------ relations

    def target_of(self, field: MappedField, declared: DeclaredModel) -> DeclaredModel | None:
        """Return the target model of a relation.

        The relation names it as `"self"`, `"Model"`, `"app.Model"`, a setting or a class.
        """
        name = self.target_name(field)
        if name == "self":
            return declared
        if name == TAG_OF_JOIN:
            join = self.target_of(MappedField("", -1, 0, "", target=field.through), declared)
            tag = next((own.field for own in self.fields_of(join) if own.field.name == "tag"), None) if join is not None else None
            return self.target_of(tag, join) if join is not None and tag is not None and tag.target != TAG_OF_JOIN else None
        found = self.named(name, declared) if "." not in name or name.count(".") > 1 or name.startswith(".") else None
        found = found or self._tables.get(name.lower()) or self._tables.get(f"{self.application_of(declared)}.{name}".lower())
        return found or self.named(name, declared)

    def target_name(self, field: MappedField) -> str:
        """Return the name of a relation's target model, as written in the relation or a setting."""
        setting = field.target.rpartition(".")[2]
        return (self.setting_text(setting) if is_model_setting(setting) else "") or field.target

    def _target_column(self, target: DeclaredModel, field: MappedField, depth: int = 0) -> tuple[str, str]:
        """Return the column of a model to which relations refer, and its type."""
        for own in self.fields_of(target):
            wanted = own.field.name in field.target_fields if field.target_fields else own.field.is_primary
            if not wanted:
                continue
            if own.field.target:
                inner = self.target_of(own.field, target) if depth < _MAX_BASES else None
                kind = self._target_column(inner, own.field, depth + 1)[1] if inner is not None else "integer"
                return own.field.column or f"{own.field.name}_id", kind
            return own.field.column or own.field.name, self._type(own.field, target)
        parent = self.parent_of(target)
        if parent is not None and depth < _MAX_BASES:
            plain = MappedField("", 0, 0, "")
            return f"{parent.model.name.lower()}_ptr_id", self._target_column(parent, plain, depth + 1)[1]
        return "id", TYPES.get(self.auto_field(target), ("bigint", ""))[0]

    def _referred(self, field: MappedField, target: DeclaredModel | None) -> tuple[str, str, str]:
        """Return the table and the column to which a relation refers, and the type of the column."""
        while target is not None and target.model.kind == ModelKind.PROXY and self.parent_of(target) is not None:
            target = self.parent_of(target)
        if target is not None and target.model.kind != ModelKind.PROXY:
            return (self.table_name(target), *self._target_column(target, field))
        written = [self.target_name(field)] if target is None else target.model.bases  # a proxy of a model of another package
        names = [".".join(each for each in name.lower().split(".") if each != "models") for name in written]
        contributed = next((table for name in names for key, table in CONTRIBUTED.items() if name.endswith(key)), "")
        return contributed, "id", "integer" if contributed else ""

    def _relation(
        self, path: str, table: ObjectName, field: MappedField, declared: DeclaredModel, target: DeclaredModel | None
    ) -> str:
        """Add the column and the foreign key of a relation, and return the name of the column."""
        column = field.column or f"{field.name}_id"
        referred, referred_column, kind = self._referred(field, target)
        is_single = field.type.endswith("OneToOneField")
        plain = MappedField(field.name, field.symbol, field.line, field.type, nullable=field.nullable)
        plain.is_primary, plain.is_unique = field.is_primary, field.is_unique or is_single
        plain.is_indexed = field.is_indexed
        self._column(path, table, plain, column, kind)
        if referred and field.has_foreign_key:
            self._foreign_key(path, table, field, column, referred, referred_column)
        return column

    def _foreign_key(
        self, path: str, table: ObjectName, field: MappedField, column: str, referred: str, referred_column: str
    ) -> None:
        name = index_name(table.name, [column], f"_fk_{referred}_{referred_column}")
        self._changes.foreign_key(path, table, field, [column], ObjectName(referred), [referred_column], name)

    def join_table_name(self, field: MappedField, declared: DeclaredModel) -> ObjectName:
        """Return the name of the table that Django creates for a many-to-many relation."""
        return ObjectName(fitted_name(field.relation or f"{self.table_name(declared)}_{field.name}"))

    def _join_table(self, own: OwnField, declared: DeclaredModel) -> None:
        """Add the table of a many-to-many relation, unless there is an explicit model for this table."""
        path, field = own
        if field.through:
            return
        name = self.join_table_name(field, declared)
        target = self.target_of(field, declared)
        self._changes.create(path, "table", name, field.symbol, field.line)
        key = MappedField("id", field.symbol, field.line, "", is_primary=True)
        self._column(path, name, key, "id", TYPES.get(self.auto_field(declared), ("bigint", ""))[0])
        sides = [declared.model.name.lower(), self.target_name(field).rpartition(".")[2].lower()]
        if target is not None:
            sides[1] = target.model.name.lower()
        if sides[0] == sides[1]:
            sides = [f"from_{sides[0]}", f"to_{sides[1]}"]
        plain = MappedField("", field.symbol, field.line, "", is_indexed=True)
        columns: list[str] = []
        for side, model in zip(sides, (declared, target), strict=True):
            column = f"{side}_id"
            referred, referred_column, kind = self._referred(field if model is target else plain, model)
            self._column(path, name, plain, column, kind)
            columns.append(column)
            if referred and field.has_foreign_key:
                self._foreign_key(path, name, field, column, referred, referred_column)
        self._changes.constraint(path, name, plain, "unique", columns, index_name(name.name, columns, "_uniq"))


def _is_no_model(base: str) -> bool:
    """Return whether a base class belongs to Python or Django and is not a model.

    Expressions, lookups and forms also have fields.
    """
    return "." not in base or base.startswith("django.")
