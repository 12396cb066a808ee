"""Columns that `SELECT *` reads into structs: `query_as!(User, "SELECT * FROM users")`, `query_as::<_, User>("SELECT …")`.

Strings of SQL say which tables code uses. The fields of the struct, if the same file declares it, say which columns it uses.
See https://docs.rs/sqlx/latest/sqlx/trait.FromRow.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....data.sql.every_column import table_of_rows
from ....facts.data import ObjectName, Query, TableUse
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from ....symbols.code_groups import Groups
from .plain_code import plain_code

_CALL: Final = re.compile(
    r"\bquery_as(?:_unchecked)?\s*(?:!\s*[(\[{]\s*(?P<named>\w+)\s*,|::\s*<[^<>()]{0,60},\s*(?P<typed>\w+)\s*>\s*\()"
)
_TEXT: Final = re.compile(r"\s*+(?:r(#*)\"([^\"]*+(?:\"(?!\1)[^\"]*+)*+)\"\1|\"((?:[^\"\\]++|\\.)*+)\")", re.DOTALL)
_STRUCT: Final = re.compile(r"\bstruct\s+(?P<name>[A-Z]\w*)\s*(?=\{)")
#: A struct whose fields have other names than the columns.
_RENAMED: Final = re.compile(r"\brename_all\b")
_FIELD: Final = re.compile(
    r"(?P<attributes>(?:#\[[^\]]{0,400}\]\s*){0,8})(?:pub(?:\([^)]{0,40}\))?\s+)?(?P<name>(?:r#)?[a-z_]\w*)\s*:(?!:)[^,{}]{0,200}(?:,|\Z)"
)
_SQLX: Final = re.compile(r"\bsqlx\s*\((?P<options>[^)]*)\)")
_NAMED: Final = re.compile(r"\s*rename\s*=\s*\"(\w+)\"\s*")
#: Maximum number of characters of the attributes before a struct.
_MAX_ATTRIBUTES: Final = 400


def add_row_columns(facts: FileFacts, text: str) -> None:
    """Add the columns that the statements of a file for all columns of a table read to its facts about data."""
    code = plain_code(text, with_names=True)
    calls = list(_CALL.finditer(code))
    structs = dict(_structs(code)) if calls else {}
    owners = symbols_of_lines(facts.symbols, facts.lines) if structs else []
    line, at = 1, 0
    for call in calls if structs else ():
        line, at = line + text.count("\n", at, call.start()), call.start()
        columns = structs.get(call["named"] or call["typed"], ())
        found = _TEXT.match(text, call.end()) if columns else None
        table = table_of_rows(found[2] or found[3] or "") if found is not None else ""
        symbol = owners[min(line, facts.lines)]
        if table and symbol >= 0:
            schema, _, name = table.rpartition(".")
            use = TableUse(ObjectName(name, schema), False, list(columns), of_condition=True)
            facts.own_data().queries.append(Query(symbol, line, "select", [use], "declared", ""))


def _structs(code: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the structs of a file with the columns that their fields stand for."""
    groups = Groups(code)
    for found in _STRUCT.finditer(code):
        before = code[max(0, found.start() - _MAX_ATTRIBUTES) : found.start()]
        attributes = before[max(before.rfind("}"), before.rfind(";")) + 1 :]
        if _RENAMED.search(attributes) is None:
            body = code[found.end() + 1 : groups.end(found.end(), len(code)) - 1]
            yield found["name"], [column for each in _FIELD.finditer(body) if (column := _column(each))]


def _column(field: re.Match[str]) -> str:
    """Return the column of a field; "" for a field that is not a column of the same row, such as `#[sqlx(flatten)]`."""
    options = _SQLX.search(field["attributes"])
    if options is None:
        return field["name"].removeprefix("r#")
    named = _NAMED.fullmatch(options["options"])
    return named[1] if named is not None else ""
