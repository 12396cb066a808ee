"""The entities of JPA in one file: https://jakarta.ee/specifications/persistence/3.1/."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts, Shape, ShapeKind
from ....facts.operations import Op
from ...framework_rules.imported_modules import imported_modules
from .declared import AnnotatedTypes, Annotation, Property

FRAMEWORK: Final = "jpa"
PACKAGES: Final = ("jakarta.persistence", "javax.persistence")
_SPRING: Final = "org.springframework.boot.autoconfigure.SpringBootApplication"
_KINDS: Final = {"Entity": ModelKind.TABLE, "MappedSuperclass": ModelKind.ABSTRACT, "Embeddable": ModelKind.EMBEDDED}
_RELATIONS: Final = {
    "OneToOne": FieldKind.ONE_TO_ONE,
    "OneToMany": FieldKind.ONE_TO_MANY,
    "ManyToOne": FieldKind.MANY_TO_ONE,
    "ManyToMany": FieldKind.MANY_TO_MANY,
}
_STRATEGIES: Final = {"SINGLE_TABLE": "single table", "JOINED": "joined", "TABLE_PER_CLASS": "table per class"}
_VALIDATION: Final = ("jakarta.validation", "javax.validation", "org.hibernate.validator")
#: Packages whose annotations affect tables and columns.
_MAPPING: Final = (*PACKAGES, *_VALIDATION, "org.hibernate")
#: Types with several values.
_COLLECTIONS: Final = frozenset(
    ("List", "Set", "Collection", "Map", "SortedSet", "SortedMap", "ArrayList", "HashSet", "Iterable", "NavigableSet")
)
#: Cascades by which the rows of a relation are saved together with a row.
_SAVING: Final = frozenset(("ALL", "PERSIST", "MERGE"))
_REMOVING: Final = frozenset(("ALL", "REMOVE"))
#: Annotations of properties without a column.
_NO_COLUMN: Final = frozenset(("Transient", "Formula", "Any", "ManyToAny"))


def may_hold_models(facts: FileFacts) -> bool:
    """Return whether a file may declare entities or a Spring application. The check reads only the imports, so it is fast."""
    return any(module.startswith(PACKAGES) or module in _SPRING for module in imported_modules(facts))


def jpa_models(types: AnnotatedTypes) -> list[MappedModel]:
    """Return the entities, embeddable types, converters and settings of a file."""
    return list(_Reading(types).models())


class _Reading:
    def __init__(self, types: AnnotatedTypes) -> None:
        self._types = types
        self._enums = types.enums()

    def models(self) -> Iterator[MappedModel]:
        types = self._types
        for shape in types.types(ShapeKind.CLASS):
            annotations = types.annotations(shape.symbol)
            at = (shape.symbol, types.line_of(shape.symbol))
            if any(each.qualified == _SPRING for each in annotations):
                yield MappedModel(FRAMEWORK, "naming", ModelKind.SETTING, *at, table="spring")
            own = {each.name: each for each in annotations if self._is_mapping(each)}
            kind = next((_KINDS[name] for name in own if name in _KINDS), "")
            if kind:
                yield self._model(shape, MappedModel(FRAMEWORK, shape.name, kind, *at), own)
                continue
            converter = self._converter(shape, own.get("Converter"))
            if converter is not None:
                yield converter

    def _is_mapping(self, annotation: Annotation) -> bool:
        module = annotation.qualified.rpartition(".")[0]
        # An annotation without a package may come from any package that is imported with `*`.
        return any(each.startswith(_MAPPING) for each in ([module] if module else self._types.packages))

    def _converter(self, shape: Shape, annotation: Annotation | None) -> MappedModel | None:
        """Read the column type that a converter gives to the values of a Java type."""
        types = self._types
        for base in [*shape.implements, *shape.extends]:
            name, arguments = types.type_names(base)
            if name.rpartition(".")[2] == "AttributeConverter" and len(arguments) == 2:
                symbol, line = shape.symbol, types.line_of(shape.symbol)
                model = MappedModel(FRAMEWORK, shape.name, ModelKind.TYPE, symbol, line)
                model.fields.append(MappedField("", symbol, line, self._plain_type(arguments[1])))
                if annotation is not None and types.is_true(annotation.get("autoApply")):
                    model.application = self._plain_type(arguments[0])
                return model
        return None

    # ------------------------------------------------------------------ types

    def _model(self, shape: Shape, model: MappedModel, own: dict[str, Annotation]) -> MappedModel:
        types = self._types
        model.bases = [name for base in shape.extends if (name := types.type_names(base)[0])]
        entity = own.get("Entity")
        if entity is not None and types.text(entity.get("name")):
            model.entity = types.text(entity.get("name"))
        table = own.get("Table")
        if table is not None:
            model.table, model.schema = types.text(table.get("name")), types.text(table.get("schema"))
            self._table_keys(table, model)
        inheritance = own.get("Inheritance")
        if inheritance is not None:
            model.inheritance = _STRATEGIES.get(self._types.last_name(inheritance.get("strategy")), "single table")
        self._discriminator(own.get("DiscriminatorColumn"), model)
        key = own.get("PrimaryKeyJoinColumn")
        if key is not None:
            model.key_columns = [types.text(key.get("name"))]
        self._overrides(types.annotations(shape.symbol), model.overrides)
        properties = list(types.properties(shape))
        access = own.get("Access")
        by_getters = any(self._has_id(each) for each in properties if each.is_getter)
        by_fields = any(self._has_id(each) for each in properties if not each.is_getter)
        if access is not None:
            by_getters = self._types.last_name(access.get("value")) == "PROPERTY"
        elif not by_getters and not by_fields:  # without `@Id`, fields or getters count, whichever have more annotations
            by_getters = self._annotated(properties, True) > self._annotated(properties, False)
        for each in properties:
            if each.is_getter == by_getters or self._is_forced(each):
                self._property(each, model, has_setter=not each.is_getter or self._has_setter(shape, each.name))
        return model

    def _has_id(self, each: Property) -> bool:
        names = {annotation.name for annotation in self._types.annotations(each.symbol)}
        return bool(names & {"Id", "EmbeddedId"})

    def _is_forced(self, each: Property) -> bool:
        return any(annotation.name == "Access" for annotation in self._types.annotations(each.symbol))

    def _annotated(self, properties: list[Property], getters: bool) -> int:
        return sum(
            any(annotation.qualified.startswith(PACKAGES) for annotation in self._types.annotations(each.symbol))
            for each in properties
            if each.is_getter == getters
        )

    def _has_setter(self, shape: Shape, name: str) -> bool:
        setter = f"set{name[:1].upper()}{name[1:]}"
        return any(member.name == setter for member in shape.members)

    def _discriminator(self, annotation: Annotation | None, model: MappedModel) -> None:
        if annotation is None:
            return
        types = self._types
        field = MappedField("DTYPE", model.symbol, model.line, "String", types.text(annotation.get("name")))
        field.kind, field.size = FieldKind.DISCRIMINATOR, f"({types.number(annotation.get('length')) or '31'})"
        kind = self._types.last_name(annotation.get("discriminatorType"))
        field.type = {"INTEGER": "Integer", "CHAR": "Character"}.get(kind, "String")
        model.fields.append(field)

    def _table_keys(self, table: Annotation, model: MappedModel) -> None:
        types = self._types
        for each in types.listed(table.get("uniqueConstraints")):
            listed = each.get("columnNames")
            columns = types.texts(listed) if types.is_list(listed) else [types.text(listed)]
            model.keys.append(MappedKey("unique", columns, model.symbol, model.line, types.text(each.get("name"))))
        for each in types.listed(table.get("indexes")):
            columns = [part.split()[0] for part in types.text(each.get("columnList")).split(",") if part.split()]
            key = MappedKey("index", columns, model.symbol, model.line, types.text(each.get("name")), True)
            key.kind = "unique" if types.is_true(each.get("unique")) else "index"
            if columns:
                model.keys.append(key)

    def _overrides(self, annotations: Sequence[Annotation], found: dict[str, str]) -> None:
        """Collect the column names in overrides, by the path of the overridden property."""
        types = self._types
        for name, value in (("AttributeOverride", "column"), ("AssociationOverride", "joinColumns")):
            listed = [each for each in annotations if each.name == name]
            for many in annotations:
                listed += types.listed(many.get("value")) if many.name == f"{name}s" else ()
            for each in listed:
                columns = types.listed(each.get(value))
                if columns:
                    found[types.text(each.get("name"))] = types.text(columns[0].get("name"))

    # ------------------------------------------------------------------ properties

    def _property(self, each: Property, model: MappedModel, *, has_setter: bool) -> None:
        types = self._types
        own: dict[str, Annotation] = {}
        for annotation in types.annotations(each.symbol):
            if self._is_mapping(annotation):
                own.setdefault(annotation.name, annotation)
        if own.keys() & _NO_COLUMN or (not own and not has_setter):
            return
        field = MappedField(
            each.name, each.symbol, types.line_of(each.symbol), self._plain_type(each.type), kind=FieldKind.COLUMN
        )
        relation = next((name for name in _RELATIONS if name in own), "")
        name, arguments = types.type_names(each.type)
        last = name.rpartition(".")[2]
        field.is_list = last in _COLLECTIONS
        field.collection = last if field.is_list else ""
        field.nullable = not field.type.startswith("$") or field.type == "$byte[]"
        if relation:
            self._relation(own[relation], relation, arguments, field)
        elif "ElementCollection" in own:
            self._collection(arguments, field)
        elif field.is_list and "Convert" not in own and not own.keys() & {"JdbcTypeCode", "Type", "Column"}:
            return
        elif own.keys() & {"Embedded", "EmbeddedId"}:
            field.kind, field.target = FieldKind.EMBEDDED, name
        if own.keys() & {"Id", "EmbeddedId"}:
            field.is_primary, field.nullable = True, False
        self._value_type(own, field)
        self._columns(own, field)
        self._overrides(types.annotations(each.symbol), field.overrides)
        maps = own.get("MapsId")
        if maps is not None:
            field.key_of = types.text(maps.get("value")) or "*"
        field.is_required = "NotNull" in own
        size = own.get("Size") or own.get("Length")
        if size is not None and not field.size and (most := types.number(size.get("max"))):
            field.validated_size = f"({most})"
        model.fields.append(field)

    def _plain_type(self, node: int) -> str:
        """Return the unqualified name of a type: `String`, `$int`, `$byte[]`, `Color`; `enum` for an enum of the file."""
        types = self._types
        name, arguments = types.type_names(node)
        if name == "$array":
            return f"{self._plain_type(arguments[0])}[]" if arguments else "[]"
        if name.startswith("java.sql."):
            return f"sql.{name.rpartition('.')[2]}"
        last = name.rpartition(".")[2]
        return "enum" if last in self._enums else last

    def _value_type(self, own: dict[str, Annotation], field: MappedField) -> None:
        types = self._types
        if "Enumerated" in own:
            field.type = "enum name" if self._types.last_name(own["Enumerated"].get("value")) == "STRING" else "enum"
        if "Lob" in own:
            field.type = "binary lob" if field.type in ("$byte[]", "Byte[]", "Blob", "sql.Blob") else "text lob"
        if "Temporal" in own:
            kind = self._types.last_name(own["Temporal"].get("value"))
            field.type = {"DATE": "LocalDate", "TIME": "LocalTime"}.get(kind, "LocalDateTime")
        if "Convert" in own and not types.is_true(own["Convert"].get("disableConversion")):
            field.type = f"@{self._class(own['Convert'].get('converter'))}"
        written = own.get("Type")
        if written is not None and (name := types.text(written.get("type"))):
            is_text = name.rpartition(".")[2].lower().removesuffix("type") == "text"
            field.type = "long text" if is_text else "json" if "json" in name.lower() else field.type
        code = own.get("JdbcTypeCode")
        if code is not None:
            field.type = {"JSON": "json", "LONGVARCHAR": "long text", "LONG32VARCHAR": "long text", "VARCHAR": "String",
                          "CHAR": "uuid text", "UUID": "UUID", "ARRAY": field.type}.get(
                self._types.last_name(code.get("value")), field.type
            )  # fmt: skip

    def _columns(self, own: dict[str, Annotation], field: MappedField) -> None:
        types = self._types
        column = own.get("Column")
        if column is not None:
            field.column = types.text(column.get("name"))
            field.column_type = types.text(column.get("columnDefinition"))
            # An attribute with `@Column` may be null, even if its type is primitive, unless the annotation forbids it.
            field.nullable = not types.is_false(column.get("nullable")) and not field.is_primary
            field.is_unique = types.is_true(column.get("unique"))
            length, precision, scale = (types.number(column.get(each)) for each in ("length", "precision", "scale"))
            field.size = f"({length})" if length else f"({precision},{scale or 0})" if precision and precision != "0" else ""
        basic = own.get("Basic")
        if basic is not None and types.is_false(basic.get("optional")):
            field.nullable = False
        joins = [own["JoinColumn"]] if "JoinColumn" in own else []
        if "JoinColumns" in own:
            joins = types.listed(own["JoinColumns"].get("value"))
        self._join_columns(joins, field)
        if joins and field.kind != FieldKind.ONE_TO_MANY:
            field.is_owner = True
        elif joins:
            field.is_owner = not field.inverse
        for name in ("JoinTable", "CollectionTable"):
            if name in own:
                table = own[name]
                field.relation, field.is_owner = types.text(table.get("name")), True
                field.through = types.text(table.get("schema"))
                field.fields = [types.text(each.get("name")) for each in types.listed(table.get("joinColumns"))]
                field.inverse_fields = [types.text(each.get("name")) for each in types.listed(table.get("inverseJoinColumns"))]
                field.target_fields = []
        for name in ("MapKeyColumn", "OrderColumn"):
            if name in own:
                field.place_column = types.text(own[name].get("name")) or name
        rule = own.get("OnDelete")
        if rule is not None and self._types.last_name(rule.get("action")) in ("CASCADE", "SET_NULL"):
            field.on_delete = self._types.last_name(rule.get("action")).replace("_", " ")
        ignored = own.get("NotFound")
        if ignored is not None and self._types.last_name(ignored.get("action")) == "IGNORE":
            field.has_foreign_key = False

    def _join_columns(self, joins: list[Annotation], field: MappedField) -> None:
        types = self._types
        for each in joins:
            field.fields.append(types.text(each.get("name")))
            field.target_fields.append(types.text(each.get("referencedColumnName")))
            field.nullable = field.nullable and not types.is_false(each.get("nullable"))
            field.is_unique = field.is_unique or types.is_true(each.get("unique"))
            for key in types.listed(each.get("foreignKey")):
                field.foreign_key_name = types.text(key.get("name"))
                mode = self._types.last_name(key.get("value"))
                field.has_foreign_key = mode != "NO_CONSTRAINT"

    def _relation(self, annotation: Annotation, name: str, arguments: Sequence[int], field: MappedField) -> None:
        types = self._types
        field.kind = _RELATIONS[name]
        field.inverse = types.text(annotation.get("mappedBy"))
        field.is_owner = not field.inverse
        field.nullable = not types.is_false(annotation.get("optional"))
        fetch = self._types.last_name(annotation.get("fetch"))
        field.is_eager = fetch == "EAGER" or (not fetch and field.kind in (FieldKind.ONE_TO_ONE, FieldKind.MANY_TO_ONE))
        cascades = types.last_names(annotation.get("cascade"))
        field.is_saved = not cascades.isdisjoint(_SAVING)
        field.is_removed = not cascades.isdisjoint(_REMOVING) or types.is_true(annotation.get("orphanRemoval"))
        written = self._class(annotation.get("targetEntity"))
        field.target = written or (types.type_names(arguments[-1])[0] if arguments and field.is_list else field.type)

    def _collection(self, arguments: Sequence[int], field: MappedField) -> None:
        types = self._types
        field.kind, field.is_owner = FieldKind.COLLECTION, True
        if arguments:
            field.target = types.type_names(arguments[-1])[0]
            field.type = self._plain_type(arguments[-1])

    def _class(self, node: int) -> str:
        """Return the name of the class in `Order.class`; "" for other expressions."""
        types = self._types
        return types.qualified(types.code[node + 1]) if node >= 0 and types.code[node] == Op.MEMBER else ""
