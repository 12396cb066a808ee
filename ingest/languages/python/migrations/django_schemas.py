"""The database that results from the Django migrations of a repository.

An operation changes models. The changes of the database are the difference between the tables of the models before and after the
operation. `models/django_tables.py` has the rules for the tables of models.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from posixpath import commonpath
from typing import Final, NamedTuple

from msgspec.structs import replace

from .....schema.paths import common_folders, parent_of
from ....data.schemas.database import Database
from ....data.schemas.mapped import MappedChange, MappedChanges, MappedSchema
from ....data.schemas.tables import key_of
from ....facts.data import Action, DataFacts, Migration, ModelOperation, ObjectName, SchemaChange
from ....facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from ..models.declarations import DeclaredModel
from ..models.django_names import index_name
from ..models.django_tables import DjangoModels
from .order import ordered_by_targets

#: Options of tables that a migration alters.
_KEYS: Final = ("constraint", "index")
#: How the names end that Django generates for keys over existing columns.
_SUFFIXES: Final = {"unique": "_uniq", "primary key": "_pk"}


class _File(NamedTuple):
    path: str
    #: Folder of the application: it contains the folder of the migrations.
    folder: str
    label: str
    name: str
    migration: Migration

    @property
    def node(self) -> str:
        return f"{self.folder}/{self.name}"


def django_migrations(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the database that results from the migrations of a repository; an empty list without migrations."""
    state = _State(facts)
    files = [
        _File(path, folder, state.label_of(folder), path.rpartition("/")[2].removesuffix(".py"), migration)
        for path, data in sorted(facts.items())
        if (migration := data.migration) is not None and migration.framework == "django"
        for folder in (parent_of(parent_of(path)),)
    ]
    for each in _in_order(files, state):
        state.apply(each)
    if not state.changes:
        return []
    folder = commonpath([each.folder for each in files])
    return [MappedSchema("django", folder, state.changes, is_migrations=True)]


def _in_order(files: Sequence[_File], state: _State) -> list[_File]:
    """Return the migrations in the order in which they run, without replaced migrations."""
    by_label: dict[str, list[_File]] = defaultdict(list)
    for each in files:
        by_label[each.label].append(each)

    def found(name: str, at: _File) -> str:
        if name.startswith("setting:"):
            name = f"{state.label_of_setting(name.removeprefix('setting:'))}/__first__"
        label, _, own = name.partition("/")
        near = sorted(by_label.get(label, ()), key=lambda each: -common_folders(each.path, at.path))
        members = [each for each in near if each.folder == near[0].folder]
        if own == "__first__" and members:
            return min(members, key=lambda each: (len(each.migration.after), each.name)).node
        if own == "__latest__" and members:
            return max(members, key=lambda each: each.name).node
        return next((each.node for each in members if each.name == own), "")

    replaced: dict[str, str] = {}
    for each in files:
        for name in each.migration.replaces:
            if (node := found(name, each)) and node != each.node:
                replaced[node] = each.node
    kept = {each.node: each for each in files if each.node not in replaced}
    after: dict[str, list[str]] = defaultdict(list)
    for each in files:
        own = replaced.get(each.node, each.node)
        for name in each.migration.after:
            node = found(name, each)
            after[own].append(replaced.get(node, node))
        for name in each.migration.before:
            node = found(name, each)
            after[replaced.get(node, node)].append(own)
    names = sorted(kept, key=lambda node: (kept[node].label, kept[node].name))
    return [kept[node] for node in ordered_by_targets(names, after, {node: each.label for node, each in kept.items()})]


