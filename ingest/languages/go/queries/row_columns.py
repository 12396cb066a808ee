"""Columns that `SELECT *` reads into structs with tags: `db.Get(&user, "SELECT * FROM users WHERE id = ?", id)`.

Strings of SQL say which tables code uses. The tags `db:"name"` of the struct say which columns of the table it uses.
See https://jmoiron.github.io/sqlx/, https://github.com/georgysavva/scany and https://pkg.go.dev/github.com/jackc/pgx/v5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....data.sql.every_column import table_of_rows
from ....facts.data import TABLE_NAME
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.constant_statements import constant_values
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace, WiredFile
from ..models.row_structs import ROWS
from .chains import ChainReading, Link

_PACKAGE: Final = re.compile(
    r"github\.com/(?:jmoiron/sqlx|georgysavva/scany(?:/v\d+)?/(?:pgxscan|sqlscan|dbscan)|jackc/pgx(?:/v\d+)?):.*"
)
#: Functions whose arguments are the row or the rows, and behind them the statement.
_FILLING: Final = frozenset(("Get", "Select", "GetContext", "SelectContext"))
#: A method that fills its argument with the row of the query before it.
_SCANNING: Final = "StructScan"
#: Functions of pgx for the rows in their first argument: `pgx.CollectRows(rows, pgx.RowToStructByName[User])`.
_COLLECTING: Final = frozenset(("CollectRows", "CollectOneRow", "CollectExactlyOneRow", "AppendRows"))
_BY_NAME: Final = re.compile(r"RowTo(?:AddrOf)?StructByName(?:Lax)?")
_QUERYING: Final = frozenset(("QueryRowx", "QueryRowxContext", "Queryx", "QueryxContext", "Query"))
_EVERY: Final = _FILLING | _COLLECTING | {_SCANNING}
_QUOTES: Final = '`"'
_MAX_DEPTH: Final = 6


def row_columns(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the columns that the rows of statements for all columns have."""
    reading = _Reading(file, _PACKAGE)
    for node in file.facts.calls:
        link = reading.link(node)
        if link is None or link.name not in _EVERY or not reading.is_own(node):
            continue
        table = next(filter(None, map(table_of_rows, reading.texts(link))), "")
        columns = reading.columns_of_rows(link) if table else {}
        if columns:
            use = FoundUse(f"{TABLE_NAME}{table}", fields=tuple(columns), of_condition=True)
            yield FoundQuery(node, "select", [use], file.is_inferred)


class _Reading(ChainReading):
    def texts(self, link: Link) -> list[str]:
        """Return the texts of the statement whose rows a call reads."""
        arguments = link.arguments
        if link.name not in _FILLING:
            source = link.receiver if link.name == _SCANNING else arguments[0] if arguments else -1
            found = map(self.link, (source, *self._values(source))) if source >= 0 else ()
            query = next((each for each in found if each is not None and each.name in _QUERYING), None)
            arguments = query.arguments if query is not None else ()
        return [text for argument in arguments for text in _texts(self._file, argument)]

    def columns_of_rows(self, link: Link) -> dict[tuple[str, ...], None]:
        """Return the columns that the tags of the struct of a row name."""
        columns = dict[tuple[str, ...], None]()
        for argument in link.arguments:
            places = self._named_rows(argument) if link.name in _COLLECTING else self.rows(argument)
            columns.update(((column,), None) for place in places for column in _columns(place))
        return columns

    def _named_rows(self, node: int) -> Iterator[SymbolPlace]:
        """Yield the struct of a function for rows: `pgx.RowToStructByName[User]`."""
        file, code = self._file, self._file.code
        if node < 0 or code[node] != Op.INDEX or _BY_NAME.fullmatch(file.name(code[node + 1])) is None:
            return
        yield from (each.symbol for each in file.declarations(code[node + 2]) if each.symbol is not None)


def _columns(place: SymbolPlace) -> Iterator[str]:
    """Yield the columns of a struct and of those that it embeds."""
    shape = place.shape
    for file, each in place.file.ancestors(shape) if shape >= 0 else ():
        data, symbol = file.facts.data, file.facts.shapes[each].symbol
        for model in data.models if data is not None else ():
            if model.framework == ROWS and model.symbol == symbol:
                yield from (field.column for field in model.fields)


def _texts(file: QueryFile, node: int, depth: int = _MAX_DEPTH) -> Iterator[str]:
    """Yield the texts with which the value of an expression begins."""
    code = file.code
    if node < 0 or depth <= 0:
        return
    op = code[node]
    if op == Op.STRING:
        yield _text(file, node)
    elif op in (Op.BINARY, Op.OPERATOR, Op.ELEMENT):
        yield from _texts(file, code[node + 1], depth - 1)
    elif op == Op.CALL:
        yield from (text for argument in file.items(code[node + 2])[:1] for text in _texts(file, argument, depth - 1))
    elif op in NAME_OPS or op == Op.MEMBER:
        values = file.values(node)
        for value in values:
            yield from _texts(file, value, depth - 1)
        if not values:
            for declaring, value in constant_values(file, node):
                if declaring.code[value] == Op.STRING:
                    yield _text(declaring, value)


def _text(file: WiredFile, node: int) -> str:
    return file.facts.strings[file.code[node + 2]].strip(_QUOTES)
