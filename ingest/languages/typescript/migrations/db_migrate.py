"""Migrations of `db-migrate`: https://db-migrate.readthedocs.io/en/latest/API/SQL/."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ....facts.data import Action, ObjectName
from ..models.call_chains import Chain, Link
from .schema_calls import Declared, SchemaCalls

#: Types of columns in PostgreSQL, by the names of `db-migrate`.
_TYPES: Final = {
    "int": "integer", "string": "varchar", "datetime": "timestamp", "blob": "bytea", "smalldatetime": "timestamp",
}  # fmt: skip


def add_db_migrate(calls: SchemaCalls) -> None:
    """Add the changes that calls such as `db.runSql(…)` and `db.createTable(…)` make."""
    reading = _Reading(calls)
    for chain in calls.chains:
        before, _, bound = chain.name.rpartition(".")
        if bound == "bind" and before.startswith("db.") and len(chain.first.arguments) > 1:
            # `async.series([db.createTable.bind(db, "users", { … })])`
            reading.of_call(before[3:], Link(before[3:], chain.first.arguments[1:]), chain)
        elif before == "db" or bound == "runSql":
            reading.of_call(bound, chain.first, chain)


class _Reading:
    def __init__(self, calls: SchemaCalls) -> None:
        self._calls = calls
        self._names = calls.names

    def of_call(self, method: str, link: Link, chain: Chain) -> None:
        """Add the schema changes that one call of a method makes."""
        calls, names, node = self._calls, self._names, chain.callee
        table, second = ObjectName(names.text(link.argument(0))), names.text(link.argument(1))
        if not table.name:
            return
        if method == "runSql":
            calls.run(table.name, node)
        elif method == "createTable":
            at = calls.declare("table", table.name, node, names.owner(node))
            calls.add(Action.CREATE, "table", table.name, at, node)
            options = names.object(link.argument(1))
            columns = names.properties(options["columns"]) if "columns" in options else names.properties(link.argument(1))
            primary = [
                member.name for member in columns if self._column(table, member.name, member.value, member.value, at.symbol)
            ]
            if primary:
                calls.key(table, "primary key", primary, f"{table.name}_pkey", at, node)
        elif method == "addColumn" and second:
            if self._column(table, second, link.argument(2), node, names.owner(node)):
                calls.key(table, "primary key", [second], f"{table.name}_pkey", calls.own(node), node)
        elif method == "dropTable":
            calls.add(Action.DROP, "table", table.name, calls.own(node), node)
        elif method == "renameTable":
            calls.rename("table", table.name, second, None, node)
        elif method == "removeColumn" and second:
            calls.drop("column", second, table, node)
        elif method == "renameColumn":
            calls.rename("column", second, names.text(link.argument(2)), table, node)
        elif method == "changeColumn" and second:
            self._alter(table, second, names.object(link.argument(2)), node)
        else:
            self._key(method, table, second, link, node)

    def _key(self, method: str, table: ObjectName, second: str, link: Link, node: int) -> None:
        calls, names = self._calls, self._names
        third = names.text(link.argument(2))
        if method == "addIndex" and second:
            columns = names.texts(link.argument(2)) or [third]
            kind = "unique index" if names.is_true(link.argument(3)) else "index"
            calls.key(table, kind, columns, second, calls.own(node), node)
        elif method == "removeIndex":
            calls.drop("index", second or table.name, table if second else None, node)
        elif method == "addForeignKey" and second and third:
            self._reference(table, second, third, names.object(link.argument(3)), names.object(link.argument(4)), node)
        elif method == "removeForeignKey" and second:
            calls.drop("constraint", second, table, node)

    def _reference(
        self, table: ObjectName, target: str, name: str, columns: Mapping[str, int], rules: Mapping[str, int], node: int
    ) -> None:
        calls, names = self._calls, self._names
        made = calls.key(table, "foreign key", list(columns), name, calls.own(node), node)
        made.target, made.target_columns = ObjectName(target), [names.text(each) for each in columns.values()]
        made.on_delete = names.text(rules.get("onDelete", -1)).upper()
        made.on_update = names.text(rules.get("onUpdate", -1)).upper()

    def _column(self, table: ObjectName, name: str, given: int, node: int, parent: int) -> bool:
        """Add a column, and return whether it belongs to the primary key."""
        calls, names = self._calls, self._names
        options = names.object(given)
        is_primary = names.is_true(options.get("primaryKey", -1))
        at = calls.declare("column", name, node, parent)
        change = calls.column(table, name, self._type(options) or self._type({"type": given}), at, node)
        if is_primary and names.is_true(options.get("autoIncrement", -1)):
            change.type = "bigserial" if change.type == "bigint" else "serial"
        change.nullable = not (is_primary or names.is_true(options.get("notNull", -1)))
        change.default = names.literal(options.get("defaultValue", -1))
        if names.is_true(options.get("unique", -1)):
            self._unique(table, name, at, node)
        referred = names.object(options.get("foreignKey", -1))
        target, key = names.text(referred.get("table", -1)), names.text(referred.get("name", -1))
        if target and key:
            # The mapping names the column of the other table, or it maps own columns to columns of the other table.
            mapping = referred.get("mapping", -1)
            columns = {name: mapping} if names.text(mapping) else names.object(mapping)
            self._reference(table, target, key, columns, names.object(referred.get("rules", -1)), node)
        return is_primary

    def _type(self, options: Mapping[str, int]) -> str:
        names = self._names
        kind = names.text(options.get("type", -1))
        length = names.literal(options.get("length", -1))
        return f"{_TYPES.get(kind, kind)}({length})" if kind and length else _TYPES.get(kind, kind)

    def _unique(self, table: ObjectName, name: str, at: Declared, node: int) -> None:
        self._calls.key(table, "unique", [name], f"{table.name}_{name}_key", at, node)

    def _alter(self, table: ObjectName, name: str, options: Mapping[str, int], node: int) -> None:
        """Change a column. Without these options, a column may be null and has no default."""
        calls, names = self._calls, self._names
        change = calls.add(Action.ALTER, "column", name, calls.own(node), node)
        change.table, change.type = table, self._type(options)
        change.nullable = not names.is_true(options.get("notNull", -1))
        change.default = names.literal(options.get("defaultValue", -1))
        unique = options.get("unique", -1)
        if names.is_true(unique):
            self._unique(table, name, calls.own(node), node)
        elif names.is_false(unique):
            calls.drop("constraint", f"{table.name}_{name}_key", table, node)
