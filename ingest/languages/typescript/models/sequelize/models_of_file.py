"""Models of Sequelize as one file declares them: https://sequelize.org/docs/v6/core-concepts/model-basics/.

Classes with the decorators of `sequelize-typescript` are models, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from .....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from .....facts.model import Member, Shape
from .....facts.node_scan import any_of, nodes_of
from .....facts.operations import Op
from ..declared import Call, DeclaredNames
from .column_types import column_type

FRAMEWORK: Final = "sequelize"
_ASSIGN: Final = any_of(Op.ASSIGN)
#: Associations by the name of the method. The decorator has the same name with an upper-case first letter.
ASSOCIATIONS: Final = {
    "belongsTo": FieldKind.MANY_TO_ONE,
    "hasOne": FieldKind.ONE_TO_ONE,
    "hasMany": FieldKind.ONE_TO_MANY,
    "belongsToMany": FieldKind.MANY_TO_MANY,
}
#: Options of a model that decide names and columns.
_OPTIONS: Final = ("underscored", "timestamps", "paranoid", "freezeTableName", "createdAt", "updatedAt", "deletedAt")
#: Types of columns by the type of a property.
_TYPES: Final = {"string": "varchar(255)", "number": "integer", "boolean": "boolean", "#Date": "timestamp with time zone"}
#: Decorators of the columns with times, and the options that name these columns.
_TIMES: Final = {"CreatedAt": "createdAt", "UpdatedAt": "updatedAt", "DeletedAt": "deletedAt"}
_COLUMNS: Final = frozenset(("Column", "PrimaryKey", "ForeignKey", "AutoIncrement", "AllowNull", *_TIMES))


def sequelize_models(names: DeclaredNames, source: bytes) -> list[MappedModel]:
    """Return the models, associations and settings of a file."""
    reading = _Reading(names, source)
    return [*reading.settings(), *reading.classes(), *reading.calls()]


class _Reading:
    def __init__(self, names: DeclaredNames, source: bytes) -> None:
        self._names = names
        self._source = source
        #: Symbols of the classes by their names.
        self._classes = {shape.name: shape.symbol for shape in names.classes()}
        #: Names of variables whose values are calls, by node of the call.
        self._variables = {names.value(decl.b): (decl.name, decl.symbol) for decl in names.variables()}
        self._is_imported = any(each.specifier == "sequelize" for each in names.facts.imports)
        #: Modules of the models that code adds to an object: `db.user = require("./user")(sequelize)`.
        self._added = dict(self._added_models()) if b"require(" in source else {}

    def _added_models(self) -> Iterator[tuple[str, str]]:
        """Yield the names of members to which code assigns the model of a module, `db.user`, each with the module."""
        names, code = self._names, self._names.code
        for node in nodes_of(names.facts, _ASSIGN):
            made = names.bare(code[node + 2])
            made = names.bare(code[made + 1]) if code[made] == Op.CALL else made
            module, name = names.origin(code[node + 1])
            if code[made] == Op.REQUIRE and "." in name and not module:
                yield name, f"{names.facts.imports[code[made + 1]].specifier}#"

    def _model(self, reference: str) -> str:
        """Return a reference to a model, with the module of a model that code adds to an object."""
        return self._added.get(reference.rpartition("#")[2], reference)

    def settings(self) -> Iterator[MappedModel]:
        """Yield the options for all models, from `new Sequelize(…, { define: { … } })`."""
        names = self._names
        for node in names.facts.calls:
            call = names.call(node)
            if call is None or call.name.rpartition(".")[2] != "Sequelize" or names.code[call.node] != Op.NEW:
                continue
            for name, value in self._options(names.object(names.options(call.arguments).get("define", -1))).items():
                symbol = max(names.owner(node), 0)
                yield MappedModel(FRAMEWORK, name, ModelKind.SETTING, symbol, names.line_of(symbol), table=value)

    def _options(self, options: Mapping[str, int]) -> dict[str, str]:
        """Return the options of a model as texts."""
        names = self._names
        found = {name: names.literal(options[name]).strip("'") for name in _OPTIONS if name in options}
        return {name: value for name, value in found.items() if value}

    # ------------------------------------------------------------------ decorators

    def classes(self) -> Iterator[MappedModel]:
        """Yield the classes with decorators, and the base classes of models."""
        for shape in self._names.classes():
            model = self._class(shape)
            if model is not None:
                yield model

    def _class(self, shape: Shape) -> MappedModel | None:
        names = self._names
        model = MappedModel(FRAMEWORK, shape.name, ModelKind.ABSTRACT, shape.symbol, names.line_of(shape.symbol))
        model.bases = names.base_classes(shape)
        for call in names.decorators(shape.symbol):
            if call.module.startswith("sequelize-typescript") and call.name == "Table":
                model.kind = ModelKind.TABLE
                self._model_options(model, names.object(call.argument(0)))
        for member in names.fields(shape):
            self._member(member, model)
        return model if model.bases and (model.fields or model.kind == ModelKind.TABLE) else None

    def _model_options(self, model: MappedModel, options: Mapping[str, int]) -> None:
        names = self._names
        model.table = names.text(options.get("tableName", -1))
        model.schema = names.text(options.get("schema", -1))
        model.entity = names.text(options.get("modelName", -1)) or model.entity
        model.options = self._options(options)
        for each in names.elements(options.get("indexes", -1)):
            index = names.object(each)
            parts = names.elements(index.get("fields", -1))
            columns = [names.text(part) or self._indexed(names.object(part)) for part in parts]
            named = names.text(index.get("name", -1))
            is_unique = names.is_true(index.get("unique", -1)) or names.text(index.get("type", -1)).upper() == "UNIQUE"
            if columns and (named or all(columns)):
                written = [column for column in columns if column]
                kind = "unique" if is_unique else "index"
                model.keys.append(MappedKey(kind, written, model.symbol, model.line, named, is_partial=is_unique))

    def _indexed(self, options: Mapping[str, int]) -> str:
        """Return the column of a part of an index that has options, such as its order."""
        return self._names.text(options.get("name", options.get("attribute", -1)))

    def _member(self, member: Member, model: MappedModel) -> None:
        names = self._names
        by_name = {call.name: call for call in names.decorators(member.symbol) if call.module.startswith("sequelize-typescript")}
        line = names.line_of(member.symbol)
        relation = next((name for name in by_name if name[:1].lower() + name[1:] in ASSOCIATIONS), "")
        if relation:
            model.fields.append(self._decorated_relation(member, by_name[relation]))
            return
        if not _COLUMNS.intersection(by_name):
            return
        kind = names.type_name(member.type) or names.inferred_type(member.value)
        field = MappedField(member.name, member.symbol, line, kind, column_type=_TYPES.get(kind, ""), kind=FieldKind.COLUMN)
        field.nullable = True
        column = by_name.get("Column")
        if column is not None:
            first = column.argument(0)
            if names.is_object(first):
                self._attribute(names.object(first), field, model)
            else:
                field.column_type = column_type(names, first, model.table, member.name) or field.column_type
        self._other_decorators(by_name, field, model)
        model.fields.append(field)

    def _other_decorators(self, calls: Mapping[str, Call], field: MappedField, model: MappedModel) -> None:
        names = self._names
        if "PrimaryKey" in calls:
            field.is_primary, field.nullable = True, False
        if "AllowNull" in calls:
            field.states_nullable = field.nullable = not names.is_false(calls["AllowNull"].argument(0))
        field.is_unique = field.is_unique or "Unique" in calls
        default = calls.get("Default")
        if default is not None:
            field.default = names.literal(default.argument(0))
        key = calls.get("ForeignKey")
        if key is not None:
            field.target = names.reference(names.result(key.argument(0)))
        for name, option in _TIMES.items():
            if name in calls:
                model.options[option] = field.name
                field.nullable = name == "DeletedAt"
                if name == "DeletedAt":
                    model.options["paranoid"] = "true"

    def _decorated_relation(self, member: Member, call: Call) -> MappedField:
        names = self._names
        kind = ASSOCIATIONS[call.name[:1].lower() + call.name[1:]]
        field = MappedField(member.name, member.symbol, names.line_of(member.symbol), "", kind=kind)
        field.target = names.text(call.argument(0)) or names.reference(names.result(call.argument(0))) or "?"
        rest = call.arguments[1:]
        if kind == FieldKind.MANY_TO_MANY and rest:
            field.through = names.reference(names.result(rest[0]))
            field.relation = names.text(rest[0])
            rest = rest[1:]
        for place, each in enumerate(rest):
            if names.is_object(each):
                self._association_options(names.object(each), field)
            elif names.text(each):
                (field.inverse_fields if place else field.fields).append(names.text(each))
        return field

    # ------------------------------------------------------------------ calls

    def calls(self) -> Iterator[MappedModel]:
        """Yield the models that `define` and `init` declare, and the associations of models."""
        names = self._names
        for node in names.facts.calls:
            call = names.call(node) or self._defined_on_result(node)
            if call is None or "." not in call.name:
                continue
            receiver, _, method = call.name.rpartition(".")
            if method == "define" and names.text(call.argument(0)) and self._is_sequelize(call, receiver):
                yield self._defined(call)
            elif method == "init" and names.is_object(call.argument(0)) and names.is_object(call.argument(1)):
                found = self._initialized(call, receiver)
                if found is not None:
                    yield found
            elif method in ASSOCIATIONS and call.arguments and not names.is_text(call.argument(0)):
                symbol = max(names.owner(node), 0)
                at = (symbol, names.line(node))
                source = self._model(f"{call.module}#{receiver}")
                field = self._association(method, call, *at)
                yield MappedModel(FRAMEWORK, source, ModelKind.KEYS, *at, fields=[field])
        yield from self._calls_of_this()

    def _defined_on_result(self, node: int) -> Call | None:
        """Return the call of `define` on the result of a function: `getConnection().define("User", { … })`."""
        names, code = self._names, self._names.code
        callee = names.bare(code[node + 1])
        if not self._is_imported or code[callee] != Op.MEMBER or names.string(code[callee + 2]) != "define":
            return None
        return Call("", ".define", names.items(code[node + 2]), node) if code[names.bare(code[callee + 1])] == Op.CALL else None

    def _is_sequelize(self, call: Call, receiver: str) -> bool:
        """Return whether the receiver of `define` is an instance of Sequelize, by its name or its value."""
        names = self._names
        if "sequelize" in receiver.lower() or (self._is_imported and names.is_object(call.argument(1))):
            return True
        made = names.call(names.code[names.code[call.node + 1] + 1])
        return made is not None and made.name.rpartition(".")[2] == "Sequelize"

    def _calls_of_this(self) -> Iterator[MappedModel]:
        """Yield what static methods of models declare by `super.init({…}, {…})` and `this.hasMany(models.Post)`."""
        names = self._names
        code = names.code
        for node in names.facts.calls:
            callee = code[node + 1]
            this = names.bare(code[callee + 1]) if code[callee] == Op.MEMBER else -1
            if code[node] != Op.CALL or this < 0 or code[this] not in (Op.THIS, Op.SUPER):
                continue
            method, shape = names.string(code[callee + 2]), code[this + 2]
            if not 0 <= shape < len(names.facts.shapes):
                continue
            name = names.facts.shapes[shape].name
            call = Call("", method, names.items(code[node + 2]), node)
            if method == "init" and names.is_object(call.argument(0)):
                found = self._initialized(call, name)
                if found is not None:
                    yield found
            elif method in ASSOCIATIONS:
                at = (max(names.owner(node), 0), names.line(node))
                field = self._association(method, call, *at)
                yield MappedModel(FRAMEWORK, f"#{name}", ModelKind.KEYS, *at, fields=[field])

    def _defined(self, call: Call) -> MappedModel:
        names = self._names
        variable, symbol = self._variables.get(call.node, ("", -1))
        name = names.text(call.argument(0))
        symbol = symbol if symbol >= 0 else names.add_table(variable or name, call.node, self._source)
        model = MappedModel(FRAMEWORK, variable or name, ModelKind.TABLE, symbol, names.line(call.node), entity=name)
        self._model_options(model, names.object(call.argument(2)))
        self._attributes(call.argument(1), model)
        return model

    def _initialized(self, call: Call, receiver: str) -> MappedModel | None:
        names = self._names
        options = names.object(call.argument(1))
        if "sequelize" not in options or receiver not in self._classes:
            return None
        symbol = self._classes[receiver]
        model = MappedModel(FRAMEWORK, receiver, ModelKind.TABLE, symbol, names.line_of(symbol))
        self._model_options(model, options)
        self._attributes(call.argument(0), model)
        return model

    def _attributes(self, node: int, model: MappedModel) -> None:
        names = self._names
        for member in names.properties(node):
            symbol = names.add_property(model.symbol, member, self._source)
            field = MappedField(member.name, symbol, names.line_of(symbol), "", kind=FieldKind.COLUMN, nullable=True)
            if names.is_object(member.value):
                self._attribute(names.object(member.value), field, model)
            else:
                field.column_type = column_type(names, member.value, model.table, member.name)
            if not _is_virtual(names, names.object(member.value).get("type", member.value)):
                model.fields.append(field)

    def _attribute(self, options: Mapping[str, int], field: MappedField, model: MappedModel) -> None:
        names = self._names
        kind = options.get("type", -1)
        field.column = names.text(options.get("field", -1))
        field.column_type = column_type(names, kind, model.table, field.name) or field.column_type
        field.is_primary = names.is_true(options.get("primaryKey", -1))
        field.nullable = not field.is_primary and not names.is_false(options.get("allowNull", -1))
        field.states_nullable = names.is_true(options.get("allowNull", -1))
        unique = options.get("unique", -1)
        field.unique_name = names.text(unique) or names.text(names.object(unique).get("name", -1))
        field.is_unique = names.is_true(unique) or names.is_object(unique) or bool(field.unique_name)
        field.default = names.literal(options.get("defaultValue", -1))
        referred = names.object(options.get("references", -1))
        target = referred.get("model", -1)
        if target >= 0:
            field.targets_table = bool(names.text(target))
            field.target = names.text(target) or names.text(names.object(target).get("tableName", -1)) or names.reference(target)
            field.target_fields = [text for text in [names.text(referred.get("key", -1))] if text]
            field.on_delete, field.on_update = (names.text(options.get(key, -1)) for key in ("onDelete", "onUpdate"))

    # ------------------------------------------------------------------ associations

    def _association(self, method: str, call: Call, symbol: int, line: int) -> MappedField:
        """Return the relation that `User.hasMany(Post, { as: "posts", foreignKey: "authorId" })` declares."""
        names = self._names
        options = names.object(call.argument(1))
        field = MappedField(names.text(options.get("as", -1)), symbol, line, "", kind=ASSOCIATIONS[method])
        field.target = self._model(names.reference(call.argument(0))) or "?"
        self._association_options(options, field)
        return field

    def _association_options(self, options: Mapping[str, int], field: MappedField) -> None:
        names = self._names
        for key, fields in (("foreignKey", field.fields), ("otherKey", field.inverse_fields), ("targetKey", field.target_fields)):
            given = options.get(key, -1)
            nested = names.object(given)
            text = names.text(given) or names.text(nested.get("name", -1)) or names.text(nested.get("fieldName", -1))
            if text:
                fields.append(text)
            if names.is_false(nested.get("allowNull", -1)):
                field.is_required = True
        field.has_foreign_key = not names.is_false(options.get("constraints", -1))
        field.on_delete, field.on_update = (names.text(options.get(key, -1)) for key in ("onDelete", "onUpdate"))
        through = options.get("through", -1)
        if through >= 0:
            given = names.object(through).get("model", through)
            field.is_unique = not names.is_false(names.object(through).get("unique", -1))
            field.relation, field.through = names.text(given), names.reference(given) if not names.is_text(given) else ""


def _is_virtual(names: DeclaredNames, node: int) -> bool:
    call = names.call(node)
    name = call.name if call is not None else names.origin(node)[1] if node >= 0 else ""
    return "VIRTUAL" in name.split(".")
