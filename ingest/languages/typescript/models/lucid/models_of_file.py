"""Models of Lucid as one file declares them: https://lucid.adonisjs.com/docs/models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from .....facts.model import Member, Shape
from .....facts.operations import Op
from ..declared import Call, DeclaredNames

FRAMEWORK: Final = "lucid"
#: Modules that declare the decorators, in the current version and in version 5.
_MODULES: Final = ("@adonisjs/lucid/orm", "@ioc:Adonis/Lucid/Orm")
#: The option of a model that keeps its columns in the case of its properties, and its value.
CAMEL_CASE: Final = "camel case"
_RELATIONS: Final = {
    "belongsTo": FieldKind.MANY_TO_ONE,
    "hasOne": FieldKind.ONE_TO_ONE,
    "hasMany": FieldKind.ONE_TO_MANY,
    "manyToMany": FieldKind.MANY_TO_MANY,
    "hasManyThrough": FieldKind.ONE_TO_MANY,
}


def lucid_models(names: DeclaredNames, _source: bytes) -> list[MappedModel]:
    """Return the models of a file, and the classes from which models may inherit columns."""
    return [model for shape in names.classes() if (model := _model(names, shape)) is not None]


def _model(names: DeclaredNames, shape: Shape) -> MappedModel | None:
    fields = [field for member in names.fields(shape) if (field := _field(names, member)) is not None]
    bases = list(_bases(names, shape))
    if not fields and not bases:
        return None
    table = next((names.text(each.value) for each in shape.members if each.static and each.name == "table"), "")
    line = names.line_of(shape.symbol)
    model = MappedModel(FRAMEWORK, shape.name, ModelKind.TABLE, shape.symbol, line, table, bases=bases, fields=fields)
    if any(each.static and each.name == "namingStrategy" for each in shape.members):
        model.options[CAMEL_CASE] = "true"
    return model


def _bases(names: DeclaredNames, shape: Shape) -> Iterator[str]:
    """Yield the references to the base classes of a class: `Base` for `compose(Base, Mixin)`, too."""
    yield from names.base_classes(shape)
    for node in shape.extends:
        call = names.call(node) if names.code[node] == Op.CALL else None
        if call is not None and call.name.endswith("compose") and (base := names.reference(call.argument(0))):
            yield base


def _field(names: DeclaredNames, member: Member) -> MappedField | None:
    for call in names.decorators(member.symbol):
        if call.module not in _MODULES:
            continue
        line = names.line_of(member.symbol)
        options = names.options(call.arguments)
        if call.name.partition(".")[0] == "column":
            field = MappedField(member.name, member.symbol, line, "", kind=FieldKind.COLUMN)
            field.column = names.text(options.get("columnName", -1))
            field.is_primary = names.is_true(options.get("isPrimary", -1))
            return field
        if call.name in _RELATIONS:
            field = MappedField(member.name, member.symbol, line, "", kind=_RELATIONS[call.name])
            field.is_owner = call.name == "belongsTo"
            field.target = _target(names, call)
            field.fields = [text for text in [names.text(options.get("foreignKey", -1))] if text]
            field.relation = names.text(options.get("pivotTable", -1))
            return field
    return None


def _target(names: DeclaredNames, call: Call) -> str:
    """Return the reference to the model of a relation: `@hasMany(() => Post)`, `@hasManyThrough([() => Post, () => User])`."""
    first = call.argument(0)
    elements = names.elements(first)
    return names.reference(names.result(elements[0] if elements else first)) or "?"
