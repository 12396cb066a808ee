"""Migrations of Sequelize: https://sequelize.org/docs/v6/other-topics/query-interface/. The types are types of PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ....facts.data import Action, ObjectName
from ....facts.model import DeclKind
from ..models.call_chains import Chain
from ..models.sequelize.column_types import column_type
from ..models.sequelize.naming import underscored
from .schema_calls import Declared, SchemaCalls

_SUFFIXES: Final = {"unique": "uk", "primary key": "pk", "foreign key": "fk"}
#: Names of methods that only the query interface has.
_METHODS: Final = frozenset(
    ("createTable", "dropTable", "renameTable", "addColumn", "removeColumn", "changeColumn", "renameColumn", "addIndex",
     "removeIndex", "addConstraint", "removeConstraint")
)  # fmt: skip


def add_sequelize(calls: SchemaCalls) -> None:
    """Add the changes that calls of the query interface make."""
    reading = _Reading(calls)
    for chain in calls.chains:
        parts = chain.name.split(".")
        if chain.module or len(parts) < 2:
            continue
        receiver = calls.receiver(chain)
        is_given = receiver >= 0 and calls.names.facts.decls[receiver].kind == DeclKind.PARAMETER
        if chain.called in _METHODS and (is_given or "queryInterface" in parts):
            reading.of_call(chain)
        elif parts[-2:] == ["sequelize", "query"]:
            calls.run(calls.names.text(chain.first.argument(0)), chain.callee)


class _Reading:
    def __init__(self, calls: SchemaCalls) -> None:
        self._calls = calls
        self._names = calls.names

    def of_call(self, chain: Chain) -> None:
        calls, names = self._calls, self._names
        table = self._table(chain.first.argument(0))
        if table is None:
            return
        node, called = chain.callee, chain.called
        second = names.text(chain.first.argument(1))
        third = chain.first.argument(2)
        if called == "createTable":
            at = calls.declare("table", table.name, node, names.owner(node))
            calls.add(Action.CREATE, "table", table.name, at, node, schema=table.schema)
            self._create(chain, table, at)
        elif called == "dropTable":
            calls.add(Action.DROP, "table", table.name, calls.own(node), node, schema=table.schema)
        elif called == "renameTable":
            calls.rename("table", table.name, second, None, node)
        elif called == "addColumn" and second:
            self._column(table, second, third, node, names.owner(node))
        elif called == "removeColumn" and second:
            calls.drop("column", second, table, node)
        elif called == "renameColumn":
            calls.rename("column", second, names.text(third), table, node)
        elif called == "changeColumn" and second:
            self._alter(table, second, third, node)
        elif called == "addIndex":
            self._index(chain, table)
        elif called == "removeIndex":
            columns = names.texts(chain.first.argument(1))
            calls.drop("index", second or index_name(table.name, columns), table, node)
        elif called == "addConstraint":
            self._constraint(chain, table)
        elif called == "removeConstraint" and second:
            calls.drop("constraint", second, table, node)

    def _table(self, node: int) -> ObjectName | None:
        names = self._names
        text = names.text(node)
        if text:
            return ObjectName(text)
        options = names.object(node)
        named = names.text(options.get("tableName", -1))
        return ObjectName(named, names.text(options.get("schema", -1))) if named else None

    def _create(self, chain: Chain, table: ObjectName, at: Declared) -> None:
        names, primary = self._names, list[str]()
        for member in names.properties(chain.first.argument(1)):
            name, is_primary = self._column(table, member.name, member.value, member.value, at.symbol, in_table=True)
            primary += [name] if is_primary else []
        if primary:
            self._calls.key(table, "primary key", primary, f"{table.name}_pkey", at, chain.callee)
        unique = names.object(names.object(chain.first.argument(2)).get("uniqueKeys", -1))
        for key, value in unique.items():
            columns = names.texts(names.object(value).get("fields", -1))
            if columns:
                self._calls.key(table, "unique", columns, key, at, chain.callee)

    def _column(
        self, table: ObjectName, name: str, node: int, place: int, parent: int, *, in_table: bool = False
    ) -> tuple[str, bool]:
        """Add a column, and return its name and whether it belongs to the primary key."""
        calls, names = self._calls, self._names
        options = names.object(node)
        kind = column_type(names, options.get("type", -1) if options else node, table.name, name)
        name = names.text(options.get("field", -1)) or name
        at = calls.declare("column", name, place, parent)
        change = calls.column(table, name, kind, at, place)
        if names.is_true(options.get("autoIncrement", -1)):
            change.type = "bigserial" if kind == "bigint" else "serial"
        is_primary = names.is_true(options.get("primaryKey", -1))
        change.nullable = not is_primary and not names.is_false(options.get("allowNull", -1))
        change.default = names.literal(options.get("defaultValue", -1))
        if is_primary and not in_table:
            calls.key(table, "primary key", [name], f"{table.name}_pkey", at, place)
        unique = options.get("unique", -1)
        if names.is_true(unique) or names.text(unique):
            calls.key(table, "unique", [name], names.text(unique) or f"{table.name}_{name}_key", at, place)
        self._reference(table, [name], options, f"{table.name}_{name}_fkey", at, place)
        return name, is_primary

    def _alter(self, table: ObjectName, name: str, node: int, place: int) -> None:
        calls, names = self._calls, self._names
        options = names.object(node)
        if "references" not in options:  # a call that sets a reference changes no other part of the column
            change = calls.add(Action.ALTER, "column", name, calls.own(place), place)
            change.table = table
            change.type = column_type(names, options.get("type", -1) if options else node, table.name, name)
            # Without these options, a column may be null and has no default.
            change.nullable = not names.is_false(options.get("allowNull", -1))
            change.default = names.literal(options.get("defaultValue", -1))
        if names.is_true(options.get("unique", -1)):
            calls.key(table, "unique", [name], f"{table.name}_{name}_key", calls.own(place), place)
        self._reference(table, [name], options, f"{table.name}_{name}_fkey", calls.own(place), place)

    def _reference(
        self, table: ObjectName, columns: list[str], options: Mapping[str, int], name: str, at: Declared, node: int
    ) -> None:
        names = self._names
        referred = names.object(options.get("references", -1))
        given = referred.get("model", referred.get("table", -1))
        target = self._table(given)
        if target is None:
            return
        key = referred.get("key", referred.get("field", -1))
        made = self._calls.key(table, "foreign key", columns, name, at, node)
        made.target, made.target_columns = target, [names.text(key) or "id"] if key >= 0 else []
        made.on_delete = names.text(options.get("onDelete", -1)).upper()
        made.on_update = names.text(options.get("onUpdate", -1)).upper()

    def _index(self, chain: Chain, table: ObjectName) -> None:
        names = self._names
        second, third = chain.first.argument(1), chain.first.argument(2)
        options = names.object(third) if names.is_list(second) else names.object(second)
        listed = second if names.is_list(second) else options.get("fields", -1)
        columns = [names.text(each) or names.text(names.object(each).get("name", -1)) for each in names.elements(listed)]
        if not columns:
            return
        is_unique = names.is_true(options.get("unique", -1)) or names.text(options.get("type", -1)).upper() == "UNIQUE"
        named = names.text(options.get("name", -1)) or names.text(options.get("indexName", -1))
        kind = "unique index" if is_unique else "index"
        name = named or index_name(table.name, columns)
        self._calls.key(table, kind, columns, name, self._calls.own(chain.callee), chain.callee)

    def _constraint(self, chain: Chain, table: ObjectName) -> None:
        names, calls = self._names, self._calls
        second = chain.first.argument(1)
        options = names.object(chain.first.argument(2)) if names.is_list(second) else names.object(second)
        columns = names.texts(second) or names.texts(options.get("fields", -1))
        kind = names.text(options.get("type", -1)).lower()
        if not columns or kind not in _SUFFIXES:
            return
        name = names.text(options.get("name", -1)) or underscored("_".join([table.name, *columns, _SUFFIXES[kind]]))
        at = calls.own(chain.callee)
        if kind == "foreign key":
            self._reference(table, columns, options, name, at, chain.callee)
        else:
            calls.key(table, kind, columns, name, at, chain.callee)


def index_name(table: str, columns: list[str]) -> str:
    """Return the name that Sequelize generates for an index without a name."""
    return underscored("_".join([table, *columns]))