class _State(DjangoModels):
    """Django's state of the models while migrations run, and the resulting changes of the database."""

    def __init__(self, facts: Mapping[str, DataFacts]) -> None:
        super().__init__(facts)
        self.changes: list[MappedChange] = []
        #: The database after the applied migrations, from which the current names of keys are read.
        self._database = Database()
        #: Models of the state by identity, because a removed model may have the name of a later model.
        self._known: dict[int, DeclaredModel] = {}

    def label_of(self, folder: str) -> str:
        return self.application_of(DeclaredModel(f"{folder}/models.py", "", MappedModel("django", "", ModelKind.TABLE, 0, 0)))

    def label_of_setting(self, name: str) -> str:
        """Return the label of the application with the model that a setting names."""
        return self.setting_text(name).partition(".")[0]

    def bases_of(self, declared: DeclaredModel) -> list[DeclaredModel]:
        """Return the base models of a model of the state. The names of models are pairs of application and model."""
        if id(declared.model) not in self._known:
            return super().bases_of(declared)
        return [found for base in declared.model.bases if (found := self._tables.get(base.lower())) is not None]

    def derives(self, declared: DeclaredModel, depth: int) -> bool:
        """Return whether a class is a model. All classes of the state are models."""
        return id(declared.model) in self._known or super().derives(declared, depth)

    # ------------------------------------------------------------------ operations

    def apply(self, file: _File) -> None:
        for step in file.migration.steps:
            for change in step.changes:
                self._record(file.path, change)
            if step.operation is not None:
                self._operate(file, step.operation)

    def _operate(self, file: _File, operation: ModelOperation) -> None:
        key = f"{file.label}.{operation.model.name}".lower()
        if operation.kind == "model" and operation.action == Action.CREATE:
            self._create(file, operation, key)
            return
        declared = self._tables.get(key)
        if declared is None or id(declared.model) not in self._known:
            return
        before = self._render(declared)
        fields, keys = list(declared.model.fields), list(declared.model.keys)
        is_renamed = operation.kind == "model" and operation.action == Action.RENAME
        referring = self._referring(declared) if is_renamed or _may_change_key(operation, declared.model) else []
        renamed = list(self._change(file, operation, declared, key))
        after = self._render(declared) if key in self._tables or is_renamed else []
        if operation.scope != "state":
            self._emit(file, operation, renamed)
            self._emit(
                file, operation, self._difference(_after_renaming(before, renamed), after, remakes=operation.kind == "field")
            )
            self._emit(file, operation, self._remade_keys(before, after, operation))
            for other, rendered in referring:
                now = self._render(other)
                self._emit(file, operation, self._difference(_after_renaming(rendered, renamed), now, remakes=is_renamed))
                self._emit(file, operation, self._remade_keys(rendered, now, operation))
        if operation.scope == "database":
            declared.model.fields, declared.model.keys = fields, keys
            self._tables[key] = declared

    def _create(self, file: _File, operation: ModelOperation, key: str) -> None:
        given = operation.model
        model = MappedModel("django", given.name, given.kind, given.symbol, given.line, table=given.table, application=file.label)
        model.bases, model.fields, model.keys = given.bases, list(given.fields), list(given.keys)
        model.is_managed, model.options = given.is_managed, given.options
        declared = DeclaredModel(f"{file.folder}/models.py", "", model)
        self._known[id(model)] = declared
        before = self._tables.get(key)
        self._tables[key] = declared
        if operation.scope != "state":
            for change in self._render(declared):
                self._record(file.path, change)
        if operation.scope == "database":
            if before is None:
                del self._tables[key]
            else:
                self._tables[key] = before

    def _change(self, file: _File, operation: ModelOperation, declared: DeclaredModel, key: str) -> Iterator[SchemaChange]:
        """Change a model, and yield the renamings that the database needs."""
        model = declared.model
        if operation.kind == "model" and operation.action == Action.DROP:
            del self._tables[key]
        elif operation.kind == "model" or operation.kind == "table":
            yield from self._rename(file, operation, declared, key)
        elif operation.kind in ("unique", "index"):
            model.keys = [each for each in model.keys if each.kind != operation.kind or each.name] + operation.model.keys
        elif operation.kind == "key" and operation.action == Action.CREATE:
            model.keys += operation.model.keys
        elif operation.kind == "key" and operation.action == Action.DROP:
            model.keys = [each for each in model.keys if each.name != operation.name]
        elif operation.kind == "key":
            yield from self._rename_index(operation, declared)
        else:
            yield from self._change_field(operation, declared)

    def _rename_index(self, operation: ModelOperation, declared: DeclaredModel) -> Iterator[SchemaChange]:
        """Rename an index that an operation names by its name, or by its fields if it has none."""
        model = declared.model
        fields = [each.fields for each in operation.model.keys]
        for place, key in enumerate(model.keys):
            if key.name == operation.name and (key.name or (key.kind == "index" and key.fields in fields)):
                held = self._database.tables.get(("", self.table_name(declared).lower()))
                columns = [_column_of(each) for name in key.fields for each in model.fields if each.name == name]
                like = [each.name for each in (held.indexes.values() if held is not None else ()) if each.columns == columns]
                model.keys[place] = replace(key, name=operation.new_name)
                yield _renaming("index", key.name or next(iter(like), ""), operation.new_name, None)

    def _change_field(self, operation: ModelOperation, declared: DeclaredModel) -> Iterator[SchemaChange]:
        model = declared.model
        held = next((each for each in model.fields if each.name == operation.name), None)
        if operation.action == Action.CREATE:
            model.fields = [each for each in model.fields if each is not held] + operation.model.fields
        elif held is None:
            return
        elif operation.action == Action.DROP:
            model.fields.remove(held)
        else:
            is_renamed = operation.action == Action.RENAME
            new = replace(held, name=operation.new_name) if is_renamed else operation.model.fields[0]
            model.fields[model.fields.index(held)] = new
            if is_renamed:
                model.keys = [_with_renamed_field(key, operation.name, operation.new_name) for key in model.keys]
            if not held.is_list and not new.is_list and _column_of(held) != _column_of(new):
                yield _renaming("column", _column_of(held), _column_of(new), ObjectName(self.table_name(declared)))

    def _rename(self, file: _File, operation: ModelOperation, declared: DeclaredModel, key: str) -> Iterator[SchemaChange]:
        """Rename a model or its table, with the tables of its many-to-many relations and their columns."""
        model = declared.model
        joins = [each for each in model.fields if each.is_list and each.target and not each.through]
        old, old_joins = self.table_name(declared), [self.join_table_name(each, declared) for each in joins]
        old_name = model.name.lower()
        if operation.kind == "table":
            model.table = operation.new_name
        else:
            del self._tables[key]
            model.name = operation.new_name
            self._tables[f"{file.label}.{model.name}".lower()] = declared
            for each in self._known.values():
                for field in [each for each in each.model.fields if each.target]:
                    if field.target.lower() == key or (each is declared and field.target.lower() == old_name):
                        place = each.model.fields.index(field)
                        each.model.fields[place] = replace(field, target=f"{file.label}.{model.name}")
        new = self.table_name(declared)
        if model.is_managed and model.kind == ModelKind.TABLE and old.lower() != new.lower():
            yield _renaming("table", old, new, None)
        for field, name in zip(joins, old_joins, strict=True):
            joined = self.join_table_name(field, declared)
            if joined != name:
                yield _renaming("table", name.name, joined.name, None)
            if old_name != model.name.lower():
                yield _renaming("column", f"{old_name}_id", f"{model.name.lower()}_id", joined)

    # ------------------------------------------------------------------ tables

    def _render(self, declared: DeclaredModel) -> list[SchemaChange]:
        """Return the changes that would create the current tables of a model."""
        if not declared.model.is_managed or declared.model.kind != ModelKind.TABLE or self.is_swapped(declared):
            return []
        self._changes = MappedChanges()
        self._table(declared)
        return [each.change for each in self._changes.all()]

    def auto_field(self, declared: DeclaredModel) -> str:
        """Return the type of an automatic key. The state of migrations has no configurations of applications."""
        return self.default_auto_field()

    def _referring(self, declared: DeclaredModel) -> list[tuple[DeclaredModel, list[SchemaChange]]]:
        """Return the other models with a relation to a model, with their tables.

        A relation may be a key to which other relations refer, so their models are among the results.
        """
        found: dict[int, DeclaredModel] = {id(declared): declared}
        waiting = [declared]
        while waiting:
            target = waiting.pop()
            for each in list(self._tables.values()):
                relations = [field for field in each.model.fields if field.target and self.target_of(field, each) is target]
                if relations and id(each) not in found:
                    found[id(each)] = each
                    if any(field.is_primary or field.is_unique for field in relations):
                        waiting.append(each)
        return [(each, self._render(each)) for each in found.values() if each is not declared]

    def _remade_keys(
        self, before: Sequence[SchemaChange], after: Sequence[SchemaChange], operation: ModelOperation
    ) -> list[SchemaChange]:
        """Return the changes that make foreign keys again after the type of the column to which they refer has changed.

        Django gives these keys shorter names than other foreign keys.
        """
        if operation.kind != "field" or operation.action != Action.ALTER or not operation.model.fields:
            return []
        own = _column_of(operation.model.fields[0])
        old = {_identity(each): each.type for each in before if each.kind == "column"}
        changed = {
            (each.table.key, each.name.name)
            for each in after
            if each.kind == "column" and each.table is not None and old.get(_identity(each), each.type) != each.type
        }
        known = {_identity(each) for each in before}
        found: list[SchemaChange] = []
        for each in after:
            if each.type != "foreign key" or each.table is None or _identity(each) not in known:
                continue
            if (each.table.key, each.columns[0]) in changed and each.columns[0] != own:
                name = ObjectName(index_name(each.table.name, each.columns, "_fk"))
                found += [self._dropped_key(each), replace(each, name=name)]
        return found

    def _difference(self, before: Sequence[SchemaChange], after: Sequence[SchemaChange], *, remakes: bool) -> list[SchemaChange]:
        """Return the changes between two sets of tables.

        With `remakes`, foreign keys have the new names of columns and tables, because Django creates the keys again.
        """
        kept = {each.name for each in before if each.kind == "index"} & {each.name for each in after if each.kind == "index"}
        old, new = ({_identity(each, kept): each for each in changes} for changes in (before, after))
        old_tables = {each.name.key for each in before if each.kind == "table"}
        new_tables = {each.name.key for each in after if each.kind == "table"}
        old_columns = {(each.table.key, each.name.name) for each in before if each.kind == "column" and each.table is not None}
        dropped: list[SchemaChange] = []
        made: list[SchemaChange] = []
        for identity, change in old.items():
            known = new.get(identity)
            is_remade = remakes and known is not None and change.type == "foreign key"
            is_gone = known is None or (is_remade and known.name != change.name)
            if is_gone and (change.table is None or change.table.key in new_tables):
                dropped += [self._dropped_key(change)] if change.kind in _KEYS else [_dropped(change)]
                if known is not None:
                    made.append(known)
        for identity, change in new.items():
            known = old.get(identity)
            if known is None:
                is_inline = change.table is None or change.table.key not in old_tables
                made.append(change if is_inline else _late_key(change, old_columns))
            elif change.kind == "column" and (known.type, known.nullable) != (change.type, change.nullable):
                altered = SchemaChange(Action.ALTER, "column", change.name, 0, 0, table=change.table, type=change.type)
                altered.nullable = change.nullable
                made.append(altered)
        return [*dropped, *made]

    def _dropped_key(self, change: SchemaChange) -> SchemaChange:
        """Return the change that drops a key or index by its name in the database.

        The name may contain a former name of the table.
        """
        table = self._database.tables.get(key_of(change.table)) if change.table is not None else None
        held = {} if table is None else table.indexes if change.kind == "index" else table.constraints
        like = [
            each
            for each in held.values()
            if each.columns == change.columns and (change.kind == "index" or each.kind == change.type)
        ]
        named = [each for each in like if each.name.lower() == change.name.name.lower()]
        ends = [each for each in like if each.name.endswith("_like") == change.name.name.endswith("_like")]
        name = next((each.name for each in named or ends), change.name.name)
        return SchemaChange(Action.DROP, change.kind, ObjectName(name), 0, 0, table=change.table, type=change.type)

    def _record(self, path: str, change: SchemaChange) -> None:
        self.changes.append(MappedChange(path, change))
        self._database.apply(change, 0)

    def _emit(self, file: _File, operation: ModelOperation, changes: Sequence[SchemaChange]) -> None:
        for change in changes:
            is_own = change.action == Action.CREATE and change.kind in ("table", "column")
            symbol = change.symbol if is_own and change.symbol in _symbols_of(operation) else operation.symbol
            self._record(file.path, replace(change, symbol=symbol, line=operation.line))


