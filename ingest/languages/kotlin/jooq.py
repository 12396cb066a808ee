"""Statements of jOOQ in Kotlin: `dsl.selectFrom(USERS).where(USERS.NAME.eq(name))`, `dsl.update(table("users"))`.

See https://www.jooq.org/doc/latest/manual/sql-building/. The constants of tables and columns are generated. By default, their
names are the names in the database in upper case.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...facts.data import ObjectName, Query, TableUse
from ...facts.model import FileFacts
from ...facts.nested_symbols import symbols_of_lines
from ...symbols.code_groups import Groups
from ..jvm.jooq_methods import JOINS, STATEMENTS
from .exposed.code_names import CodeNames, plain_code

_PACKAGE: Final = "org.jooq"
#: Methods whose first argument is a table, with the kind of the statement; "" for tables of the statement around them.
_STATEMENTS: Final = {**STATEMENTS, **dict.fromkeys(JOINS, "")}
_TABLE: Final = r"(?:DSL\s*\.\s*)?\btable\s*\(\s*(?:(?:DSL\s*\.\s*)?name\s*\(\s*)?\"(?P<text>\w+(?:\.\w+)?)\"\s*\)"
#: A method with a table: by its name, as a constant, or in a variable.
_CALL: Final = re.compile(
    rf"\b(?P<method>{'|'.join(_STATEMENTS)})(?P<open>\s*\(\s*)(?:{_TABLE}|(?:Tables\s*\.\s*)?(?P<constant>[A-Z][A-Z0-9_]+)\b(?!\s*\()"
    r"(?!\s*\.\s*(?!`?as\b))|(?P<variable>[a-z]\w*)(?=\s*[,)]))"
)
_VARIABLE: Final = re.compile(rf"\bval\s+(?P<name>[a-z]\w*)\s*(?::\s*[\w<>?*., ]{{1,60}})?=\s*{_TABLE}(?!\s*\.)")
#: A column by its name, or as a constant behind that of its table.
_COLUMN: Final = re.compile(
    r"\bfield\s*\(\s*(?:(?:DSL\s*\.\s*)?name\s*\(\s*)?\"(?P<text>\w+)\"|\b(?P<table>[A-Z][A-Z0-9_]+)\s*\.\s*(?P<name>[A-Z][A-Z0-9_]+)\b"
)
#: The next call of a chain, up to its arguments.
_NEXT: Final = re.compile(r"\s*\.\s*(?P<method>`?\w+`?)\s*(?:<[\w<>?*., ]{0,60}>\s*)?(?=[({])")
#: Methods whose first argument is a column that the statement writes, and methods whose arguments all are.
_SETS, _COLUMNS = "set", "columns"
#: Maximum number of calls of a chain.
_MAX_CALLS: Final = 100


class _Call(NamedTuple):
    """A call with a table."""

    start: int
    #: Offset of the end of the chain of calls behind it.
    end: int
    statement: str
    table: ObjectName
    #: The columns that the chain names, each with whether the statement writes it.
    columns: list[tuple[str, bool]]


def add_jooq(facts: FileFacts, text: str) -> None:
    """Add the statements of jOOQ in a file to its facts about data."""
    code = plain_code(text)
    if not CodeNames(code).uses(_PACKAGE):
        return
    owners = symbols_of_lines(facts.symbols, facts.lines)
    line, at = 1, 0
    for calls in _statements(_Reading(text, code).calls()):
        line, at = line + code.count("\n", at, calls[0].start), calls[0].start
        symbol = owners[min(line, facts.lines)]
        if symbol >= 0:
            statement = calls[0].statement or "select"
            facts.own_data().queries.append(Query(symbol, line, statement, list(_uses(calls)), "declared", ""))


def _statements(calls: Iterator[_Call]) -> Iterator[list[_Call]]:
    """Yield the calls of each statement. A call in the chain behind another one belongs to the same statement."""
    own: list[_Call] = []
    for call in calls:
        if own and not call.statement and call.start < own[0].end:
            own.append(call)
            continue
        if own:
            yield own
        own = [call]
    if own:
        yield own


def _uses(calls: list[_Call]) -> Iterator[TableUse]:
    """Yield the uses of a statement. Without joins, all columns belong to its table."""
    first, *joined = calls
    modifies = first.statement not in ("", "select")
    written = [name for name, is_written in first.columns if is_written]
    read = [name for name, is_written in first.columns if not is_written]
    if not modifies:
        for call in calls:
            yield TableUse(call.table, False, [] if joined else read, read if joined else [])
        return
    yield TableUse(first.table, True, written)
    if read and not joined:
        yield TableUse(first.table, False, read, of_condition=True)
    for call in joined:
        yield TableUse(call.table, False)


class _Reading:
    def __init__(self, text: str, code: str) -> None:
        self._text = text
        self._code = code
        self._groups = Groups(code)
        named: defaultdict[str, set[str]] = defaultdict(set)
        for each in _VARIABLE.finditer(text):
            if code[each.start()] == "v":
                named[each["name"]].add(each["text"])
        #: The tables of variables with one value.
        self._variables = {name: min(tables) for name, tables in named.items() if len(tables) == 1}

    def calls(self) -> Iterator[_Call]:
        """Yield the calls with a table, in the order of the code."""
        for each in _CALL.finditer(self._text):
            start = each.start()
            table = each["text"] or (each["constant"] or "").lower() or self._variables.get(each["variable"] or "", "")
            if not table or self._code[start : start + 1].isspace():
                continue
            opening = start + len(each["method"]) + each["open"].index("(")
            schema, _, name = table.rpartition(".")
            end, columns = self._chain(each["method"], opening)
            yield _Call(start, end, _STATEMENTS[each["method"]], ObjectName(name, schema), columns)

    def _chain(self, method: str, opening: int) -> tuple[int, list[tuple[str, bool]]]:
        """Return the end of the calls behind a call, and the columns in their arguments."""
        columns: list[tuple[str, bool]] = []
        for _ in range(_MAX_CALLS):
            end = self._groups.end(opening, len(self._code))
            columns += self._columns(method, opening, end)
            following = _NEXT.match(self._code, end)
            if following is None:
                return end, columns
            method, opening = following["method"], following.end()
        return end, columns

    def _columns(self, method: str, start: int, end: int) -> Iterator[tuple[str, bool]]:
        """Yield the columns in the arguments of a call, each with whether it is written. A query inside has its own columns."""
        if _CALL.search(self._text, start, end) is not None and method not in _STATEMENTS:
            return
        for place, each in enumerate(_COLUMN.finditer(self._text, start, end)):
            if not self._code[each.start()].isspace():
                is_written = method in (_COLUMNS, "insertInto", "insert") or (method == _SETS and place == 0)
                yield each["text"] or each["name"].lower(), is_written
