"""Tables that the macros of Diesel declare: `table!`, and `joinable!` for foreign keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.data import Action, ObjectName, SchemaChange
from ....facts.model import FileFacts
from ....facts.nested_symbols import NestedSymbols
from ....symbols.code_groups import group_end
from .plain_code import plain_code

_MACRO: Final = re.compile(r"\b(?:diesel\s*::\s*)?table!\s*(?=[{(\[])")
_HEAD: Final = re.compile(
    r"(?:\s*use\s[^;]*+;)*+(?P<attributes>(?:\s*#\s*\[[^\]]*+\])*+)\s*(?:(?P<schema>\w+)\s*\.\s*)?(?P<name>(?:r#)?\w+)"
    r"\s*(?:\((?P<key>[^()]*+)\))?\s*(?=\{)"
)
_COLUMN: Final = re.compile(r"(?P<attributes>(?:\s*#\s*\[[^\]]*+\])*+)\s*(?P<name>(?:r#)?[A-Za-z_]\w*)\s*->\s*")
_TYPE: Final = re.compile(r"[\w:\s]+")
_JOINABLE: Final = re.compile(r"\b(?:diesel\s*::\s*)?joinable!\s*[({\[]\s*(\w+)\s*->\s*(\w+)\s*\(\s*(\w+)\s*\)")
_SQL_NAME: Final = re.compile(r"\bsql_name\s*=\s*\"([^\"]*)\"")
#: Types of PostgreSQL by type of Diesel, if the names differ by more than their case.
_TYPES: Final = {
    "Int2": "smallint", "SmallInt": "smallint", "SmallSerial": "smallint", "Int4": "integer", "Integer": "integer",
    "Serial": "integer", "Int8": "bigint", "BigInt": "bigint", "Bigint": "bigint", "BigSerial": "bigint", "Float4": "real",
    "Float": "real", "Float8": "double precision", "Double": "double precision", "Bool": "boolean", "Varchar": "varchar",
    "VarChar": "varchar", "Bpchar": "char", "Binary": "bytea", "Decimal": "numeric", "Timestamptz": "timestamptz",
    "TimestamptzSqlite": "timestamptz", "Datetime": "datetime", "CiText": "citext", "Tinyint": "tinyint", "TinyInt": "tinyint",
}  # fmt: skip
#: Maximum number of tables of a file.
_MAX_TABLES: Final = 5_000
#: Maximum number of characters of a type.
_MAX_TYPE: Final = 400


class _Table(NamedTuple):
    """A macro, with the offsets of its beginning and end, and its columns."""

    start: int
    end: int
    name: str
    schema: str
    key: list[str]
    columns: list[_Column]
    #: Names in the database by names in code.
    names: dict[str, str]


class _Column(NamedTuple):
    start: int
    name: str
    type: str
    nullable: bool


def add_tables(facts: FileFacts, text: str) -> None:
    """Add the tables that a file declares to its symbols and to its facts about data."""
    code = plain_code(text, with_names=True)
    tables = list(_tables(code))
    if not tables:
        return
    symbols = NestedSymbols(facts)
    changes: list[SchemaChange] = []
    line, at = 1, 0
    for table in tables:
        line, at = line + text.count("\n", at, table.start), table.start
        last = line + text.count("\n", table.start, table.end - 1)
        changes += _changes(symbols, table, text, (line, last))
    known = {table.name: table for table in tables}
    targets = {change.name.name: change for change in changes if change.kind == "table"}
    for child, parent, column in _JOINABLE.findall(code):
        if child in known and parent in known:
            own, referred = known[child], known[parent]
            key = SchemaChange(
                Action.CREATE, "constraint", ObjectName(""), targets[_named(own)].symbol, targets[_named(own)].line
            )
            key.type, key.table, key.columns = "foreign key", ObjectName(_named(own), own.schema), [own.names.get(column, column)]
            key.target = ObjectName(_named(referred), referred.schema)
            changes.append(key)
    numbers = symbols.finish()
    for change in changes:
        change.symbol = numbers[change.symbol]
    facts.own_data().changes += changes


def _named(table: _Table) -> str:
    """Return the name of a table in the database."""
    return table.names.get("", table.name)


def _tables(code: str) -> Iterator[_Table]:
    at = count = 0
    while count < _MAX_TABLES and (macro := _MACRO.search(code, at)) is not None:
        at = end = group_end(code, macro.end(), len(code))
        head = _HEAD.match(code, macro.end() + 1, end)
        if head is None:
            continue
        count += 1
        closed = group_end(code, head.end(), end)
        columns, names = [], {}
        for column in _COLUMN.finditer(code, head.end() + 1, closed):
            name = column["name"].removeprefix("r#")
            stated = _SQL_NAME.search(column["attributes"])
            names[name] = stated[1] if stated is not None else name
            kind, nullable = _type_of(code[column.end() : _type_end(code, column.end(), closed)])
            columns.append(_Column(column.start("name"), names[name], kind, nullable))
        stated = _SQL_NAME.search(head["attributes"])
        if stated is not None:
            names[""] = stated[1]
        key = [names.get(each.strip(), each.strip()) for each in (head["key"] or "id").split(",") if each.strip()]
        yield _Table(macro.start(), end, head["name"].removeprefix("r#"), head["schema"] or "", key, columns, names)


def _type_end(code: str, start: int, end: int) -> int:
    """Return the end of a type: a comma outside of angle brackets, or the end of the columns."""
    depth = 0
    for place in range(start, min(end, start + _MAX_TYPE)):
        sign = code[place]
        depth += (sign == "<") - (sign == ">")
        if (sign == "," and depth <= 0) or sign in "}#":
            return place
    return min(end, start + _MAX_TYPE)


def _type_of(written: str) -> tuple[str, bool]:
    """Return a type of PostgreSQL for a type of Diesel, and whether it may be null."""
    text = "".join(written.split())
    nullable = False
    suffix = ""
    while (inner := re.fullmatch(r"(?:[\w:]*::)?(Nullable|Array|Unsigned)<(.*)>", text)) is not None:
        if inner[1] == "Nullable":
            nullable = nullable or not suffix
        else:
            suffix = "[]" if inner[1] == "Array" else " unsigned"
        text = inner[2]
    name = text.rpartition("::")[2]
    return _TYPES.get(name, re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()) + suffix, nullable


def _changes(symbols: NestedSymbols, table: _Table, text: str, lines: tuple[int, int]) -> Iterator[SchemaChange]:
    name, first = ObjectName(_named(table), table.schema), lines[0]
    around = symbols.innermost(first)
    signature = f"table! {table.name} ({', '.join(table.key)})"
    if around >= 0 and symbols.covers_alone(around, lines):
        symbols.rename(around, name.name, "table", signature)
        place = around
    else:
        place = symbols.add(name.name, "table", around, lines, signature)
    yield SchemaChange(Action.CREATE, "table", name, place, first)
    at, line = table.start, first
    for column in table.columns:
        line, at = line + text.count("\n", at, column.start), column.start
        end = text.find("\n", column.start)
        signature = " ".join(text[column.start : end if end >= 0 else len(text)].split()).rstrip(",")
        own = symbols.add(column.name, "column", place, (line, line), signature)
        made = SchemaChange(Action.CREATE, "column", ObjectName(column.name), own, line, table=name, type=column.type)
        made.nullable = column.nullable
        yield made
    key = SchemaChange(Action.CREATE, "constraint", ObjectName(""), place, first, table=name, type="primary key")
    key.columns = table.key
    yield key
