"""Columns that `SELECT *` reads into structs: `query_as!(User, "SELECT * FROM users")`, `query_as::<_, User>("SELECT …")`.

Strings of SQL say which tables code uses. The fields of the struct say which columns it uses.
See https://docs.rs/sqlx/latest/sqlx/trait.FromRow.html.
"""

from __future__ import annotations

import re
from typing import Final

from ....data.sql.every_column import ArgumentTexts, table_of_rows
from ....facts.data import ObjectName, Query, TableUse
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from .plain_code import plain_code
from .row_structs import fragment_of, row_structs

_CALL: Final = re.compile(
    r"\bquery_as(?:_unchecked)?\s*(?:!\s*[(\[{]\s*(?:\w+\s*::\s*){0,6}(?P<named>\w+)\s*,|::\s*<[^<>()]{0,60},\s*(?:\w+\s*::\s*){0,6}(?P<typed>\w+)\s*>\s*\()"
)
_TEXT: Final = re.compile(r"\s*+(?:r(#*)\"([^\"]*+(?:\"(?!\1)[^\"]*+)*+)\"\1|\"((?:[^\"\\]++|\\.)*+)\")", re.DOTALL)
#: The declaration of a variable or a constant, up to its text.
_VARIABLE: Final = re.compile(r"\b(?:let|(?P<constant>const|static))\s+(?:mut\s+)?(?P<name>\w+)\s*(?::[^=;]{0,60})?=(?!=)")


def add_row_columns(facts: FileFacts, text: str) -> None:
    """Add the columns that the statements of a file for all columns of a table read to its facts about data."""
    code = plain_code(text, with_names=True)
    calls = list(_CALL.finditer(code))
    structs = {each.name: each.columns for each in row_structs(code)} if calls else {}
    owners = symbols_of_lines(facts.symbols, facts.lines) if calls else []
    texts = ArgumentTexts(text, code, _TEXT, _VARIABLE)
    line, at = 1, 0
    for call in calls:
        line, at = line + text.count("\n", at, call.start()), call.start()
        text_of_call, is_constant = texts.at(call.end())
        table = table_of_rows(text_of_call)
        symbol = owners[min(line, facts.lines)]
        if table and symbol >= 0:
            schema, _, name = table.rpartition(".")
            row = call["named"] or call["typed"]
            use = TableUse(ObjectName(name, schema), False, list(structs.get(row, ())), of_condition=not is_constant)
            fragments = [] if row in structs else [fragment_of(row)]
            facts.own_data().queries.append(Query(symbol, line, "select", [use], "declared", "", fragments=fragments))
