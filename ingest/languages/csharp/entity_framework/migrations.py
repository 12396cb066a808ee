"""Migrations of Entity Framework in C#: the changes that calls of the `MigrationBuilder` in `Up` make.

See https://learn.microsoft.com/ef/core/managing-schemas/migrations/operations. `Down` reverts the migration.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ....data.sql.dialects import NAMED
from ....data.sql.embedded_changes import changes_of_text
from ....facts.data import Action, ObjectName, SchemaChange
from ....facts.model import FileFacts
from ....facts.nested_symbols import NestedSymbols
from ....facts.uncovered_lines import line_offsets
from ....symbols.code_groups import Groups
from .column_types import COLUMN_TYPES
from .plain_code import plain_code

_FUNCTION: Final = re.compile(r"\bvoid\s+(?P<way>Up|Down)\s*\(\s*MigrationBuilder\s+(?P<builder>\w+)\s*\)\s*(?=\{)")
_NAMED: Final = re.compile(r"\s*(?P<name>[a-z]\w*)\s*:(?!:)")
_COLUMN: Final = re.compile(r"(?:[{,]\s*)(?P<name>@?\w+)\s*=\s*\w+\s*\.\s*Column\s*<\s*(?P<type>[\w.]+)[^()]{0,80}?>\s*(?=\()")
_CONSTRAINT: Final = re.compile(r"\b\w+\s*\.\s*(?P<kind>PrimaryKey|ForeignKey|UniqueConstraint|CheckConstraint)\s*(?=\()")
_TEXT: Final = re.compile(
    r"\$?@?\$?(?:\"\"\"(?P<raw>(?:[^\"]++|\"(?!\"\"))*+)\"\"\"|(?<=@)\"(?P<verbatim>(?:[^\"]++|\"\")*+)\"|\"(?P<plain>(?:[^\"\\\n]++|\\.)*+)\")"
)
_MEMBER: Final = re.compile(r"\.\s*@?(\w+)")
_ESCAPE: Final = re.compile(r"\\(.)")
#: The database that annotations of a migration name.
_PROVIDER: Final = re.compile(r"\"(Npgsql|SqlServer|Sqlite|MySql|MySQL|Oracle):")
_DIALECTS: Final = {**NAMED, "npgsql": "postgres"}
#: Names of the first parameters of the operations, which may be given without them.
_PARAMETERS: Final[Mapping[str, Sequence[str]]] = {
    "AddColumn": ("name", "table", "type"),
    "AlterColumn": ("name", "table", "type"),
    "AddForeignKey": ("name", "table", "column", "principalTable"),
    "AddPrimaryKey": ("name", "table", "column"),
    "AddUniqueConstraint": ("name", "table", "column"),
    "CreateIndex": ("name", "table", "column"),
    "CreateTable": ("name", "columns", "schema", "constraints"),
    "ForeignKey": ("name", "column", "principalTable", "principalColumn"),
    "PrimaryKey": ("name", "columns"),
    "RenameColumn": ("name", "table", "newName"),
    "RenameIndex": ("name", "newName", "table"),
    "RenameTable": ("name", "schema", "newName", "newSchema"),
    "Sql": ("sql",),
    "UniqueConstraint": ("name", "columns"),
}
_OTHERS: Final = ("name", "table")
_RULES: Final = {"Cascade": "CASCADE", "SetNull": "SET NULL", "Restrict": "RESTRICT", "SetDefault": "SET DEFAULT"}
_KINDS: Final = {
    "PrimaryKey": "primary key",
    "ForeignKey": "foreign key",
    "UniqueConstraint": "unique",
    "CheckConstraint": "check",
}
_MAX_SIGNATURE: Final = 300


def add_migration(facts: FileFacts, text: str) -> None:
    """Add the changes of a migration in a file to its facts about data, and symbols for its tables and columns.

    Operations whose names are computed are left out.
    """
    reading = _Reading(facts, text)
    reading.read()


class _Arguments:
    """The arguments of a call: the text of each, and its offset."""

    def __init__(self, reading: _Reading, operation: str, start: int, end: int) -> None:
        self._reading = reading
        self._found: dict[str, tuple[int, int]] = {}
        names = _PARAMETERS.get(operation, _OTHERS)
        for place, (first, last) in enumerate(reading.parts(start, end)):
            named = _NAMED.match(reading.code, first, last)
            if named is not None:
                self._found.setdefault(named["name"], (named.end(), last))
            elif place < len(names):
                self._found.setdefault(names[place], (first, last))

    def span(self, name: str) -> tuple[int, int]:
        """Return the range of an argument; (0, 0) if it is not given."""
        return self._found.get(name, (0, 0))

    def source(self, name: str) -> str:
        """Return an argument as it is written; "" if it is not given."""
        start, end = self.span(name)
        return self._reading.text[start:end].strip()

    def text(self, name: str) -> str:
        """Return the value of an argument that is one text; "" for another one."""
        found = self._texts(name)
        return found[0] if len(found) == 1 else ""

    def texts(self, *names: str) -> list[str]:
        """Return the values of the first given argument, which may be a text or a list of texts."""
        return next((found for name in names if (found := self._texts(name))), [])

    def _texts(self, name: str) -> list[str]:
        written = self.source(name)
        if not written.startswith(('"', "@", '$"', "new", "[")) or written.startswith("$"):
            return []
        return [text_of(match) for match in _TEXT.finditer(written)]

    def members(self, *names: str) -> list[str]:
        """Return the members in a lambda, such as `x => new { x.Id, x.Day }`, of the first given argument."""
        return next((_MEMBER.findall(written) for name in names if (written := self.source(name))), [])


def text_of(match: re.Match[str]) -> str:
    """Return the value of a text in C#."""
    if match["raw"] is not None:
        return match["raw"]
    if match["verbatim"] is not None:
        return match["verbatim"].replace('""', '"')
    return _ESCAPE.sub(lambda escape: {"n": "\n", "r": "\r", "t": "\t"}.get(escape[1], escape[1]), match["plain"])


