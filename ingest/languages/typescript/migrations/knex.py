"""Migrations of Knex: https://knexjs.org/guide/schema-builder.html. Types and names are as Knex generates them in PostgreSQL."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from ....facts.data import Action, ObjectName
from ..models.call_chains import Chain, Link
from .schema_calls import Declared, SchemaCalls

#: Types by the methods that declare columns.
_TYPES: Final = {
    "increments": "serial", "bigIncrements": "bigserial", "integer": "integer", "int": "integer", "tinyint": "smallint",
    "smallint": "smallint", "mediumint": "integer", "bigint": "bigint", "bigInteger": "bigint", "text": "text",
    "string": "varchar", "float": "real", "double": "double precision", "decimal": "decimal", "boolean": "boolean",
    "bool": "boolean", "date": "date", "datetime": "timestamptz", "timestamp": "timestamptz", "time": "time", "binary": "bytea",
    "enum": "text", "enu": "text", "json": "json", "jsonb": "jsonb", "uuid": "uuid", "geometry": "geometry", "point": "point",
    "geography": "geography",
}  # fmt: skip
_CREATING: Final = frozenset(("createTable", "createTableIfNotExists"))
_ALTERING: Final = frozenset(("table", "alterTable"))
_DROPPING: Final = frozenset(("dropTable", "dropTableIfExists"))
#: Methods that run a text of SQL, in Knex and in Lucid of AdonisJS.
_RAW: Final = ("raw", "rawQuery")
_TIMESTAMPS: Final = ("created_at", "updated_at")
_CAMEL_TIMESTAMPS: Final = ("createdAt", "updatedAt")


def add_knex(calls: SchemaCalls) -> None:
    """Add the changes that the calls of a schema builder make."""
    by_parameter: dict[int, list[Chain]] = defaultdict(list)
    for chain in calls.chains:
        receiver = calls.receiver(chain)
        if receiver >= 0 and chain.name.count(".") == 1:
            by_parameter[receiver].append(chain)
    reading = _Reading(calls, by_parameter)
    for chain in calls.chains:
        before = chain.name.split(".")
        if len(before) > 1 and before[-2] == "schema":
            reading.of_schema(chain)
        elif chain.called in _RAW and len(before) > 1:
            calls.run(calls.names.text(chain.first.argument(0)), chain.callee)


class _Reading:
    def __init__(self, calls: SchemaCalls, by_parameter: dict[int, list[Chain]]) -> None:
        self._calls = calls
        self._names = calls.names
        self._by_parameter = by_parameter

    def of_schema(self, chain: Chain) -> None:
        schema = ""
        for link in (Link(chain.called, chain.first.arguments), *chain.rest):
            name = self._names.text(link.argument(0)) or self._names.field_text(link.argument(0))
            node = link.argument(0) if link.arguments else chain.callee
            if link.name == "withSchema":
                schema = name
            elif link.name == "raw":
                self._calls.run(name, node)
            elif name:
                self._of_table(link, ObjectName(name, schema), node)

    def _of_table(self, link: Link, table: ObjectName, node: int) -> None:
        calls, names = self._calls, self._names
        if link.name in _CREATING:
            at = calls.declare("table", table.name, node, names.owner(node))
            calls.add(Action.CREATE, "table", table.name, at, node, schema=table.schema)
            self._columns(calls.parameter(link.argument(1)), table, at)
        elif link.name in _ALTERING:
            self._columns(calls.parameter(link.argument(1)), table, None)
        elif link.name in _DROPPING:
            calls.add(Action.DROP, "table", table.name, calls.own(node), node, schema=table.schema)
        elif link.name == "renameTable":
            calls.rename("table", table.name, names.text(link.argument(1)), None, node)

    # ------------------------------------------------------------------ calls on a table inside a function

    def _columns(self, parameter: int, table: ObjectName, made: Declared | None) -> None:
        for chain in self._by_parameter.get(parameter, ()) if parameter >= 0 else ():
            if chain.called in _TYPES or chain.called == "specificType":
                self._column(chain, table, made)
            elif chain.called == "timestamps":
                self._timestamps(chain, table, made)
            else:
                self._change(chain, table)

    def _column(self, chain: Chain, table: ObjectName, made: Declared | None) -> None:
        calls, names = self._calls, self._names
        name = names.text(chain.first.argument(0)) or ("id" if chain.called in ("increments", "bigIncrements") else "")
        if not name:
            return
        node = chain.callee
        kind = self._type(chain)
        if (altering := chain.link("alter")) is not None:
            options = names.options(altering.arguments)
            change = calls.add(Action.ALTER, "column", name, calls.own(node), node)
            change.table = table
            change.type = "" if names.is_false(options.get("alterType", -1)) else kind
            if not names.is_false(options.get("alterNullable", -1)):
                change.nullable = chain.link("notNullable") is None and chain.link("notNull") is None
            self._own_keys(chain, name, table, calls.own(node))
            return
        parent = made.symbol if made is not None else names.owner(node)
        at = calls.declare("column", name, node, parent)
        change = calls.column(table, name, kind, at, node)
        if kind.endswith("serial"):
            change.nullable = False
            if not names.is_false(names.options(chain.first.arguments).get("primaryKey", -1)):
                calls.key(table, "primary key", [name], "", at, node)
        for link in chain.rest:
            if link.name in ("notNullable", "notNull"):
                change.nullable = False
            elif link.name == "defaultTo":
                change.default = names.literal(link.argument(0))
            elif link.name == "primary":
                change.nullable = False
        self._own_keys(chain, name, table, at, is_serial=kind.endswith("serial"))
        self._foreign_key(chain, [name], table, at)

    def _own_keys(self, chain: Chain, name: str, table: ObjectName, at: Declared, *, is_serial: bool = False) -> None:
        """Add the keys and indexes that the calls on a column state. A serial column has its primary key already."""
        names = self._names
        for link in chain.rest:
            if link.name == "primary" and not is_serial:
                self._calls.key(table, "primary key", [name], names.text(link.argument(0)), at, chain.callee)
            elif link.name in ("unique", "index"):
                self._key(link.name, [name], table, names.text(self._named(link)), at, chain.callee)

    def _named(self, link: Link) -> int:
        """Return the name of a key. The name is an argument or an option."""
        options = self._names.options(link.arguments)
        return options.get("indexName", link.argument(0))

    def _type(self, chain: Chain) -> str:
        names = self._names
        kind = _TYPES.get(chain.called, "")
        second, third = chain.first.argument(1), chain.first.argument(2)
        if chain.called == "specificType":
            return names.text(second)
        if kind == "varchar":
            return f"varchar({names.number(second) or 255})"
        if kind == "decimal":
            if second >= 0 and self._is_null(second):
                return kind
            return f"decimal({names.number(second) or 8}, {names.number(third) or 2})"
        if kind == "timestamptz":
            precision = names.number(names.options(chain.first.arguments).get("precision", -1))
            is_plain = names.is_false(names.options(chain.first.arguments).get("useTz", -1)) or names.is_true(second)
            size = f"({precision})" if precision else ""
            return f"timestamp{size} without time zone" if is_plain else f"timestamp{size} with time zone"
        return kind

    def _is_null(self, node: int) -> bool:
        return not self._names.number(node) and not self._names.is_object(node)

    def _timestamps(self, chain: Chain, table: ObjectName, made: Declared | None) -> None:
        calls, names = self._calls, self._names
        options = names.object(chain.first.argument(0))
        with_default = names.is_true(chain.first.argument(1)) or names.is_true(options.get("defaultToNow", -1))
        is_camel = names.is_true(chain.first.argument(2)) or names.is_true(options.get("useCamelCase", -1))
        for name in _CAMEL_TIMESTAMPS if is_camel else _TIMESTAMPS:
            parent = made.symbol if made is not None else names.owner(chain.callee)
            at = calls.declare("column", name, chain.callee, parent)
            change = calls.column(table, name, "timestamp with time zone", at, chain.callee)
            if with_default:
                change.nullable, change.default = False, "CURRENT_TIMESTAMP"

    def _key(self, kind: str, columns: list[str], table: ObjectName, name: str, at: Declared, node: int) -> None:
        made = name or key_name(table.name, columns, kind)
        self._calls.key(table, kind, columns, made, at, node)

    def _foreign_key(self, chain: Chain, columns: list[str], table: ObjectName, at: Declared) -> None:
        names = self._names
        link = chain.link("references")
        if link is None:
            return
        referred = names.texts(link.argument(0)) or [names.text(link.argument(0))]
        inside = chain.link("inTable") or chain.link("on")
        target = names.text(inside.argument(0)) if inside is not None else ""
        if not target and "." in referred[0]:
            target, _, referred[0] = referred[0].rpartition(".")
        if not target or not referred[0]:
            return
        given = chain.link("withKeyName")
        name = names.text(given.argument(0)) if given is not None else ""
        if not name and chain.called == "foreign":
            name = names.text(chain.first.argument(1))
        name = name or key_name(table.name, columns, "foreign")
        made = self._calls.key(table, "foreign key", columns, name, at, chain.callee)
        schema, _, own = target.rpartition(".")
        made.target, made.target_columns = ObjectName(own, schema or table.schema), referred
        for rule, attribute in (("onDelete", "on_delete"), ("onUpdate", "on_update")):
            if (ruled := chain.link(rule)) is not None:
                setattr(made, attribute, names.text(ruled.argument(0)).upper())

    def _change(self, chain: Chain, table: ObjectName) -> None:
        calls, names = self._calls, self._names
        called, node = chain.called, chain.callee
        first = chain.first.argument(0)
        columns = names.texts(first) or [text for each in chain.first.arguments[:1] if (text := names.text(each))]
        given = names.text(chain.first.argument(1)) or names.text(names.options(chain.first.arguments).get("indexName", -1))
        if called in ("dropColumn", "dropColumns"):
            every = names.texts(first) or [text for each in chain.first.arguments if (text := names.text(each))]
            for column in every:
                calls.drop("column", column, table, node)
        elif called == "renameColumn":
            calls.rename("column", names.text(first), names.text(chain.first.argument(1)), table, node)
        elif called == "dropTimestamps":
            for column in _CAMEL_TIMESTAMPS if names.is_true(first) else _TIMESTAMPS:
                calls.drop("column", column, table, node)
        elif called in ("unique", "index") and columns:
            self._key(called, columns, table, given, calls.own(node), node)
        elif called == "primary" and columns:
            name = given or names.text(names.options(chain.first.arguments).get("constraintName", -1))
            calls.key(table, "primary key", columns, name, calls.own(node), node)
        elif called == "foreign" and columns:
            self._foreign_key(chain, columns, table, calls.own(node))
        elif called in ("dropForeign", "dropUnique", "dropIndex") and (columns or given):
            kind = called.removeprefix("drop").lower()
            name = given or key_name(table.name, columns, kind)
            calls.drop("index" if kind == "index" else "constraint", name, table, node)
        elif called == "dropPrimary":
            calls.drop("constraint", names.text(first) or f"{table.name}_pkey", table, node).type = "primary key"
        elif called in ("setNullable", "dropNullable") and columns:
            change = calls.add(Action.ALTER, "column", columns[0], calls.own(node), node)
            change.table, change.nullable = table, called == "setNullable"


def key_name(table: str, columns: list[str], kind: str) -> str:
    """Return the name that Knex generates for a key without a name: `boats_name_unique`."""
    return "_".join([table.replace(".", "_"), *columns, kind]).replace("-", "_").replace(".", "_").lower()
