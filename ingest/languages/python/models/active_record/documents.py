"""The documents of MongoEngine and Beanie in one file; their collections are tables.

See https://docs.mongoengine.org/guide/defining-documents.html and https://beanie-odm.dev/tutorial/defining-a-document/.
"""

from __future__ import annotations

import re
from typing import Final

from .....facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from .....facts.model import FileFacts
from ..declared import Attribute, Call, DeclaredClass, DeclaredNames
from ..hints import BEANIE

OF_MONGOENGINE: Final = "mongoengine"
OF_BEANIE: Final = "beanie"
#: Option of a document whose derived documents are in the same collection.
SHARED: Final = "allow_inheritance"
_REFERENCES: Final = frozenset(("ReferenceField", "LazyReferenceField", "CachedReferenceField"))
_LISTS: Final = frozenset(("ListField", "SortedListField", "EmbeddedDocumentListField"))
#: Fields of MongoEngine that other fields wrap.
_FIELD: Final = re.compile(r"\w*Field")
#: Types of Beanie that refer to other documents; the second has no value in the document.
_LINK: Final = "Link"
_BACK_LINK: Final = "BackLink"
#: Types around other types in annotations.
_OPTIONAL: Final = frozenset(("Optional", "Union", "Annotated"))
_SEQUENCES: Final = frozenset(("list", "List", "set", "Set", "Sequence", "tuple", "Tuple"))
#: Classes inside of a document of Beanie with its options.
_OPTIONS: Final = ("Settings", "Collection")
_DIRECTIONS: Final = {"-": "_-1", "+": "_1", "$": "_text", "#": "_hashed", "*": "_2dsphere"}
_MAX_DEPTH: Final = 6


def add_documents(facts: FileFacts) -> None:
    """Add the classes of a file that may be documents to its facts about data."""
    names = DeclaredNames(facts)
    is_of_beanie = any(BEANIE.match(each.specifier) for each in facts.imports)
    classes = [each for each in names.classes() if each.bases]
    models = [_beanie(names, each) if is_of_beanie else _mongoengine(names, each) for each in classes]
    if models:
        facts.own_data().models += models


def _made(names: DeclaredNames, cls: DeclaredClass, framework: str) -> MappedModel:
    symbol = cls.shape.symbol
    model = MappedModel(framework, cls.shape.name, ModelKind.TABLE, symbol, names.facts.symbols[symbol].declaration_line)
    model.bases = list(cls.bases)
    return model


def _new_field(names: DeclaredNames, attribute: Attribute, kind: str) -> MappedField:
    return MappedField(attribute.name, attribute.symbol, names.facts.symbols[attribute.symbol].declaration_line, kind)


# ---------------------------------------------------------------------- MongoEngine


def _mongoengine(names: DeclaredNames, cls: DeclaredClass) -> MappedModel:
    model = _made(names, cls, OF_MONGOENGINE)
    for attribute in cls.attributes:
        call = _field_call(names, attribute.value)
        if attribute.name == "meta":
            _meta(names, attribute, model)
        elif call is not None:
            model.fields.append(_field(names, attribute, call))
    return model


def _field_call(names: DeclaredNames, node: int) -> Call | None:
    """Return the call that makes a field, perhaps inside of the call of a wrapper: `documented(StringField(), label="x")`."""
    call = names.call(node)
    if call is None or _FIELD.fullmatch(call.name.rpartition(".")[2]):
        return call
    inner = names.call(call.positional[0]) if call.positional else None
    return inner if inner is not None and _FIELD.fullmatch(inner.name.rpartition(".")[2]) else None


def _field(names: DeclaredNames, attribute: Attribute, call: Call) -> MappedField:
    own = call.name.rpartition(".")[2]
    field = _new_field(names, attribute, own)
    field.column = names.text(call.named.get("db_field", -1))
    field.is_primary = names.is_true(call.named.get("primary_key", -1))
    field.nullable = not names.is_true(call.named.get("required", -1))
    field.is_unique = names.is_true(call.named.get("unique", -1)) or "unique_with" in call.named
    rule = names.dotted(call.named.get("reverse_delete_rule", -1)).rpartition(".")[2]
    if own in _LISTS:
        field.size = "[]"
        inner = names.call(call.argument("field", 0)) if own != "EmbeddedDocumentListField" else None
        field.type = inner.name.rpartition(".")[2] if inner is not None else ""
        call = inner if inner is not None else call
        rule = rule or names.dotted(call.named.get("reverse_delete_rule", -1)).rpartition(".")[2]
    if field.type in _REFERENCES:
        target = call.argument("document_type", 0)
        field.target = names.text(target) or names.dotted(target) or "?"
        field.on_delete = {"CASCADE": "CASCADE", "NULLIFY": "SET NULL", "DENY": "RESTRICT"}.get(rule, "")
    return field


