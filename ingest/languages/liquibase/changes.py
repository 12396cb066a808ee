"""Read one change of a changelog: the objects that it declares, its changes of the schema, and its uses of tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from ...data.sql.definitions import SYMBOL_KINDS, read_definition
from ...data.sql.queries import DIALECTS, RARE_DIALECTS, parse_query
from ...data.sql.reader import TokenReader
from ...data.sql.statements import statements_of
from ...facts.data import Action, ObjectName, Query, SchemaChange, TableUse
from .change_nodes import ChangeNode

#: Kinds of the symbols of changes that declare no object: those that alter one, and others.
ALTERATION: Final = "alteration"
STATEMENT: Final = "expression"
_DEFINING: Final = frozenset(("CREATE", "ALTER", "DROP", "COMMENT", "RENAME", "EXEC", "EXECUTE"))
#: The target of a foreign key in one text: `users(id)`.
_TARGET: Final = re.compile(r"\s*([\w.\"`$]+)\s*\(([^()]*)\)")
#: Attributes with the default of a column: a text, and others that are SQL.
_TEXT_DEFAULTS: Final = ("defaultValue", "defaultValueDate")
_DEFAULTS: Final = ("defaultValueNumeric", "defaultValueBoolean", "defaultValueComputed", "defaultValueSequenceNext")


class Declared(NamedTuple):
    """An object inside a change: a column, a constraint, or a table in a text of SQL."""

    kind: str
    name: str
    line: int
    end_line: int
    #: Number of the object around it; 0 is the change.
    parent: int


class ReadChange:
    """What a change means. In its schema changes, symbol 0 is the change, and those of declared objects begin at 1."""

    def __init__(self, node: ChangeNode) -> None:
        self.node = node
        self.kind = STATEMENT
        #: Name of the declared or altered object; "" if there is none.
        self.name = ""
        self.declared: list[Declared] = []
        self.changes: list[SchemaChange] = []
        self.queries: list[Query] = []

    def declare(self, kind: str, name: str, node: ChangeNode, parent: int = 0) -> int:
        """Add a declared object, and return its number."""
        self.declared.append(Declared(kind, name, node.line, node.end_line, parent))
        return len(self.declared)


def read_change(node: ChangeNode, *, is_guarded: bool) -> ReadChange:
    """Return the meaning of a change; without schema changes and uses if its type has none, or if a name in it is not known.

    `is_guarded` says whether the change only runs under conditions.
    """
    reading = _Reading(node, is_guarded=is_guarded)
    read = _READERS.get(node.name)
    if read is not None:
        read(reading, node)
    return reading.made


class _Reading:
    def __init__(self, node: ChangeNode, *, is_guarded: bool) -> None:
        self.made = ReadChange(node)
        self._is_guarded = is_guarded

    # ------------------------------------------------------------------ names

    def _table(self, node: ChangeNode, name: str = "tableName", schema: str = "schemaName") -> ObjectName | None:
        """Return the table that a change names; None for a name with a parameter that other files set."""
        written, around = _unquoted(node.get(name)), _unquoted(node.get(schema))
        if "." in written:
            around, _, written = written.rpartition(".")
        return ObjectName(written, "" if "${" in around else around) if written and "${" not in written else None

    def _add(
        self, action: str, kind: str, name: str, node: ChangeNode, table: ObjectName | None = None, symbol: int = 0
    ) -> SchemaChange:
        made = SchemaChange(action, kind, ObjectName(_unquoted(name)), symbol, node.line, table=table)
        self.made.changes.append(made)
        return made

    def _alters(self, table: ObjectName) -> None:
        self.made.kind, self.made.name = ALTERATION, table.name

    # ------------------------------------------------------------------ tables

    def create_table(self, node: ChangeNode) -> None:
        table = self._table(node)
        if table is None:
            return
        self.made.kind, self.made.name = "table", table.name
        created = SchemaChange(Action.CREATE, "table", table, 0, node.line)
        created.is_conditional = self._is_guarded or node.is_set("ifNotExists")
        self.made.changes.append(created)
        self._columns(table, node)
        for each in self.made.changes[1:]:
            each.of_creation = True
        self._comment("table", table, node.get("remarks"), node)

    def add_column(self, node: ChangeNode) -> None:
        table = self._table(node)
        if table is not None:
            self._alters(table)
            self._columns(table, node)

    def _columns(self, table: ObjectName, node: ChangeNode) -> None:
        key: list[str] = []
        key_name = ""
        for column in node.named("column"):
            name = _unquoted(column.get("name"))
            if not name or "${" in name:
                continue
            symbol = self.made.declare("column", name, column)
            added = self._add(Action.CREATE, "column", name, column, table, symbol)
            added.type, added.default = column.get("type"), _default(column)
            if column.is_set("autoIncrement"):
                added.text = "identity"
            for constraints in column.named("constraints"):
                added.nullable = _truth(constraints.get("nullable"), added.nullable)
                if constraints.is_set("primaryKey"):
                    added.nullable = False
                    key.append(name)
                    key_name = key_name or constraints.get("primaryKeyName")
                self._column_constraints(table, name, constraints)
            self._comment("column", table, column.get("remarks"), column, name)
        if key:
            self._constraint(table, "primary key", key, node, key_name)

    def _column_constraints(self, table: ObjectName, column: str, node: ChangeNode) -> None:
        if node.is_set("unique"):
            self._constraint(table, "unique", [column], node, node.get("uniqueConstraintName"))
        if node.get("checkConstraint"):
            self._constraint(table, "check", [column], node).text = node.get("checkConstraint")
        written = _TARGET.match(node.get("references"))
        target = _unquoted(written[1] if written is not None else node.get("referencedTableName"))
        if target and "${" not in target:
            made = self._constraint(table, "foreign key", [column], node, node.get("foreignKeyName"))
            schema, _, name = target.rpartition(".")
            made.target = ObjectName(name, schema or _known(node.get("referencedTableSchemaName")))
            made.target_columns = _names(written[2] if written is not None else node.get("referencedColumnNames"))
            made.on_delete = "CASCADE" if node.is_set("deleteCascade") else ""

    def _constraint(self, table: ObjectName, kind: str, columns: Sequence[str], node: ChangeNode, name: str = "") -> SchemaChange:
        name = _known(_unquoted(name))
        symbol = self.made.declare("constraint", name, node) if name else 0
        made = self._add(Action.CREATE, "constraint", name, node, table, symbol)
        made.type, made.columns, made.is_unique = kind, list(columns), kind == "unique"
        return made

    def _comment(self, kind: str, table: ObjectName, text: str, node: ChangeNode, column: str = "") -> None:
        if not text:
            return
        if kind == "table":
            made = SchemaChange(Action.ALTER, kind, table, 0, node.line)
            self.made.changes.append(made)
        else:
            made = self._add(Action.ALTER, kind, column, node, table)
        made.text = f"comment {text}"

    def drop_table(self, node: ChangeNode) -> None:
        self._drop_whole("table", node, "tableName")

    def drop_view(self, node: ChangeNode) -> None:
        self._drop_whole("view", node, "viewName")

    def drop_sequence(self, node: ChangeNode) -> None:
        self._drop_whole("sequence", node, "sequenceName")

    def drop_procedure(self, node: ChangeNode) -> None:
        self._drop_whole("procedure", node, "procedureName")

    def _drop_whole(self, kind: str, node: ChangeNode, attribute: str) -> None:
        name = self._table(node, attribute)
        if name is not None:
            self._alters(name)
            made = SchemaChange(Action.DROP, kind, name, 0, node.line)
            made.is_conditional, made.is_sweeping = self._is_guarded, node.is_set("cascadeConstraints")
            self.made.changes.append(made)

    def rename_table(self, node: ChangeNode) -> None:
        self._rename_whole("table", node, "oldTableName", "newTableName")

    def rename_view(self, node: ChangeNode) -> None:
        self._rename_whole("view", node, "oldViewName", "newViewName")

    def _rename_whole(self, kind: str, node: ChangeNode, old: str, new: str) -> None:
        name, new_name = self._table(node, old), self._table(node, new)
        if name is not None and new_name is not None:
            self._alters(name)
            self.made.changes.append(SchemaChange(Action.RENAME, kind, name, 0, node.line, new_name=new_name))

    def add_lookup_table(self, node: ChangeNode) -> None:
        """Read the creation of a table with the different values of a column, which becomes a foreign key to it."""
        table = self._table(node, "existingTableName", "existingTableSchemaName")
        made = self._table(node, "newTableName", "newTableSchemaName")
        column, name = _known(node.get("existingColumnName")), _known(node.get("newColumnName"))
        if table is None or made is None or not column or not name:
            return
        self.made.kind, self.made.name = "table", made.name
        self.made.changes.append(SchemaChange(Action.CREATE, "table", made, 0, node.line))
        added = self._add(Action.CREATE, "column", name, node, made, self.made.declare("column", name, node))
        added.type, added.nullable, added.of_creation = node.get("newColumnDataType"), False, True
        self._constraint(made, "primary key", [name], node)
        key = self._constraint(table, "foreign key", [column], node, node.get("constraintName"))
        key.target, key.target_columns = made, [name]

    # ------------------------------------------------------------------ columns

    def drop_column(self, node: ChangeNode) -> None:
        table = self._table(node)
        if table is not None:
            self._alters(table)
            for name in (node.get("columnName"), *(each.get("name") for each in node.named("column"))):
                if _known(name):
                    self._add(Action.DROP, "column", name, node, table)

    def rename_column(self, node: ChangeNode) -> None:
        made = self._column_change(node, Action.RENAME, "oldColumnName")
        if made is not None:
            made.new_name = ObjectName(_unquoted(node.get("newColumnName")))

    def _column_change(self, node: ChangeNode, action: str = Action.ALTER, attribute: str = "columnName") -> SchemaChange | None:
        table, name = self._table(node), _known(node.get(attribute))
        if table is None or not name:
            return None
        self._alters(table)
        return self._add(action, "column", name, node, table)

    def modify_data_type(self, node: ChangeNode) -> None:
        if (made := self._column_change(node)) is not None:
            made.type = node.get("newDataType")

    def add_not_null(self, node: ChangeNode) -> None:
        if (made := self._column_change(node)) is not None:
            made.nullable = False

    def drop_not_null(self, node: ChangeNode) -> None:
        if (made := self._column_change(node)) is not None:
            made.nullable = True

    def add_default(self, node: ChangeNode) -> None:
        if (made := self._column_change(node)) is not None:
            made.default = _default(node)

    def drop_default(self, node: ChangeNode) -> None:
        if (made := self._column_change(node)) is not None:
            made.default = ""

    def merge_columns(self, node: ChangeNode) -> None:
        table, name = self._table(node), _known(node.get("finalColumnName"))
        if table is None or not name:
            return
        self._alters(table)
        for attribute in ("column1Name", "column2Name"):
            self._add(Action.DROP, "column", node.get(attribute), node, table)
        added = self._add(Action.CREATE, "column", name, node, table, self.made.declare("column", name, node))
        added.type = node.get("finalColumnType")

    def set_remarks(self, node: ChangeNode) -> None:
        table = self._table(node)
        if table is not None:
            self._alters(table)
            kind = "table" if node.name == "setTableRemarks" else "column"
            self._comment(kind, table, node.get("remarks"), node, _known(node.get("columnName")))

    # ------------------------------------------------------------------ keys and indexes

    def add_foreign_key(self, node: ChangeNode) -> None:
        table = self._table(node, "baseTableName", "baseTableSchemaName")
        target = self._table(node, "referencedTableName", "referencedTableSchemaName")
        if table is None or target is None:
            return
        self._alters(table)
        made = self._constraint(table, "foreign key", _names(node.get("baseColumnNames")), node, node.get("constraintName"))
        made.target, made.target_columns = target, _names(node.get("referencedColumnNames"))
        made.on_delete, made.on_update = node.get("onDelete").upper(), node.get("onUpdate").upper()
        if node.is_set("deleteCascade"):
            made.on_delete = "CASCADE"

    def add_primary_key(self, node: ChangeNode) -> None:
        self._add_key(node, "primary key")

    def add_unique(self, node: ChangeNode) -> None:
        self._add_key(node, "unique")

    def _add_key(self, node: ChangeNode, kind: str) -> None:
        table = self._table(node)
        if table is not None:
            self._alters(table)
            self._constraint(table, kind, _names(node.get("columnNames")), node, node.get("constraintName"))

    def drop_foreign_key(self, node: ChangeNode) -> None:
        self._drop_key(self._table(node, "baseTableName", "baseTableSchemaName"), node, "foreign key")

    def drop_primary_key(self, node: ChangeNode) -> None:
        self._drop_key(self._table(node), node, "primary key")

    def drop_unique(self, node: ChangeNode) -> None:
        self._drop_key(self._table(node), node, "unique")

    def _drop_key(self, table: ObjectName | None, node: ChangeNode, kind: str) -> None:
        if table is not None:
            self._alters(table)
            self._add(Action.DROP, "constraint", node.get("constraintName"), node, table).type = kind

    def create_index(self, node: ChangeNode) -> None:
        table, name = self._table(node), _known(_unquoted(node.get("indexName")))
        if table is None:
            return
        self._alters(table)
        if name:
            self.made.kind, self.made.name = "index", name
        made = self._add(Action.CREATE, "index", name, node, table)
        made.columns = [
            "" if each.is_set("computed") else _unquoted(each.get("name").partition(" ")[0]) for each in node.named("column")
        ]
        made.is_unique, made.is_conditional = node.is_set("unique"), self._is_guarded

    def drop_index(self, node: ChangeNode) -> None:
        table, name = self._table(node), _known(node.get("indexName"))
        if name:
            self.made.kind, self.made.name = ALTERATION, name
            self._add(Action.DROP, "index", name, node, table)

    # ------------------------------------------------------------------ statements

    def create_view(self, node: ChangeNode) -> None:
        name = self._table(node, "viewName")
        if name is None:
            return
        self.made.kind, self.made.name = "view", name.name
        made = SchemaChange(Action.CREATE, "view", name, 0, node.line, is_sweeping=node.is_set("replaceIfExists"))
        self.made.changes.append(made)
        self._query(node.get("selectQuery") or node.text, node)

    def create_sequence(self, node: ChangeNode) -> None:
        name = self._table(node, "sequenceName")
        if name is not None:
            self.made.kind, self.made.name = "sequence", name.name
            self.made.changes.append(SchemaChange(Action.CREATE, "sequence", name, 0, node.line))

    def sql(self, node: ChangeNode) -> None:
        """Read the statements in a text. All have the line of the element."""
        text = node.get("sql", "procedureText", "procedureBody") or node.text
        for statement in statements_of(text):
            if statement.tokens[0].word in _DEFINING:
                self._definition(TokenReader(text, statement.tokens, folds=True), node)
            else:
                self._query(text[statement.start : statement.end], node)

    def _definition(self, reader: TokenReader, node: ChangeNode) -> None:
        definition = read_definition(reader)
        if definition is None:
            return
        place = 0
        if definition.kind in SYMBOL_KINDS and self.made.kind != STATEMENT:
            place = self.made.declare(definition.kind, definition.name.name, node)
        elif definition.kind in SYMBOL_KINDS:
            self.made.kind, self.made.name = definition.kind, definition.name.name
        places = [place, *(self.made.declare(each.kind, each.name, node, place) for each in definition.members)]
        for change in definition.changes:
            change.symbol, change.line = places[change.symbol], node.line
            change.is_conditional = change.is_conditional or self._is_guarded
            self.made.changes.append(change)

    def _query(self, text: str, node: ChangeNode) -> None:
        parsed = parse_query(text, (*DIALECTS, *RARE_DIALECTS)) if text.strip() else None
        if parsed is not None and parsed.uses:
            self.made.queries.append(Query(0, node.line, parsed.statement, parsed.uses, "sql", parsed.dialect))

    def rows(self, node: ChangeNode) -> None:
        """Read the insertion, change or removal of rows."""
        table = self._table(node)
        if table is not None:
            columns = [name for each in node.named("column") if (name := _known(_unquoted(each.get("name"))))]
            use = TableUse(table, True, list(dict.fromkeys(columns)))
            statement = node.name if node.name in ("update", "delete") else "insert"
            self.made.name = table.name
            self.made.queries.append(Query(0, node.line, statement, [use], "sql", ""))


#: The readers of changes by their types.
_READERS: Final[Mapping[str, Callable[[_Reading, ChangeNode], None]]] = {
    "addColumn": _Reading.add_column,
    "addDefaultValue": _Reading.add_default,
    "addForeignKeyConstraint": _Reading.add_foreign_key,
    "addLookupTable": _Reading.add_lookup_table,
    "addNotNullConstraint": _Reading.add_not_null,
    "addPrimaryKey": _Reading.add_primary_key,
    "addUniqueConstraint": _Reading.add_unique,
    "createFunction": _Reading.sql,
    "createIndex": _Reading.create_index,
    "createProcedure": _Reading.sql,
    "createSequence": _Reading.create_sequence,
    "createTable": _Reading.create_table,
    "createTrigger": _Reading.sql,
    "createView": _Reading.create_view,
    "delete": _Reading.rows,
    "dropColumn": _Reading.drop_column,
    "dropDefaultValue": _Reading.drop_default,
    "dropForeignKeyConstraint": _Reading.drop_foreign_key,
    "dropIndex": _Reading.drop_index,
    "dropNotNullConstraint": _Reading.drop_not_null,
    "dropPrimaryKey": _Reading.drop_primary_key,
    "dropProcedure": _Reading.drop_procedure,
    "dropSequence": _Reading.drop_sequence,
    "dropTable": _Reading.drop_table,
    "dropUniqueConstraint": _Reading.drop_unique,
    "dropView": _Reading.drop_view,
    "insert": _Reading.rows,
    "loadData": _Reading.rows,
    "loadUpdateData": _Reading.rows,
    "mergeColumns": _Reading.merge_columns,
    "modifyDataType": _Reading.modify_data_type,
    "renameColumn": _Reading.rename_column,
    "renameTable": _Reading.rename_table,
    "renameView": _Reading.rename_view,
    "setColumnRemarks": _Reading.set_remarks,
    "setTableRemarks": _Reading.set_remarks,
    "sql": _Reading.sql,
    "update": _Reading.rows,
}
#: The types of changes that are read.
CHANGE_TYPES: Final = frozenset(_READERS)


def _default(node: ChangeNode) -> str | None:
    """Return the default of a column as SQL; None if there is none."""
    text = node.get(*_TEXT_DEFAULTS)
    return f"'{text}'" if text else node.get(*_DEFAULTS) or None


def _truth(text: str, otherwise: bool | None) -> bool | None:
    return {"true": True, "false": False}.get(text.lower(), otherwise)


def _known(text: str) -> str:
    """Return a name; "" for a name with a parameter that other files set."""
    return "" if "${" in text else text


def _unquoted(name: str) -> str:
    return name.strip().strip('"`[]')


def _names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name for each in text.split(",") if (name := _unquoted(each))]
