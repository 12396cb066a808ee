"""Read columns and keys of SQLAlchemy from expressions: `Column(…)`, `mapped_column(…)`, `UniqueConstraint(…)`."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ....facts.mapped_tables import MappedField, MappedKey, MappedModel
from .declared import Attribute, Call, DeclaredNames
from .sqlalchemy_names import fitted
from .sqlalchemy_types import ANNOTATED, column_type, last_part

#: Calls that declare a column.
COLUMNS: Final = frozenset(("Column", "mapped_column", "MappedColumn"))
#: Calls among the arguments of a column that are not its type.
_NO_TYPES: Final = frozenset(("Sequence", "Identity", "Computed", "FetchedValue", "DefaultClause", "CheckConstraint"))
#: Generic types around the type of an attribute, such as `Mapped`, that do not affect its column.
_WRAPPERS: Final = frozenset(("Mapped", "WriteOnlyMapped", "DynamicMapped", "Annotated", "Optional", "Required", "Final"))
_KINDS: Final = {
    "UniqueConstraint": "unique",
    "PrimaryKeyConstraint": "primary key",
    "Index": "index",
    "ExcludeConstraint": "exclude",
    "CheckConstraint": "check",
}
#: Maximum depth of nested types.
_MAX_DEPTH: Final = 20


def field_of(names: DeclaredNames, attribute: Attribute, call: Call) -> MappedField:
    """Return the column that a call declares, with the properties from the annotation of its attribute."""
    line = names.facts.symbols[attribute.symbol].declaration_line
    field = MappedField(attribute.name, attribute.symbol, line, "", nullable=True)
    if attribute.annotation >= 0:
        _annotate(names, attribute.annotation, field)
    _apply(names, call, field)
    if field.target and field.type.removeprefix("Mapped[").removesuffix("]") in ANNOTATED:
        field.type = ""  # a foreign key has the type of its target, whatever the annotation says
    return field


def made_column(names: DeclaredNames, at: Attribute) -> MappedField | None:
    """Return the column that a function of the repository makes, which is a partial `Column`, or returns a column; else None."""
    call = names.call(at.value)
    if call is None:
        return None
    maker = call.name
    if last_part(maker) == "partial" and call.positional:
        maker, call = "", call._replace(name=names.dotted(call.positional[0]), positional=call.positional[1:])
    if last_part(call.name) not in COLUMNS:
        return None
    field = MappedField("", at.symbol, names.facts.symbols[at.symbol].declaration_line, "", nullable=True, maker=maker)
    _apply(names, call, field)
    return field


def completed(field: MappedField, other: MappedField) -> MappedField:
    """Return a column with the keys, the default and the reference that another declaration adds to it."""
    source = field if field.target else other
    return replace(
        field,
        is_primary=field.is_primary or other.is_primary,
        is_unique=field.is_unique or other.is_unique,
        is_indexed=field.is_indexed or other.is_indexed,
        default=field.default or other.default,
        target=source.target,
        target_fields=source.target_fields,
        targets_table=source.targets_table,
        on_delete=source.on_delete,
        on_update=source.on_update,
        foreign_key_name=source.foreign_key_name,
    )


def completed_by_maker(field: MappedField, made: MappedField) -> MappedField:
    """Return a column with the properties that the function has given to it that makes the column."""
    nullable = field.nullable and (made.nullable or field.states_nullable)
    return replace(
        completed(field, made),
        type=field.type or made.type,
        column_type=field.column_type or made.column_type,
        column=field.column or made.column,
        nullable=nullable and not made.is_primary,
        is_implicit=False,
    )


def annotated_field(names: DeclaredNames, attribute: Attribute, annotation: int) -> MappedField | None:
    """Return the column that an annotation declares, if any, with the properties from the value of its attribute."""
    line = names.facts.symbols[attribute.symbol].declaration_line
    field = MappedField(attribute.name, attribute.symbol, line, "")
    _annotate(names, annotation, field)
    call = names.call(attribute.value)
    if call is not None and last_part(call.name) == "Field":
        inner = names.call(call.named.get("sa_column", -1))
        if inner is not None:
            field = MappedField(attribute.name, attribute.symbol, line, "", nullable=True)
            _apply(names, inner, field)
            return field
        _apply_field(names, call, field)
    return field if field.type or field.column_type or field.target else None


def _annotate(names: DeclaredNames, node: int, field: MappedField, depth: int = 0) -> None:
    """Read the type of a column, and whether it may be null, from an annotation: `Mapped[str | None]`, `Annotated[int,
    mapped_column(…)]`.
    """
    if depth == 0:
        field.nullable = False
    sides = names.alternatives(node)
    inner = [each for each in sides if not names.is_none(each)]
    if len(inner) < len(sides):
        field.nullable = True
    if len(inner) != 1 or depth > _MAX_DEPTH:
        return
    generic, arguments = names.subscript(inner[0])
    own = last_part(generic)
    if own == "Union" and arguments:
        parts = [each for each in arguments if not names.is_none(each)]
        field.nullable = field.nullable or len(parts) < len(arguments)
        if len(parts) == 1:
            _annotate(names, parts[0], field, depth + 1)
    elif own in _WRAPPERS and arguments:
        field.nullable = field.nullable or own == "Optional"
        _annotate(names, arguments[0], field, depth + 1)
        for each in arguments[1:]:
            call = names.call(each)
            if call is not None and last_part(call.name) in COLUMNS:
                _apply(names, call, field)
            elif call is not None and last_part(call.name) == "Field":
                _apply_field(names, call, field)
            elif own == "Annotated" and (found := column_type(names, each)).sql:
                field.column_type = found.sql
    elif own == "Literal":
        field.type = "Mapped[]"
    elif name := generic or names.text(inner[0]) or names.dotted(inner[0]):
        field.type = f"Mapped[{name}]"


def _apply(names: DeclaredNames, call: Call, field: MappedField) -> None:
    """Read the arguments of `Column` or `mapped_column`."""
    given = list(call.positional)
    written = names.constant_text(given[0]) if given else ""
    if written:
        given.pop(0)
    written = names.text(call.named.get("name", -1)) or written
    field.column = written or field.column
    if "type_" in call.named:
        given.append(call.named["type_"])
    has_type = False
    for node in given:
        inner = names.call(names.value(node))
        own = last_part(inner.name) if inner is not None else ""
        if inner is not None and own == "ForeignKey":
            _foreign_key(names, inner, field)
        elif own not in _NO_TYPES and not has_type:
            found = column_type(names, node)
            field.type, field.column_type = found.name, found.sql
            has_type = True
    named = call.named
    field.is_primary = field.is_primary or names.is_true(named.get("primary_key", -1))
    field.is_unique = field.is_unique or names.is_true(named.get("unique", -1))
    field.is_indexed = field.is_indexed or names.is_true(named.get("index", -1))
    if "nullable" in named:
        field.nullable = field.states_nullable = not names.is_false(named["nullable"])
    elif field.is_primary:
        field.nullable = False
    field.default = _default(names, named.get("server_default", -1)) or field.default


def _apply_field(names: DeclaredNames, call: Call, field: MappedField) -> None:
    """Read the arguments of `Field` of SQLModel."""
    named = call.named
    if "sa_type" in named:
        found = column_type(names, named["sa_type"])
        field.type, field.column_type = found.name, found.sql
    elif length := names.number(named.get("max_length", -1)):
        field.column_type = f"varchar({length})"
    elif field.type == "Mapped[decimal.Decimal]" and (digits := names.number(named.get("max_digits", -1))):
        field.column_type = f"numeric({digits},{names.number(named.get('decimal_places', -1)) or 0})"
    field.is_primary = names.is_true(named.get("primary_key", -1))
    field.is_unique = names.is_true(named.get("unique", -1))
    field.is_indexed = names.is_true(named.get("index", -1))
    for each in names.elements(named.get("sa_column_args", -1)):
        inner = names.call(each)
        if inner is not None and last_part(inner.name) == "ForeignKey":
            _foreign_key(names, inner, field)
    further = names.entries(named.get("sa_column_kwargs", -1))
    field.column = names.text(further.get("name", -1))
    field.default = _default(names, further.get("server_default", -1))
    if written := names.text(named.get("foreign_key", -1)):
        _refer(field, written)
        field.on_delete = names.text(named.get("ondelete", -1)).upper()
    if "nullable" in named:
        field.nullable = not names.is_false(named["nullable"])
    elif field.is_primary:
        field.nullable = False


def _default(names: DeclaredNames, node: int) -> str:
    """Return the SQL of a column's default: a string, or `now()` for `text("now()")` and `func.now()`."""
    call = names.call(node)
    if call is not None:
        return names.text(call.argument("text", 0)) or f"{last_part(call.name)}()"
    return names.text(node)


