"""Entities of MikroORM as one file declares them: https://mikro-orm.io/docs/decorators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from .....facts.model import Member, Shape
from .....facts.operations import Op
from ..declared import Call, DeclaredNames
from .defined_entities import FRAMEWORK, PACKAGES, defined_entities

_COLUMNS: Final = frozenset(("Property", "PrimaryKey", "Enum"))
_RELATIONS: Final = {
    "OneToOne": FieldKind.ONE_TO_ONE,
    "OneToMany": FieldKind.ONE_TO_MANY,
    "ManyToOne": FieldKind.MANY_TO_ONE,
    "ManyToMany": FieldKind.MANY_TO_MANY,
}


def mikro_orm_models(names: DeclaredNames, source: bytes) -> list[MappedModel]:
    """Return the entities of a file."""
    reading = _Reading(names)
    decorated = [model for shape in names.classes() if (model := reading.entity(shape)) is not None]
    return [*decorated, *defined_entities(names, source)]


class _Reading:
    def __init__(self, names: DeclaredNames) -> None:
        self._names = names

    def entity(self, shape: Shape) -> MappedModel | None:
        """Return a class with decorators of MikroORM as a model, or None."""
        names = self._names
        model = MappedModel(FRAMEWORK, shape.name, ModelKind.ABSTRACT, shape.symbol, names.line_of(shape.symbol))
        model.bases = names.base_classes(shape)
        for call in self._decorators(shape.symbol):
            options = names.object(call.argument(0))
            if call.name == "Entity" and not names.is_true(options.get("abstract", -1)):
                model.kind = ModelKind.TABLE
                model.table = names.text(options.get("tableName", -1)) or names.text(options.get("collection", -1))
                model.schema = names.text(options.get("schema", -1))
            elif call.name == "Embeddable":
                model.kind = ModelKind.EMBEDDED
        for member in names.fields(shape):
            self._member(member, model)
        return model if model.fields or model.kind == ModelKind.TABLE else None

    def _decorators(self, symbol: int) -> list[Call]:
        return [call for call in self._names.decorators(symbol) if call.module.startswith(PACKAGES)]

    def _member(self, member: Member, model: MappedModel) -> None:
        names = self._names
        for call in self._decorators(member.symbol):
            line = names.line_of(member.symbol)
            kind = names.type_name(member.type) or names.inferred_type(member.value)
            field = MappedField(member.name, member.symbol, line, kind, kind=FieldKind.COLUMN)
            options = names.options(call.arguments)
            if call.name in _COLUMNS:
                self._column(options, field)
                if names.is_false(options.get("persist", -1)):
                    return
                field.is_primary = call.name == "PrimaryKey"
                model.fields.append(field)
            elif call.name in _RELATIONS:
                field.kind = _RELATIONS[call.name]
                self._relation(call, options, member, field)
                model.fields.append(field)
            elif call.name == "Embedded":
                field.kind = FieldKind.EMBEDDED
                first = call.argument(0) if names.is_function(call.argument(0)) else options.get("entity", -1)
                field.target = names.reference(names.result(first)) or kind
                field.prefix = names.text(options.get("prefix", -1))
                model.fields.append(field)
            else:
                continue
            if any(each.name == "Unique" for each in self._decorators(member.symbol)):
                field.is_unique = True
            return

    def _column(self, options: Mapping[str, int], field: MappedField) -> None:
        names = self._names
        field.column = names.text(options.get("fieldName", -1)) or names.text(options.get("name", -1))
        field.column_type = names.text(options.get("columnType", -1)) or names.text(options.get("type", -1))
        field.nullable = names.is_true(options.get("nullable", -1))
        field.is_unique = names.is_true(options.get("unique", -1))
        field.default = names.literal(options.get("default", -1))
        field.size = names.number(options.get("length", -1))

    def _relation(self, call: Call, options: Mapping[str, int], member: Member, field: MappedField) -> None:
        names = self._names
        first = call.argument(0)
        entity = first if names.is_function(first) else options.get("entity", -1)
        field.target = names.reference(names.result(entity)) or names.text(entity) or self._written_target(member)
        for each in (*call.arguments[1:], *(options.get(key, -1) for key in ("mappedBy", "inversedBy"))):
            result = names.result(each) if each >= 0 else -1
            if result >= 0 and not names.is_object(each):
                is_member = names.code[result] == Op.MEMBER
                field.inverse = names.string(names.code[result + 2]) if is_member else names.text(each)
        has_mapped_by = "mappedBy" in options or (call.argument(1) >= 0 and "inversedBy" not in options and bool(field.inverse))
        field.is_owner = field.kind == FieldKind.MANY_TO_ONE or (
            field.kind != FieldKind.ONE_TO_MANY and (not has_mapped_by or names.is_true(options.get("owner", -1)))
        )
        field.nullable = names.is_true(options.get("nullable", -1))
        field.is_primary = names.is_true(options.get("primary", -1))
        field.column = next(
            (text for key in ("fieldName", "joinColumn", "name") if (text := names.text(options.get(key, -1)))), ""
        )
        field.relation = names.text(options.get("pivotTable", -1))
        field.fields = [text for text in [names.text(options.get("joinColumn", -1))] if text]
        field.inverse_fields = [text for text in [names.text(options.get("inverseJoinColumn", -1))] if text]
        field.on_delete = names.text(options.get("deleteRule", options.get("onDelete", -1)))

    def _written_target(self, member: Member) -> str:
        """Return the entity in the type or the value of a property: `Ref<User>`, `Collection<Post>`, `new
        Collection<Post>(this)`.
        """
        names, code = self._names, self._names.code
        node = member.type if member.type >= 0 else names.value(member.value)
        if node < 0:
            return "?"
        if code[node] == Op.T_REFERENCE and names.items(code[node + 2]):
            return names.type_name(names.items(code[node + 2])[0]) or "?"
        if code[node] == Op.NEW and names.items(code[node + 3]):
            return names.type_name(names.items(code[node + 3])[0]) or "?"
        return names.type_name(node) or "?"
