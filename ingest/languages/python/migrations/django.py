"""The operations in one migration file of Django: https://docs.djangoproject.com/en/stable/ref/migration-operations/."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ....data.sql.embedded_changes import changes_of_text
from ....facts.data import Action, Migration, MigrationStep, ModelOperation
from ....facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts
from ..models.declared import Attribute, Call, DeclaredClass, DeclaredNames
from ..models.django import DjangoReading
from ..models.hints import MIGRATION

_BASE: Final = "django.db.migrations"
#: Parts of an operation that change only Django's state of the models, or only the database.
_SCOPES: Final = {"state_operations": "state", "database_operations": "database"}
#: Reads the arguments of an operation. Returns whether the operation changes tables.
Reader = Callable[["_Reading", Call, ModelOperation], bool]


def add_django_migration(facts: FileFacts) -> None:
    """Add the operations of a Django migration to the facts of its file."""
    names = DeclaredNames(facts)
    for cls in names.classes():
        if cls.shape.name == MIGRATION and any(base.startswith(_BASE) for base in cls.bases):
            facts.own_data().migration = _Reading(names, cls).migration()


class _Reading:
    def __init__(self, names: DeclaredNames, cls: DeclaredClass) -> None:
        self.names = names
        self.models = DjangoReading(names)
        self.symbol = cls.shape.symbol
        self._attributes = {each.name: each.value for each in cls.attributes}
        self._steps: list[MigrationStep] = []

    def migration(self) -> Migration:
        operations = self._attributes.get("operations", -1)
        for node in self._listed(self.names.value(operations)):
            self._operation(node, "")
        after, replaces, before = map(self._migrations, ("dependencies", "replaces", "run_before"))
        return Migration("django", "", after, self._steps, replaces, before)

    def _migrations(self, attribute: str) -> list[str]:
        """Return the migrations in a list, which is an attribute of the class."""
        nodes = self.names.elements(self._attributes.get(attribute, -1))
        return [name for node in nodes if (name := self._dependency(node))]

    def _listed(self, node: int) -> Sequence[int]:
        """Return the operations in a list, which may be an attribute of the class."""
        named = self._attributes.get(self.names.dotted(node), -1)
        return self.names.elements(named if named >= 0 else node)

    def _dependency(self, node: int) -> str:
        """Return a dependency as `application/name`. A swappable model depends on the first migration of its application."""
        parts = self.names.texts(node)
        if len(parts) == 2:
            return "/".join(parts)
        call = self.names.call(node)
        target = self.names.dotted(call.positional[0]) if call is not None and call.positional else ""
        return f"setting:{target.rpartition('.')[2]}" if target else ""

    def _operation(self, node: int, scope: str) -> None:
        call = self.names.call(node)
        own = call.name.rpartition(".")[2] if call is not None else ""
        if call is None:
            return
        if own == "SeparateDatabaseAndState":
            for place, (argument, inner) in enumerate(reversed(_SCOPES.items())):
                for part in self._listed(call.argument(argument, place)):
                    self._operation(part, scope or inner)
        elif own == "RunSQL":
            self._run(call, node)
        elif (reader := _READERS.get(own)) is not None:
            made = ModelOperation(Action.ALTER, "model", self._model(""), self.symbol, self.names.line(node), scope=scope)
            if reader(self, call, made):
                self._steps.append(MigrationStep(operation=made))

    def _run(self, call: Call, node: int) -> None:
        """Read the changes in SQL: a string, or a list of strings and of pairs (string, parameters)."""
        sql = call.argument("sql", 0)
        line = self.names.line(node)
        texts = [self.names.constant_text(sql)]
        for each in self.names.elements(sql):
            pair = self.names.elements(each)
            texts.append(self.names.constant_text(pair[0] if pair else each))
        changes = [change for text in texts if text for change in changes_of_text(text, self.symbol, line)]
        if changes:
            self._steps.append(MigrationStep(changes))
        for part in self.names.elements(call.named.get("state_operations", -1)):
            self._operation(part, "state")

    # ------------------------------------------------------------------ parts

    def _model(self, name: str) -> MappedModel:
        return MappedModel("django", name, ModelKind.TABLE, self.symbol, 0)

    def text(self, call: Call, name: str, place: int) -> str:
        """Return an argument that is a string."""
        return self.names.constant_text(call.argument(name, place))

    def field(self, name: str, node: int, parent: int) -> MappedField | None:
        """Return a field of a model, and add a symbol for its column inside the symbol `parent`."""
        call = self.names.call(node)
        if call is None or not name:
            return None
        symbol = self.names.add_part(name, "column", parent, node)
        return self.models.field(Attribute(name, symbol, node), call)


def _create_model(reading: _Reading, call: Call, made: ModelOperation) -> bool:
    names = reading.names
    name = reading.text(call, "name", 0)
    symbol = names.add_part(name, "table", reading.symbol, call.argument("name", 0)) if name else -1
    if symbol < 0:
        return False
    model = MappedModel("django", name, ModelKind.TABLE, symbol, made.line)
    made.action, made.model = Action.CREATE, model
    for pair in names.elements(call.argument("fields", 1)):
        parts = names.elements(pair)
        field = reading.field(names.text(parts[0]), parts[1], symbol) if len(parts) == 2 else None
        if field is not None:
            model.fields.append(field)
    for base in names.elements(call.argument("bases", 3)):
        if text := names.text(base):
            model.bases.append(text)
    for key, value in names.entries(call.argument("options", 2)).items():
        option = Attribute(key, symbol, value)
        if key == "db_table":
            model.table = names.constant_text(value).strip('"')
        elif key == "proxy" and names.is_true(value):
            model.kind = ModelKind.PROXY
        elif key == "swappable":
            model.options = {key: names.constant_text(value)}
        elif key == "managed" and names.is_false(value):
            model.is_managed = False
        elif key in ("unique_together", "index_together"):
            model.keys += reading.models.keys_together(key.removesuffix("_together"), option)
        elif key in ("indexes", "constraints"):
            for each in names.elements(value):
                if (inner := names.call(each)) is not None:
                    reading.models.key(option, inner, model)
    return True


def _delete_model(reading: _Reading, call: Call, made: ModelOperation) -> bool:
    made.action, made.model.name = Action.DROP, reading.text(call, "name", 0)
    return bool(made.model.name)


def _rename_model(reading: _Reading, call: Call, made: ModelOperation) -> bool:
    made.action, made.model.name = Action.RENAME, reading.text(call, "old_name", 0)
    made.new_name = reading.text(call, "new_name", 1)
    return bool(made.model.name and made.new_name)


def _alter_table(reading: _Reading, call: Call, made: ModelOperation) -> bool:
    made.kind, made.model.name = "table", reading.text(call, "name", 0)
    written = call.argument("table", 1)
    made.new_name = reading.names.constant_text(written)
    return bool(made.model.name) and (bool(made.new_name) or reading.names.is_none(written))


def _alter_together(kind: str) -> Reader:
    def read(reading: _Reading, call: Call, made: ModelOperation) -> bool:
        made.kind, made.model.name = kind, reading.text(call, "name", 0)
        option = Attribute(kind, reading.symbol, call.argument(f"{kind}_together", 1))
        made.model.keys = reading.models.keys_together(kind, option)
        return bool(made.model.name)

    return read


def _with_field(action: str) -> Reader:
    def read(reading: _Reading, call: Call, made: ModelOperation) -> bool:
        made.action, made.kind, made.model.name = action, "field", reading.text(call, "model_name", 0)
        made.name = reading.text(call, "name", 1)
        if action != Action.DROP:
            field = reading.field(made.name, call.argument("field", 2), reading.symbol)
            made.model.fields = [field] if field is not None else []
        return bool(made.model.name and made.name) and (action == Action.DROP or bool(made.model.fields))

    return read


def _rename_field(reading: _Reading, call: Call, made: ModelOperation) -> bool:
    made.action, made.kind, made.model.name = Action.RENAME, "field", reading.text(call, "model_name", 0)
    made.name, made.new_name = reading.text(call, "old_name", 1), reading.text(call, "new_name", 2)
    return bool(made.model.name and made.name and made.new_name)


def _add_key(argument: str) -> Reader:
    def read(reading: _Reading, call: Call, made: ModelOperation) -> bool:
        made.action, made.kind, made.model.name = Action.CREATE, "key", reading.text(call, "model_name", 0)
        inner = reading.names.call(call.argument(argument, 1))
        if inner is not None:
            reading.models.key(Attribute(argument, reading.symbol, -1), inner, made.model)
        return bool(made.model.name and made.model.keys)

    return read


def _remove_key(reading: _Reading, call: Call, made: ModelOperation) -> bool:
    made.action, made.kind, made.model.name = Action.DROP, "key", reading.text(call, "model_name", 0)
    made.name = reading.text(call, "name", 1)
    return bool(made.model.name and made.name)


def _rename_index(reading: _Reading, call: Call, made: ModelOperation) -> bool:
    made.action, made.kind, made.model.name = Action.RENAME, "key", reading.text(call, "model_name", 0)
    made.new_name, made.name = reading.text(call, "new_name", 1), reading.text(call, "old_name", 2)
    fields = reading.names.texts(call.argument("old_fields", 3))
    made.model.keys = [MappedKey("index", fields, reading.symbol, made.line)] if fields else []
    return bool(made.model.name and (made.name or fields) and made.new_name)


_READERS: Final[Mapping[str, Reader]] = {
    "CreateModel": _create_model,
    "DeleteModel": _delete_model,
    "RenameModel": _rename_model,
    "AlterModelTable": _alter_table,
    "AlterUniqueTogether": _alter_together("unique"),
    "AlterIndexTogether": _alter_together("index"),
    "AddField": _with_field(Action.CREATE),
    "AlterField": _with_field(Action.ALTER),
    "RemoveField": _with_field(Action.DROP),
    "RenameField": _rename_field,
    "AddIndex": _add_key("index"),
    "AddIndexConcurrently": _add_key("index"),
    "AddConstraint": _add_key("constraint"),
    "AddConstraintNotValid": _add_key("constraint"),
    "RemoveIndex": _remove_key,
    "RemoveIndexConcurrently": _remove_key,
    "RemoveConstraint": _remove_key,
    "RenameIndex": _rename_index,
}
