"""The structs of xorm, of Beego's mapper and of SQLBoiler in one file.

See https://xorm.io/docs/, https://beego.wiki/docs/mvc/model/models/ and https://github.com/aarondl/sqlboiler.
"""

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
SQLBOILER: Final = "sqlboiler"
#: Names of the tags of fields, by mapper.
TAGS: Final = {XORM: "xorm", BEEGO: "orm", SQLBOILER: "boil"}
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
#: The function of a generated file of SQLBoiler that begins a query: the name of the struct, and the table.
_QUERY: Final = re.compile(
    rb"^func \w+\(mods \.\.\.qm\.QueryMod\) (?P<struct>\w+)Query \{[ \t]*\n"
    rb"[ \t]*mods = append\(mods, qm\.From\(\"(?P<table>[^\n)]+)\"\)",
    re.MULTILINE,
)
_KEY: Final = re.compile(rb"^[ \t]*(?P<struct>\w+)PrimaryKeyColumns[ \t]*=[ \t]*\[\]string\{(?P<columns>[^}\n]*)\}", re.MULTILINE)
_RELATIONS: Final = "R"
#: A type of a column that may be null.
_NULL: Final = re.compile(r"/null(?:/v\d+)?\.(\w+)\Z")
_LIST: Final = "Slice"
_NAMED: Final = re.compile(r"'([A-Za-z_]\w*)'")
_DEFAULT: Final = re.compile(r"\bdefault\s*\(?('[^']*'|[^\s();]+)", re.IGNORECASE)
_SIGNS: Final = '\\"` '
_PART: Final = re.compile(r"[^\s(]+(?:\([^)]*\))?")


def tagged_models(facts: FileFacts, source: bytes) -> list[MappedModel]:
    """Return the structs of a file that xorm or Beego may use."""
    if not facts.code:
        return []
    return [model for name in TAGS if _may_hold(name, source) for model in _Reading(facts, source, name).models()]


def _may_hold(framework: str, source: bytes) -> bool:
    calls = _CALLS.get(framework)
    return _TAGS[framework].search(source) is not None or (calls is not None and calls.search(source) is not None)


def _plain(text: bytes) -> str:
    """Return a name in the source of a text, without quotes and their escapes: `\\"users\\"`."""
    return "".join(sign for sign in text.decode("utf-8", "replace") if sign not in _SIGNS)


class _Reading(StructReading):
    def __init__(self, facts: FileFacts, source: bytes, framework: str) -> None:
        super().__init__(facts, source)
        self._framework = framework
        self._tables = dict(self.table_names())
        #: Tables and keys of the structs that SQLBoiler generates, by the names of the structs in lower case.
        self._generated = dict[str, str]()
        self._keys = dict[str, list[str]]()
        #: The structs with relations in such a file, by their names in lower case.
        self._relations = dict[str, Shape]()
        if framework == SQLBOILER:
            self._generated = {found["struct"].decode().lower(): _plain(found["table"]) for found in _QUERY.finditer(source)}
            self._keys = {
                found["struct"].decode().lower(): [_plain(each) for each in found["columns"].split(b",")]
                for found in _KEY.finditer(source)
            }
            structs = (each for each in facts.shapes if each.kind == ShapeKind.CLASS and each.name.endswith(_RELATIONS))
            self._relations = {each.name.lower(): each for each in structs}

    def models(self) -> Iterator[MappedModel]:
        for shape in self.facts.shapes:
            if shape.kind == ShapeKind.CLASS and shape.symbol >= 0 and shape.members:
                model = self._model(shape)
                if model.fields or model.bases:
                    yield model
        for node in self.facts.calls if self._framework in _REGISTERING else ():
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
            if member.name[:1].isupper() and tag != "-" and (tag or self._framework != SQLBOILER):
                model.fields.append(self._field(model, member, tag))
        if self._framework == SQLBOILER:
            self._complete(model, shape)
            return model
        model.is_managed = has_tags
        if shape.name in self._tables and has_tags:
            model.kind, model.table = ModelKind.TABLE, self._tables[shape.name]
        return model

    def _complete(self, model: MappedModel, shape: Shape) -> None:
        """Add the table, the key and the relations of a struct that SQLBoiler generates. Its member `R` has the relations."""
        name = shape.name.lower()
        table = self._generated.get(name, "")
        if not table:
            return
        model.kind, model.table = ModelKind.TABLE, table
        for field in model.fields:
            field.is_primary = field.column in self._keys.get(name, ())
        related = self._relations.get(f"{name}{_RELATIONS.lower()}")
        for member in related.members if related is not None else ():
            field = self._field(model, member, "")
            field.kind = FieldKind.ONE_TO_MANY if field.type.endswith(_LIST) else FieldKind.ONE_TO_ONE
            field.type, field.is_list = field.type.removesuffix(_LIST), field.type.endswith(_LIST)
            model.fields.append(field)

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
        elif self._framework == SQLBOILER:
            field.column = tag.partition(",")[0]
            null = _NULL.search(kind)
            if null is not None:
                field.nullable, field.type = True, "time.Time" if null[1] == "Time" else null[1].lower()
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
