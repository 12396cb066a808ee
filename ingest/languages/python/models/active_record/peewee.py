"""The models of Peewee and Tortoise in one file.

See https://docs.peewee-orm.com/en/latest/peewee/models.html and https://tortoise.github.io/models.html.
"""

from __future__ import annotations

from typing import Final

from .....facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from .....facts.model import DeclKind, FileFacts
from ..declared import Attribute, Call, DeclaredClass, DeclaredNames
from ..hints import PEEWEE, TORTOISE

FRAMEWORK: Final = "peewee"
OF_TORTOISE: Final = "tortoise"
_RELATION: Final = "ForeignKeyField"
MANY_TO_MANY: Final = "ManyToManyField"
#: Options of `Meta` that derived models inherit.
LEGACY_NAMES: Final = "legacy_table_names"
#: Options of a model: whether a function computes the names of tables, and whether the model has no primary key.
COMPUTES_NAMES: Final = "table_function"
WITHOUT_KEY: Final = "primary_key"
_ONE_TO_ONE: Final = "OneToOneField"
#: Arguments with the name of a column.
_COLUMN_NAMES: Final = ("column_name", "db_column", "source_field")
#: Classes of fields that are always primary keys.
_AUTOMATIC: Final = frozenset(("AutoField", "BigAutoField", "PrimaryKeyField", "IdentityField"))


def add_peewee_models(facts: FileFacts) -> None:
    """Add the classes of a file that may be models to its facts about data."""
    reading = _Reading(DeclaredNames(facts))
    models = [reading.model(each) for each in reading.names.classes() if each.bases]
    if models:
        facts.own_data().models += models


