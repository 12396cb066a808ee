"""The operations in one migration file of Alembic: https://alembic.sqlalchemy.org/en/latest/ops.html."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ....data.schemas.mapped import MappedChanges
from ....data.sql.embedded_changes import changes_of_text
from ....facts.data import Action, Migration, MigrationStep, ObjectName, SchemaChange
from ....facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts
from ..models.declared import Attribute, Call, DeclaredNames
from ..models.hints import PREVIOUS_REVISION
from ..models.sqlalchemy_columns import column_named, constraint_name, field_of, read_item
from ..models.sqlalchemy_keys import add_key, key_of_column
from ..models.sqlalchemy_types import ColumnType, column_type, last_part, type_or_class

_REVISION = "revision"
_UP, _DOWN = "upgrade", "downgrade"
_BATCH: Final = "batch_alter_table"
#: Maximum depth of calls from the upgrade function to an operation.
_MAX_DEPTH: Final = 10
#: Kinds of keys by the argument `type_` of `drop_constraint`.
_TYPES: Final = {"primary": "primary key", "foreignkey": "foreign key", "unique": "unique", "check": "check"}


def add_alembic_migration(facts: FileFacts) -> None:
    """Add the changes of the upgrade in an Alembic migration to the facts of its file."""
    migration = _Reading(DeclaredNames(facts)).migration()
    if migration is not None:
        facts.own_data().migration = migration


class _Reading:
    def __init__(self, names: DeclaredNames) -> None:
        self._names = names
        self._changes: list[SchemaChange] = []
        self._symbol = -1
        self._line = 0
        self._operations: Mapping[str, Callable[[Call, str], None]] = {
            "create_table": self._create_table,
            "drop_table": self._drop_table,
            "rename_table": self._rename_table,
            "add_column": self._add_column,
            "drop_column": self._drop_column,
            "alter_column": self._alter_column,
            "create_index": self._create_index,
            "drop_index": self._drop_index,
            "create_unique_constraint": self._create_unique,
            "create_primary_key": self._create_primary_key,
            "create_foreign_key": self._create_foreign_key,
            "drop_constraint": self._drop_constraint,
        }

    def migration(self) -> Migration | None:
        names = self._names
        variables = {each.name: each.value for each in names.variables()}
        revision = names.text(variables.get(_REVISION, -1))
        functions = {each.name: place for place, each in enumerate(names.facts.symbols) if each.parent < 0}
        if not revision or PREVIOUS_REVISION not in variables or _UP not in functions:
            return None
        after = [*self._revisions(variables[PREVIOUS_REVISION]), *self._revisions(variables.get("depends_on", -1))]
        if _DOWN in functions:
            names.facts.symbols[functions[_DOWN]].modifiers.append("down")
        self._symbol = functions[_UP]
        self._function(self._symbol, 0)
        return Migration("alembic", revision, after, [MigrationStep(self._changes)])

    def _revisions(self, node: int) -> list[str]:
        """Return the revisions in a value: one string, or several strings."""
        text = self._names.text(node)
        return [text] if text else self._names.texts(node)

    def _function(self, symbol: int, depth: int) -> None:
        """Read the operations of a function, and of the called functions of the file, in order."""
        names = self._names
        for node in names.calls_in(symbol):
            receiver, method = names.method_call(node)
            call = names.call(node)
            if method == "execute":
                for _ in names.iterations(node):
                    self._execute(node)
            elif method in self._operations and call is not None:
                batch = self._batch(receiver)
                if batch is not None or names.dotted(receiver) in ("alembic.op", "op"):
                    self._line = names.line(node)
                    for _ in names.iterations(node):
                        self._operations[method](self._with_table(call, batch), self._schema(call, batch))
            elif not method and depth < _MAX_DEPTH and (called := names.called_function(node)) >= 0:
                self._function(called, depth + 1)

    # ------------------------------------------------------------------ batches

    def _batch(self, receiver: int) -> Call | None:
        """Return the call that opened the batch of operations on a table, if the receiver is a batch."""
        call = self._names.entered(receiver)
        return call if call is not None and last_part(call.name) == _BATCH else None

    def _with_table(self, call: Call, batch: Call | None) -> Call:
        """Return a call in a batch with the table added as first or second argument, as in calls outside of a batch."""
        if batch is None:
            return call
        table = batch.argument("table_name", 0)
        own = last_part(call.name)
        given = list(call.positional)
        given.insert(0 if own in ("add_column", "drop_column", "alter_column") else 1, table)
        if own == "drop_index" and len(given) < 2:
            return Call(call.name, given, {**call.named, "table_name": table})
        return Call(call.name, given, call.named)

    def _schema(self, call: Call, batch: Call | None) -> str:
        node = call.named.get("schema", call.named.get("source_schema", -1))
        if node < 0 and batch is not None:
            node = batch.named.get("schema", -1)
        return self._names.text(self._names.value(node))

    # ------------------------------------------------------------------ parts

    def _text(self, call: Call, name: str, place: int) -> str:
        return self._names.constant_text(call.argument(name, place))

    def _table(self, call: Call, schema: str, place: int = 0, name: str = "table_name") -> ObjectName | None:
        text = self._text(call, name, place)
        return ObjectName(text, schema) if text else None

    def _columns(self, node: int) -> list[str]:
        return [column_named(self._names, each) for each in self._names.elements(self._names.value(node))]

    def _change(self, action: str, kind: str, name: ObjectName, symbol: int = -1) -> SchemaChange:
        made = SchemaChange(action, kind, name, symbol if symbol >= 0 else self._symbol, self._line)
        self._changes.append(made)
        return made

    # ------------------------------------------------------------------ tables

    def _create_table(self, call: Call, schema: str) -> None:
        name = self._table(call, schema)
        if name is None:
            return
        node = call.argument("table_name", 0)
        symbol = self._names.add_part(name.name, "table", self._symbol, node)
        model = MappedModel("alembic", name.name, ModelKind.VALUE, symbol, self._line)
        self._change(Action.CREATE, "table", name, symbol)
        for item in call.positional[1:]:
            read_item(self._names, item, model)
        for change in changes_of_table(model, name):
            change.of_creation = True
            self._changes.append(change)

    def _drop_table(self, call: Call, schema: str) -> None:
        if (name := self._table(call, schema)) is not None:
            self._change(Action.DROP, "table", name)

    def _rename_table(self, call: Call, schema: str) -> None:
        name, new = self._table(call, schema, name="old_table_name"), self._table(call, schema, 1, "new_table_name")
        if name is not None and new is not None:
            self._change(Action.RENAME, "table", name).new_name = new

    # ------------------------------------------------------------------ columns

    def _add_column(self, call: Call, schema: str) -> None:
        table = self._table(call, schema)
        node = self._names.value(call.argument("column", 1))
        column = self._names.call(node)
        name = self._names.constant_text(column.argument("name", 0)) if column is not None else ""
        if table is None or column is None or not name:
            return
        symbol = self._names.add_part(name, "column", self._symbol, node)
        field = field_of(self._names, Attribute(name, symbol, node), column)
        model = MappedModel("alembic", table.name, ModelKind.VALUE, symbol, self._line, fields=[field])
        self._changes += changes_of_table(model, table)

    def _drop_column(self, call: Call, schema: str) -> None:
        table, name = self._table(call, schema), self._text(call, "column_name", 1)
        if table is not None and name:
            self._change(Action.DROP, "column", ObjectName(name)).table = table

    def _alter_column(self, call: Call, schema: str) -> None:
        names = self._names
        table, name = self._table(call, schema), self._text(call, "column_name", 1)
        if table is None or not name:
            return
        named = call.named
        change = SchemaChange(Action.ALTER, "column", ObjectName(name), self._symbol, self._line, table=table)
        if "type_" in named:
            found = column_type(names, named["type_"])
            change.type = type_or_class(found)
        if "nullable" in named:
            change.nullable = not names.is_false(named["nullable"])
        if "server_default" in named and not names.is_false(named["server_default"]):
            change.default = "" if names.is_none(named["server_default"]) else names.text(named["server_default"]) or "?"
        if change.type or change.nullable is not None or change.default is not None:
            self._changes.append(change)
        if new := names.constant_text(named.get("new_column_name", named.get("name", -1))):
            renamed = self._change(Action.RENAME, "column", ObjectName(name))
            renamed.table, renamed.new_name = table, ObjectName(new)

    # ------------------------------------------------------------------ keys and indexes

    def _name(self, call: Call, argument: str) -> ObjectName:
        return ObjectName(constraint_name(self._names, call.argument(argument, 0)))

    def _create_index(self, call: Call, schema: str) -> None:
        table = self._table(call, schema, 1)
        if table is not None:
            change = self._change(Action.CREATE, "index", self._name(call, "index_name"))
            change.table, change.columns = table, self._columns(call.argument("columns", 2))
            change.is_unique = self._names.is_true(call.argument("unique", -1))

    def _drop_index(self, call: Call, schema: str) -> None:
        name = self._name(call, "index_name")
        if name.name:
            self._change(Action.DROP, "index", name).table = self._table(call, schema, 1)

    def _create_unique(self, call: Call, schema: str) -> None:
        self._create_key(call, schema, "unique")

    def _create_primary_key(self, call: Call, schema: str) -> None:
        self._create_key(call, schema, "primary key")

    def _create_key(self, call: Call, schema: str, kind: str) -> None:
        table = self._table(call, schema, 1)
        if table is not None:
            change = self._change(Action.CREATE, "constraint", self._name(call, "constraint_name"))
            change.table, change.type, change.columns = table, kind, self._columns(call.argument("columns", 2))

    def _create_foreign_key(self, call: Call, schema: str) -> None:
        names = self._names
        table = self._table(call, schema, 1, "source_table")
        # In a batch, the added table shifts `referent_table` to the third position, as in calls outside of a batch.
        target = self._text(call, "referent_table", 2)
        if table is None or not target:
            return
        change = self._change(Action.CREATE, "constraint", self._name(call, "constraint_name"))
        change.table, change.type = table, "foreign key"
        change.target = ObjectName(target, names.text(call.named.get("referent_schema", -1)))
        change.columns = self._columns(call.argument("local_cols", 3))
        change.target_columns = self._columns(call.argument("remote_cols", 4))
        change.on_delete = names.text(call.named.get("ondelete", -1)).upper()
        change.on_update = names.text(call.named.get("onupdate", -1)).upper()

    def _drop_constraint(self, call: Call, schema: str) -> None:
        table, name = self._table(call, schema, 1), self._name(call, "constraint_name")
        if table is not None and name.name:
            change = self._change(Action.DROP, "constraint", name)
            change.table, change.type = table, _TYPES.get(self._text(call, "type_", 2), "")

    # ------------------------------------------------------------------ SQL

    def _execute(self, node: int) -> None:
        """Read the changes in a string of SQL that the migration runs."""
        names = self._names
        for argument in names.arguments(node)[:1]:
            call = names.call(argument)
            inner = call.argument("text", 0) if call is not None and last_part(call.name) in ("text", "DDL") else argument
            text = names.constant_text(inner)
            self._changes += changes_of_text(text, self._symbol, names.line(node)) if text else ()


def changes_of_table(model: MappedModel, table: ObjectName) -> list[SchemaChange]:
    """Return the changes that create the columns, keys and indexes of a table.

    A column type that is not from SQLAlchemy is the dotted name of its class, which another file may declare.
    """
    changes = MappedChanges()
    primary: list[str] = []
    keys: list[MappedKey] = []
    for field in model.fields:
        if not field.name:
            continue
        name = field.column or field.name
        kind = type_or_class(ColumnType(field.type, field.column_type))
        changes.column("", table, field, name, kind, nullable=field.nullable, default=field.default)
        if field.is_primary:
            primary.append(name)
        if (key := key_of_column(field, name)) is not None:
            keys.append(key)
    if primary and not any(key.kind == "primary key" for key in model.keys):
        keys.append(MappedKey("primary key", primary, model.symbol, model.line))
    for key in [*model.keys, *keys]:
        add_key(changes, "", table, key, key.fields, key.name)
    for field in model.fields:
        if field.target and field.targets_table:
            _add_foreign_key(changes, field, table)
    return [each.change for each in changes.all()]


def _add_foreign_key(changes: MappedChanges, field: MappedField, table: ObjectName) -> None:
    schema, _, name = field.target.rpartition(".")
    columns = field.fields or [field.column or field.name]
    rules = (field.on_delete, field.on_update)
    changes.foreign_key("", table, field, columns, ObjectName(name, schema), field.target_fields, field.foreign_key_name, rules)
