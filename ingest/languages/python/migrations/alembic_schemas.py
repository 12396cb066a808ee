"""The databases that result from the Alembic migrations of a repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from .....schema.paths import parent_of
from ....data.schemas.mapped import MappedChange, MappedSchema
from ....facts.data import Action, DataFacts, Migration, ObjectName, SchemaChange
from ....facts.mapped_tables import MappedModel, ModelKind
from ..models.declarations import DeclaredModel
from ..models.sqlalchemy_classes import Classes
from ..models.sqlalchemy_names import Named, key_name
from ..models.sqlalchemy_types import last_part, type_of_class
from .order import ordered


class _File(NamedTuple):
    path: str
    migration: Migration


def alembic_schemas(facts: Mapping[str, DataFacts], classes: Classes) -> list[MappedSchema]:
    """Return the databases that result from migrations, with types and names of keys from the classes of models."""
    conventions = classes.conventions()
    files = [
        _File(path, migration)
        for path, data in sorted(facts.items())
        if (migration := data.migration) is not None and migration.framework == "alembic"
    ]
    found: list[MappedSchema] = []
    for folder, members in sorted(_by_folder(files).items()):
        changes: list[MappedChange] = []
        for path, migration in members:
            file = DeclaredModel(path, "", MappedModel("alembic", "", ModelKind.VALUE, 0, 0))
            for step in migration.steps:
                for change in step.changes:
                    made = _with_key_name(change, conventions)
                    changes.append(MappedChange(path, _typed(made, classes, file)))
        if changes:
            found.append(MappedSchema("alembic", folder, changes, is_migrations=True))
    return found


def _by_folder(files: Sequence[_File]) -> dict[str, list[_File]]:
    """Return the migrations of each database in execution order. A revision may follow a revision in another folder."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path, migration in files:
        homes[migration.name].append(parent_of(path))
    roots: dict[str, str] = {}

    def root_of(folder: str) -> str:
        while roots.get(folder, folder) != folder:
            folder = roots[folder]
        return folder

    for path, migration in files:
        folder = parent_of(path)
        for name in migration.after:
            known = homes.get(name, [])
            if known and folder not in known:
                first, second = sorted((root_of(folder), root_of(known[0])))
                roots[second] = first
    parts: dict[str, list[_File]] = defaultdict(list)
    for each in files:
        parts[root_of(parent_of(each.path))].append(each)
    return {folder: _in_order(members) for folder, members in parts.items()}


def _in_order(members: Sequence[_File]) -> list[_File]:
    by_name = {each.migration.name: each for each in reversed(members)}
    names = list(by_name)
    order = ordered(names, {name: by_name[name].migration.after for name in names})
    return [by_name[name] for name in order]


def _typed(change: SchemaChange, classes: Classes, file: DeclaredModel) -> SchemaChange:
    """Return a change in which a database type replaces the name of a type class of the repository."""
    if change.kind != "column" or "." not in change.type or not change.type.replace(".", "").isidentifier():
        return change
    return replace(change, type=classes.type_named(change.type, file) or type_of_class(last_part(change.type)))


def _with_key_name(change: SchemaChange, conventions: Mapping[str, str]) -> SchemaChange:
    """Return a change in which a key without a name gets its name from the naming conventions of the models."""
    kind = "index" if change.kind == "index" else change.type
    is_named = change.action != Action.CREATE or change.kind not in ("index", "constraint") or bool(change.name.name)
    if is_named or change.table is None:
        return change
    referred = change.target.name if change.target is not None else ""
    about = Named(change.table.name, change.table.schema, change.columns, referred, change.target_columns)
    name = key_name(conventions, kind, "", about)
    return replace(change, name=ObjectName(name)) if name else change
