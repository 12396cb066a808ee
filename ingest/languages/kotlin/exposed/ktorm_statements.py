"""Statements of Ktorm: `database.from(Users).select(Users.name).where { Users.id eq id }`, `database.users.find { it.id eq id }`.

See https://www.ktorm.org/en/query.html and https://www.ktorm.org/en/entity-finding.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ....facts.data import WrittenQuery, WrittenUse
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_of_lines
from .models import Declarations
from .tables import NAME

#: Functions of a database whose first argument is a table, with the kind of the statement.
_STATEMENTS: Final = {
    **dict.fromkeys(("from", "sequenceOf"), "select"),
    **dict.fromkeys(("insert", "insertAndGenerateKey", "insertReturning", "batchInsert", "bulkInsert"), "insert"),
    **dict.fromkeys(("insertOrUpdate", "insertOrUpdateReturning", "bulkInsertOrUpdate"), "merge"),
    **dict.fromkeys(("update", "batchUpdate"), "update"),
    **dict.fromkeys(("delete", "deleteAll"), "delete"),
}
#: Functions of the rows of a table that change these rows.
_CHANGES: Final = {"add": "insert", "addAll": "insert", "update": "update", "removeIf": "delete", "clear": "delete"}
#: Functions that continue a statement. Other functions use its result.
_CONTINUING: Final = frozenset(
    (
        *_CHANGES,
        "select", "selectDistinct", "where", "whereWithConditions", "whereWithOrConditions", "groupBy", "having", "orderBy",
        "limit", "offset", "innerJoin", "leftJoin", "rightJoin", "crossJoin", "joinReferencesAndSelect", "filter",
        "filterNot", "filterTo", "find", "first", "firstOrNull", "last", "lastOrNull", "single", "singleOrNull", "any",
        "none", "all", "count", "sumBy", "maxBy", "minBy", "averageBy", "sortedBy", "sortedByDescending", "sorted",
        "groupingBy", "eachCount", "eachSumBy", "eachMaxBy", "eachMinBy", "eachAverageBy", "aggregateColumns",
        "filterColumns", "mapColumns", "mapColumnsNotNull", "take", "drop",
    )
)  # fmt: skip
_TABLE: Final = r"(?:[a-z]\w*\.)*[A-Z]\w*(?:\.[A-Z]\w*)*"
_START: Final = re.compile(rf"\b(?P<method>{'|'.join(_STATEMENTS)})\s*\(\s*(?P<table>{_TABLE})\b(?!\s*[(.<])")
#: Rows of a table as a property of a database.
_ROWS: Final = re.compile(r"\b(?P<of>\w+)(?:\(\))?\s*\.\s*(?P<name>[a-z]\w*)\b(?!\s*\()(?=\s*\.)")
_DATABASE: Final = re.compile(r"(?:\w*[dD]atabase|\w*Db|db)")
#: A variable or a parameter with a database.
_HELD: Final = re.compile(r"\b(?P<name>\w+)\s*:\s*Database\b")
_NEXT: Final = re.compile(r"\s*\.\s*(?P<method>\w+)\s*(?=[({])")
_BLOCK: Final = re.compile(r"[ \t]*(?=\{)")
#: A column, and a column that a statement assigns.
_COLUMN: Final = re.compile(rf"(?<![\w.])(?:(?P<table>{_TABLE})|it|row)\s*\.\s*(?P<name>[a-z]\w*)\b(?!\s*[({{])")
_SET: Final = re.compile(rf"\bset\s*\(\s*(?:{_TABLE}|it|row)\s*\.\s*(?P<name>[a-z]\w*)\s*,")
_JOINED: Final = re.compile(rf"\b(?:inner|left|right|cross)Join\s*\(\s*(?P<table>{_TABLE})\b")
#: Maximum number of calls of a chain, and maximum length of a statement, in characters.
_MAX_CALLS: Final = 100
_MAX_STATEMENT: Final = 20_000


class _Statement(NamedTuple):
    """A statement: where its code is, its kind, and its table as written."""

    start: int
    end: int
    kind: str
    table: str


def add_ktorm_statements(facts: FileFacts, declared: Declarations, code: str) -> None:
    """Add the statements that the functions of a file run to its facts about data."""
    owners = symbols_of_lines(facts.symbols, facts.lines)
    reading = _Reading(declared, code)
    for each in reading.statements():
        line = declared.line(each.start)
        symbol = owners[min(line, facts.lines)] if facts.lines else -1
        if symbol >= 0 and facts.symbols[symbol].kind != "import":
            facts.own_data().written.append(WrittenQuery(symbol, line, each.kind, list(reading.uses(each))))


class _Reading:
    def __init__(self, declared: Declarations, code: str) -> None:
        self._names = declared.names
        self._groups = declared.groups
        self._is_declaring = declared.is_declaring
        self._code = code
        self._databases = {found["name"] for found in _HELD.finditer(code)}

    def statements(self) -> Iterator[_Statement]:
        """Yield the statements, without the declarations of properties."""
        for found in _START.finditer(self._code):
            if not self._is_declaring(found.start()):
                opening = self._code.index("(", found.start())
                end, kind = self._chain(self._groups.end(opening, len(self._code)), _STATEMENTS[found["method"]])
                yield _Statement(found.start(), end, kind, found["table"])
        for found in _ROWS.finditer(self._code):
            is_database = found["of"] in self._databases or _DATABASE.fullmatch(found["of"]) is not None
            if is_database and len(self._names.candidates(found["name"])) == 1:  # the file imports or declares the name
                end, kind = self._chain(found.end(), "select")
                yield _Statement(found.start("name"), end, kind, found["name"])

    def _chain(self, at: int, kind: str) -> tuple[int, str]:
        """Return the end of the calls of a statement, and its kind."""
        block = _BLOCK.match(self._code, at)
        at = self._groups.end(block.end(), len(self._code)) if block is not None else at
        for _ in range(_MAX_CALLS):
            following = _NEXT.match(self._code, at)
            if following is None or following["method"] not in _CONTINUING:
                break
            kind = _CHANGES.get(following["method"], kind)
            at = self._groups.end(following.end(), len(self._code))
            block = _BLOCK.match(self._code, at)
            at = self._groups.end(block.end(), len(self._code)) if block is not None else at
        return at, kind

    def uses(self, statement: _Statement) -> Iterator[WrittenUse]:
        """Yield the uses of a statement. A column after `it` is one of its table."""
        code, span = self._code, (statement.start, min(statement.end, statement.start + _MAX_STATEMENT))
        written = {found["name"]: None for found in _SET.finditer(code, *span)}
        assigned = {found.start("name") for found in _SET.finditer(code, *span)}
        columns: dict[str, dict[str, None]] = {found["table"]: {} for found in _JOINED.finditer(code, *span)}
        own = columns.setdefault(statement.table, {})
        for found in _COLUMN.finditer(code, *span):
            if found.start("name") not in assigned:
                (columns.setdefault(found["table"], {}) if found["table"] else own)[found["name"]] = None
        modifies = statement.kind != "select"
        candidates, fields = self._candidates(statement.table), [[name] for name in own]
        yield WrittenUse(candidates, modifies, [], [[name] for name in written] if modifies else fields)
        if modifies and fields and statement.kind != "insert":
            yield WrittenUse(candidates, False, [], fields, True)
        for table, names in columns.items():
            if table != statement.table:
                yield WrittenUse(self._candidates(table), False, [], [[name] for name in names])

    def _candidates(self, written: str) -> list[str]:
        return [f"{NAME}{name}" for name in self._names.candidates(written)]
