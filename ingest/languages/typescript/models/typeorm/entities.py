"""Entities of TypeORM as one file declares them: https://typeorm.io/entities and https://typeorm.io/decorator-reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from .....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from .....facts.model import Member, Shape
from .....facts.operations import Op
from ..declared import Call, DeclaredNames

FRAMEWORK: Final = "typeorm"
_MODULE: Final = "typeorm"
#: Decorators of columns; `ViewColumn` and `VirtualColumn` declare no column of a table.
_COLUMNS: Final = frozenset(
    ("Column", "PrimaryColumn", "PrimaryGeneratedColumn", "CreateDateColumn", "UpdateDateColumn", "DeleteDateColumn",
     "VersionColumn", "ViewColumn", "ObjectIdColumn", "TreeLevelColumn")
)  # fmt: skip
_RELATIONS: Final = {
    "OneToOne": FieldKind.ONE_TO_ONE,
    "OneToMany": FieldKind.ONE_TO_MANY,
    "ManyToOne": FieldKind.MANY_TO_ONE,
    "ManyToMany": FieldKind.MANY_TO_MANY,
    "TreeParent": FieldKind.MANY_TO_ONE,
}
_ENTITIES: Final = {"Entity": ModelKind.TABLE, "ChildEntity": ModelKind.CHILD, "ViewEntity": ModelKind.VIEW}
#: Relations of an entity schema by their type.
_SCHEMA_RELATIONS: Final = {
    "one-to-one": FieldKind.ONE_TO_ONE,
    "one-to-many": FieldKind.ONE_TO_MANY,
    "many-to-one": FieldKind.MANY_TO_ONE,
    "many-to-many": FieldKind.MANY_TO_MANY,
}
#: Databases by the type of a data source.
_DRIVERS: Final = frozenset(
    ("postgres", "cockroachdb", "aurora-postgres", "mysql", "mariadb", "aurora-mysql", "sqlite", "better-sqlite3", "sqljs",
     "expo", "mssql", "oracle", "mongodb", "spanner", "sap")
)  # fmt: skip
#: Other options of a data source.
_SOURCE_OPTIONS: Final = frozenset(
    ("entities", "synchronize", "migrations", "host", "url", "database", "autoLoadEntities", "migrationsRun")
)
#: How the names of modules begin that may be of the repository.
_OWN_MODULES: Final = (".", "@", "~", "#", "src/")
_TREES: Final = ("materialized-path", "nested-set", "closure-table", "adjacency-list")


def typeorm_models(names: DeclaredNames, source: bytes) -> list[MappedModel]:
    """Return the entities, entity schemas and settings of a file."""
    reading = _Reading(names, source)
    return [*reading.settings(), *reading.makers(), *reading.entities(), *reading.schemas()]


class _Reading:
    def __init__(self, names: DeclaredNames, source: bytes) -> None:
        self._names = names
        self._source = source

    # ------------------------------------------------------------------ settings

    def settings(self) -> Iterator[MappedModel]:
        names = self._names
        for shape in names.facts.shapes:
            properties = {member.name: member.value for member in shape.members if member.value >= 0}
            is_source = len(_SOURCE_OPTIONS & properties.keys()) > 1 or "namingStrategy" in properties
            if not is_source or shape.symbol < 0:
                continue
            at = (shape.symbol, names.line_of(shape.symbol))
            driver = names.text(properties.get("type", -1))
            if driver in _DRIVERS:
                yield MappedModel(FRAMEWORK, "type", ModelKind.SETTING, *at, table=driver)
            prefix = names.text(properties.get("entityPrefix", -1))
            if prefix:
                yield MappedModel(FRAMEWORK, "entityPrefix", ModelKind.SETTING, *at, table=prefix)
            strategy = names.call(properties.get("namingStrategy", -1))
            if strategy is not None:
                yield MappedModel(FRAMEWORK, "namingStrategy", ModelKind.SETTING, *at, table=strategy.name)

    # ------------------------------------------------------------------ decorators

    def makers(self) -> Iterator[MappedModel]:
        """Yield the functions that return a decorator of columns: `const Money = () => Column("numeric")`."""
        names = self._names
        for each in names.facts.functions:
            if each.symbol < 0 or len(each.returns) != 1:
                continue
            call = names.call(each.returns[0])
            inner = [call, *(map(names.call, call.arguments) if call is not None and call.name == "applyDecorators" else ())]
            found = next((one for one in inner if one is not None and one.module == _MODULE and one.name in _COLUMNS), None)
            if found is not None:
                line = names.line_of(each.symbol)
                field = MappedField("", each.symbol, line, "", kind=FieldKind.COLUMN)
                self._column(found, field)
                name = names.facts.symbols[each.symbol].name
                yield MappedModel(FRAMEWORK, name, ModelKind.TYPE, each.symbol, line, fields=[field])

    def _made(self, member: Member, model: MappedModel) -> None:
        """Add a member whose decorators may be functions of the repository that declare columns."""
        names = self._names
        calls = [call for call in names.decorators(member.symbol) if not call.module or call.module.startswith(_OWN_MODULES)]
        if calls:
            kind = names.type_name(member.type) or names.inferred_type(member.value)
            field = MappedField(member.name, member.symbol, names.line_of(member.symbol), kind, kind=FieldKind.COLUMN)
            field.maker = " ".join(f"{call.module}#{call.name}" for call in calls)
            for call in calls:
                self._column_options(names.options(call.arguments), field)
            model.fields.append(field)

    # ------------------------------------------------------------------ classes

    def entities(self) -> Iterator[MappedModel]:
        for shape in self._names.classes():
            model = self._entity(shape)
            if model is not None:
                yield model

    def _entity(self, shape: Shape) -> MappedModel | None:
        names = self._names
        line = names.line_of(shape.symbol)
        model = MappedModel(FRAMEWORK, shape.name, ModelKind.ABSTRACT, shape.symbol, line)
        # `extends PartialType(Base)` and the like declare no columns of their own.
        model.bases = names.base_classes(shape)
        for call in self._own(shape.symbol):
            self._class_decorator(call, model)
        for member in names.fields(shape):
            self._member(member, model)
        is_declared = model.kind != ModelKind.ABSTRACT or any(not field.maker for field in model.fields)
        return model if is_declared or model.bases else None

    def _own(self, symbol: int) -> Iterator[Call]:
        for call in self._names.decorators(symbol):
            if call.module == _MODULE:
                yield call

    def _class_decorator(self, call: Call, model: MappedModel) -> None:
        names = self._names
        if call.name in _ENTITIES:
            model.kind = _ENTITIES[call.name]
            options = names.options(call.arguments)
            if call.name != "ChildEntity":
                model.table = names.text(call.argument(0)) or names.text(options.get("name", -1))
                model.schema = names.text(options.get("schema", -1))
            if names.is_false(options.get("synchronize", -1)):
                model.is_managed = False
        elif call.name in ("Index", "Unique"):
            self._key(call, model, [], model.symbol, model.line)
        elif call.name == "TableInheritance":
            options = names.object(call.argument(0))
            model.inheritance = "single table"
            column = names.object(options.get("column", -1))
            name = names.text(column.get("name", -1)) or names.text(options.get("column", -1)) or "type"
            field = MappedField(name, model.symbol, model.line, "string", kind=FieldKind.DISCRIMINATOR)
            self._column_options(column, field)
            model.fields.append(field)
        elif call.name == "Tree" and (kind := names.text(call.argument(0))) in _TREES:
            model.tree = kind

    def _key(self, call: Call, model: MappedModel, fields: Sequence[str], symbol: int, line: int) -> None:
        names = self._names
        kind = "unique" if call.name == "Unique" else "index"
        key = MappedKey(kind, list(fields), symbol, line, names.text(call.argument(0)))
        for each in call.arguments:
            if names.is_object(each):
                options = names.object(each)
                if names.is_true(options.get("unique", -1)):
                    key.kind, key.is_partial = "unique", True
                if names.is_false(options.get("synchronize", -1)):
                    return
                key.where = names.text(options.get("where", -1))
            elif names.is_list(each) and not fields:
                key.fields = names.texts(each)
            elif names.is_function(each) and not fields:
                key.fields = self._named_members(names.result(each))
        if kind == "index" and key.kind == "index":
            key.is_partial = True
        if key.fields:
            model.keys.append(key)

    def _named_members(self, node: int) -> list[str]:
        """Return the members that `(user) => [user.name, user.town]` or `({ name: 1 })` names."""
        names = self._names
        if names.is_object(node):
            return list(names.object(node))
        code = names.code
        return [names.string(code[each + 2]) for each in names.elements(node) if code[each] == Op.MEMBER]

    # ------------------------------------------------------------------ members

    def _member(self, member: Member, model: MappedModel) -> None:
        names = self._names
        line = names.line_of(member.symbol)
        calls = list(self._own(member.symbol))
        main = next((call for call in calls if call.name in _COLUMNS or call.name in _RELATIONS), None)
        if main is None:
            self._made(member, model)
            return
        kind = names.type_name(member.type) or names.inferred_type(member.value)
        field = MappedField(member.name, member.symbol, line, kind, kind=FieldKind.COLUMN)
        for call in calls:
            if call.name in _COLUMNS:
                self._column(call, field)
            elif call.name in _RELATIONS:
                self._relation(call, field)
        for call in calls:
            if call.name == "JoinColumn":
                field.is_owner = True
                self._join_columns(call.argument(0), field)
            elif call.name == "JoinTable":
                self._join_table(call.argument(0), field)
            elif call.name == "Generated":
                strategy = names.text(call.argument(0)) or "increment"
                field.default = f"{strategy}()"
                field.column_type = "uuid" if strategy == "uuid" else field.column_type
            elif call.name in ("Index", "Unique"):
                self._key(call, model, [field.name], field.symbol, field.line)
        if field.is_unique and not field.target:
            model.keys.append(MappedKey("unique", [field.name], field.symbol, line))
        model.fields.append(field)

    def _column(self, call: Call, field: MappedField) -> None:
        names = self._names
        first = call.argument(0)
        written = names.text(first)
        options = names.options(call.arguments)
        if call.name == "Column" and names.is_function(first):
            field.kind, field.target = FieldKind.EMBEDDED, names.reference(names.result(first)) or "?"
            prefix = options.get("prefix", -1)
            field.prefix = names.text(prefix) if names.is_text(prefix) else "" if names.is_false(prefix) else field.name
            field.is_list = names.is_true(options.get("array", -1)) or field.type == "[]"
            return
        if call.name == "PrimaryGeneratedColumn":
            strategy = written or "increment"
            field.default, field.is_primary = f"{strategy}()", True
            field.column_type = {"uuid": "uuid", "rowid": "int"}.get(strategy, "number")
        elif call.name == "PrimaryColumn":
            field.is_primary = True
        elif call.name != "Column":
            field.column_type = call.name
            field.nullable = call.name == "DeleteDateColumn"
        if written and call.name in ("Column", "PrimaryColumn"):
            field.column_type = written
        elif call.name in ("Column", "PrimaryColumn"):
            self._constructor_type(first, field)
        self._column_options(options, field)

    def _constructor_type(self, node: int, field: MappedField) -> None:
        """Set the type of a column that is declared as `String`, `Number`, `Boolean` or `Date`."""
        module, name = self._names.origin(self._names.value(node)) if node >= 0 else ("", "")
        if not module and name in ("String", "Number", "Boolean", "Date"):
            field.column_type = name.lower() if name != "Date" else name

    def _column_options(self, options: Mapping[str, int], field: MappedField) -> None:
        names = self._names
        kind = options.get("type", -1)
        if names.text(kind):
            field.column_type = names.text(kind)
        else:
            self._constructor_type(kind, field)
        field.column = names.text(options.get("name", -1)) or field.column
        field.nullable = field.nullable or names.is_true(options.get("nullable", -1))
        field.is_primary = field.is_primary or names.is_true(options.get("primary", -1))
        field.is_unique = names.is_true(options.get("unique", -1))
        field.is_list = names.is_true(options.get("array", -1))
        field.size = self._size(options)
        if "generated" in options and not names.is_false(options["generated"]):
            strategy = names.text(options["generated"]) or "increment"
            field.default = f"{strategy}()"
            field.column_type = "uuid" if strategy == "uuid" else field.column_type
        if not field.default and "default" in options:
            node = options["default"]
            field.default = names.literal(node) or names.text(names.result(node))
        if "enumName" in options:
            field.relation = names.text(options["enumName"])

    def _size(self, options: Mapping[str, int]) -> str:
        names = self._names
        length, precision, scale = (
            names.text(options.get(each, -1)) or names.number(options.get(each, -1)) for each in ("length", "precision", "scale")
        )
        if length:
            return f"({length})"
        return f"({precision},{scale})" if precision and scale else f"({precision})" if precision else ""

    # ------------------------------------------------------------------ relations

    def _relation(self, call: Call, field: MappedField) -> None:
        names = self._names
        field.kind = _RELATIONS[call.name]
        first = call.argument(0)
        if call.name == "TreeParent":
            field.target, field.nullable = "#self", True
        else:
            field.target = names.text(first) or names.reference(names.result(first)) or "?"
        for each in call.arguments[1:]:
            if names.is_function(each):
                result = names.result(each)
                field.inverse = names.string(names.code[result + 2]) if result >= 0 and names.code[result] == Op.MEMBER else ""
            elif names.is_object(each):
                self._relation_options(names.object(each), field)
            elif names.text(each):
                field.inverse = names.text(each)
        if call.name != "TreeParent" and not any(names.is_object(each) for each in call.arguments[1:]):
            field.nullable = True
        field.is_owner = field.kind == FieldKind.MANY_TO_ONE
        if call.name == "TreeParent":
            field.on_delete = names.text(names.options(call.arguments).get("onDelete", -1))

    def _relation_options(self, options: Mapping[str, int], field: MappedField) -> None:
        names = self._names
        field.nullable = not names.is_false(options.get("nullable", -1))
        field.is_primary = field.is_primary or names.is_true(options.get("primary", -1))
        field.on_delete = names.text(options.get("onDelete", -1))
        field.on_update = names.text(options.get("onUpdate", -1))
        field.is_eager = names.is_true(options.get("eager", -1))
        cascade = options.get("cascade", -1)
        cascades = {names.text(each) for each in names.elements(cascade)} if names.is_list(cascade) else set[str]()
        field.is_saved = names.is_true(cascade) or not cascades.isdisjoint(("insert", "update"))
        field.has_foreign_key = not names.is_false(options.get("createForeignKeyConstraints", -1))

    def _join_columns(self, node: int, field: MappedField) -> None:
        """Read the columns of a relation: options, or a list of them."""
        names = self._names
        for each in names.elements(node) if names.is_list(node) else [node] if names.is_object(node) else []:
            options = names.object(each)
            field.fields.append(names.text(options.get("name", -1)))
            field.target_fields.append(names.text(options.get("referencedColumnName", -1)))
            field.foreign_key_name = field.foreign_key_name or names.text(options.get("foreignKeyConstraintName", -1))

    def _join_table(self, node: int, field: MappedField) -> None:
        """Read the options of the table that joins both sides."""
        names = self._names
        field.is_owner = True
        options = names.object(node)
        field.relation = names.text(options.get("name", -1))
        field.fields = self._column_names(options, "joinColumn")
        field.inverse_fields = self._column_names(options, "inverseJoinColumn")

    def _column_names(self, options: Mapping[str, int], key: str) -> list[str]:
        names = self._names
        listed = options.get(f"{key}s", -1)
        found = names.elements(listed) if listed >= 0 else [options[key]] if key in options else []
        return [names.text(names.object(each).get("name", -1)) for each in found]

    # ------------------------------------------------------------------ entity schemas

    def schemas(self) -> Iterator[MappedModel]:
        """Yield the entities that `new EntitySchema({ … })` declares."""
        names = self._names
        for node in names.facts.calls:
            call = names.call(node)
            # JavaScript gets the class by `require("typeorm").EntitySchema`.
            if call is not None and call.module in ("", _MODULE) and call.name.rpartition(".")[2] == "EntitySchema":
                yield self._schema(call)

    def _schema(self, call: Call) -> MappedModel:
        names = self._names
        options = names.object(call.argument(0))
        target = names.origin(options["target"])[1] if "target" in options else ""
        name = names.text(options.get("name", -1)) or target
        symbol = names.owner(call.node)
        if symbol < 0 or names.facts.symbols[symbol].kind == "expression":  # `module.exports = new EntitySchema({ … })`
            symbol = names.add_table(name, call.node, self._source)
        model = MappedModel(FRAMEWORK, name, ModelKind.TABLE, symbol, names.line_of(symbol))
        model.table = names.text(options.get("tableName", -1))
        model.schema = names.text(options.get("schema", -1))
        for member in names.properties(options.get("columns", -1)):
            field = self._schema_field(member, symbol)
            self._column_options(names.object(member.value), field)
            self._schema_mode(names.object(member.value), field)
            if field.is_unique:
                model.keys.append(MappedKey("unique", [field.name], symbol, field.line))
            model.fields.append(field)
        for member in names.properties(options.get("relations", -1)):
            model.fields.append(self._schema_relation(member, symbol))
        for kind, key in (("index", "indices"), ("unique", "uniques")):
            for each in names.elements(options.get(key, -1)):
                written = names.object(each)
                is_unique = kind == "unique" or names.is_true(written.get("unique", -1))
                columns = names.texts(written.get("columns", -1))
                made = MappedKey("unique" if is_unique else "index", columns, symbol, model.line)
                made.name, made.is_partial = names.text(written.get("name", -1)), kind == "index"
                made.where = names.text(written.get("where", -1))
                if columns:
                    model.keys.append(made)
        return model

    def _schema_field(self, member: Member, symbol: int) -> MappedField:
        own = member.symbol if member.symbol >= 0 else symbol
        return MappedField(member.name, own, self._names.line_of(own), "", kind=FieldKind.COLUMN)

    def _schema_mode(self, options: Mapping[str, int], field: MappedField) -> None:
        names = self._names
        for key, name in (
            ("createDate", "CreateDateColumn"),
            ("updateDate", "UpdateDateColumn"),
            ("deleteDate", "DeleteDateColumn"),
        ):
            if names.is_true(options.get(key, -1)):
                field.column_type = field.column_type or name
                field.nullable = field.nullable or key == "deleteDate"

    def _schema_relation(self, member: Member, symbol: int) -> MappedField:
        names = self._names
        options = names.object(member.value)
        field = self._schema_field(member, symbol)
        field.kind = _SCHEMA_RELATIONS.get(names.text(options.get("type", -1)), FieldKind.MANY_TO_ONE)
        target = options.get("target", -1)
        field.target = names.text(target) or names.reference(names.result(target)) or "?"
        self._relation_options(options, field)
        field.inverse = names.text(options.get("inverseSide", -1))
        joined = options.get("joinColumn", -1)
        field.is_owner = field.kind == FieldKind.MANY_TO_ONE or (joined >= 0 and not names.is_false(joined))
        self._join_columns(joined, field)
        table = options.get("joinTable", -1)
        if field.kind == FieldKind.MANY_TO_MANY and table >= 0 and not names.is_false(table):
            self._join_table(table, field)
        return field