def _symbols_of(operation: ModelOperation) -> set[int]:
    return {operation.model.symbol, *(each.symbol for each in operation.model.fields)}


def _may_change_key(operation: ModelOperation, model: MappedModel) -> bool:
    """Return whether an operation may change the type of the column to which relations refer."""
    held = next((each for each in model.fields if each.name == operation.name), None)
    return (
        operation.kind == "field"
        and operation.action == Action.ALTER
        and held is not None
        and (held.is_primary or held.is_unique or operation.model.fields[0].is_primary)
    )


def _column_of(field: MappedField) -> str:
    return field.column or (f"{field.name}_id" if field.target else field.name)


def _with_renamed_field(key: MappedKey, old: str, new: str) -> MappedKey:
    return replace(key, fields=[new if name == old else name for name in key.fields])


def _renaming(kind: str, old: str, new: str, table: ObjectName | None) -> SchemaChange:
    return SchemaChange(Action.RENAME, kind, ObjectName(old), 0, 0, table=table, new_name=ObjectName(new))


def _after_renaming(rendered: Sequence[SchemaChange], renamed: Sequence[SchemaChange]) -> list[SchemaChange]:
    """Return tables with their names after renamings. The names of keys do not change."""
    tables = {each.name.key: each.new_name for each in renamed if each.kind == "table"}
    columns = {(each.table.key, each.name.name): each.new_name.name for each in renamed if each.table and each.new_name}
    found: list[SchemaChange] = []
    for change in rendered:
        table = change.table and (tables.get(change.table.key) or change.table)
        own = change.name
        if change.kind == "table":
            own = tables.get(own.key) or own
        elif change.kind == "column" and table is not None:
            own = ObjectName(columns.get((table.key, own.name), own.name))
        target = change.target and (tables.get(change.target.key) or change.target)
        named = [columns.get((table.key, each), each) if table is not None else each for each in change.columns]
        found.append(replace(change, name=own, table=table, target=target, columns=named))
    return found


