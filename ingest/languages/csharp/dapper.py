"""Columns that `SELECT *` reads into classes with Dapper: `connection.QueryAsync<Order>("SELECT * FROM Orders")`.

Strings of SQL say which tables code uses. The properties of the class say which columns it uses. Functions of the repository that
pass a statement to Dapper have the class as a type argument, too. See https://www.learndapper.com/dapper-query.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...data.sql.every_column import ArgumentTexts, table_of_rows
from ...facts.data import Fragment, ObjectName, Query, TableUse
from ...facts.model import FileFacts
from ...facts.nested_symbols import symbols_of_lines
from .entity_framework.declarations import Declarations

#: A call with the class of the rows as its only or first type argument.
_CALL: Final = re.compile(r"\b\w+\s*<\s*(?:\w+\s*\.\s*){0,6}(?P<row>[A-Z]\w*)\??\s*(?:,\s*\w+\s*)?>\s*\(")
_TEXT: Final = re.compile(
    r'\s*+(?:"""([^"]*+(?:"(?!"")[^"]*+)*+)"""|(?:\$@|@\$?)"((?:[^"]++|"")*+)"|\$?"((?:[^"\\\n]++|\\.)*+)")'
)
#: The declaration of a variable or a constant, up to its text.
_VARIABLE: Final = re.compile(r"(?P<constant>\b(?:const|readonly)\s+)?\b(?:var|string|String)\s+(?P<name>\w+)\s*=(?![=>])")
#: The brackets of SQL Server around names.
_BRACKETS: Final = str.maketrans("", "", "[]")
_HUMP: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])")


def add_row_columns(facts: FileFacts, declared: Declarations) -> None:
    """Add the classes of a file as parts of statements, and its statements for all columns of a table that read into classes."""
    fragments = list(_fragments(declared))
    if fragments:
        facts.own_data().fragments += fragments
    queries = list(_queries(facts, declared))
    if queries:
        facts.own_data().queries += queries


def _fragments(declared: Declarations) -> Iterator[Fragment]:
    for each in declared.types:
        columns = [column for own in each.properties if own.is_settable for column in _columns(own.name)]
        if columns:
            yield Fragment(_fragment_of(each.name), [], columns)


def _fragment_of(name: str) -> str:
    """Return the name by which statements include the columns of a class."""
    return f"csharp:{name}"


def _columns(name: str) -> list[str]:
    """Return the columns that a property may have: its name, and the name in snake case, which a setting of Dapper permits."""
    return list(dict.fromkeys((name, _HUMP.sub("_", name).lower()))) if _HUMP.search(name) is not None else [name]


def _queries(facts: FileFacts, declared: Declarations) -> Iterator[Query]:
    calls = list(_CALL.finditer(declared.code))
    if not calls:
        return
    owners = symbols_of_lines(facts.symbols, facts.lines)
    texts = ArgumentTexts(declared.text, declared.code, _TEXT, _VARIABLE)
    for call in calls:
        text, is_constant = texts.at(call.end())
        table = table_of_rows(text.translate(_BRACKETS))
        line = declared.line(call.start())
        symbol = owners[min(line, facts.lines)]
        if table and symbol >= 0:
            schema, _, name = table.rpartition(".")
            # The statement of a constant has no edge to the table yet that begins at the call.
            use = TableUse(ObjectName(name, schema), False, of_condition=not is_constant)
            yield Query(symbol, line, "select", [use], "declared", "", fragments=[_fragment_of(call["row"])])
