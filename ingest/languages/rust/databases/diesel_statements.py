"""Statements that functions build with Diesel: `users::table.filter(users::name.eq(name))`, `diesel::update(users::table)`.

A table is known by `users::table`, or by its name if the function or the file imports `users::dsl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.data import ObjectName, Query, TableUse
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from ....symbols.code_groups import group_end
from .plain_code import plain_code
from .row_structs import fragment_of

_TABLE: Final = re.compile(r"\b([a-z_]\w*)\s*::\s*(?:dsl\s*::\s*)?table\b(?!!)")
_DSL: Final = re.compile(r"\b([a-z_]\w*)\s*::\s*dsl\s*::\s*(?:\*|\{|\1\b)")
_BARE: Final = r"(?<![\w:.])({})\s*(?=\.\s*\w+\s*(?:::|\()|\))"
_COLUMN: Final = re.compile(r"\b([a-z_]\w*)\s*::\s*(?:dsl\s*::\s*|columns\s*::\s*)?([a-z_]\w*)\b(?!\s*(?:::|!|\())")
#: The call around the table whose rows a statement changes: `update(`.
_VERB: Final = re.compile(
    r"\b(insert_into|insert_or_ignore_into|replace_into|update|delete)\s*(?:::\s*<[^>]*>\s*)?\(\s*(?:\w+\s*::\s*)*$"
)
_KINDS: Final = {"insert_into": "insert", "insert_or_ignore_into": "insert", "replace_into": "insert"}
#: Calls whose arguments are the assigned columns.
_ASSIGNED: Final = re.compile(r"\.\s*(set|values|do_update)\s*\(")
#: The text after an assigned column: `name.eq(value)`.
_VALUE: Final = re.compile(r"\s*\.\s*eq\s*\(")
#: The struct into which a statement reads rows: `User::as_select()`, `load::<User>(connection)`.
_ROW: Final = re.compile(
    r"\b(?P<selected>[A-Z]\w*)\s*::\s*as_select\s*\("
    r"|\.\s*(?:load|first|get_result|get_results|load_iter)\s*::\s*<\s*(?:\w+\s*::\s*){0,6}(?P<loaded>[A-Z]\w*)\s*[,>]"
)
#: The signs that decide where a statement ends.
_SIGN: Final = re.compile(r"[(){}\[\];]")
#: Names after a table that are not columns: `users::table`.
_NO_COLUMNS: Final = frozenset(("table", "dsl", "columns", "star", "all_columns", "self"))
#: Maximum distance between the enclosing call and the table, in characters.
_BEFORE: Final = 120
#: Maximum length of a statement, in characters.
_MAX_STATEMENT: Final = 20_000


class _Found(NamedTuple):
    start: int
    name: str
    statement: str


def add_statements(facts: FileFacts, text: str) -> None:
    """Add the statements that the functions of a file build to its facts about data."""
    code = plain_code(text)
    found = sorted(_found(code))
    if not found:
        return
    owners = symbols_of_lines(facts.symbols, facts.lines)
    line, at, covered = 1, 0, 0
    queries: list[Query] = []
    names = {each.name for each in found}
    for place, each in enumerate(found):
        line, at = line + code.count("\n", at, each.start), each.start
        symbol = owners[min(line, facts.lines)]
        if symbol < 0 or facts.symbols[symbol].kind in ("import", "table"):
            continue
        if each.start < covered:  # a joined table: its columns are known from the statement around it
            uses = [TableUse(ObjectName(each.name), each.statement != "select")]
        else:
            covered = _end(code, each.start)
            following = next((other.start for other in found[place + 1 : place + 2] if other.statement != "select"), covered)
            covered = min(covered, following)
            uses = list(_uses(code, each, covered, names))
            if each.statement == "select" and (rows := _rows(code, each.start, covered)):
                joined = {other.name for other in found[place:] if other.start < covered}
                of_rows = [TableUse(ObjectName(name), False, of_condition=True) for name in sorted(joined)]
                queries.append(Query(symbol, line, "select", of_rows, "call", "", fragments=rows))
        queries.append(Query(symbol, line, each.statement, uses, "call", ""))
    if queries:
        facts.own_data().queries += queries


def _found(code: str) -> Iterator[_Found]:
    """Yield the tables that code names, each with the kind of the statement that uses the table."""
    names = dict.fromkeys(name for name in _DSL.findall(code) if name != "schema")
    patterns = [_TABLE, *([re.compile(_BARE.format("|".join(names)))] if names else [])]
    for pattern in patterns:
        for match in pattern.finditer(code):
            verb = _VERB.search(code, max(0, match.start() - _BEFORE), match.start())
            kind = _KINDS.get(verb[1], verb[1]) if verb is not None else "select"
            yield _Found(match.start(), match[1], kind)


def _end(code: str, start: int) -> int:
    """Return the end of a statement: the next semicolon outside of brackets, or the end of the block around it."""
    depth = 0
    for found in _SIGN.finditer(code, start, min(len(code), start + _MAX_STATEMENT)):
        sign = found[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == "}":
            depth -= 1
            if depth < 0:
                return found.start()
        elif depth <= 0:
            return found.start()
    return min(len(code), start + _MAX_STATEMENT)


def _rows(code: str, start: int, end: int) -> list[str]:
    """Return the names of the parts of a statement that have the columns of the structs into which it reads rows."""
    return list(dict.fromkeys(fragment_of(each["selected"] or each["loaded"]) for each in _ROW.finditer(code, start, end)))


def _uses(code: str, each: _Found, end: int, names: set[str]) -> Iterator[TableUse]:
    """Yield the uses of the tables that a statement names, with their columns."""
    assigned = [
        (match.end(), group_end(code, match.end() - 1, end))
        for match in _ASSIGNED.finditer(code, each.start, end)
        if each.statement in ("insert", "update")
    ]
    written: dict[str, None] = {}
    read: dict[str, dict[str, None]] = {}
    for column in _COLUMN.finditer(code, each.start, end):
        table, name = column[1], column[2]
        if table not in names or name in _NO_COLUMNS:
            continue
        is_inside = any(first <= column.start() < last for first, last in assigned)
        if is_inside and table == each.name and _VALUE.match(code, column.end()) is not None:
            written[name] = None
        else:
            read.setdefault(table, {})[name] = None
    own = read.pop(each.name, {})
    modifies = each.statement != "select"
    yield TableUse(ObjectName(each.name), modifies, list(written if modifies else own))
    if modifies and own:
        yield TableUse(ObjectName(each.name), False, list(own), [], True)
    for table, columns in read.items():
        yield TableUse(ObjectName(table), False, list(columns))
