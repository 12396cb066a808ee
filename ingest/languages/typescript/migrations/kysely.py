"""Migrations of Kysely: https://kysely.dev/docs/migrations. The names of keys are the names that PostgreSQL generates."""

from __future__ import annotations

from collections.abc import Sequence

from ....facts.data import Action, ObjectName
from ..models.call_chains import Link, chain_of
from .schema_calls import Declared, SchemaCalls


def add_kysely(calls: SchemaCalls) -> None:
    """Add the changes that the calls of a schema builder make."""
    reading = _Reading(calls)
    for chain in calls.chains:
        before = chain.name.split(".")
        if len(before) > 1 and before[-2] == "schema":
            reading.of_schema([Link(chain.called, chain.first.arguments), *chain.rest], chain.callee)


class _Reading:
    def __init__(self, calls: SchemaCalls) -> None:
        self._calls = calls
        self._names = calls.names

    def of_schema(self, links: Sequence[Link], node: int) -> None:
        """Add the changes of a chain that begins after `db.schema`."""
        schema = ""
        if links[0].name == "withSchema" and len(links) > 1:
            schema, links = self._names.text(links[0].argument(0)), links[1:]
        first, rest = links[0], links[1:]
        name = self._names.text(first.argument(0))
        if not name:
            return
        calls, table = self._calls, ObjectName(name.rpartition(".")[2], schema or name.rpartition(".")[0])
        if first.name == "createTable":
            at = calls.declare("table", table.name, node, self._names.owner(node))
            calls.add(Action.CREATE, "table", table.name, at, node, schema=table.schema)
            self._columns(rest, table, node, at)
        elif first.name == "alterTable":
            self._columns(rest, table, node, None)
        elif first.name == "dropTable":
            calls.add(Action.DROP, "table", table.name, calls.own(node), node, schema=table.schema)
        elif first.name == "createIndex":
            self._index(name, rest, node)
        elif first.name == "dropIndex":
            on = self._names.text(next((each.argument(0) for each in rest if each.name == "on"), -1))
            calls.drop("index", name, ObjectName(on) if on else None, node)

    def _columns(self, links: Sequence[Link], table: ObjectName, node: int, made: Declared | None) -> None:
        calls, names = self._calls, self._names
        for link in links:
            name, second = names.text(link.argument(0)), names.text(link.argument(1))
            at = link.argument(0) if link.arguments else node
            if link.name == "addColumn" and name:
                self._column(link, table, name, at, made)
            elif link.name == "dropColumn" and name:
                calls.drop("column", name, table, at)
            elif link.name == "renameColumn":
                calls.rename("column", name, second, table, at)
            elif link.name == "renameTo":
                calls.rename("table", table.name, name, None, at)
            elif link.name == "dropConstraint" and name:
                calls.drop("constraint", name, table, at)
            elif link.name in ("addUniqueConstraint", "addPrimaryKeyConstraint"):
                kind = "unique" if link.name == "addUniqueConstraint" else "primary key"
                calls.key(table, kind, names.texts(link.argument(1)), name, calls.own(at), at)
            elif link.name == "addForeignKeyConstraint":
                key = calls.key(table, "foreign key", names.texts(link.argument(1)), name, calls.own(at), at)
                key.target, key.target_columns = ObjectName(names.text(link.argument(2))), names.texts(link.argument(3))
            elif link.name == "alterColumn" and name:
                self._alter(link, table, name, at)

    def _column(self, link: Link, table: ObjectName, name: str, node: int, made: Declared | None) -> None:
        calls, names = self._calls, self._names
        at = calls.declare("column", name, node, made.symbol if made is not None else names.owner(node))
        change = calls.column(table, name, names.text(link.argument(1)), at, node)
        key = None
        for each in self._options(link.argument(2)):
            text = names.text(each.argument(0))
            if each.name == "notNull":
                change.nullable = False
            elif each.name == "primaryKey":
                change.nullable = False
                calls.key(table, "primary key", [name], f"{table.name}_pkey", at, node)
            elif each.name == "unique":
                calls.key(table, "unique", [name], f"{table.name}_{name}_key", at, node)
            elif each.name == "defaultTo":
                change.default = names.literal(each.argument(0))
            elif each.name == "references" and "." in text:
                target, _, column = text.rpartition(".")
                key = calls.key(table, "foreign key", [name], f"{table.name}_{name}_fkey", at, node)
                key.target, key.target_columns = ObjectName(target), [column]
            elif each.name in ("onDelete", "onUpdate") and key is not None:
                rule = text.upper()
                key.on_delete, key.on_update = (rule, key.on_update) if each.name == "onDelete" else (key.on_delete, rule)

    def _options(self, node: int) -> list[Link]:
        """Return the calls on a column: `(column) => column.notNull().unique()`."""
        chain = chain_of(self._names, self._names.result(node))
        return [Link(chain.called, chain.first.arguments), *chain.rest] if chain is not None else []

    def _alter(self, link: Link, table: ObjectName, name: str, node: int) -> None:
        calls, names = self._calls, self._names
        for each in self._options(link.argument(1)):
            change = calls.add(Action.ALTER, "column", name, calls.own(node), node)
            change.table = table
            if each.name == "setDataType":
                change.type = names.text(each.argument(0))
            elif each.name in ("setNotNull", "dropNotNull"):
                change.nullable = each.name == "dropNotNull"
            elif each.name in ("setDefault", "dropDefault"):
                change.default = names.literal(each.argument(0)) if each.name == "setDefault" else ""

    def _index(self, name: str, links: Sequence[Link], node: int) -> None:
        names = self._names
        table, columns = "", list[str]()
        for link in links:
            if link.name == "on":
                table = names.text(link.argument(0))
            elif link.name == "column":
                columns.append(names.text(link.argument(0)))
            elif link.name == "columns":
                columns += names.texts(link.argument(0))
        columns = [each.partition(" ")[0] for each in columns if each]
        if table and columns:
            kind = "unique index" if any(link.name == "unique" for link in links) else "index"
            self._calls.key(ObjectName(table), kind, columns, name, self._calls.own(node), node)
