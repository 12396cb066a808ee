"""Columns that `SELECT *` reads into structs: `query_as!(User, "SELECT * FROM users")`, `query_as::<_, User>("SELECT …")`.

Strings of SQL say which tables code uses. The fields of the struct say which columns it uses.
See https://docs.rs/sqlx/latest/sqlx/trait.FromRow.html.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Final

from ....data.sql.every_column import table_of_rows
from ....facts.data import ObjectName, Query, TableUse
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from .plain_code import plain_code
from .row_structs import fragment_of, row_structs

_CALL: Final = re.compile(
    r"\bquery_as(?:_unchecked)?\s*(?:!\s*[(\[{]\s*(?:\w+\s*::\s*){0,6}(?P<named>\w+)\s*,|::\s*<[^<>()]{0,60},\s*(?:\w+\s*::\s*){0,6}(?P<typed>\w+)\s*>\s*\()"
)
_TEXT: Final = re.compile(r"\s*+(?:r(#*)\"([^\"]*+(?:\"(?!\1)[^\"]*+)*+)\"\1|\"((?:[^\"\\]++|\\.)*+)\")", re.DOTALL)
#: The start of a text in a variable or a constant.
_VARIABLE: Final = re.compile(r"\b(?:let|const|static)\s+(?:mut\s+)?(?P<name>\w+)\s*(?::[^=;]{0,60})?=(?=\s*+(?:r#*)?\")")
_NAME: Final = re.compile(r"\s*+&?(?P<name>\w+)\s*[,)]")


def add_row_columns(facts: FileFacts, text: str) -> None:
    """Add the columns that the statements of a file for all columns of a table read to its facts about data."""
    code = plain_code(text, with_names=True)
    calls = list(_CALL.finditer(code))
    structs = {each.name: each.columns for each in row_structs(code)} if calls else {}
    owners = symbols_of_lines(facts.symbols, facts.lines) if calls else []
    texts = _Texts(text, code)
    line, at = 1, 0
    for call in calls:
        line, at = line + text.count("\n", at, call.start()), call.start()
        table = table_of_rows(texts.argument(call.end()))
        symbol = owners[min(line, facts.lines)]
        if table and symbol >= 0:
            schema, _, name = table.rpartition(".")
            row = call["named"] or call["typed"]
            use = TableUse(ObjectName(name, schema), False, list(structs.get(row, ())), of_condition=True)
            fragments = [] if row in structs else [fragment_of(row)]
            facts.own_data().queries.append(Query(symbol, line, "select", [use], "declared", "", fragments=fragments))


class _Texts:
    """The texts of statements in a file."""

    def __init__(self, text: str, code: str) -> None:
        self._text = text
        self._variables: dict[str, list[re.Match[str]]] = defaultdict(list)
        for found in _VARIABLE.finditer(text):
            if code[found.start()] != " ":  # no comment and no text
                self._variables[found["name"]].append(found)

    def argument(self, at: int) -> str:
        """Return the text that begins at an offset, or that the variable with the name there has; "" if neither is known."""
        found = _TEXT.match(self._text, at)
        named = _NAME.match(self._text, at) if found is None else None
        for variable in reversed(self._variables.get(named["name"], ()) if named is not None else ()):
            if found is None and (variable.start() < at or variable[0].startswith(("const", "static"))):
                found = _TEXT.match(self._text, variable.end())
        return found[2] or found[3] or "" if found is not None else ""