def _foreign_key(names: DeclaredNames, call: Call, field: MappedField) -> None:
    target = names.value(call.argument("column", 0))
    written = names.text(target)
    if written:
        _refer(field, written)
    elif name := names.dotted(target):
        model, _, column = name.rpartition(".")
        field.target, field.target_fields = model.removesuffix(".c"), [column]
    else:
        field.target = "?"
    _rules(names, call, field)
    field.foreign_key_name = constraint_name(names, call.named.get("name", -1))


def _rules(names: DeclaredNames, call: Call, field: MappedField) -> None:
    field.on_delete = names.text(call.named.get("ondelete", -1)).upper()
    field.on_update = names.text(call.named.get("onupdate", -1)).upper()


def _refer(field: MappedField, written: str) -> None:
    """Set the reference of a foreign key from `table.column` or `schema.table.column`."""
    table, _, column = written.rpartition(".")
    field.target, field.target_fields, field.targets_table = table or column, [column] if table else [], True


def read_item(names: DeclaredNames, node: int, model: MappedModel) -> None:
    """Add a column or a key, which is an argument of `Table(…)`, to the table.

    The symbol of a column is a child of the table's symbol.
    """
    call = names.call(names.value(node))
    if call is None:
        return
    if last_part(call.name) not in COLUMNS:
        read_key(names, call, names.line(node), model)
        return
    name = names.constant_text(call.argument("name", 0))
    if name:
        attribute = Attribute(name, names.add_part(name, "column", model.symbol, node), node)
        model.fields.append(field_of(names, attribute, call))


