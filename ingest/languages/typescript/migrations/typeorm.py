"""Migrations of TypeORM: https://typeorm.io/docs/migrations/creating. Migrations run SQL, or build tables with calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ....facts.data import Action, ObjectName
from ..models.call_chains import Chain
from ..models.typeorm.naming import key_name
from .schema_calls import Declared, SchemaCalls

#: Types that TypeORM writes differently in PostgreSQL.
_TYPES: Final = {"int": "integer", "bool": "boolean", "datetime": "timestamp", "double": "double precision", "string": "varchar"}
_SIZED: Final = frozenset(("varchar", "char", "character varying", "character", "nvarchar", "bit"))


def add_typeorm(calls: SchemaCalls) -> None:
    """Add the changes that the calls of a query runner make. Changes with computed names are left out."""
    reading = _Reading(calls)
    for chain in calls.chains:
        if chain.module or "." not in chain.name:
            continue
        if chain.called == "query":
            calls.run(calls.names.text(chain.first.argument(0)), chain.callee)
        else:
            reading.of_call(chain)


class _Reading:
    def __init__(self, calls: SchemaCalls) -> None:
        self._calls = calls
        self._names = calls.names
        self._changes: Mapping[str, Callable[[Chain, ObjectName], None]] = {
            "addColumn": self._add_columns,
            "addColumns": self._add_columns,
            "dropColumn": self._drop_columns,
            "dropColumns": self._drop_columns,
            "renameColumn": self._rename_column,
            "changeColumn": self._change_column,
            "createIndex": self._add_keys,
            "createIndices": self._add_keys,
            "createForeignKey": self._add_keys,
            "createForeignKeys": self._add_keys,
            "createUniqueConstraint": self._add_keys,
            "createPrimaryKey": self._add_primary_key,
            "dropIndex": self._drop_key,
            "dropForeignKey": self._drop_key,
            "dropUniqueConstraint": self._drop_key,
        }

    def of_call(self, chain: Chain) -> None:
        calls, node = self._calls, chain.callee
        if chain.called == "createTable":
            self._create(chain)
            return
        table = self._table(chain.first.argument(0))
        if table is None:
            return
        if chain.called == "dropTable":
            calls.add(Action.DROP, "table", table.name, calls.own(node), node, schema=table.schema)
        elif chain.called == "renameTable":
            calls.rename("table", table.name, self._names.text(chain.first.argument(1)), None, node)
        elif (change := self._changes.get(chain.called)) is not None:
            change(chain, table)

    # ------------------------------------------------------------------ parts

    def _options(self, node: int) -> Mapping[str, int]:
        """Return the options of `new Table({…})`, or of an object literal."""
        call = self._names.call(node)
        return self._names.object(call.argument(0) if call is not None else node)

    def _table(self, node: int) -> ObjectName | None:
        text = self._names.text(node)
        if not text:
            options = self._options(node)
            text = self._names.text(options.get("name", -1))
            schema = self._names.text(options.get("schema", -1))
            return ObjectName(text, schema) if text else None
        schema, _, name = text.rpartition(".")
        return ObjectName(name, schema)

    def _create(self, chain: Chain) -> None:
        calls, names, node = self._calls, self._names, chain.callee
        table = self._table(chain.first.argument(0))
        if table is None:
            return
        options = self._options(chain.first.argument(0))
        at = calls.declare("table", table.name, node, names.owner(node))
        calls.add(Action.CREATE, "table", table.name, at, node, schema=table.schema)
        primary = [
            name
            for each in names.elements(options.get("columns", -1))
            if (name := self._column(table, each, at.symbol)) and names.is_true(self._options(each).get("isPrimary", -1))
        ]
        if primary:
            calls.key(table, "primary key", primary, key_name("PK", table.name, primary), at, node)
        for part, kind in (("indices", "index"), ("uniques", "unique"), ("foreignKeys", "foreign key")):
            for each in names.elements(options.get(part, -1)):
                self._key(table, kind, self._options(each), at, each)

    def _column(self, table: ObjectName, node: int, parent: int) -> str:
        """Add a column, and return its name."""
        calls, names = self._calls, self._names
        options = self._options(node)
        name = names.text(options.get("name", -1))
        if not name:
            return ""
        at = calls.declare("column", name, node, parent)
        change = calls.column(table, name, self._type(options), at, node)
        change.nullable = names.is_true(options.get("isNullable", -1))
        change.default = names.text(options.get("default", -1)) or names.literal(options.get("default", -1))
        if names.is_true(options.get("isUnique", -1)):
            calls.key(table, "unique", [name], key_name("UQ", table.name, [name]), at, node)
        return name

    def _type(self, options: Mapping[str, int]) -> str:
        names = self._names
        written = names.text(options.get("type", -1))
        kind = _TYPES.get(written, written)
        length = names.text(options.get("length", -1)) or names.number(options.get("length", -1))
        if length and kind in _SIZED:
            kind = f"{kind}({length})"
        precision, scale = (names.number(options.get(key, -1)) for key in ("precision", "scale"))
        if precision and kind in ("decimal", "numeric"):
            kind = f"{kind}({precision}, {scale or 0})"
        is_counted = names.is_true(options.get("isGenerated", -1)) and names.text(options.get("generationStrategy", -1)) != "uuid"
        if is_counted and kind in ("integer", "bigint", "smallint"):
            kind = {"integer": "serial", "bigint": "bigserial", "smallint": "smallserial"}[kind]
        return f"{kind}[]" if kind and names.is_true(options.get("isArray", -1)) else kind

    def _key(self, table: ObjectName, kind: str, options: Mapping[str, int], at: Declared, node: int) -> None:
        names = self._names
        columns = names.texts(options.get("columnNames", -1))
        if not columns:
            return
        given = names.text(options.get("name", -1))
        if kind == "index":
            kind = "unique index" if names.is_true(options.get("isUnique", -1)) else kind
            where = names.text(options.get("where", -1))
            self._calls.key(table, kind, columns, given or key_name("IDX", table.name, columns, where), at, node)
            return
        name = given or key_name("UQ" if kind == "unique" else "FK", table.name, columns)
        made = self._calls.key(table, kind, columns, name, at, node)
        if kind == "foreign key":
            made.target = self._table(options.get("referencedTableName", -1))
            made.target_columns = names.texts(options.get("referencedColumnNames", -1))
            made.on_delete = names.text(options.get("onDelete", -1)).upper()
            made.on_update = names.text(options.get("onUpdate", -1)).upper()

    # ------------------------------------------------------------------ changes

    def _add_columns(self, chain: Chain, table: ObjectName) -> None:
        names = self._names
        second = chain.first.argument(1)
        for each in names.elements(second) if names.is_list(second) else [second]:
            name = self._column(table, each, names.owner(chain.callee))
            if name and names.is_true(self._options(each).get("isPrimary", -1)):
                self._calls.key(table, "primary key", [name], "", self._calls.own(each), each)

    def _drop_columns(self, chain: Chain, table: ObjectName) -> None:
        names = self._names
        second = chain.first.argument(1)
        for each in names.elements(second) if names.is_list(second) else [second]:
            name = names.text(each) or names.text(self._options(each).get("name", -1))
            if name:
                self._calls.drop("column", name, table, chain.callee)

    def _rename_column(self, chain: Chain, table: ObjectName) -> None:
        names = self._names
        old, new = chain.first.argument(1), chain.first.argument(2)
        renamed = names.text(new) or names.text(self._options(new).get("name", -1))
        self._calls.rename("column", names.text(old), renamed, table, chain.callee)

    def _change_column(self, chain: Chain, table: ObjectName) -> None:
        calls, names, node = self._calls, self._names, chain.callee
        options = self._options(chain.first.argument(2))
        old = names.text(chain.first.argument(1)) or names.text(self._options(chain.first.argument(1)).get("name", -1))
        new = names.text(options.get("name", -1))
        if not old or not new:
            return
        if old != new:
            calls.rename("column", old, new, table, node)
        change = calls.add(Action.ALTER, "column", new, calls.own(node), node)
        change.table, change.type = table, self._type(options)
        change.nullable = names.is_true(options.get("isNullable", -1))

    def _add_keys(self, chain: Chain, table: ObjectName) -> None:
        names = self._names
        kind = "foreign key" if "Foreign" in chain.called else "unique" if "Unique" in chain.called else "index"
        second = chain.first.argument(1)
        for each in names.elements(second) if names.is_list(second) else [second]:
            self._key(table, kind, self._options(each), self._calls.own(chain.callee), each)

    def _add_primary_key(self, chain: Chain, table: ObjectName) -> None:
        columns = self._names.texts(chain.first.argument(1))
        if columns:
            name = key_name("PK", table.name, columns)
            self._calls.key(table, "primary key", columns, name, self._calls.own(chain.callee), chain.callee)

    def _drop_key(self, chain: Chain, table: ObjectName) -> None:
        names = self._names
        second = chain.first.argument(1)
        name = names.text(second) or names.text(self._options(second).get("name", -1))
        if name:
            self._calls.drop("index" if "Index" in chain.called else "constraint", name, table, chain.callee)
