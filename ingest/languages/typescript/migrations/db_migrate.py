"""Migrations of `db-migrate`: https://db-migrate.readthedocs.io/en/latest/API/SQL/."""

from __future__ import annotations

from typing import Final

from ....facts.data import Action, ObjectName
from ..models.call_chains import Chain, Link
from .schema_calls import SchemaCalls

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
            for member in columns:
                self._column(table, member.name, member.value, member.value, at.symbol)
        elif method == "addColumn" and second:
            self._column(table, second, link.argument(2), node, names.owner(node))
        elif method == "dropTable":
            calls.add(Action.DROP, "table", table.name, calls.own(node), node)
        elif method == "renameTable":
            calls.rename("table", table.name, second, None, node)
        elif method == "removeColumn" and second:
            calls.drop("column", second, table, node)
        elif method == "renameColumn":
            calls.rename("column", second, names.text(link.argument(2)), table, node)

    def _column(self, table: ObjectName, name: str, given: int, node: int, parent: int) -> None:
        calls, names = self._calls, self._names
        options = names.object(given)
        kind = names.text(options.get("type", -1)) or names.text(given)
        change = calls.column(table, name, _TYPES.get(kind, kind), calls.declare("column", name, node, parent), node)
        change.nullable = not (names.is_true(options.get("notNull", -1)) or names.is_true(options.get("primaryKey", -1)))
        change.default = names.literal(options.get("defaultValue", -1))