def _dropped(change: SchemaChange) -> SchemaChange:
    return SchemaChange(Action.DROP, change.kind, change.name, 0, 0, table=change.table, is_sweeping=True)


def _identity(change: SchemaChange, kept: Collection[ObjectName] = ()) -> tuple[object, ...]:
    """Return the identity of a part of a table.

    An index whose name is in `kept` has this name as its identity, since two indexes may have equal columns.
    Other indexes have their columns, because Django generates other names for them when tables and columns are renamed.
    """
    table = change.table.key if change.table is not None else change.name.key
    if change.kind == "column":
        return (change.kind, table, change.name.name.lower())
    if change.kind == "index" and change.name in kept:
        return (change.kind, table, change.name.key)
    if change.kind == "index" and change.name.name.endswith("_like"):
        return (change.kind, table, tuple(change.columns), "_like")
    if change.kind == "index":
        return (change.kind, table, tuple(change.columns), change.is_unique)
    target = change.target.key if change.target is not None else None
    return (change.kind, table, change.type, tuple(change.columns), target)


def _late_key(change: SchemaChange, old_columns: set[tuple[tuple[str, str], str]]) -> SchemaChange:
    """Return a key with the name that Django generates if the column of the key already exists."""
    suffix = _SUFFIXES.get(change.type, "") if change.kind == "constraint" and not change.name.name else ""
    if not suffix or change.table is None or (change.table.key, change.columns[0]) not in old_columns:
        return change
    return replace(change, name=ObjectName(index_name(change.table.name, change.columns, suffix)))
