"""The tables of SQLAlchemy and SQLModel in one file: classes, values of `Table`, and their dependencies.

See https://docs.sqlalchemy.org/en/20/orm/declarative_tables.html and https://docs.sqlalchemy.org/en/20/core/metadata.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.mapped_tables import MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts
from ....facts.operations import Op
from .carried_rows import carried_rows
from .declared import Attribute, Call, DeclaredClass, DeclaredNames, Method
from .hints import HOLDER, MODEL_ATTRIBUTES
from .sqlalchemy_columns import COLUMNS, annotated_field, field_of, made_column, read_item, read_key
from .sqlalchemy_imperative import imperative_models
from .sqlalchemy_relations import RELATIONS, computed_beside, computed_of, hybrids_of, relation_of
from .sqlalchemy_types import PACKAGES, column_type, last_part, type_or_class

#: Calls that return base classes of models, metadata, or extensions of Flask.
_BASES: Final = frozenset(("declarative_base", "SQLAlchemy", "MetaData", "registry", "automap_base", "generate_base"))
_DECLARED: Final = ("declared_attr", "declared_attr.directive", "declared_attr.cascading")
_CONVENTION_KEYS: Final = frozenset(("ix", "uq", "ck", "fk", "pk"))
#: Attribute or method of a class that defines the name of its table.
_TABLE_NAME = "__tablename__"
#: Functions that write the words of a name in lower case, with underscores between them.
_SEPARATING = frozenset(
    ("camel_to_snake", "camel_to_snake_case", "camelcase_to_snake_case", "snakecase", "snake_case", "to_snake", "to_snake_case")
) | {"underscore"}
#: Attribute or method of a class that defines the other arguments of its table.
_TABLE_ARGUMENTS = "__table_args__"
#: Bases of column types that a program declares.
_TYPES: Final = frozenset(("TypeDecorator", "UserDefinedType"))
#: Option of a function that makes columns.
MAKER: Final = "makes columns"
#: Maximum depth of nested operators in the expression for a name.
_MAX_DEPTH: Final = 20
#: Beginning of an option for an attribute of a class that names a model: `model = User` in a repository.
HELD: Final = "held "
#: The name in such an option for whichever attribute has the model: `Repository[User]`, `super().__init__(User)`.
ANY: Final = "*"
#: Value of an expression that is known only at run time.
UNKNOWN: Final = "?"


def add_sqlalchemy_models(facts: FileFacts, source: bytes) -> None:
    """Add the tables that a file declares for SQLAlchemy to its facts about data."""
    models = _Reading(DeclaredNames(facts, source)).models()
    if models:
        facts.own_data().models += models


class _Reading:
    def __init__(self, names: DeclaredNames) -> None:
        self._names = names
        #: Functions of the module that make columns.
        self._makers: set[str] = set()
        self._classes = list(names.classes())
        #: Classes of the file that extend the extension of Flask.
        self._extensions = {
            each.shape.name for each in self._classes if any(last_part(base) == "SQLAlchemy" for base in each.bases)
        }
        self._has_implicit = any(each.specifier.partition(".")[0] == "sqlmodel" for each in names.facts.imports)

    def models(self) -> list[MappedModel]:
        found = [model for each in self._names.variables() if (model := self._variable(each)) is not None]
        found += [model for each in self._names.functions() if (model := self._function(each)) is not None]
        self._makers = {model.name for model in found if MAKER in model.options}
        found += [model for each in self._classes if (model := self._class(each)) is not None]
        declared = {model.name for model in found}
        carried = carried_rows(self._names)
        made = [MappedModel("sqlalchemy", "", ModelKind.ABSTRACT, -1, 0, options=carried)] if carried else []
        return [*found, *self._keys_beside(declared), *self._made_holders(), *imperative_models(self._names), *made]

    def _line(self, symbol: int) -> int:
        return self._names.facts.symbols[symbol].declaration_line

    # ------------------------------------------------------------------ values of variables

    def _variable(self, variable: Attribute) -> MappedModel | None:
        call = self._names.call(variable.value)
        model = MappedModel("sqlalchemy", variable.name, ModelKind.SETTING, variable.symbol, self._line(variable.symbol))
        if call is None:
            return self._alias(variable, model)
        own = last_part(call.name)
        if own == "Table":
            return self._table(call, model)
        if own == "partial":
            return self._maker(variable, model)
        if own in ("Enum", "ENUM", "ARRAY") or (own == "dict" and self._convention(variable.value)):
            return self._alias(variable, model)
        return self._base(call, model) if own in _BASES or call.name in self._extensions else None

    def _maker(self, at: Attribute, model: MappedModel) -> MappedModel | None:
        """Return a model for a function that makes columns: `Column = partial(db.Column, nullable=False)`."""
        field = made_column(self._names, at)
        if field is None:
            return None
        model.kind, model.fields, model.options = ModelKind.TYPE, [field], {MAKER: "true"}
        return model

    def _function(self, function: Attribute) -> MappedModel | None:
        """Return a model for a function of the module that makes columns, or that returns a type which it declares."""
        model = MappedModel("sqlalchemy", function.name, ModelKind.SETTING, function.symbol, self._line(function.symbol))
        cls = self._names.returned_class(function)
        if cls is not None and any(last_part(base) in _TYPES for base in cls.bases):
            return self._type(cls, model)
        return self._maker(function, model)

    def _alias(self, variable: Attribute, model: MappedModel) -> MappedModel | None:
        """Return a model for a variable whose value is a type with parameters, a naming convention, or another declaration."""
        names = self._names
        model.options = self._convention(variable.value)
        if model.options:
            return model
        generic, arguments = names.subscript(variable.value)
        if last_part(generic) == "Annotated" and arguments:
            field = annotated_field(names, variable, variable.value)
            if field is not None:
                model.kind, model.fields = ModelKind.TYPE, [field]
                return model
        if names.call(variable.value) is not None:
            found = column_type(names, variable.value)
            model.kind = ModelKind.TYPE
            model.fields = [MappedField(variable.name, variable.symbol, model.line, found.name, column_type=found.sql)]
            return model
        if "." in (name := names.dotted(variable.value)):
            model.table, model.bases = name, [name]
            return model
        return None

    def _convention(self, node: int) -> dict[str, str]:
        """Return the naming convention in an expression: `{"ix": "ix_%(column_0_label)s", …}`."""
        entries = self._names.entries(self._names.value(node))
        if not entries or not entries.keys() <= _CONVENTION_KEYS | {"column_names", "fk_fixed_width", "all_column_names"}:
            return {}
        return {key: text for key, value in entries.items() if (text := self._names.text(value))}

    def _base(self, call: Call, model: MappedModel) -> MappedModel:
        """Read `declarative_base(metadata=…)`, `SQLAlchemy(model_class=…)` and `MetaData(naming_convention=…, schema=…)`."""
        model.table = "flask_sqlalchemy.SQLAlchemy" if call.name in self._extensions else call.name
        own = last_part(call.name)
        for key in ("metadata", "model_class", "cls"):
            if key in call.named:
                inner = self._names.call(call.named[key])
                if inner is not None and last_part(inner.name) == "MetaData":
                    self._metadata(inner, model)
                elif name := self._names.dotted(call.named[key]):
                    model.bases.append(name)
        if own == "MetaData":
            self._metadata(call, model)
        return model

    def _metadata(self, call: Call, model: MappedModel) -> None:
        written = call.named.get("naming_convention", -1)
        model.options = self._convention(written)
        if not model.options and (name := self._names.dotted(written)):
            model.bases.append(name)
        model.schema = self._names.text(self._names.value(call.named.get("schema", -1)))

    def _table(self, call: Call, model: MappedModel) -> MappedModel | None:
        names = self._names
        model.kind = ModelKind.VALUE
        model.table = self._evaluated(call.argument("name", 0))
        if not model.table:
            return None
        model.schema = self._schema(call.named.get("schema", -1))
        is_of_extension = call.name.rpartition(".")[0] and not call.name.startswith(("sqlalchemy", "sqlmodel"))
        given = list(call.positional[1:])
        if given and names.call(given[0]) is None and (name := names.dotted(given[0])):
            model.bases.append(name)
            given.pop(0)
        elif "metadata" in call.named and (name := names.dotted(call.named["metadata"])):
            model.bases.append(name)
        elif is_of_extension:
            model.bases.append(call.name.rpartition(".")[0])
        for node in given:
            read_item(names, node, model)
        return model

    # ------------------------------------------------------------------ classes

    def _class(self, cls: DeclaredClass) -> MappedModel | None:
        names, symbol = self._names, cls.shape.symbol
        model = MappedModel("sqlalchemy", cls.shape.name, ModelKind.TABLE, symbol, self._line(symbol), bases=list(cls.bases))
        if any(last_part(base) in _TYPES for base in cls.bases):
            return self._type(cls, model)
        decorators = names.class_decorators(cls)
        if any(last_part(each) == "as_declarative" for each in decorators):
            model.bases.append("sqlalchemy.orm.as_declarative")
        for attribute in cls.attributes:
            self._attribute(attribute, cls, model)
        for method in cls.methods:
            if any(each.endswith(_DECLARED) or each in ("classmethod", "property") for each in method.decorators):
                self._declared(method, model)
        model.relations += hybrids_of(names, cls.methods)
        if names.is_true(names.class_keyword(cls, "table")):
            model.options["table"] = "true"
        model.options.update(self._held(cls))
        meta = names.class_keyword(cls, "metaclass")
        if last_part(names.dotted(meta)) == "DeclarativeMeta":
            model.bases.append("sqlalchemy.orm.DeclarativeMeta")
        has_content = model.bases or model.fields or model.table or model.keys or model.relations or model.options
        return model if has_content or cls.methods else None  # a class without content may be a base of models

    def _held(self, cls: DeclaredClass) -> dict[str, str]:
        """Return an option for each attribute that names a model, or for the names that may be the model: those in a generic
        base, `Repository[User]`, and in the call of the constructor of the base, `super().__init__(session, User)`.
        """
        names = self._names
        found: dict[str, str] = {}
        for attribute in cls.attributes:
            if attribute.name in MODEL_ATTRIBUTES and (name := names.dotted(attribute.value)):
                found[f"{HELD}{attribute.name}"] = name
        meta = names.nested(cls, "Meta")
        for attribute in meta.attributes if meta is not None else ():  # a factory of rows for tests
            if attribute.name == "model" and (name := names.dotted(attribute.value)):
                found[f"{HELD}{attribute.name}"] = name
        if found:
            return found
        given = [argument for base in cls.shape.extends for argument in names.subscript(base)[1]]
        for method in cls.methods if cls.bases else ():
            for node in names.calls_in(method.symbol) if method.name == "__init__" else ():
                receiver, name = names.method_call(node)
                if name == "__init__" and names.dotted(names.callee(receiver)) == "super":
                    given += self._values_given(node)
        return self._held_by(given)

    def _values_given(self, node: int) -> list[int]:
        """Return the values that a call gives to parameters."""
        names, code = self._names, self._names.code
        items = [each for each in names.items(code[node + 2]) if code[each] != Op.SPREAD] if code[node] == Op.CALL else []
        return [code[each + 1] if code[each] == Op.PROP else each for each in items]

    def _held_by(self, given: Sequence[int]) -> dict[str, str]:
        """Return the option for values among which the model of a class may be."""
        written = [name for node in given if last_part(name := self._names.dotted(node))[:1].isupper()]
        return {f"{HELD}{ANY}": ",".join(written)} if written else {}

    def _made_holders(self) -> Iterator[MappedModel]:
        """Yield a declaration for each call that gives a model to a class: `Repository(User)`, `partial(Repository, User)`."""
        names = self._names
        for node in names.facts.calls:
            given = self._values_given(node)
            callee = names.base_name(names.callee(node)) if given else ""
            if not last_part(callee)[:1].isupper() and given:
                callee = names.dotted(given.pop(0))
            options = self._held_by(given) if HOLDER.fullmatch(last_part(callee)) is not None else {}
            if options:
                name = f"{callee}({options[HELD + ANY]})"
                yield MappedModel("sqlalchemy", name, ModelKind.ABSTRACT, -1, names.line(node), bases=[callee], options=options)

    def _type(self, cls: DeclaredClass, model: MappedModel) -> MappedModel:
        """Read a column type that wraps another type.

        If its method `load_dialect_impl` chooses among several types, the type is the PostgreSQL type, or unknown if there is
        none.
        """
        names = self._names
        model.kind = ModelKind.TYPE
        chosen = next((each for each in cls.methods if each.name == "load_dialect_impl"), None)
        written = next((each.value for each in cls.attributes if each.name == "impl"), -1)
        if chosen is None and written < 0:
            return model  # the type of its base class
        found = column_type(names, written)
        if chosen is not None:
            described = [
                column_type(names, argument)
                for node in names.calls_in(chosen.symbol)
                if names.method_call(node)[1] == "type_descriptor"
                for argument in names.arguments(node)
            ]
            own = [each for each in described if each.name.startswith("sqlalchemy.dialects.postgresql")]
            found = own[0] if own else described[0] if len(described) == 1 else column_type(names, -1)
        model.fields.append(MappedField("impl", model.symbol, model.line, found.name, column_type=found.sql))
        return model

    def _attribute(self, attribute: Attribute, cls: DeclaredClass, model: MappedModel) -> None:
        names = self._names
        if attribute.name == _TABLE_NAME:
            # A class without a name has no table of its own: its rows are in the table of its base.
            model.table = "" if names.is_none(attribute.value) else self._evaluated(attribute.value) or UNKNOWN
        elif attribute.name == _TABLE_ARGUMENTS:
            self._arguments(attribute.value, model)
        elif attribute.name == "__abstract__":
            model.kind = ModelKind.ABSTRACT if names.is_true(attribute.value) else model.kind
        elif attribute.name == "__table__":
            self._own_table(attribute, model)
        elif attribute.name == "metadata":
            self._own_metadata(attribute, model)
        elif attribute.name == "type_annotation_map":
            self._annotation_map(attribute.value, model)
        elif attribute.name == "registry":
            self._own_registry(attribute, model)
        elif attribute.name == "__bind_key__":
            model.options["bind"] = names.text(attribute.value)
        elif (call := names.call(attribute.value)) is not None and last_part(call.name) in RELATIONS:
            model.relations.append(relation_of(names, attribute, call))
        elif (field := self._field(attribute)) is not None:
            model.fields.append(field)
        elif call is not None and (computed := computed_of(names, attribute, call)) is not None:
            model.relations.append(computed)
        elif names.is_none(attribute.value) and attribute.annotation < 0:
            removed = MappedField(attribute.name, attribute.symbol, self._line(attribute.symbol), "")
            removed.is_implicit = True
            model.fields.append(removed)

    def _field(self, attribute: Attribute) -> MappedField | None:
        call = self._names.call(attribute.value)
        own = last_part(call.name) if call is not None else ""
        if call is not None and own in ("deferred", "column_property") and call.positional:
            call = self._names.call(call.positional[0])
            own = last_part(call.name) if call is not None else ""
        if call is not None and own in COLUMNS:
            field: MappedField | None = field_of(self._names, attribute, call)
            if field is not None:
                field.maker = call.name if self._may_be_own(call.name) else ""
            return field
        if call is not None and attribute.annotation < 0 and self._may_be_own(call.name) and not own[:1].isupper():
            made = MappedField(attribute.name, attribute.symbol, self._line(attribute.symbol), "", maker=call.name)
            made.is_implicit = made.nullable = True
            return made
        generic, _ = self._names.subscript(attribute.annotation)
        if last_part(generic) == "Mapped" and (call is None or own == "Field"):
            return annotated_field(self._names, attribute, attribute.annotation)
        if self._has_implicit and attribute.annotation >= 0 and own != "Relationship" and attribute.name[:1] != "_":
            field = annotated_field(self._names, attribute, attribute.annotation)
            if field is not None:
                field.is_implicit = True
            return field
        return None

    def _may_be_own(self, name: str) -> bool:
        """Return whether the repository may declare a function, by its dotted name."""
        return name.partition(".")[0] not in PACKAGES if "." in name else name in self._makers

    def _declared(self, method: Method, model: MappedModel) -> None:
        """Read a method with `declared_attr`, which SQLAlchemy calls for the value of an attribute."""
        if method.name == _TABLE_NAME:
            model.table = self._evaluated(method.returned) or UNKNOWN
            model.options["names each class"] = "true"
        elif method.name == _TABLE_ARGUMENTS:
            self._arguments(method.returned, model)
        else:
            attribute = Attribute(method.name, method.symbol, method.returned)
            call = self._names.call(method.returned)
            if call is not None and last_part(call.name) in RELATIONS:
                model.relations.append(relation_of(self._names, attribute, call))
            elif call is not None and last_part(call.name) in COLUMNS:
                field = self._field(attribute)
                if field is not None:
                    model.fields.append(field)

    def _own_table(self, attribute: Attribute, model: MappedModel) -> None:
        """Read `__table__ = Table(…)`, or `__table__ = name` for a variable with a table."""
        call = self._names.call(attribute.value)
        if call is not None and last_part(call.name) == "Table":
            inner = self._table(call, MappedModel("sqlalchemy", model.name, ModelKind.VALUE, model.symbol, model.line))
            if inner is not None:
                model.table, model.schema = inner.table, inner.schema
                model.fields += inner.fields
                model.keys += inner.keys
        elif name := self._names.dotted(attribute.value):
            model.options["table value"] = name

    def _own_registry(self, attribute: Attribute, model: MappedModel) -> None:
        """Read `registry = orm.registry(metadata=MetaData(…), type_annotation_map={…})` of a base class."""
        call = self._names.call(attribute.value)
        if call is None or last_part(call.name) != "registry":
            return
        if "type_annotation_map" in call.named:
            self._annotation_map(call.named["type_annotation_map"], model)
        if "metadata" in call.named:
            self._own_metadata(Attribute("metadata", attribute.symbol, call.named["metadata"]), model)

    def _own_metadata(self, attribute: Attribute, model: MappedModel) -> None:
        call = self._names.call(attribute.value)
        if call is not None and last_part(call.name) == "MetaData":
            inner = MappedModel("sqlalchemy", "", ModelKind.SETTING, 0, 0)
            self._metadata(call, inner)
            model.options.update(inner.options)
            model.options["schema"] = inner.schema
            if inner.bases:
                model.options["metadata"] = inner.bases[0]
        elif name := self._names.dotted(attribute.value):
            model.options["metadata"] = name

    def _annotation_map(self, node: int, model: MappedModel) -> None:
        for key, value in self._names.pairs(node):
            found = column_type(self._names, value)
            if (name := self._names.dotted(key)) and (found.sql or found.name):
                model.options[f"type of {name}"] = type_or_class(found)

    def _arguments(self, node: int, model: MappedModel) -> None:
        """Read `__table_args__`: keys and indexes, and a dictionary with the schema."""
        names = self._names
        node = names.value(node)
        addends = names.addends(node)
        for part in addends:
            self._arguments(part, model)
        for each in (node, *names.elements(node)):
            entries = names.entries(each)
            if "schema" in entries:
                model.schema = self._schema(entries["schema"])
            call = names.call(names.value(each))
            if call is not None:
                read_key(names, call, names.line(each), model)

    def _keys_beside(self, declared: set[str]) -> list[MappedModel]:
        """Return the indexes and attributes that statements of the module declare: `Index("name", User.email)`."""
        found: list[MappedModel] = []
        for node in self._names.calls_in(-1):
            call = self._names.call(node)
            if call is not None and (computed := computed_beside(self._names, node, call)) is not None:
                owner, field = computed
                found.append(MappedModel("sqlalchemy", owner, ModelKind.KEYS, 0, self._names.line(node), relations=[field]))
            if call is None or last_part(call.name) not in ("Index", "UniqueConstraint"):
                continue
            owners = {owner for each in call.positional if (owner := self._owner_of(each)) in declared}
            if len(owners) == 1:
                owner = owners.pop()
                model = MappedModel("sqlalchemy", owner, ModelKind.KEYS, 0, self._names.line(node))
                read_key(self._names, call, model.line, model)
                found.append(model)
        return found

    def _owner_of(self, node: int) -> str:
        parts = self._names.dotted(node).split(".")
        return parts[0] if len(parts) == 2 or (len(parts) == 3 and parts[1] == "c") else ""

    # ------------------------------------------------------------------ texts

    def _schema(self, node: int) -> str:
        """Return the name of a schema; UNKNOWN if code computes it."""
        if node < 0 or self._names.is_none(node):
            return ""
        return self._names.text(self._names.value(node)) or UNKNOWN

    def _evaluated(self, node: int, depth: int = 0) -> str:
        """Return the table name in an expression, "" if it is not known.

        In the result, `%(Class)s` is a placeholder for the name of the class, `%(class)s` for the name in lower case, and
        `%(words)s` for its words with underscores.
        """
        names = self._names
        if text := names.constant_text(node):
            return text
        if last_part(names.dotted(node)) == "__name__":
            return "%(Class)s"
        if depth > _MAX_DEPTH:
            return ""
        receiver, method = names.method_call(node)
        if method == "lower":
            return self._evaluated(receiver, depth + 1).replace("%(Class)s", "%(class)s")
        call = names.call(node)
        called = method or (last_part(call.name) if call is not None else "")
        if called == "sub" or called in _SEPARATING:
            given = names.arguments(node)
            texts = [names.text(each) for each in given[:-1]]
            inner = self._evaluated(given[-1], depth + 1) if given else ""
            is_separated = inner == "%(Class)s" and (called != "sub" or "_" in "".join(texts[-1:]))
            return "%(words)s" if is_separated or inner == "%(words)s" else ""
        parts: list[str] = [
            each if isinstance(each, str) else self._evaluated(each, depth + 1) or UNKNOWN
            for each in (names.formatted(node) or names.addends(node))
        ]
        return "" if any(UNKNOWN in each for each in parts) else "".join(parts)
