"""The rows of Spring Data JDBC and R2DBC in one file: https://docs.spring.io/spring-data/relational/reference/jdbc/mapping.html.

A row is an aggregate root. Collections of other rows belong to it: Spring Data reads, saves and deletes them together with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts, Shape, ShapeKind
from ...framework_rules.imported_modules import imported_modules
from ...jvm.entity_names import snake_case
from .declared import AnnotatedTypes, Annotation

FRAMEWORK: Final = "spring-data"
_MAPPING: Final = "org.springframework.data.relational.core.mapping"
_ANNOTATION: Final = "org.springframework.data.annotation"
#: Packages of Spring Data for other stores, whose classes also have `@Id`.
_OTHERS: Final = tuple(
    f"org.springframework.data.{store}" for store in ("mongodb", "elasticsearch", "redis", "neo4j", "cassandra", "couchbase")
)
_COLLECTIONS: Final = frozenset(("List", "Set", "Collection", "Map"))
#: Packages with types of values, which are no rows.
VALUES: Final = frozenset(
    ("String", "Integer", "Long", "Short", "Double", "Float", "Boolean", "Byte", "Character", "UUID", "BigDecimal", "BigInteger",
     "Instant", "LocalDate", "LocalDateTime", "OffsetDateTime", "Object", "AggregateReference")
)  # fmt: skip


def may_hold_rows(facts: FileFacts) -> bool:
    """Return whether a file may declare rows. The check reads only the imports, so it is fast."""
    modules = list(imported_modules(facts))
    return any(each.startswith((_MAPPING, _ANNOTATION)) for each in modules) and not any(
        each.startswith(_OTHERS) for each in modules
    )


def relational_models(types: AnnotatedTypes) -> Iterator[MappedModel]:
    """Yield the rows of a file: classes and records with `@Table`, and classes with an `@Id` of Spring Data beside one of them.

    A class without annotations is a row, too, if a repository or a row names it. Such a class is known only by its name.
    """
    is_relational = any(each.startswith(_MAPPING) for each in types.imported())
    for shape in types.types(ShapeKind.CLASS):
        table = annotation_of(types, shape.symbol, "Table", _MAPPING)
        has_id = any(annotation_of(types, each.symbol, "Id", _ANNOTATION) is not None for each in types.properties(shape))
        if table is None and not (has_id and is_relational):
            continue
        yield _model(types, shape, table)


def _model(types: AnnotatedTypes, shape: Shape, table: Annotation | None) -> MappedModel:
    model = MappedModel(FRAMEWORK, shape.name, ModelKind.TABLE, shape.symbol, types.line_of(shape.symbol))
    if table is not None:
        model.table = types.text(table.get("value")) or types.text(table.get("name"))
        model.schema = types.text(table.get("schema"))
    model.table = model.table or snake_case(shape.name)
    for each in types.properties(shape):
        if each.is_getter or annotation_of(types, each.symbol, "Transient", _ANNOTATION) is not None:
            continue
        name, arguments = types.type_names(each.type)
        field = MappedField(each.name, each.symbol, types.line_of(each.symbol), name.rpartition(".")[2], kind=FieldKind.COLUMN)
        column = annotation_of(types, each.symbol, "Column", _MAPPING)
        field.column = (types.text(column.get("value")) if column is not None else "") or snake_case(each.name)
        field.nullable = not field.type.startswith("$")
        if annotation_of(types, each.symbol, "Id", _ANNOTATION) is not None:
            field.is_primary, field.nullable = True, False
        if field.type in _COLLECTIONS and arguments:
            element = types.type_names(arguments[-1])[0]
            if element.rpartition(".")[2] in VALUES:
                continue
            rule = annotation_of(types, each.symbol, "MappedCollection", _MAPPING)
            written = types.text(rule.get("idColumn")) if rule is not None else ""
            field.kind, field.target, field.is_list, field.is_owner = FieldKind.ONE_TO_MANY, element, True, True
            field.fields, field.column = [written or model.table], ""
            field.is_eager = field.is_saved = field.is_removed = True
            field.has_foreign_key = False
        elif annotation_of(types, each.symbol, "Embedded", _MAPPING) is not None:
            continue
        model.fields.append(field)
    return model


def annotation_of(types: AnnotatedTypes, symbol: int, name: str, *packages: str) -> Annotation | None:
    """Return an annotation of a declaration by its name and the beginnings of its possible packages; None if there is none."""
    for each in types.annotations(symbol):
        module = each.qualified.rpartition(".")[0]
        is_of_package = module.startswith(packages) if module else not set(packages).isdisjoint(types.packages)
        if each.name == name and is_of_package:
            return each
    return None
