"""The rows that the classes of a file declare: `@Entity(tableName = "plants") data class Plant(@PrimaryKey val id: String)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts
from ....facts.nested_symbols import NestedSymbols, symbols_by_name
from ...jvm.entity_names import snake_case
from .declarations import Annotation, Declarations, Property, Type


class Mapper(NamedTuple):
    """The annotations of a mapper."""

    framework: str
    packages: tuple[str, ...]
    #: Annotations of classes with a table, and the annotation with the name of the table.
    rows: tuple[str, ...]
    table: str
    key: str
    column: str
    absent: tuple[str, ...]
    abstract: str = ""
    is_snake_case: bool = True


ROOM: Final = Mapper(
    "room", ("androidx.room",), ("Entity",), "Entity", "PrimaryKey", "ColumnInfo", ("Ignore", "Embedded", "Relation"), "", False
)
MAPPERS: Final = (
    ROOM,
    Mapper(
        "jpa", ("jakarta.persistence", "javax.persistence"), ("Entity",), "Table", "Id", "Column", ("Transient",),
        "MappedSuperclass",
    ),
    Mapper("spring-data", ("org.springframework.data.relational",), ("Table",), "Table", "Id", "Column", ("Transient",)),
    Mapper("mybatis", ("com.baomidou.mybatisplus.annotation",), ("TableName",), "TableName", "TableId", "TableField", ()),
    Mapper("micronaut-data", ("io.micronaut.data.annotation",), ("MappedEntity",), "MappedEntity", "Id", "MappedProperty", ()),
    Mapper(
        "komapper", ("org.komapper.annotation",), ("KomapperEntity", "KomapperEntityDef"), "KomapperTable", "KomapperId",
        "KomapperColumn", ("KomapperIgnore",),
    ),
)  # fmt: skip
_TO_ONE: Final = ("ManyToOne", "OneToOne")
_TO_MANY: Final = ("OneToMany", "ManyToMany", "ElementCollection")
_LISTED: Final = re.compile(r"\b(primaryKeys|value|parentColumns|childColumns)\s*=\s*(?:\[|arrayOf\()([^\])]*)[\])]")
_FOREIGN_KEY: Final = re.compile(r"\bForeignKey\s*\(\s*(?:entity\s*=\s*)?([\w.]+)::class")
_INDEX: Final = re.compile(r"\bIndex\s*(?=\()")
_RULE: Final = re.compile(r"\bonDelete\s*=\s*(?:ForeignKey\s*\.\s*)?(CASCADE|SET_NULL|SET_DEFAULT|RESTRICT)\b")
_UNIQUE: Final = re.compile(r"\bunique\s*=\s*true\b")
_QUOTED: Final = re.compile(r"\"([^\"\n]*)\"")
#: The class that a definition of Komapper describes.
_CLASS: Final = re.compile(r"([\w.]+)::class")
_LAZY: Final = re.compile(r"\bLAZY\b")
_MAPPED_BY: Final = re.compile(r"\bmappedBy\b")


def add_rows(facts: FileFacts, declared: Declarations) -> None:
    """Add the rows of a file to its facts about data, and their properties in constructors to its symbols."""
    used = [mapper for mapper in MAPPERS if any(map(declared.names.uses, mapper.packages))]
    if not used:
        return
    symbols = NestedSymbols(facts)
    known = symbols_by_name(facts.symbols)
    models = [
        model
        for each in declared.types
        if each.word == "class" and (mapper := _mapper(used, each)) is not None
        if (model := _Reading(declared, mapper, symbols, known).model(each)) is not None
    ]
    if not models:
        return
    numbers = symbols.finish()
    for model in models:
        model.symbol = numbers[model.symbol]
        for field in (*model.fields, *model.relations):
            field.symbol = numbers[field.symbol]
        for key in model.keys:
            key.symbol = numbers[key.symbol]
    facts.own_data().models += models


def _mapper(used: list[Mapper], each: Type) -> Mapper | None:
    return next((mapper for mapper in used if {*mapper.rows, mapper.abstract} & each.annotations.keys()), None)


class _Reading:
    def __init__(
        self, declared: Declarations, mapper: Mapper, symbols: NestedSymbols, known: Mapping[tuple[int, str], int]
    ) -> None:
        self._declared = declared
        self._mapper = mapper
        self._symbols = symbols
        self._known = known

    def model(self, each: Type) -> MappedModel | None:
        """Return the row that a class declares; None for a class without a symbol."""
        declared, mapper = self._declared, self._mapper
        line = declared.line(each.start)
        symbol = self._known.get((line, each.name), -1)
        if symbol < 0:
            return None
        is_row = bool(set(mapper.rows) & each.annotations.keys())
        defined = _CLASS.search(self._text(each.annotations.get("KomapperEntityDef")))
        name = defined[1].rpartition(".")[2] if defined is not None else each.name
        made = MappedModel(mapper.framework, name, ModelKind.TABLE if is_row else ModelKind.ABSTRACT, symbol, line)
        table = each.annotations.get(mapper.table)
        made.table = declared.value(table, "tableName", "name", "value").strip('`"') or self._named(name)
        made.schema = declared.argument(table, "schema")
        made.bases = [name for name, _ in each.bases]
        made.fields = [field for every in each.properties if (field := self._field(every, symbol)) is not None]
        if mapper.framework == "room" and table is not None:
            self._keys(table, made)
        return made

    def _text(self, annotation: Annotation | None) -> str:
        return self._declared.text[annotation.start : annotation.end] if annotation is not None else ""

    def _named(self, name: str) -> str:
        return snake_case(name) if self._mapper.is_snake_case else name

    def _field(self, each: Property, owner: int) -> MappedField | None:
        mapper, own = self._mapper, each.annotations
        if own.keys() & set(mapper.absent):
            return None
        line = self._declared.line(each.start)
        symbol = self._known.get((line, each.name), -1)
        if symbol < 0:
            symbol = self._symbols.add(each.name, "property", owner, (line, line), f"val {each.name}: {each.type}")
        field = MappedField(each.name, symbol, line, each.type, kind=FieldKind.COLUMN)
        written = own.get(mapper.column) or own.get(mapper.key)
        field.column = self._declared.value(written, "name", "value") or self._named(each.name)
        field.is_primary = mapper.key in own or "EmbeddedId" in own
        field.nullable = each.is_nullable and not field.is_primary
        relation = next((own[name] for name in (*_TO_ONE, *_TO_MANY) if name in own), None)
        if relation is None:
            return field if mapper.framework != "jpa" or each.argument == "" else None
        field.is_list = relation.name in _TO_MANY
        field.target = (each.argument or each.type).split(",")[-1].strip().rpartition(".")[2].rstrip("?")
        field.kind = FieldKind.ONE_TO_MANY if field.is_list else FieldKind.MANY_TO_ONE
        field.is_owner = not field.is_list and _MAPPED_BY.search(self._text(relation)) is None
        field.is_eager = not field.is_list and _LAZY.search(self._text(relation)) is None
        field.column = (self._declared.value(own.get("JoinColumn"), "name") or f"{field.column}_id") if field.is_owner else ""
        field.relation = self._declared.value(own.get("JoinTable"), "name")
        return field

    def _keys(self, table: Annotation, model: MappedModel) -> None:
        """Read the keys, indexes and foreign keys that the annotation of a table lists."""
        text = self._text(table)
        for name, listed in _LISTED.findall(text):
            if name == "primaryKeys":
                model.keys.append(MappedKey("primary key", _QUOTED.findall(listed), model.symbol, model.line))
        starts = [*_FOREIGN_KEY.finditer(text), *_INDEX.finditer(text)]
        starts.sort(key=lambda each: each.start())
        for number, each in enumerate(starts):
            part = text[each.start() : starts[number + 1].start() if number + 1 < len(starts) else len(text)]
            columns = {name: _QUOTED.findall(listed) for name, listed in _LISTED.findall(part)}
            if each.re is _FOREIGN_KEY:
                key = MappedField("", model.symbol, model.line, "", target=each[1].rpartition(".")[2])
                key.fields, key.target_fields = columns.get("childColumns", []), columns.get("parentColumns", [])
                rule = _RULE.search(part)
                key.on_delete = rule[1].replace("_", " ") if rule is not None else ""
                model.relations.append(key)
            elif named := columns.get("value") or _QUOTED.findall(part)[:1]:
                kind = "unique" if _UNIQUE.search(part) is not None else "index"
                model.keys.append(MappedKey(kind, named, model.symbol, model.line, is_partial=True))