def constraint_name(names: DeclaredNames, node: int) -> str:
    """Return the name of a key, which migrations may write as `op.f("name")`. SQLAlchemy shortens long names."""
    call = names.call(node)
    inner = call.argument("name", 0) if call is not None and last_part(call.name) == "f" else node
    return fitted(names.constant_text(inner))


def read_key(names: DeclaredNames, call: Call, line: int, model: MappedModel) -> None:
    """Add a key or an index that a call declares to a model: `UniqueConstraint("a", "b", name="c")`."""
    own = last_part(call.name)
    if own == "ForeignKeyConstraint":
        _key_of_several(names, call, line, model)
        return
    kind = _KINDS.get(own)
    if kind is None or kind == "check":
        return
    given = list(call.positional)
    name = constraint_name(names, call.named.get("name", -1))
    if kind == "index":
        written = call.argument("name", 0)
        name = constraint_name(names, written)
        given = given[1:] if "name" not in call.named else given
    columns = [column_named(names, node) for node in given]
    if kind == "exclude":
        return
    is_unique = names.is_true(call.named.get("unique", -1))
    model.keys.append(MappedKey("unique index" if kind == "index" and is_unique else kind, columns, model.symbol, line, name))


def column_named(names: DeclaredNames, node: int) -> str:
    """Return the name of the column that a part of an index names; "" for an expression."""
    node = names.value(node) if names.text(names.value(node)) else node
    call = names.call(node)
    if call is not None and last_part(call.name) in COLUMNS:
        return names.text(call.argument("name", 0))
    receiver, method = names.method_call(node)
    if method in ("desc", "asc", "nulls_last", "nulls_first", "nullslast", "nullsfirst"):
        return column_named(names, receiver)
    if call is not None and last_part(call.name) in ("desc", "asc") and call.positional:
        return column_named(names, call.positional[0])
    return names.text(node) or last_part(names.dotted(node))


def _key_of_several(names: DeclaredNames, call: Call, line: int, model: MappedModel) -> None:
    own, referred = names.elements(call.argument("columns", 0)), names.elements(call.argument("refcolumns", 1))
    field = MappedField("", model.symbol, line, "", fields=[column_named(names, each) for each in own])
    parts = [_referred(names, each) for each in referred]
    if not parts or len({each[0] for each in parts}) != 1:
        return
    field.target, field.target_fields = parts[0][0], [column for _, column, _ in parts]
    field.targets_table = parts[0][2]
    field.foreign_key_name = constraint_name(names, call.argument("name", 2))
    _rules(names, call, field)
    model.fields.append(field)


def _referred(names: DeclaredNames, node: int) -> tuple[str, str, bool]:
    written = names.text(names.value(node))
    table, _, column = (written or names.dotted(node)).rpartition(".")
    return table, column, bool(written)
