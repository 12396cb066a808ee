"""Sessions of xorm and of Beego's mapper: `engine.Where("name = ?", name).Get(&user)`, `o.QueryTable("user").All(&users)`.

See https://xorm.io/docs/ and https://beego.wiki/docs/mvc/model/query/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.data import TABLE_NAME
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.naming import snake_case
from .chains import ChainReading, Link


class _Mapper(NamedTuple):
    """The methods of a mapper."""

    package: re.Pattern[str]
    #: Methods that run a statement, with its kind.
    runs: dict[str, str]
    #: Those of them whose first argument is no row.
    without_rows: frozenset[str]
    #: Methods that name the table of the chain: by a text or a row.
    tables: frozenset[str]
    #: Methods whose first argument is a condition or a list of columns.
    conditions: frozenset[str]
    #: Whether the first word of a text is a path of fields: `Filter("owner__name", name)`.
    has_paths: bool


_MAPPERS: Final = (
    _Mapper(
        re.compile(r"(?:xorm\.io/xorm|gitea\.com/xorm/xorm|github\.com/(?:go-xorm|xorm-io)/xorm):.*"),
        {
            **dict.fromkeys(
                ("Get", "Find", "FindAndCount", "Exist", "Count", "Iterate", "Rows", "Sum", "Sums", "SumInt"), "select"
            ),
            **dict.fromkeys(("Insert", "InsertOne", "InsertMulti"), "insert"),
            "Update": "update",
            **dict.fromkeys(("Delete", "Truncate"), "delete"),
        },
        frozenset(),
        frozenset(("Table",)),
        frozenset(("Where", "And", "Or", "OrderBy", "Asc", "Desc", "GroupBy", "Having", "In", "NotIn", "Select", "Cols",
                   "Distinct")),
        False,
    ),
    _Mapper(
        re.compile(r"github\.com/(?:astaxie/beego|beego/beego(?:/v2)?)(?:/client)?/orm:.*"),
        {
            **dict.fromkeys(
                ("Read", "ReadForUpdate", "All", "One", "Count", "Exist", "Values", "ValuesList", "ValuesFlat", "RowsToMap",
                 "RowsToStruct", "LoadRelated"),
                "select",
            ),
            **dict.fromkeys(("Insert", "InsertMulti", "PrepareInsert"), "insert"),
            **dict.fromkeys(("InsertOrUpdate", "ReadOrCreate"), "merge"),
            "Update": "update",
            "Delete": "delete",
        },
        frozenset(("Count", "Exist", "Values", "ValuesList", "ValuesFlat", "RowsToMap", "RowsToStruct")),
        frozenset(("QueryTable",)),
        frozenset(("Filter", "Exclude", "OrderBy", "GroupBy", "RelatedSel", "Distinct")),
        True,
    ),
)  # fmt: skip
_JOINED: Final = re.compile(r"\s*[`\"]?(\w+(?:\.\w+)?)")
#: Number of arguments that may be rows: the row, and a row with the conditions.
_MAX_ROWS: Final = 2


def session_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that the chains of a file run."""
    for mapper in _MAPPERS:
        reading = ChainReading(file, mapper.package)
        for node in file.facts.calls:
            link = reading.link(node)
            if link is not None and link.name in mapper.runs and reading.is_own(node):
                yield from _statement(file, reading, mapper, link)


def _statement(file: QueryFile, reading: ChainReading, mapper: _Mapper, last: Link) -> Iterator[FoundQuery]:
    statement = mapper.runs[last.name]
    chain = reading.chain(last)
    models = list(_models(reading, mapper, last, chain))
    names = [name for each in chain if each.name in mapper.conditions for name in _names(reading, mapper, each)]
    fields = tuple(dict.fromkeys(names))
    for model in models:
        own = FoundUse(model, default_name=_default_name(model))
        if statement == "select":
            yield FoundQuery(last.node, statement, [own._replace(fields=fields)], file.is_inferred)
            continue
        yield FoundQuery(last.node, statement, [own._replace(modifies=True)], file.is_inferred)
        if fields and statement != "insert":
            yield FoundQuery(last.node, statement, [own._replace(fields=fields, of_condition=True)], file.is_inferred)
    for each in chain:
        for argument in each.arguments[1:2] if each.name in ("Join", "InnerJoin", "LeftJoin") and not mapper.has_paths else ():
            table = _JOINED.match(reading.text(argument))
            if table is not None:
                yield FoundQuery(last.node, "select", [FoundUse(f"{TABLE_NAME}{table[1]}")], file.is_inferred)


def _models(reading: ChainReading, mapper: _Mapper, last: Link, chain: Sequence[Link]) -> Iterator[SymbolPlace | str]:
    """Yield the structs of a statement; a table that the chain names has precedence."""
    for each in chain:
        for argument in each.arguments[:1] if each.name in mapper.tables else ():
            text = reading.text(argument)
            if text:
                yield f"{TABLE_NAME}{text}"
                return
            rows = list(reading.rows(argument))
            if rows:
                yield from dict.fromkeys(rows)
                return
    if last.name not in mapper.without_rows:
        given = last.arguments if last.name == "Insert" else last.arguments[:_MAX_ROWS]
        found = [row for argument in given for row in reading.rows(argument)]
        yield from dict.fromkeys(found)


def _names(reading: ChainReading, mapper: _Mapper, link: Link) -> Iterator[tuple[str, ...]]:
    """Yield the names in the texts of a condition. Names that are no columns have no effect."""
    is_list = link.name in ("OrderBy", "Asc", "Desc", "Cols", "GroupBy", "RelatedSel")
    for argument in link.arguments if is_list else link.arguments[:1]:
        if mapper.has_paths:
            text = reading.text(argument).lstrip("-")
            yield from [tuple(text.split("__"))] if text else ()
        else:
            yield from ((name,) for _, name in reading.columns(argument))


def _default_name(model: SymbolPlace | str) -> str:
    """Return the name of the table for a struct without tags."""
    return "" if isinstance(model, str) else f"{TABLE_NAME}{snake_case(model.file.facts.symbols[model.symbol].name)}"