def _meta(names: DeclaredNames, attribute: Attribute, model: MappedModel) -> None:
    entries = names.entries(attribute.value)
    model.table = names.text(entries.get("collection", -1))
    if names.is_true(entries.get("abstract", -1)):
        model.kind = ModelKind.ABSTRACT
    if names.is_true(entries.get(SHARED, -1)):
        model.options = {**model.options, SHARED: "yes"}
    for each in names.elements(entries.get("indexes", -1)):
        options = names.entries(each)
        written = options.get("fields", each)
        fields = names.texts(written) or [names.text(written)]
        if all(fields):
            kind = "unique" if names.is_true(options.get("unique", -1)) else "index"
            model.keys.append(MappedKey(kind, fields, attribute.symbol, names.facts.symbols[attribute.symbol].declaration_line))


def index_part(written: str) -> tuple[str, str]:
    """Return the field of an index and its direction in the name of the index: `-created` has the direction `_-1`."""
    return (written[1:], _DIRECTIONS[written[0]]) if written[:1] in _DIRECTIONS else (written, "_1")


# ---------------------------------------------------------------------- Beanie


def _beanie(names: DeclaredNames, cls: DeclaredClass) -> MappedModel:
    model = _made(names, cls, OF_BEANIE)
    for attribute in cls.attributes:
        if attribute.annotation >= 0 and not attribute.name.startswith("_") and attribute.name != "model_config":
            field = _annotated(names, attribute)
            model.fields += [field] if field is not None else []
    for each in filter(None, (names.nested(cls, name) for name in _OPTIONS)):
        for attribute in each.attributes:
            if attribute.name == "name":
                model.table = names.text(attribute.value)
                model.options = {**model.options, "name": "stated"}
            elif attribute.name == "is_root" and names.is_true(attribute.value):
                model.options = {**model.options, SHARED: "yes"}
    return model


def _annotated(names: DeclaredNames, attribute: Attribute) -> MappedField | None:
    """Return the field that an annotation declares; None for variables of the class and for links without a value."""
    field = _new_field(names, attribute, "")
    found = _read_type(names, attribute.annotation, field, 0)
    if field.target or field.type not in ("ClassVar", "PrivateAttr", _BACK_LINK):
        return field if found else None
    return None


def _read_type(names: DeclaredNames, node: int, field: MappedField, depth: int) -> bool:
    """Read the type of a field. Return whether the annotation has one."""
    for side in names.alternatives(node) if depth < _MAX_DEPTH else ():
        if side < 0:
            continue
        if names.is_none(side):
            field.nullable = True
            continue
        generic, arguments = names.subscript(side)
        call, outer = names.call(side), generic.rpartition(".")[2]
        if call is not None and call.name.rpartition(".")[2] == "Indexed":
            _index(names, call, field)
            arguments = call.positional[:1]
            outer = "Annotated"
        if outer in _OPTIONAL:
            field.nullable = field.nullable or outer == "Optional"
            kept = arguments[:1] if outer == "Annotated" else arguments
            for each in arguments[len(kept) :]:
                extra = names.call(each)
                if extra is not None and extra.name.rpartition(".")[2] == "Indexed":
                    _index(names, extra, field)
            for each in kept:
                _read_type(names, each, field, depth + 1)
        elif outer in _SEQUENCES and arguments:
            field.size = "[]"
            _read_type(names, arguments[0], field, depth + 1)
        elif outer in (_LINK, _BACK_LINK) and arguments:
            field.type = outer
            if outer == _LINK:
                field.target = names.text(arguments[0]) or names.dotted(arguments[0]) or "?"
        else:
            field.type = field.type or outer or (names.dotted(side) or names.text(side)).rpartition(".")[2]
    return bool(field.type)


def _index(names: DeclaredNames, call: Call, field: MappedField) -> None:
    field.is_indexed = True
    field.is_unique = names.is_true(call.named.get("unique", -1))
