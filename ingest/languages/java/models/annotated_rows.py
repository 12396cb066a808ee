"""Classes with annotations of mappers other than JPA: MyBatis-Plus, the common mapper of MyBatis, Room and Micronaut Data.

See https://baomidou.com/en/reference/annotation/, https://github.com/abel533/Mapper/wiki and
https://developer.android.com/training/data-storage/room/defining-data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts, Shape, ShapeKind
from ...framework_rules.imported_modules import imported_modules
from ...jvm.entity_names import snake_case
from ...jvm.room import PACKAGES as ROOM_PACKAGES
from .declared import AnnotatedTypes, Annotation, Property
from .entities import PACKAGES as PERSISTENCE
from .relational import VALUES, annotation_of

MYBATIS: Final = "mybatis"
ROOM: Final = "room"
MICRONAUT: Final = "micronaut-data"


class _Mapper(NamedTuple):
    """The annotations of a mapper."""

    framework: str
    packages: tuple[str, ...]
    table: str
    key: str
    column: str
    #: Annotations of a field without a column of its own.
    absent: tuple[str, ...]
    is_snake_case: bool = True
    #: Annotations that make a class of the same package a model of another mapper.
    others: tuple[str, ...] = ()
    #: Whether a class with a key is a row without the annotation of the table.
    has_implied_tables: bool = False


_MAPPERS: Final = (
    _Mapper(
        MYBATIS, ("com.baomidou.mybatisplus.annotation", "com.baomidou.mybatisplus.annotations"), "TableName", "TableId",
        "TableField", (), has_implied_tables=True,
    ),
    _Mapper(
        MYBATIS, PERSISTENCE, "Table", "Id", "Column", ("Transient",), others=("Entity", "MappedSuperclass", "Embeddable"),
    ),
    _Mapper(
        ROOM, ROOM_PACKAGES, "Entity", "PrimaryKey", "ColumnInfo",
        ("Ignore", "Embedded", "Relation"), False,
    ),
    _Mapper(MICRONAUT, ("io.micronaut.data.annotation",), "MappedEntity", "Id", "MappedProperty", ("Transient", "Relation")),
)  # fmt: skip
FRAMEWORKS: Final = (MYBATIS, ROOM, MICRONAUT)
_PACKAGES: Final = tuple(package for mapper in _MAPPERS for package in mapper.packages)


def may_hold_annotated_rows(facts: FileFacts) -> bool:
    """Return whether a file may declare rows. The check reads only the imports, so it is fast."""
    return any(module.startswith(_PACKAGES) for module in imported_modules(facts))


def annotated_rows(types: AnnotatedTypes) -> Iterator[MappedModel]:
    """Yield the rows of a file, and the abstract classes whose fields are columns of the rows that extend them."""
    imported = tuple(types.imported())
    for mapper in _MAPPERS:
        if not any(each.startswith(mapper.packages) for each in imported):
            continue
        for shape in types.types(ShapeKind.CLASS):
            found = _Reading(types, mapper).model(shape)
            if found is not None:
                yield found


class _Reading:
    def __init__(self, types: AnnotatedTypes, mapper: _Mapper) -> None:
        self._types = types
        self._mapper = mapper

    def model(self, shape: Shape) -> MappedModel | None:
        """Return the row that a class declares; None for other classes."""
        types, mapper = self._types, self._mapper
        if any(self._of(shape.symbol, each) is not None for each in mapper.others):
            return None
        table = self._of(shape.symbol, mapper.table)
        fields = [each for each in types.properties(shape) if not each.is_getter]
        is_abstract = " abstract " in f" {types.facts.symbols[shape.symbol].signature}"
        is_named = any(self._of(each.symbol, name) is not None for each in fields for name in (mapper.key, mapper.column))
        if table is None and not (mapper.has_implied_tables and is_named):
            return None
        kind = ModelKind.ABSTRACT if table is None and is_abstract else ModelKind.TABLE
        made = MappedModel(mapper.framework, shape.name, kind, shape.symbol, types.line_of(shape.symbol))
        made.bases = [name for base in shape.extends if (name := types.type_names(base)[0])]
        # Each row has a table of its own, with the columns of the classes above it.
        made.inheritance, made.is_managed = "table per class", table is not None
        made.table = self._text(table, "value", "name", "tableName")
        made.schema = types.text(table.get("schema")) if table is not None else ""
        schema, dot, name = made.table.rpartition(".")
        if dot:
            made.schema, made.table = schema, name
        made.table = made.table or self._named(shape.name)
        made.fields = [field for each in fields if (field := self._field(each)) is not None]
        return made

    def _field(self, each: Property) -> MappedField | None:
        types, mapper = self._types, self._mapper
        column, key = self._of(each.symbol, mapper.column), self._of(each.symbol, mapper.key)
        if any(self._of(each.symbol, name) is not None for name in mapper.absent):
            return None
        if column is not None and types.is_false(column.get("exist")):
            return None
        name, arguments = types.type_names(each.type)
        last = name.rpartition(".")[2]
        if column is None and key is None and arguments and last not in VALUES and name != "$array":
            return None
        field = MappedField(each.name, each.symbol, types.line_of(each.symbol), last, kind=FieldKind.COLUMN)
        field.column = self._text(column, "value", "name") or self._text(key, "value") or self._named(each.name)
        field.is_primary = key is not None
        field.nullable = not field.is_primary and not field.type.startswith("$")
        return field

    def _named(self, name: str) -> str:
        return snake_case(name) if self._mapper.is_snake_case else name

    def _text(self, annotation: Annotation | None, *keys: str) -> str:
        """Return the first text among arguments of an annotation; "" if there is none."""
        texts = (self._types.text(annotation.get(key)) for key in keys if annotation is not None)
        return next((text.strip("`") for text in texts if text), "")

    def _of(self, symbol: int, name: str) -> Annotation | None:
        return annotation_of(self._types, symbol, name, *self._mapper.packages)
