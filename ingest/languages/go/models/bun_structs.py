"""The structs of bun and of go-pg in one file: https://bun.uptrace.dev/guide/models.html and https://pg.uptrace.dev/models/.

type User struct {
    bun.BaseModel `bun:"table:users,alias:u"`
    Posts []*Post `bun:"rel:has-many,join:id=author_id"`
}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts, Member, MemberKind, Shape, ShapeKind
from .struct_reading import StructReading

#: The mappers, each with the name of its tag, and in the order in which a file is looked at.
BUN: Final = "bun"
GO_PG: Final = "pg"
FRAMEWORKS: Final = (BUN, GO_PG)

_HINTS: Final = {BUN: re.compile(rb'`[^`\n]*\bbun:"|bun\.BaseModel'), GO_PG: re.compile(rb'`[^`\n]*\b(?:pg|sql):"')}
_TAGS: Final = {
    BUN: re.compile(rb'`[^`\n]*\bbun:"((?:[^"\\\n]|\\.)*)"'), GO_PG: re.compile(rb'`[^`\n]*\b(?:pg|sql):"((?:[^"\\\n]|\\.)*)"'),
}  # fmt: skip
_BASE_MODEL: Final = "/bun.BaseModel"
#: Options that only relations have, with the kind of the relation.
_RELATIONS: Final = {"has-many": FieldKind.ONE_TO_MANY, "has-one": FieldKind.ONE_TO_ONE, "belongs-to": FieldKind.MANY_TO_ONE}


def bun_models(facts: FileFacts, source: bytes) -> list[MappedModel]:
    """Return the structs of a file that bun or go-pg may use."""
    if not facts.code:
        return []
    return [model for name in FRAMEWORKS if _HINTS[name].search(source) for model in _Reading(facts, source, name).models()]


def tag_options(text: str) -> list[tuple[str, str]]:
    """Return the parts of a tag: `id,pk,type:numeric(10,2)`. Commas in brackets and quotes part nothing."""
    parts, start, depth, is_quoted = list[str](), 0, 0, False
    for place, sign in enumerate(text):
        if sign == "'":
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "," and depth <= 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [(key.strip(), value.strip()) for key, _, value in (each.partition(":") for each in parts)]


class _Reading(StructReading):
    def __init__(self, facts: FileFacts, source: bytes, framework: str) -> None:
        super().__init__(facts, source)
        self._framework = framework

    def models(self) -> Iterator[MappedModel]:
        for shape in self.facts.shapes:
            if shape.kind == ShapeKind.CLASS and shape.symbol >= 0 and shape.members:
                kind, line = ModelKind.ABSTRACT, self.line(shape.symbol)
                model = self._model(shape, MappedModel(self._framework, shape.name, kind, shape.symbol, line))
                if model.fields or model.bases:
                    yield model

    def _model(self, shape: Shape, model: MappedModel) -> MappedModel:
        embedded, has_tags = set(shape.extends), False
        for member in shape.members:
            if member.kind != MemberKind.PROPERTY:
                continue
            options = self._options(member)
            has_tags = has_tags or bool(options)
            name = self.type_name(member.type)
            if name.endswith(_BASE_MODEL) or member.name == "tableName":
                model.kind, model.options = ModelKind.TABLE, {"named": "true"}
                self._name_table(model, options)
            elif member.type in embedded and member.symbol < 0:
                if not options or options[0] != ("-", ""):
                    model.bases.append(name)
            else:
                self._field(model, member, options)
        model.is_managed = has_tags
        return model

    def _name_table(self, model: MappedModel, options: list[tuple[str, str]]) -> None:
        """Set the table that the tag of a struct names: `bun:"table:users,alias:u"`, `pg:"users"`."""
        for place, (key, value) in enumerate(options):
            if key == "table" or (not place and key and not value and self._framework == GO_PG):
                model.schema, _, model.table = (value or key).strip("\"'`").rpartition(".")
            elif key == "alias":
                model.entity = value

    def _options(self, member: Member) -> list[tuple[str, str]]:
        end = self.source.find(b"\n", member.position)
        found = _TAGS[self._framework].search(self.source, member.position, end if end >= 0 else len(self.source))
        return tag_options(found[1].decode("utf-8", "replace")) if found is not None else []

    def _field(self, model: MappedModel, member: Member, options: list[tuple[str, str]]) -> None:
        named = dict(options)
        if not member.name[:1].isupper() or (options and options[0] == ("-", "")) or "scanonly" in named:
            return
        symbol = member.symbol if member.symbol >= 0 else model.symbol
        kind, is_list = self.type_of(member.type)
        field = MappedField(member.name, symbol, self.line(symbol), kind, is_list=is_list, kind=FieldKind.COLUMN)
        if options and options[0][0] and not options[0][1]:
            field.column = options[0][0].strip("\"'`")
        field.column_type = named.get("type", "")
        field.is_primary = "pk" in named
        field.nullable = "notnull" not in named and not field.is_primary
        field.default = named.get("default", "")
        field.targets_table = "array" in named  # a list with this option is one value
        self._relate(field, options, named)
        if "extend" in named or "inherit" in named:
            return
        if "embed" in named:
            field.kind, field.target, field.prefix = FieldKind.EMBEDDED, kind, named["embed"]
        if "unique" in named and field.kind == FieldKind.COLUMN:
            model.keys.append(MappedKey("unique", [field.name], symbol, field.line, named["unique"]))
        model.fields.append(field)

    def _relate(self, field: MappedField, options: list[tuple[str, str]], named: dict[str, str]) -> None:
        """Set the relation of a field, with the pairs of columns that its tag joins."""
        joined = named.get("m2m") or named.get("many2many")
        if joined:
            field.kind, field.relation = FieldKind.MANY_TO_MANY, joined
        elif "rel" in named:
            field.kind = _RELATIONS.get(named["rel"], field.kind)
        elif "has1" in named or (self._framework == GO_PG and "fk" in named):
            field.kind = FieldKind.ONE_TO_MANY if field.is_list else FieldKind.ONE_TO_ONE
        if field.kind == FieldKind.COLUMN:
            return
        for key, value in options:
            if key == "join" and "=" in value:
                own, _, other = value.partition("=")
                field.fields.append(own.strip())
                field.target_fields.append(other.strip())
        if self._framework == GO_PG:
            # In go-pg, a row with one other row has the key of the other row, and "belongs to" is the other side.
            swapped = {FieldKind.ONE_TO_ONE: FieldKind.MANY_TO_ONE, FieldKind.MANY_TO_ONE: FieldKind.ONE_TO_ONE}
            field.kind = swapped.get(field.kind, field.kind)
            field.foreign_key_name = named.get("fk", named.get("join_fk", ""))
