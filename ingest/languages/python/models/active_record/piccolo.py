"""The tables of Piccolo in one file: https://piccolo-orm.readthedocs.io/en/latest/piccolo/schema/defining.html."""

from __future__ import annotations

from typing import Final

from .....facts.mapped_tables import MappedField, MappedModel, ModelKind
from .....facts.model import FileFacts
from ..declared import Attribute, Call, DeclaredClass, DeclaredNames

FRAMEWORK: Final = "piccolo"
_RELATION: Final = "ForeignKey"
#: Package of the classes of columns.
_COLUMNS: Final = "piccolo.columns."
#: Classes of columns that are always primary keys.
_AUTOMATIC: Final = frozenset(("PrimaryKey",))
#: Classes of columns with a length, and the length of other columns of text.
_SIZED: Final = frozenset(("Varchar", "Secret", "Email"))
_LENGTH: Final = "255"


def add_piccolo_models(facts: FileFacts) -> None:
    """Add the classes of a file that may be tables to its facts about data."""
    names = DeclaredNames(facts)
    models = [_model(names, each) for each in names.classes() if each.bases]
    if models:
        facts.own_data().models += models


def _model(names: DeclaredNames, cls: DeclaredClass) -> MappedModel:
    symbol = cls.shape.symbol
    model = MappedModel(FRAMEWORK, cls.shape.name, ModelKind.TABLE, symbol, names.facts.symbols[symbol].declaration_line)
    model.bases = list(cls.bases)
    model.table = names.text(names.class_keyword(cls, "tablename"))
    model.schema = names.text(names.class_keyword(cls, "schema"))
    for attribute in cls.attributes:
        call = names.call(attribute.value)
        if call is not None and call.name.startswith(_COLUMNS):
            field = _field(names, attribute, call)
            model.fields += [field] if field is not None else []
    return model


def _field(names: DeclaredNames, attribute: Attribute, call: Call) -> MappedField | None:
    """Return the column that a call declares; None for relations without a column."""
    own = call.name.rpartition(".")[2]
    if own == "M2M":
        return None
    line = names.facts.symbols[attribute.symbol].declaration_line
    field = MappedField(attribute.name, attribute.symbol, line, own)
    field.column = names.text(call.named.get("db_column_name", -1))
    field.nullable = names.is_true(call.named["null"]) if "null" in call.named else own == _RELATION
    field.is_primary = own in _AUTOMATIC or names.is_true(call.named.get("primary_key", -1))
    field.is_unique = names.is_true(call.named.get("unique", -1))
    field.is_indexed = names.is_true(call.named.get("index", -1))
    if own in _SIZED:
        field.size = f"({names.number(call.argument('length', 0)) or _LENGTH})"
    elif own in ("Numeric", "Decimal"):
        digits = [names.number(each) for each in names.elements(call.argument("digits", 0))]
        field.size = f"({', '.join(digits)})" if len(digits) == 2 and all(digits) else ""
    elif own == "Array":
        inner = names.call(call.argument("base_column", 0))
        field.type = inner.name.rpartition(".")[2] if inner is not None else own
        field.size = "[]"
    elif own == _RELATION:
        _relate(names, call, field)
    return field


def _relate(names: DeclaredNames, call: Call, field: MappedField) -> None:
    """Read the target of a foreign key: a class, a text with its name, or `LazyTableReference("Band")`."""
    target = call.argument("references", 0)
    lazy = names.call(target)
    if lazy is not None:
        target = lazy.argument("table_class_name", 0)
    field.target = names.text(target) or names.dotted(target) or "?"
    rule = names.dotted(call.named.get("on_delete", -1)).rpartition(".")[2]
    field.on_delete = rule.replace("_", " ").upper() or "CASCADE"
    changed = names.dotted(call.named.get("on_update", -1)).rpartition(".")[2]
    field.on_update = changed.replace("_", " ").upper() or "CASCADE"
    referred = call.named.get("target_column", -1)
    name = names.text(referred) or names.dotted(referred).rpartition(".")[2]
    field.target_fields = [name] if name else []
