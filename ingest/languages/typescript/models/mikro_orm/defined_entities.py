"""Entities of MikroORM that calls define: https://mikro-orm.io/docs/define-entity.

const UserSchema = defineEntity({ name: 'User', properties: { id: p.integer().primary(), posts: () => p.oneToMany(PostSchema) } })
export class User extends UserSchema.class {}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from .....facts.model import Member
from ..call_chains import Chain, chain_of
from ..declared import DeclaredNames

FRAMEWORK: Final = "mikro-orm"
#: Prefix of the packages of MikroORM.
PACKAGES: Final = "@mikro-orm/"
_DEFINER: Final = "defineEntity"
#: The member of a defined entity that its class extends.
CLASS: Final = ".class"
_TYPES: Final = {
    "integer": "int", "smallint": "smallint", "tinyint": "smallint", "mediumint": "int", "bigint": "bigint", "float": "real",
    "double": "double precision", "decimal": "numeric(10,0)", "boolean": "boolean", "string": "string", "character": "char(255)",
    "text": "text", "uuid": "uuid", "date": "date", "datetime": "timestamptz", "time": "time(0)", "json": "jsonb",
    "blob": "bytea", "uint8array": "bytea", "array": "text[]", "enum": "text", "interval": "interval", "type": "",
}  # fmt: skip
_RELATIONS: Final = {
    "oneToOne": FieldKind.ONE_TO_ONE,
    "oneToMany": FieldKind.ONE_TO_MANY,
    "manyToOne": FieldKind.MANY_TO_ONE,
    "manyToMany": FieldKind.MANY_TO_MANY,
}


def defined_entities(names: DeclaredNames, source: bytes) -> Iterator[MappedModel]:
    """Yield the entities that calls in a file define, and the classes that extend them."""
    for decl in names.variables():
        call = names.call(decl.b) if decl.symbol >= 0 else None
        if call is not None and call.name == _DEFINER and call.module.startswith(PACKAGES):
            yield _entity(names, decl.name, decl.symbol, call.argument(0), source)
    for shape in names.classes():
        bases = [base.removesuffix(CLASS) for base in names.base_classes(shape) if base.endswith(CLASS)]
        if bases:
            line = names.line_of(shape.symbol)
            yield MappedModel(FRAMEWORK, shape.name, ModelKind.PROXY, shape.symbol, line, bases=bases)


def _entity(names: DeclaredNames, name: str, symbol: int, argument: int, source: bytes) -> MappedModel:
    options = names.object(argument)
    model = MappedModel(
        FRAMEWORK, name, ModelKind.TABLE, symbol, names.line_of(symbol), entity=names.text(options.get("name", -1))
    )
    model.table = names.text(options.get("tableName", -1))
    model.schema = names.text(options.get("schema", -1))
    if names.is_true(options.get("abstract", -1)):
        model.kind = ModelKind.ABSTRACT
    elif names.is_true(options.get("embeddable", -1)):
        model.kind = ModelKind.EMBEDDED
    if base := names.reference(options.get("extends", -1)):
        model.bases = [base]
    for member in names.properties(names.result(options.get("properties", -1))):
        chain = chain_of(names, names.result(member.value))
        field = _field(names, member, chain) if chain is not None else None
        if field is not None:
            field.symbol = names.add_property(symbol, member, source)
            field.line = names.line_of(field.symbol)
            model.fields.append(field)
    return model


def _field(names: DeclaredNames, member: Member, chain: Chain) -> MappedField | None:
    field = MappedField(member.name, -1, 0, "", kind=FieldKind.COLUMN)
    field.column = _text(names, chain, "fieldName") or _text(names, chain, "name")
    field.nullable = chain.link("nullable") is not None
    field.is_unique = chain.link("unique") is not None
    field.is_primary = chain.link("primary") is not None
    if chain.called in _RELATIONS:
        _relation(names, chain, field)
        return field
    persist = chain.link("persist")
    if chain.called == "formula" or (persist is not None and names.is_false(persist.argument(0))):
        return None
    if chain.called == "embedded":
        return _embedded(names, chain, field)
    if chain.called not in _TYPES:
        return None
    field.type = _TYPES[chain.called]
    field.column_type = _text(names, chain, "columnType") or ("" if field.type == "string" else field.type)
    for link in chain.rest:
        if link.name == "default":
            field.default = names.literal(link.argument(0))
        elif link.name == "length":
            field.size = names.number(link.argument(0))
    return field


def _embedded(names: DeclaredNames, chain: Chain, field: MappedField) -> MappedField:
    """Return an embedded value, or the column that holds it as an object."""
    if chain.link("object") is not None or chain.link("array") is not None:
        field.column_type = "jsonb"
        return field
    field.kind = FieldKind.EMBEDDED
    field.target = names.reference(chain.first.argument(0)) or "?"
    field.prefix = _text(names, chain, "prefix")
    return field


def _relation(names: DeclaredNames, chain: Chain, field: MappedField) -> None:
    field.kind = _RELATIONS[chain.called]
    field.target = names.reference(chain.first.argument(0)) or "?"
    field.inverse = _text(names, chain, "mappedBy") or _text(names, chain, "inversedBy")
    has_owner = chain.link("mappedBy") is not None
    field.is_owner = field.kind == FieldKind.MANY_TO_ONE or (field.kind != FieldKind.ONE_TO_MANY and not has_owner)
    field.column = field.column or _text(names, chain, "joinColumn")
    field.relation = _text(names, chain, "pivotTable")
    field.on_delete = _text(names, chain, "deleteRule")
    field.fields = [text for text in [_text(names, chain, "joinColumn")] if text]
    field.inverse_fields = [text for text in [_text(names, chain, "inverseJoinColumn")] if text]


def _text(names: DeclaredNames, chain: Chain, name: str) -> str:
    """Return the text in a call of a chain: `headline` for `p.string().fieldName('headline')`."""
    link = chain.link(name)
    return names.text(link.argument(0)) if link is not None else ""