class _Reading:
    def __init__(self, facts: FileFacts, text: str) -> None:
        self.text = text
        self.code = plain_code(text)
        self._facts = facts
        self._groups = Groups(self.code)
        self._starts = line_offsets(text, facts.lines)
        self._symbols = NestedSymbols(facts)
        self._changes: list[SchemaChange] = []
        self._owner = -1

    def read(self) -> None:
        reverting: list[int] = []
        for function in _FUNCTION.finditer(self.code):
            self._owner = self._symbols.innermost(self._line(function.start()))
            if function["way"] == "Down":
                reverting.append(self._owner)
            else:
                self._function(function["builder"], function.end())
        if not self._changes:
            return
        for symbol in reverting:
            if symbol >= 0:
                self._facts.symbols[symbol].modifiers.append("down")
        numbers = self._symbols.finish()
        for change in self._changes:
            change.symbol = numbers.get(change.symbol, -1)
        own = self._facts.own_data()
        own.changes += [change for change in self._changes if change.symbol >= 0]
        provider = _PROVIDER.search(self.text)
        own.dialect = own.dialect or (_DIALECTS[provider[1].lower()] if provider is not None else "")

    def _function(self, builder: str, start: int) -> None:
        """Read the operations of a function in their order."""
        end = self._groups.end(start, len(self.code))
        operation = re.compile(rf"\b{builder}\s*\.\s*(?P<name>\w+)\s*(?:<\s*(?P<type>[\w.]+)[^()]{{0,80}}?>\s*)?(?=\()")
        for call in operation.finditer(self.code, start, end):
            read = _OPERATIONS.get(call["name"])
            closing = self._groups.end(call.end(), end)
            if read is not None and self.code[closing - 1] == ")":  # else the call is not closed
                arguments = _Arguments(self, call["name"], call.end() + 1, closing - 1)
                read(self, arguments, call["type"] or "", (call.start(), closing))

    def parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the ranges of the parts between the commas of a list."""
        found: list[tuple[int, int]] = []
        at = first = start
        while at < end:
            sign = self.code[at]
            if sign in "([{":
                at = self._groups.end(at, end)
                continue
            if sign == ",":
                found.append((first, at))
                first = at + 1
            at += 1
        return [*found, (first, end)] if self.text[first:end].strip() else found

    # ------------------------------------------------------------------ changes

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def _add(self, action: str, kind: str, name: str, at: int, table: ObjectName | None = None) -> SchemaChange:
        made = SchemaChange(action, kind, ObjectName(name), self._owner, self._line(at), table=table)
        self._changes.append(made)
        return made

    def _declare(self, name: str, kind: str, parent: int, span: tuple[int, int]) -> int:
        lines = (self._line(span[0]), self._line(max(span[1] - 1, span[0])))
        signature = " ".join(self.text[span[0] : min(span[1], span[0] + 2 * _MAX_SIGNATURE)].split())[:_MAX_SIGNATURE]
        return self._symbols.add(name, kind, parent, lines, signature)

    def _table(self, arguments: _Arguments, name: str = "table", schema: str = "schema") -> ObjectName | None:
        found = arguments.text(name)
        return ObjectName(found, arguments.text(schema)) if found else None

    def create_table(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        table = self._table(arguments, "name")
        if table is None:
            return
        symbol = self._declare(table.name, "table", self._owner, span)
        created = SchemaChange(Action.CREATE, "table", table, symbol, self._line(span[0]))
        self._changes.append(created)
        known = len(self._changes)
        columns: dict[str, str] = {}
        for each in _COLUMN.finditer(self.code, *arguments.span("columns")):
            end = self._groups.end(each.end(), span[1])
            given = _Arguments(self, "Column", each.end() + 1, end - 1)
            name = given.text("name") or each["name"].lstrip("@")
            columns[each["name"].lstrip("@")] = name
            self._column(table, name, each["type"], given, (each.start("name"), end), symbol)
        for each in _CONSTRAINT.finditer(self.code, *arguments.span("constraints")):
            given = _Arguments(self, each["kind"], each.end() + 1, self._groups.end(each.end(), span[1]) - 1)
            own = [columns.get(name, name) for name in given.members("columns", "column")]
            self._constraint(table, _KINDS[each["kind"]], given, own, each.start())
        for change in self._changes[known:]:
            change.of_creation = True

    def _column(
        self, table: ObjectName, name: str, written: str, arguments: _Arguments, span: tuple[int, int], parent: int
    ) -> None:
        made = self._add(Action.CREATE, "column", name, span[0], table)
        made.symbol = self._declare(name, "column", parent, span)
        made.type, made.nullable = self._type(written, arguments), arguments.source("nullable") == "true"
        made.default = arguments.text("defaultValueSql") or arguments.source("defaultValue") or None

    def _type(self, written: str, arguments: _Arguments) -> str:
        length = arguments.source("maxLength")
        if arguments.text("type"):
            return arguments.text("type")
        return f"character varying({length})" if length and written == "string" else COLUMN_TYPES.get(written, "")

    def _constraint(self, table: ObjectName, kind: str, arguments: _Arguments, columns: list[str], at: int) -> None:
        made = self._add(Action.CREATE, "constraint", arguments.text("name"), at, table)
        made.type, made.columns, made.is_unique = kind, columns, kind == "unique"
        if kind != "foreign key":
            return
        made.target = self._table(arguments, "principalTable", "principalSchema")
        made.target_columns = arguments.texts("principalColumn", "principalColumns")
        made.on_delete = _RULES.get(arguments.source("onDelete").rpartition(".")[2], "")
        made.on_update = _RULES.get(arguments.source("onUpdate").rpartition(".")[2], "")

    def add_column(self, arguments: _Arguments, written: str, span: tuple[int, int]) -> None:
        table, name = self._table(arguments), arguments.text("name")
        if table is not None and name:
            self._column(table, name, written, arguments, span, self._owner)

    def alter_column(self, arguments: _Arguments, written: str, span: tuple[int, int]) -> None:
        table, name = self._table(arguments), arguments.text("name")
        if table is not None and name:
            made = self._add(Action.ALTER, "column", name, span[0], table)
            made.type, made.nullable = self._type(written, arguments), arguments.source("nullable") == "true"

    def drop_column(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._of_table(Action.DROP, "column", arguments, span)

    def rename_column(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._renamed(self._of_table(Action.RENAME, "column", arguments, span), arguments)

    def rename_index(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._renamed(self._of_table(Action.RENAME, "index", arguments, span), arguments)

    def _renamed(self, change: SchemaChange | None, arguments: _Arguments) -> None:
        if change is not None and arguments.text("newName"):
            change.new_name = ObjectName(arguments.text("newName"))

    def _of_table(self, action: str, kind: str, arguments: _Arguments, span: tuple[int, int]) -> SchemaChange | None:
        table, name = self._table(arguments), arguments.text("name")
        return self._add(action, kind, name, span[0], table) if table is not None and name else None

    def drop_table(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        table = self._table(arguments, "name")
        if table is not None:
            self._changes.append(SchemaChange(Action.DROP, "table", table, self._owner, self._line(span[0])))

    def rename_table(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        table = self._table(arguments, "name")
        if table is not None:
            schema = arguments.text("newSchema") or ("" if arguments.span("newSchema")[1] else table.schema)
            new = ObjectName(arguments.text("newName") or table.name, schema)
            self._changes.append(SchemaChange(Action.RENAME, "table", table, self._owner, self._line(span[0]), new_name=new))

    def create_index(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        made = self._of_table(Action.CREATE, "index", arguments, span)
        if made is not None:
            made.symbol = self._declare(made.name.name, "index", self._owner, span)
            made.columns = arguments.texts("column", "columns")
            made.is_unique = arguments.source("unique") == "true"

    def drop_index(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._of_table(Action.DROP, "index", arguments, span)

    def add_primary_key(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._add_key("primary key", arguments, span)

    def add_unique(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._add_key("unique", arguments, span)

    def add_foreign_key(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._add_key("foreign key", arguments, span)

    def _add_key(self, kind: str, arguments: _Arguments, span: tuple[int, int]) -> None:
        table = self._table(arguments)
        if table is not None:
            self._constraint(table, kind, arguments, arguments.texts("column", "columns"), span[0])

    def drop_key(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        self._of_table(Action.DROP, "constraint", arguments, span)

    def sql(self, arguments: _Arguments, _: str, span: tuple[int, int]) -> None:
        for change in changes_of_text(arguments.text("sql"), self._owner, self._line(span[0])):
            if change.action == Action.CREATE and change.kind in ("table", "view", "column"):
                change.symbol = self._declare(change.name.name, change.kind, self._owner, span)
            self._changes.append(change)


#: The readers of operations by their names.
_OPERATIONS: Final[Mapping[str, Callable[[_Reading, _Arguments, str, tuple[int, int]], None]]] = {
    "AddColumn": _Reading.add_column,
    "AddForeignKey": _Reading.add_foreign_key,
    "AddPrimaryKey": _Reading.add_primary_key,
    "AddUniqueConstraint": _Reading.add_unique,
    "AlterColumn": _Reading.alter_column,
    "CreateIndex": _Reading.create_index,
    "CreateTable": _Reading.create_table,
    "DropColumn": _Reading.drop_column,
    "DropForeignKey": _Reading.drop_key,
    "DropIndex": _Reading.drop_index,
    "DropPrimaryKey": _Reading.drop_key,
    "DropTable": _Reading.drop_table,
    "DropUniqueConstraint": _Reading.drop_key,
    "RenameColumn": _Reading.rename_column,
    "RenameIndex": _Reading.rename_index,
    "RenameTable": _Reading.rename_table,
    "Sql": _Reading.sql,
}
