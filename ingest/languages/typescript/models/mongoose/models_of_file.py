"""Schemas and models of Mongoose as one file declares them: https://mongoosejs.com/docs/guide.html.

Classes with the decorators of `@nestjs/mongoose` or Typegoose are models, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from .....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from .....facts.model import Shape
from .....facts.operations import Op
from ..declared import Call, DeclaredNames

FRAMEWORK: Final = "mongoose"
#: Packages of the decorators `Prop` and `prop`.
_DECORATORS: Final = ("@nestjs/mongoose", "@typegoose/typegoose", "typegoose")
#: Types by the constructors and names in schemas.
_TYPES: Final = {
    "String": "string", "Number": "number", "Boolean": "bool", "Bool": "bool", "Date": "date", "Buffer": "binData",
    "ObjectId": "objectId", "ObjectID": "objectId", "Decimal128": "decimal", "Map": "object", "Mixed": "mixed", "Object": "mixed",
    "UUID": "uuid", "BigInt": "long", "string": "string", "number": "number", "boolean": "bool",
}  # fmt: skip


def mongoose_models(names: DeclaredNames, source: bytes) -> list[MappedModel]:
    """Return the schemas and models of a file."""
    reading = _Reading(names, source)
    return [*reading.schemas(), *reading.classes(), *reading.models()]


class _Reading:
    def __init__(self, names: DeclaredNames, source: bytes) -> None:
        self._names = names
        self._source = source
        #: Names and symbols of variables whose values are calls, by node of the call.
        self._variables: dict[int, tuple[str, int]] = {}
        self._schemas: dict[str, MappedModel] = {}
        #: Classes of which Typegoose makes models.
        self._of_typegoose = {
            names.origin(call.argument(0))[1]
            for node in names.facts.calls
            if (call := names.call(node)) is not None and call.module in _DECORATORS and call.name == "getModelForClass"
        }
        for decl in names.variables():
            value = names.value(decl.b)
            operands = (1, 2) if value >= 0 and names.code[value] == Op.LOGICAL else ()
            for node in (value, *(names.value(names.code[value + operand]) for operand in operands)):
                self._variables.setdefault(node, (decl.name, decl.symbol))

    # ------------------------------------------------------------------ schemas

    def schemas(self) -> Iterator[MappedModel]:
        """Yield the schemas in variables, with the virtual fields that relate them to other models."""
        names = self._names
        for node in names.facts.calls:
            call = names.call(node)
            name, symbol = self._variables.get(node, ("", -1))
            if call is not None and name and self._is_schema(call):
                symbol = symbol if symbol >= 0 else max(names.owner(node), 0)
                model = MappedModel(FRAMEWORK, name, ModelKind.EMBEDDED, symbol, names.line(node))
                self._fill(call, model)
                self._schemas[name] = model
        for node in names.facts.calls:
            call = names.call(node)
            receiver, _, method = call.name.rpartition(".") if call is not None else ("", "", "")
            if call is not None and method == "virtual" and receiver in self._schemas and call.argument(1) >= 0:
                self._virtual(call, self._schemas[receiver])
        yield from self._schemas.values()

    def _is_schema(self, call: Call) -> bool:
        return call.name.rpartition(".")[2] == "Schema" and call.module in ("", "mongoose")

    def _fill(self, call: Call, model: MappedModel) -> None:
        """Read the arguments of `new Schema({ … }, { … })`."""
        names = self._names
        self._options(names.object(call.argument(1)), model)
        for member in names.properties(call.argument(0)):
            symbol = names.add_property(model.symbol, member, self._source)
            field = MappedField(member.name, symbol, names.line_of(symbol), "", kind=FieldKind.COLUMN, nullable=True)
            self._type(member.value, field)
            model.fields.append(field)

    def _options(self, options: Mapping[str, int], model: MappedModel) -> None:
        names = self._names
        model.table = names.text(options.get("collection", -1))
        times = options.get("timestamps", -1)
        if times >= 0 and not names.is_false(times):
            written = names.object(times)
            for name in ("createdAt", "updatedAt"):
                value = written.get(name, -1)
                if not names.is_false(value):
                    model.options[name] = names.text(value) or name

    def _type(self, node: int, field: MappedField) -> None:
        """Read the type of a field: a constructor, an object with `type`, or a list with one of these."""
        names = self._names
        options = names.object(node)
        if "type" in options and not names.object(options["type"]).get("type"):
            self._type(options["type"], field)
            self._field_options(options, field)
        elif names.is_list(node):
            elements = names.elements(node)
            if elements:
                self._type(elements[0], field)
            field.is_list = True
        elif options or names.is_object(node):
            field.column_type = "object"
        else:
            name = names.text(node) or names.origin(names.value(node))[1]
            field.column_type = _TYPES.get(name.rpartition(".")[2], "object")

    def _field_options(self, options: Mapping[str, int], field: MappedField) -> None:
        names = self._names
        field.target = self._model_name(options.get("ref", -1)) or field.target
        required = options.get("required", -1)
        field.nullable = not (names.is_true(required) or (names.is_list(required) and bool(names.elements(required))))
        field.is_unique = names.is_true(options.get("unique", -1))
        field.is_indexed = names.is_true(options.get("index", -1))
        field.default = names.literal(options.get("default", -1))

    def _model_name(self, node: int) -> str:
        """Return the model that a reference names: a text, `User.name`, `User`, or a function that returns one of these."""
        names = self._names
        node = names.result(node) if node >= 0 else -1
        return names.text(node) or (names.origin(node)[1].removesuffix(".name") if node >= 0 else "")

    def _virtual(self, call: Call, model: MappedModel) -> None:
        names = self._names
        options = names.object(call.argument(1))
        target = self._model_name(options.get("ref", -1))
        if target:
            kind = FieldKind.ONE_TO_ONE if names.is_true(options.get("justOne", -1)) else FieldKind.ONE_TO_MANY
            field = MappedField(names.text(call.argument(0)), model.symbol, names.line(call.node), "", kind=kind)
            field.target = target
            model.fields.append(field)

    # ------------------------------------------------------------------ models

    def models(self) -> Iterator[MappedModel]:
        """Yield the models that `mongoose.model("User", schema)` declares."""
        names = self._names
        for node in names.facts.calls:
            call = names.call(node)
            name = names.text(call.argument(0)) if call is not None else ""
            if call is None or not name or call.argument(1) < 0 or not self._is_maker(call):
                continue
            variable, symbol = self._variables.get(node, ("", -1))
            symbol = symbol if symbol >= 0 else names.add_table(variable or name, node, self._source)
            model = MappedModel(FRAMEWORK, variable or name, ModelKind.TABLE, symbol, names.line(node), entity=name)
            made = names.call(call.argument(1))
            is_named = names.origin(call.argument(1))[1] in self._schemas
            if made is not None and self._is_schema(made) and not is_named:
                self._fill(made, model)
            else:
                model.bases.append(names.reference(call.argument(1)))
            model.table = names.text(call.argument(2)) or model.table
            yield model

    def _is_maker(self, call: Call) -> bool:
        receiver, _, method = call.name.rpartition(".")
        if method != "model":
            return False
        return call.module == "mongoose" or receiver.rpartition(".")[2].lower() in ("mongoose", "connection", "conn", "db")

    # ------------------------------------------------------------------ decorators

    def classes(self) -> Iterator[MappedModel]:
        """Yield the classes with the decorators of NestJS and Typegoose."""
        for shape in self._names.classes():
            model = self._class(shape)
            if model is not None:
                yield model

    def _class(self, shape: Shape) -> MappedModel | None:
        names = self._names
        model = MappedModel(FRAMEWORK, shape.name, ModelKind.ABSTRACT, shape.symbol, names.line_of(shape.symbol))
        model.bases = names.base_classes(shape)
        if shape.name in self._of_typegoose:
            model.kind = ModelKind.TABLE
        for call in names.decorators(shape.symbol):
            if call.module in _DECORATORS and call.name == "Schema":
                model.kind = ModelKind.TABLE
                options = names.object(call.argument(0))
                self._options(options, model)
                if names.is_false(options.get("_id", -1)):
                    model.kind = ModelKind.EMBEDDED  # a document inside other documents
            elif call.module in _DECORATORS and call.name == "modelOptions":
                self._options(names.object(names.object(call.argument(0)).get("schemaOptions", -1)), model)
        for member in names.fields(shape):
            called = (each for each in names.decorators(member.symbol) if each.module in _DECORATORS)
            decorators = [each for each in called if each.name in ("Prop", "prop")]
            if not decorators:
                continue
            kind = names.type_name(member.type)
            field = MappedField(member.name, member.symbol, names.line_of(member.symbol), kind, kind=FieldKind.COLUMN)
            field.nullable, field.is_list = True, kind == "[]"
            field.column_type = _TYPES.get(kind.rpartition("#")[2], "object")
            given = decorators[0].argument(0)
            if given >= 0:
                declared = field.column_type
                self._type(given, field)
                if names.is_object(given) and "type" not in names.object(given):
                    field.column_type = declared
                    self._field_options(names.object(given), field)
            model.fields.append(field)
        return model if model.fields or model.kind != ModelKind.ABSTRACT else None
