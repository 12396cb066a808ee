"""Find the classes of SQLAlchemy that have tables, and the columns that they inherit from base classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from ....facts.data import DataFacts
from ....facts.mapped_tables import MappedField, MappedModel, ModelKind
from .declarations import DeclaredModel, Hierarchy, absolute_module
from .sqlalchemy import MAKER, UNKNOWN
from .sqlalchemy_columns import completed_by_maker
from .sqlalchemy_names import snake_case
from .sqlalchemy_types import ANNOTATED, last_part

#: Classes of SQLAlchemy whose direct subclass is the base of all models.
_MAKING_BASES: Final = frozenset(("DeclarativeBase", "DeclarativeBaseNoMeta", "DeclarativeMeta", "as_declarative"))
#: External base classes of classes that are not models.
_MIXINS: Final = frozenset(("AsyncAttrs", "MappedAsDataclass", "object", "ABC", "Generic", "Protocol"))
#: Maximum length of a chain of aliases.
_MAX_NAMES: Final = 20


class Flavor:
    """The package whose rules decide whether a class has a table, and how the table is named."""

    DECLARATIVE: Final = "declarative"
    FLASK: Final = "flask"
    SQLMODEL: Final = "sqlmodel"


class Root(NamedTuple):
    """The base of all models of a database."""

    flavor: str
    #: The class or the variable that is the base; None if an external package declares it.
    declared: DeclaredModel | None
    #: Name of the base.
    name: str


class Mapped(NamedTuple):
    """The table of a class."""

    table: str
    #: The base class whose table the class shares; None if the class has its own table.
    parent: DeclaredModel | None


class Classes(Hierarchy):
    """The classes and the values of SQLAlchemy in all files of a repository."""

    def __init__(self, facts: Mapping[str, DataFacts]) -> None:
        super().__init__()
        #: Keys and indexes that are declared beside a class, by its path and name.
        self.keys: dict[tuple[str, str], list[MappedModel]] = {}
        for path in sorted(facts):
            for model in facts[path].models:
                if model.framework != "sqlalchemy":
                    continue
                if model.kind == ModelKind.KEYS:
                    self.keys.setdefault((path, model.name), []).append(model)
                else:
                    self.declarations.add(path, model)
        self._roots: dict[int, Root | None] = {}
        self._mapped: dict[int, Mapped | None] = {}

    # ------------------------------------------------------------------ names

    def named(self, dotted: str, declared: DeclaredModel) -> DeclaredModel | None:
        """Return the target of a name in the file of a declaration. Aliases are followed."""
        found = self.declarations.exported(dotted, declared.path)
        for _ in range(_MAX_NAMES):
            is_alias = found is not None and found.model.kind == ModelKind.SETTING and found.model.bases == [found.model.table]
            if found is None or not is_alias:
                break
            found = self.declarations.exported(found.model.table, found.path)
        return found

    def type_named(self, name: str, holder: DeclaredModel) -> str:
        """Return the column type that the repository declares under a name; "" for other names."""
        for _ in range(_MAX_NAMES):
            found = self.named(name, holder) if name else None
            if found is None:
                return ANNOTATED.get(name, "")
            if not found.model.fields or found.model.kind != ModelKind.TYPE:
                name, holder = next((each for each in found.model.bases if self.named(each, found) is not None), ""), found
                continue
            field = found.model.fields[0]
            name = field.type.removeprefix("Mapped[").removesuffix("]")
            if field.column_type and self.named(name, found) is None:  # the class may have the name of one of SQLAlchemy
                return field.column_type
            holder = found
        return ""

    def conventions(self) -> Mapping[str, str]:
        """Return the naming conventions for keys in the repository's models; empty if models use different conventions."""
        found = [conventions_of(each.model) for each in self.declarations.all()]
        written = {tuple(sorted(each.items())) for each in found if each}
        return dict(written.pop()) if len(written) == 1 else {}

    # ------------------------------------------------------------------ bases

    def root(self, declared: DeclaredModel) -> Root | None:
        """Return the base of all models from which a class derives; None for other classes."""
        key = id(declared.model)
        if key not in self._roots:
            self._roots[key] = self._found_root(declared)
        return self._roots[key]

    def _found_root(self, declared: DeclaredModel) -> Root | None:
        external: Root | None = None
        for each in (declared, *self.above(declared)):
            if each.model.kind == ModelKind.SETTING:
                return _root_of(each)
            for base in each.model.bases:
                own = last_part(base)
                owner = self.named(base.rpartition(".")[0], each) if own in ("Model", "Base") else None
                if owner is not None and owner.model.kind == ModelKind.SETTING:
                    return _root_of(owner)
                if base.startswith("sqlmodel.") and own == "SQLModel":
                    return Root(Flavor.SQLMODEL, None, base)
                if own in _MAKING_BASES and self.named(base, each) is None:
                    return Root(Flavor.DECLARATIVE, each, each.model.name)
                if external is None and own not in _MIXINS and self.named(base, each) is None:
                    flavor = Flavor.FLASK if own == "Model" and base.endswith("db.Model") else Flavor.DECLARATIVE
                    is_relative = base.startswith(".")
                    external = Root(flavor, None, absolute_module(base, each.path) if is_relative else base)
        has_columns = any(self._is_column(field) for field in declared.model.fields)
        # Base classes of other packages are not read. A class with a table name and columns counts as a model.
        is_model = external is not None and has_columns and (bool(declared.model.table) or external.flavor == Flavor.FLASK)
        return external if is_model else None

    def _is_column(self, field: MappedField) -> bool:
        return not field.is_implicit and bool(field.name)

    def is_base(self, declared: DeclaredModel) -> bool:
        """Return whether a class itself is the base of all models."""
        root = self.root(declared)
        return root is not None and root.declared is not None and root.declared.model is declared.model

    # ------------------------------------------------------------------ tables

    def mapped(self, declared: DeclaredModel) -> Mapped | None:
        """Return the table of a class; None if the class has no table, or if code computes it at run time."""
        key = id(declared.model)
        if key not in self._mapped:
            self._mapped[key] = None  # read if a class is among its own bases
            self._mapped[key] = self._found_table(declared)
        return self._mapped[key]

    def _found_table(self, declared: DeclaredModel) -> Mapped | None:
        model, root = declared.model, self.root(declared)
        if model.kind != ModelKind.TABLE or root is None or self.is_base(declared):
            return None
        if root.flavor == Flavor.SQLMODEL and "table" not in model.options:
            return None
        above = list(self.above(declared))
        parent = next((each for each in above if self.mapped(each) is not None), None)
        if (value := self._table_value(declared)) is not None:
            return Mapped(value.model.table, value)
        written = self._written_name(declared, above)
        if UNKNOWN in written:
            return None
        if parent is not None and not self._has_primary_key(declared):
            return Mapped("", parent)
        if written:
            return Mapped(written, None)
        if root.flavor == Flavor.SQLMODEL:
            return Mapped(model.name.lower(), None)
        return Mapped(snake_case(model.name), None) if root.flavor == Flavor.FLASK else None

    def _table_value(self, declared: DeclaredModel) -> DeclaredModel | None:
        name = declared.model.options.get("table value", "")
        found = self.named(name, declared) if name else None
        return found if found is not None and found.model.kind == ModelKind.VALUE else None

    def _written_name(self, declared: DeclaredModel, above: list[DeclaredModel]) -> str:
        """Return the declared table name: from the class, an unmapped base class, or a method of any base class."""
        for each in (declared, *above):
            is_own = each is declared or self.mapped(each) is None or "names each class" in each.model.options
            if each.model.table and is_own and each.model.kind != ModelKind.SETTING:
                name = declared.model.name
                written = each.model.table.replace("%(words)s", snake_case(name))
                return written.replace("%(class)s", name.lower()).replace("%(Class)s", name)
        return ""

    def _has_primary_key(self, declared: DeclaredModel) -> bool:
        return any(field.is_primary for _, field in self.fields(declared))

    def is_unmapped(self, declared: DeclaredModel) -> bool:
        """Return whether derived classes copy the columns of a class, because it is a mixin or an abstract class."""
        return declared.model.kind != ModelKind.VALUE and self.mapped(declared) is None

    def holders(self, declared: DeclaredModel) -> list[DeclaredModel]:
        """Return the classes whose columns are in the table of a class: the class itself, and its unmapped base classes."""
        return [declared, *filter(self.is_unmapped, self.above(declared, self.is_unmapped))]

    def fields(self, declared: DeclaredModel) -> list[tuple[DeclaredModel, MappedField]]:
        """Return the columns and the foreign keys over several columns that a class adds to its table."""
        root = self.root(declared)
        is_sqlmodel = root is not None and root.flavor == Flavor.SQLMODEL
        found: dict[str, tuple[DeclaredModel, MappedField] | None] = {}
        several: list[tuple[DeclaredModel, MappedField]] = []
        for each in self.holders(declared):
            for field in each.model.fields:
                if not field.name:
                    several.append((each, field))
                elif field.name in found:
                    continue
                elif field.maker:
                    if (made := self._made(field, each)) is not None:
                        found[field.name] = (each, made)
                elif not field.is_implicit or is_sqlmodel or not field.type:
                    is_removed = field.is_implicit and not field.type and not field.target
                    found[field.name] = None if is_removed else (each, field)
        return [*filter(None, found.values()), *several]

    def _made(self, field: MappedField, declared: DeclaredModel) -> MappedField | None:
        """Return a column with what the function of the repository gives to it that makes the column; None without column."""
        for _ in range(_MAX_NAMES):
            found = self.declarations.named(field.maker, declared.path) if field.maker else None
            if found is None or MAKER not in found.model.options:
                break
            made = found.model.fields[0]
            field, declared = replace(completed_by_maker(field, made), maker=made.maker), found
        return None if field.is_implicit else field


def conventions_of(model: MappedModel) -> dict[str, str]:
    """Return the naming conventions in a declaration, by the two letters of each kind of key."""
    return {key: text for key, text in model.options.items() if len(key) == 2}


def _root_of(setting: DeclaredModel) -> Root:
    """Return the base of models in a variable: an extension of Flask, or the result of a call."""
    flavor = Flavor.FLASK if last_part(setting.model.table) == "SQLAlchemy" else Flavor.DECLARATIVE
    return Root(flavor, setting, setting.model.name)
