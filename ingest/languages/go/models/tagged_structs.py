"""The structs of xorm and of Beego's mapper in one file: https://xorm.io/docs/ and https://beego.wiki/docs/mvc/model/models/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts, Member, MemberKind, Shape, ShapeKind
from ....facts.operations import Op
from .struct_reading import StructReading

XORM: Final = "xorm"
BEEGO: Final = "beego"
#: Names of the tags of fields, by mapper.
TAGS: Final = {XORM: "xorm", BEEGO: "orm"}
_TAGS: Final = {name: re.compile(rb'`[^`\n]*\b%b:"((?:[^"\\\n]|\\.)*)"' % tag.encode()) for name, tag in TAGS.items()}
#: Calls whose arguments are models.
_REGISTERING: Final = {
    XORM: frozenset(("Sync", "Sync2", "CreateTables")),
    BEEGO: frozenset(("RegisterModel", "RegisterModelWithPrefix")),
}
#: The beginning of such a call. Calls without arguments, such as `file.Sync()`, name no model.
_CALLS: Final = {
    name: re.compile(rb"\.\s*(?:%b)\s*\(\s*[^\s)]" % "|".join(sorted(calls)).encode()) for name, calls in _REGISTERING.items()
}
#: Words in a tag of xorm that are no names of columns. A type may have a length in brackets.
_WORDS: Final = re.compile(
    r"(?:not|null|notnull|pk|autoincr|default|unique|index|created|updated|deleted|version|comment|extends|json|utc|local|cache"
    r"|nocache|bit|tinyint|smallint|mediumint|int|integer|bigint|char|varchar|nvarchar|tinytext|text|mediumtext|longtext|binary"
    r"|varbinary|date|datetime|time|timestamp|timestampz|decimal|numeric|real|float|double|bytea|blob|tinyblob|mediumblob"
    r"|longblob|bool|boolean|serial|bigserial|uuid|jsonb|clob|enum|set|->|<-)(?:\(.*\))?|'.*|\d.*",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"'([A-Za-z_]\w*)'")
_DEFAULT: Final = re.compile(r"\bdefault\s*\(?('[^']*'|[^\s();]+)", re.IGNORECASE)
_PART: Final = re.compile(r"[^\s(]+(?:\([^)]*\))?")


def tagged_models(facts: FileFacts, source: bytes) -> list[MappedModel]:
    """Return the structs of a file that xorm or Beego may use."""
    if not facts.code:
        return []
    return [model for name in TAGS if _may_hold(name, source) for model in _Reading(facts, source, name).models()]


def _may_hold(framework: str, source: bytes) -> bool:
    return _TAGS[framework].search(source) is not None or _CALLS[framework].search(source) is not None


class _Reading(StructReading):
    def __init__(self, facts: FileFacts, source: bytes, framework: str) -> None:
        super().__init__(facts, source)
        self._framework = framework
        self._tables = dict(self.table_names())

    def models(self) -> Iterator[MappedModel]:
        for shape in self.facts.shapes:
            if shape.kind == ShapeKind.CLASS and shape.symbol >= 0 and shape.members:
                model = self._model(shape)
                if model.fields or model.bases:
                    yield model
        for node in self.facts.calls:
            callee = self.names.code[node + 1]
            name = self.names.string(self.names.code[callee + 2]) if self.names.code[callee] == Op.MEMBER else ""
            for argument in self.names.items(self.names.code[node + 2]) if name in _REGISTERING[self._framework] else ():
                if made := self.made_type(argument):
                    symbol = max(self.names.owner(node), 0)
                    yield MappedModel(self._framework, "made", ModelKind.SETTING, symbol, self.line(symbol), table=made)

    def _model(self, shape: Shape) -> MappedModel:
        model = MappedModel(self._framework, shape.name, ModelKind.ABSTRACT, shape.symbol, self.line(shape.symbol))
        embedded, has_tags = set(shape.extends), False
        for member in shape.members:
            if member.kind != MemberKind.PROPERTY:
                continue
            tag = self._tag(member)
            if member.type in embedded and member.symbol < 0:
                if tag != "-":
                    model.bases.append(self.type_name(member.type))
                continue
            has_tags = has_tags or bool(tag)
            if member.name[:1].isupper() and tag != "-":
                model.fields.append(self._field(model, member, tag))
        model.is_managed = has_tags
        if shape.name in self._tables and has_tags:
            model.kind, model.table = ModelKind.TABLE, self._tables[shape.name]
        return model

    def _tag(self, member: Member) -> str:
        end = self.source.find(b"\n", member.position)
        found = _TAGS[self._framework].search(self.source, member.position, end if end >= 0 else len(self.source))
        return found[1].decode("utf-8", "replace").strip() if found is not None else ""

    def _field(self, model: MappedModel, member: Member, tag: str) -> MappedField:
        symbol = member.symbol if member.symbol >= 0 else model.symbol
        kind, is_list = self.type_of(member.type)
        field = MappedField(member.name, symbol, self.line(symbol), kind, is_list=is_list, kind=FieldKind.COLUMN)
        field.targets_table = is_list  # a list is one value, as a text
        if self._framework == XORM:
            self._of_xorm(field, tag, kind)
        else:
            self._of_beego(field, tag, kind)
        return field

    def _of_xorm(self, field: MappedField, tag: str, kind: str) -> None:
        parts = _PART.findall(tag)
        words = {part.lower() for part in parts}
        named = _NAMED.search(_DEFAULT.sub("", re.sub(r"\bcomment\([^)]*\)", "", tag)))
        plain = [part for part in _PART.findall(_DEFAULT.sub("", tag)) if _WORDS.fullmatch(part) is None]
        field.column = named[1] if named is not None else plain[0] if plain else ""
        field.is_primary = "pk" in words
        field.nullable = not words & {"notnull", "not"} and not field.is_primary
        field.is_unique = "unique" in words
        default = _DEFAULT.search(tag)
        field.default = default[1] if default is not None else ""
        if "extends" in words:
            field.kind, field.target = FieldKind.EMBEDDED, kind

    def _of_beego(self, field: MappedField, tag: str, kind: str) -> None:
        parts = (each.partition("(") for each in tag.split(";"))
        options = {key.strip().lower(): value.strip().rstrip(")") for key, _, value in parts}
        field.column = options.get("column", "")
        field.is_primary = "pk" in options
        field.nullable = "null" in options
        field.is_unique = "unique" in options
        field.default = options.get("default", "")
        if "rel" in options:
            field.kind, field.target = FieldKind.MANY_TO_ONE, kind
            if options["rel"] == "m2m":
                field.kind, field.relation = FieldKind.MANY_TO_MANY, options.get("rel_table", "")
        elif "reverse" in options:
            field.kind = FieldKind.ONE_TO_MANY if field.is_list else FieldKind.ONE_TO_ONE
