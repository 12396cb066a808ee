"""Tables, enums and types of Drizzle as one file declares them: https://orm.drizzle.team/docs/sql-schema-declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from .....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from .....facts.model import DeclKind, Member
from .....facts.operations import Op
from ..call_chains import Chain, Link, chain_of
from ..declared import DeclaredNames
from .column_types import DIALECTS, SERIALS, column_type, is_column

FRAMEWORK: Final = "drizzle"
_TABLES: Final = frozenset(("pgTable", "mysqlTable", "sqliteTable", "singlestoreTable", "gelTable", "cockroachTable", "table"))
_VIEWS: Final = frozenset(("pgView", "pgMaterializedView", "mysqlView", "sqliteView", "view", "materializedView"))
_ENUMS: Final = frozenset(("pgEnum", "enum", "cockroachEnum"))
_SCHEMAS: Final = frozenset(("pgSchema", "mysqlSchema", "mysqlDatabase", "gelSchema", "cockroachSchema"))
_CREATORS: Final = frozenset(("pgTableCreator", "mysqlTableCreator", "sqliteTableCreator", "singlestoreTableCreator"))
_CASINGS: Final = ("snake_case", "camelCase")
_TEMPLATE: Final = re.compile(rb"`([^`\\]{0,200})`")


class _Variable(NamedTuple):
    name: str
    symbol: int
    value: int


class TablesOfFile:
    """Reads the declarations of one file."""

    def __init__(self, names: DeclaredNames, source: bytes) -> None:
        self._names = names
        self._source = source
        self.dialect = next(
            (DIALECTS[part] for each in names.facts.imports if (part := each.specifier.rpartition("/")[2]) in DIALECTS), ""
        )

    def models(self) -> Iterator[MappedModel]:
        """Yield tables, views, enums, types of columns, groups of columns and settings."""
        yield from self._settings()
        for variable in self._variables():
            model = self._model(variable)
            if model is not None:
                yield model
        yield from self._functions()

    def _functions(self) -> Iterator[MappedModel]:
        """Yield the declared functions that return a column or an object of columns."""
        names = self._names
        for decl in names.facts.decls if self.dialect else ():
            if decl.kind == DeclKind.FUNCTION and decl.symbol >= 0:
                returned = names.facts.functions[decl.a].returns
                model = MappedModel(FRAMEWORK, decl.name, ModelKind.EMBEDDED, decl.symbol, names.line_of(decl.symbol))
                if len(returned) == 1 and self._made_by(decl.a, names.value(returned[0]), model):
                    yield model

    def _variables(self) -> Iterator[_Variable]:
        for decl in self._names.variables():
            if decl.symbol >= 0:
                yield _Variable(decl.name, decl.symbol, decl.b)

    def relations(self) -> Iterator[MappedModel]:
        """Yield the relations of `relations(users, ({ many }) => ({ posts: many(posts) }))`, each with its table.

        `defineRelations(schema, (r) => ({ users: { posts: r.many.posts() } }))` declares the relations of all tables.
        """
        names = self._names
        for node in names.facts.calls:
            call = names.call(node)
            if call is None or not call.module.startswith("drizzle-orm"):
                continue
            at = (max(names.owner(node), 0), names.line(node))
            declared = names.properties(names.result(call.argument(1)))
            if call.name == "relations":
                yield self._related(names.reference(call.argument(0)), declared, at)
            elif call.name in ("defineRelations", "defineRelationsPart"):
                for each in declared:
                    yield self._related(each.name, names.properties(each.value), at)

    def _related(self, table: str, relations: Sequence[Member], at: tuple[int, int]) -> MappedModel:
        names = self._names
        model = MappedModel(FRAMEWORK, table, ModelKind.KEYS, *at)
        for each in relations:
            call = names.call(each.value)
            parts = call.name.split(".") if call is not None else []
            if call is None or not {"one", "many"} & set(parts):
                continue
            kind = FieldKind.ONE_TO_MANY if "many" in parts else FieldKind.MANY_TO_ONE
            field = MappedField(each.name, *at, "", kind=kind)
            field.target = parts[-1] if parts[-1] not in ("one", "many") else names.reference(call.argument(0))
            options = names.options(call.arguments)
            own = options.get("fields", options.get("from", -1))
            columns = [own] if own >= 0 and names.code[own] == Op.MEMBER else names.elements(own)
            field.fields = [self._column_property(column) for column in columns]
            model.fields.append(field)
        return model

    def _settings(self) -> Iterator[MappedModel]:
        names = self._names
        for shape in names.facts.shapes:
            for member in shape.members:
                if member.name == "casing" and member.value >= 0 and (text := names.text(member.value)) in _CASINGS:
                    symbol = max(shape.symbol, 0)
                    yield MappedModel(FRAMEWORK, "casing", ModelKind.SETTING, symbol, names.line_of(symbol), table=text)

    def _model(self, variable: _Variable) -> MappedModel | None:
        names = self._names
        chain = chain_of(names, variable.value)
        model = MappedModel(FRAMEWORK, variable.name, ModelKind.TABLE, variable.symbol, names.line_of(variable.symbol))
        if chain is None:
            return self._columns_alone(variable, model)
        called = chain.called
        is_drizzle = chain.module.rpartition("/")[2] in DIALECTS
        first = names.text(chain.first.argument(0))
        if called in _CREATORS and is_drizzle:
            model.kind, model.table = ModelKind.SETTING, self._template(names.result(chain.first.argument(0)))
            return model if model.table else None
        if called in _SCHEMAS and is_drizzle:
            model.kind, model.schema = ModelKind.NAMESPACE, first
            return model
        if called == "customType" and is_drizzle:
            return self._type(chain, model)
        if not self._is_declaration(chain, is_drizzle) or not first:
            return None
        model.table = first
        if not is_drizzle:  # a function of a creator or a schema, which may be in another file
            model.bases.append(names.reference(self._object_of(chain)))
        if called in _ENUMS:
            model.kind = ModelKind.ENUM
        elif called in _VIEWS:
            model.kind = ModelKind.VIEW
            self._fields(chain.first.argument(1), model)
            return None if chain.link("existing") is not None else model
        else:
            self._fields(chain.first.argument(1), model)
            self._extras(chain.first.argument(2), model)
        return model

    def _is_declaration(self, chain: Chain, is_drizzle: bool) -> bool:
        called = chain.called
        if is_drizzle:
            return called in _TABLES | _VIEWS | _ENUMS
        if "." in chain.name:
            return bool(self.dialect) and called in _TABLES | _VIEWS | _ENUMS
        # A creator of another file: its arguments are a name and columns of Drizzle.
        columns = self._names.result(chain.first.argument(1))
        return bool(self.dialect) and any(self._column_chain(each.value) for each in self._names.properties(columns))

    def _object_of(self, chain: Chain) -> int:
        code = self._names.code
        return code[chain.callee + 1] if code[chain.callee] == Op.MEMBER else chain.callee

    # ------------------------------------------------------------------ types

    def _type(self, chain: Chain, model: MappedModel) -> MappedModel | None:
        """Read a type that code declares: the result of its `dataType`, with placeholders for options."""
        names = self._names
        model.kind = ModelKind.TYPE
        options = names.value(chain.first.argument(0))
        if options < 0 or names.code[options] != Op.OBJECT:
            return None
        for member in names.facts.shapes[names.code[options + 1]].members:
            if member.name != "dataType":
                continue
            function = member.function
            if function < 0 and names.is_function(member.value):
                function = names.code[names.value(member.value) + 1]
            for returned in names.facts.functions[function].returns if function >= 0 else ():
                text = self._template(returned)
                if text:
                    model.fields.append(MappedField("", model.symbol, model.line, text))
        return model if model.fields else None

    def _template(self, node: int) -> str:
        """Return the text of a string or a template. The substitutions of the template are kept as source text."""
        names = self._names
        node = names.value(node)
        if node < 0 or names.code[node] != Op.TEMPLATE:
            return names.text(node)
        found = _TEMPLATE.match(self._source, names.code[node + 4])
        return found[1].decode("utf-8", "replace") if found is not None else ""

    # ------------------------------------------------------------------ columns

    def _columns_alone(self, variable: _Variable, model: MappedModel) -> MappedModel | None:
        """Read an object of columns that tables spread, or a function that returns a column."""
        names = self._names
        if not self.dialect:
            return None
        model.kind = ModelKind.EMBEDDED
        node = names.result(variable.value)
        if names.is_function(variable.value):
            return model if self._made_by(names.code[names.value(variable.value) + 1], node, model) else None
        self._fields(node, model)
        return model if model.fields or model.bases else None

    def _made_by(self, function: int, node: int, model: MappedModel) -> bool:
        """Add the column or the object of columns that a function returns. Return whether there is one."""
        names = self._names
        self._fields(node, model)
        if model.fields or model.bases:
            return True
        column = self._column(Member("", 0, False, False, -1, -1, -1, node, -1, -1), model)
        if column is not None:
            chain = chain_of(names, node)
            named = names.declaration(chain.first.argument(0)) if chain is not None else None
            for place, each in enumerate(names.facts.functions[function].parameters):
                if named is not None and each.decl >= 0 and names.facts.decls[each.decl] is named:
                    column.name_parameter, column.column = place, names.text(each.default)
            model.fields.append(column)
        return bool(model.fields)

    def _fields(self, node: int, model: MappedModel) -> None:
        names = self._names
        node = names.result(node)
        for spread in self._spreads(node):
            model.bases.append(spread)
        for member in names.properties(node):
            field = self._column(member, model)
            if field is not None:
                model.fields.append(field)

    def _spreads(self, node: int) -> list[str]:
        """Return the names of spread objects in an object literal that the file does not declare."""
        names = self._names
        if node < 0 or names.code[node] != Op.OBJECT:
            return []
        values = (names.value(names.code[each + 1]) for each in names.items(names.code[node + 2]))
        found = []
        for value in values:
            called = names.code[value + 1] if value >= 0 and names.code[value] == Op.CALL else value
            if called >= 0 and not names.is_object(called) and (reference := names.reference(called)):
                found.append(reference)
        return found

    def _column_chain(self, node: int) -> Chain | None:
        """Return the chain of a column; None if the expression is surely not a column."""
        chain = chain_of(self._names, node)
        if chain is None:
            return None
        called = chain.called
        is_drizzle = chain.module.rpartition("/")[2] in DIALECTS
        is_known = (is_drizzle or (not chain.module and "." in chain.name)) and is_column(called, self.dialect)
        return chain if is_known else None

    def _column(self, member: Member, model: MappedModel) -> MappedField | None:
        names = self._names
        chain = chain_of(names, member.value)
        if chain is None:
            return None
        called = chain.called
        field = MappedField(member.name, model.symbol, model.line, "", kind=FieldKind.COLUMN, nullable=True)
        options = self._options(chain.first)
        if self._column_chain(member.value) is not None:
            field.column_type = column_type(called, self.dialect, options)
            field.nullable = field.column_type not in SERIALS
        else:
            field.type = names.reference(chain.callee)
            if not field.type or (not chain.module and names.declaration(chain.callee) is None):
                return None
            field.size = ",".join(
                f"{key}={options(key)}" for key in ("precision", "scale", "length", "dimensions") if options(key)
            )
        field.column = names.text(chain.first.argument(0))
        field.texts = [names.text(each) for each in chain.first.arguments]
        for link in chain.rest:
            self._constrain(link, field)
        if member.position >= 0:
            field.symbol = names.add_property(model.symbol, member, self._source)
            field.line = names.line_of(field.symbol)
        return field

    def _options(self, link: Link) -> _Options:
        return _Options(self._names, self._names.options(link.arguments))

    def _constrain(self, link: Link, field: MappedField) -> None:
        names = self._names
        if link.name in ("notNull", "generatedAlwaysAsIdentity", "generatedByDefaultAsIdentity"):
            field.nullable = False
        elif link.name == "primaryKey":
            field.is_primary, field.nullable = True, False
            field.primary_name = names.text(names.object(link.argument(0)).get("name", -1))
        elif link.name == "unique":
            field.is_unique, field.unique_name = True, names.text(link.argument(0))
        elif link.name == "array":
            field.is_list = True
            field.size += "[]"
        elif link.name == "default":
            field.default = names.literal(link.argument(0))
        elif link.name in ("defaultNow", "defaultRandom"):
            field.default = "now()" if link.name == "defaultNow" else "gen_random_uuid()"
        elif link.name == "references":
            target = names.result(link.argument(0))
            if target >= 0 and names.code[target] == Op.MEMBER:
                field.target = names.reference(names.code[target + 1]) or "?"
                field.target_fields = [names.string(names.code[target + 2])]
            options = names.object(link.argument(1))
            field.on_delete, field.on_update = (names.text(options.get(key, -1)) for key in ("onDelete", "onUpdate"))

    # ------------------------------------------------------------------ keys

    def _extras(self, node: int, model: MappedModel) -> None:
        """Read the keys in the third argument of a table: in a list or an object, perhaps through a function."""
        names = self._names
        node = names.result(node)
        listed = names.elements(node) if names.is_list(node) else [each.value for each in names.properties(node)]
        for each in listed:
            chain = chain_of(names, each)
            if chain is not None and chain.module.startswith("drizzle-orm"):
                self._extra(chain, model)

    def _extra(self, chain: Chain, model: MappedModel) -> None:
        names = self._names
        called = chain.called
        written = names.text(chain.first.argument(0))
        options = names.object(chain.first.argument(0))
        at = (model.symbol, self._names.line(chain.callee))
        if called in ("index", "uniqueIndex", "unique"):
            on = chain.link("on") or chain.link("onOnly") or chain.link("using")
            columns = [self._column_property(each) for each in on.arguments] if on is not None else []
            if on is not None and on.name == "using":
                columns = columns[1:]
            kind = "index" if called == "index" else "unique"
            model.keys.append(MappedKey(kind, columns, *at, written, called != "unique"))
        elif called == "primaryKey":
            listed = options.get("columns", -1)
            nodes = names.elements(listed) if listed >= 0 else chain.first.arguments
            columns = [self._column_property(each) for each in nodes]
            model.keys.append(MappedKey("primary key", columns, *at, names.text(options.get("name", -1))))
        elif called == "foreignKey":
            self._foreign_key(options, chain, model)

    def _foreign_key(self, options: Mapping[str, int], chain: Chain, model: MappedModel) -> None:
        names = self._names
        field = MappedField("", model.symbol, self._names.line(chain.callee), "", kind=FieldKind.MANY_TO_ONE)
        field.fields = [self._column_property(each) for each in names.elements(options.get("columns", -1))]
        referred = names.elements(options.get("foreignColumns", -1))
        for each in referred:
            if names.code[each] == Op.MEMBER:
                field.target = names.reference(names.code[each + 1])
                field.target_fields.append(names.string(names.code[each + 2]))
        if not field.target or (referred and self._is_own(referred[0])):
            field.target = f"#{model.name}"
        field.foreign_key_name = names.text(options.get("name", -1))
        field.on_delete, field.on_update = (
            names.text(link.argument(0)) if (link := chain.link(name)) is not None else "" for name in ("onDelete", "onUpdate")
        )
        model.fields.append(field)

    def _is_own(self, node: int) -> bool:
        """Return whether a column belongs to the parameter of the function. The parameter is the table."""
        decl = self._names.declaration(self._names.code[node + 1]) if self._names.code[node] == Op.MEMBER else None
        return decl is not None and decl.kind == DeclKind.PARAMETER

    def _column_property(self, node: int) -> str:
        """Return the property of a column: of `table.name`, `table.name.desc()`; "" for an expression."""
        names = self._names
        code = names.code
        node = names.value(node)
        while node >= 0 and code[node] == Op.CALL and code[code[node + 1]] == Op.MEMBER:
            node = code[code[node + 1] + 1]
        return names.string(code[node + 2]) if node >= 0 and code[node] == Op.MEMBER else ""


class _Options:
    """The options of a call, as source text."""

    def __init__(self, names: DeclaredNames, values: Mapping[str, int]) -> None:
        self._names = names
        self._values = values

    def __call__(self, key: str) -> str:
        node = self._values.get(key, -1)
        names = self._names
        return "true" if names.is_true(node) else names.number(node) or names.text(node)


def drizzle_models(names: DeclaredNames, source: bytes) -> Sequence[MappedModel]:
    """Return the declarations of a file for Drizzle."""
    reading = TablesOfFile(names, source)
    found = [*reading.models(), *reading.relations()]
    if found and reading.dialect:
        names.facts.own_data().dialect = reading.dialect
    return found