class _Reading:
    def __init__(self, names: DeclaredNames) -> None:
        self.names = names
        #: The module from which the file imports all names with `*`, if there is one. This module may declare base classes.
        every = [each for each in names.facts.decls if each.kind == DeclKind.IMPORT and each.name == "*"]
        modules = [names.facts.strings[each.a] for each in every]
        self._starred = next((each for each in modules if PEEWEE.match(each)), "")
        self._own = {each.name for each in names.facts.shapes}
        is_of_tortoise = any(TORTOISE.match(each.specifier) for each in names.facts.imports)
        self._framework = OF_TORTOISE if is_of_tortoise else FRAMEWORK

    def _base(self, name: str) -> str:
        is_foreign = self._starred and "." not in name and name not in self._own
        return f"{self._starred}.{name}" if is_foreign else name

    def _line(self, symbol: int) -> int:
        return self.names.facts.symbols[symbol].declaration_line

    def model(self, cls: DeclaredClass) -> MappedModel:
        symbol = cls.shape.symbol
        model = MappedModel(self._framework, cls.shape.name, ModelKind.TABLE, symbol, self._line(symbol))
        model.bases = [self._base(base) for base in cls.bases]
        for attribute in cls.attributes:
            call = self.names.call(attribute.value)
            if call is not None and call.name.rpartition(".")[2].endswith("Field"):
                model.fields.append(self._field(attribute, call))
        meta = self.names.nested(cls, "Meta")
        if meta is not None:
            self._meta(meta, model)
        return model

    def _field(self, attribute: Attribute, call: Call) -> MappedField:
        names = self.names
        own = call.name.rpartition(".")[2]
        field = MappedField(attribute.name, attribute.symbol, self._line(attribute.symbol), own)
        field.column = next((names.text(call.named[each]) for each in _COLUMN_NAMES if each in call.named), "")
        field.nullable = names.is_true(call.named.get("null", -1))
        field.is_primary = own in _AUTOMATIC or names.is_true(call.named.get("primary_key", call.named.get("pk", -1)))
        field.is_unique = own == _ONE_TO_ONE or names.is_true(call.named.get("unique", -1))
        written = call.named.get("index", call.named.get("db_index", -1))
        field.is_indexed = names.is_true(written) if written >= 0 else own == _RELATION and self._framework == FRAMEWORK
        field.size = self._size(own, call)
        if own in (_RELATION, _ONE_TO_ONE, MANY_TO_MANY, "DeferredForeignKey"):
            target = call.argument("rel_model" if own == "DeferredForeignKey" else "model", 0)
            for each in ("rel_model", "model_name", "to"):
                target = call.named.get(each, -1) if target < 0 else target
            field.target = names.text(target) or names.dotted(target) or "?"
            field.is_list = own == MANY_TO_MANY
            rule = call.named.get("on_delete", -1)
            written_rule = names.text(rule) or names.dotted(rule).rpartition(".")[2].replace("_", " ")
            field.on_delete = written_rule.upper() or ("CASCADE" if self._framework == OF_TORTOISE and not field.is_list else "")
            field.on_update = names.text(call.named.get("on_update", -1)).upper()
            field.inverse = names.text(call.named.get("backref", call.named.get("related_name", -1)))
            through = call.named.get("through_model", call.named.get("through", -1))
            field.through = names.dotted(through) or names.text(through)
            is_second = own == _RELATION and self._framework == FRAMEWORK
            referred = call.argument("field" if self._framework == FRAMEWORK else "to_field", 1 if is_second else -1)
            name = names.text(referred) or names.dotted(referred).rpartition(".")[2]
            field.target_fields = [name] if name else []
        return field

    def _size(self, own: str, call: Call) -> str:
        names = self.names
        if own in ("CharField", "FixedCharField"):
            return f"({names.number(call.argument('max_length', 0)) or 255})"
        if own == "DecimalField":
            digits = names.number(call.argument("max_digits", 0)) or "10"
            return f"({digits}, {names.number(call.argument('decimal_places', 1)) or '5'})"
        return ""

    def _meta(self, meta: DeclaredClass, model: MappedModel) -> None:
        names = self.names
        for each in meta.attributes:
            if each.name in ("table_name", "db_table", "table"):
                model.table = names.text(each.value)
            elif each.name == "schema":
                model.schema = names.text(each.value)
            elif each.name == LEGACY_NAMES:
                model.options = {**model.options, LEGACY_NAMES: "no" if names.is_false(each.value) else "yes"}
            elif each.name in ("table_function", "db_table_func"):
                model.options = {**model.options, COMPUTES_NAMES: "yes"}
            elif each.name == "primary_key":
                self._primary_key(each, model)
            elif each.name == "abstract" and names.is_true(each.value):
                model.kind = ModelKind.ABSTRACT
            elif each.name == "unique_together" or (each.name == "indexes" and self._framework == OF_TORTOISE):
                self._keys_together(each, model)
            elif each.name == "indexes":
                self._indexes(each, model)
        if "table_function" in {each.name for each in meta.methods}:
            model.options = {**model.options, COMPUTES_NAMES: "yes"}

    def _primary_key(self, attribute: Attribute, model: MappedModel) -> None:
        call = self.names.call(attribute.value)
        if self.names.is_false(attribute.value):
            model.options = {**model.options, WITHOUT_KEY: "no"}
        elif call is not None and call.name.endswith("CompositeKey"):
            fields = [self.names.text(each) for each in call.positional]
            model.keys.append(MappedKey("primary key", fields, attribute.symbol, self._line(attribute.symbol)))

    def _keys_together(self, attribute: Attribute, model: MappedModel) -> None:
        """Read the keys of Tortoise over several fields: `unique_together = ("name", "town")`, or a tuple of such tuples."""
        flat = self.names.texts(attribute.value)
        for fields in [flat] if flat else [self.names.texts(each) for each in self.names.elements(attribute.value)]:
            if fields:
                kind = "unique" if attribute.name == "unique_together" else "index"
                model.keys.append(MappedKey(kind, fields, attribute.symbol, self._line(attribute.symbol)))

    def _indexes(self, attribute: Attribute, model: MappedModel) -> None:
        for each in self.names.elements(attribute.value):
            parts = self.names.elements(each)
            fields = self.names.texts(parts[0]) if parts else []
            if fields:
                kind = "unique" if len(parts) > 1 and self.names.is_true(parts[1]) else "index"
                model.keys.append(MappedKey(kind, fields, attribute.symbol, self._line(attribute.symbol)))
