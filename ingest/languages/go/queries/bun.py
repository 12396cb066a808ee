"""Chains of bun and of go-pg: `db.NewSelect().Model(&users).Relation("Posts").Where("email = ?", email).Scan(ctx)`.

See https://bun.uptrace.dev/guide/queries.html and https://pg.uptrace.dev/queries/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.data import TABLE_NAME
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from .chains import ChainReading, Link, default_table

_PACKAGE: Final = re.compile(r"github\.com/(?:uptrace/bun|go-pg/pg(?:/v\d+)?(?:/orm)?):.*")
#: Calls that begin a statement of bun, with its kind.
_BEGIN: Final = {
    "NewSelect": "select", "NewInsert": "insert", "NewUpdate": "update", "NewDelete": "delete", "NewMerge": "merge",
}  # fmt: skip
#: Methods of go-pg that run a statement, with its kind. In bun, the beginning of the chain has the kind.
_RUN_GO_PG: Final = {
    **dict.fromkeys(
        ("Select", "First", "Last", "Count", "CountEstimate", "SelectAndCount", "SelectAndCountEstimate", "Exists", "ForEach"),
        "select",
    ),
    "SelectOrInsert": "merge",
    "Insert": "insert",
    **dict.fromkeys(("Update", "UpdateNotZero"), "update"),
    **dict.fromkeys(("Delete", "ForceDelete"), "delete"),
}  # fmt: skip
_RUN_BUN: Final = frozenset(("Scan", "Exec", "Count", "Exists", "ScanAndCount", "Rows"))
#: Methods whose texts are conditions and orders, and methods whose texts name columns.
_CONDITIONS: Final = frozenset(
    (
        "Where",
        "WhereOr",
        "WhereIn",
        "WhereInMulti",
        "Order",
        "OrderExpr",
        "Group",
        "GroupExpr",
        "Having",
        "JoinOn",
        "JoinOnOr",
        "On",
    )
)
_COLUMNS: Final = frozenset(("Column", "ColumnExpr", "DistinctOn"))
_TABLES: Final = frozenset(("Table", "TableExpr", "ModelTableExpr"))
_JOINED: Final = re.compile(r"\bjoin\s+[`\"]?(\w+(?:\.\w+)?)[`\"]?(?:\s+(?:as\s+)?(?!on\b|using\b)[`\"]?(\w+))?", re.IGNORECASE)
_TABLE: Final = re.compile(r"\s*[`\"]?(\w+(?:\.\w+)?)[`\"]?(?:\s+(?:as\s+)?[`\"]?(\w+))?", re.IGNORECASE)
_SET: Final = re.compile(r"\s*(?:[`\"]?\w+[`\"]?\.)?[`\"]?(\w+)[`\"]?\s*=")


class _Reading(ChainReading):
    changes_value = True
    beginnings = frozenset(("Model", "ModelContext", *_BEGIN))


def bun_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that the chains of a file run."""
    reading = _Reading(file, _PACKAGE)
    reached = set[int]()
    beginnings: list[Link] = []
    for node in reversed(file.facts.calls):
        link = reading.link(node)
        if link is None:
            continue
        if link.name in _BEGIN:
            beginnings.append(link)
        elif (link.name in _RUN_BUN or link.name in _RUN_GO_PG) and reading.is_own(node):
            chain = reading.chain(link)
            first = next((each for each in chain if each.name in _BEGIN), None)
            if first is not None and link.name in _RUN_BUN:
                reached.add(first.node)
                yield from _statement(file, reading, link, chain, _BEGIN[first.name])
            elif first is None and link.name in _RUN_GO_PG:
                yield from _statement(file, reading, link, chain, _RUN_GO_PG[link.name])
    yield from _open(file, reading, [each for each in beginnings if each.node not in reached])


def _open(file: QueryFile, reading: ChainReading, beginnings: Sequence[Link]) -> Iterator[FoundQuery]:
    """Yield the statements that other functions run, and those inside of other statements."""
    waiting = {each.node: each for each in beginnings if reading.is_own(each.node)}
    for node in reversed(file.facts.calls) if waiting else ():  # the last call of a chain comes first
        link = reading.link(node)
        if link is None or not waiting or not reading.is_own(node):
            continue
        chain = reading.chain(link)
        first = next((each for each in chain if each.node in waiting), None)
        if first is not None:
            del waiting[first.node]
            yield from _statement(file, reading, link, chain, _BEGIN[first.name])


def _statement(file: QueryFile, reading: ChainReading, last: Link, chain: Sequence[Link], statement: str) -> Iterator[FoundQuery]:
    """Yield the statement of a chain, and those that read other tables for it."""
    models, tables, aliases = _models(reading, last, chain)
    is_inferred = file.is_inferred
    names = list(_names(reading, chain))
    for text in _texts(reading, chain, "Join"):
        for table, alias in _JOINED.findall(text):
            aliases[alias or table.rpartition(".")[2]] = table
    of_others = {alias for alias, table in aliases.items() if table not in tables}
    read = tuple(dict.fromkeys((name,) for qualifier, name in names if qualifier not in of_others))
    written = tuple(dict.fromkeys((name,) for name in _written(reading, chain, statement)))
    used: list[SymbolPlace | str] = [*models]
    used += [f"{TABLE_NAME}{table}" for table in tables]
    for model in used:
        own = FoundUse(model, default_name=_default_name(model))
        if statement == "select":
            paths = [tuple(text.split(".")) for text in _texts(reading, chain, "Relation")]
            joined = [FoundUse(model, path[: count + 1]) for path in paths for count in range(len(path))]
            yield FoundQuery(last.node, statement, [own._replace(fields=read), *joined], is_inferred)
            continue
        yield FoundQuery(last.node, statement, [own._replace(modifies=True, fields=written)], is_inferred)
        if read and statement != "insert":
            condition = own._replace(fields=read, of_condition=True)
            yield FoundQuery(last.node, statement, [condition], is_inferred)
    for table in dict.fromkeys(aliases[each] for each in sorted(of_others)):
        fields = tuple(dict.fromkeys((name,) for qualifier, name in names if aliases.get(qualifier) == table))
        yield FoundQuery(last.node, "select", [FoundUse(f"{TABLE_NAME}{table}", (), False, fields)], is_inferred)


def _models(reading: ChainReading, last: Link, chain: Sequence[Link]) -> tuple[list[SymbolPlace], list[str], dict[str, str]]:
    """Return the structs of a statement, the tables that it names in place of structs, and the tables by their aliases."""
    models: list[SymbolPlace] = []
    tables: list[str] = []
    aliases: dict[str, str] = {}
    for each in [*chain, last] if last not in chain else chain:
        if each.name == "Model" and each.arguments:
            models += [row for argument in each.arguments for row in reading.rows(argument) if row not in models]
        elif each.name in _TABLES:
            for argument in each.arguments:
                found = _TABLE.match(reading.text(argument))
                if found is not None:
                    aliases[found[2] or found[1].rpartition(".")[2]] = found[1]
    if not models and aliases:
        tables = [next(reversed(aliases.values()))]
    return models, tables, aliases


def _texts(reading: ChainReading, chain: Sequence[Link], *names: str) -> Iterator[str]:
    for each in chain:
        if each.name in names and each.arguments and (text := reading.text(each.arguments[0])):
            yield text


def _names(reading: ChainReading, chain: Sequence[Link]) -> Iterator[tuple[str, str]]:
    """Yield the names in conditions, orders and columns, each with the alias before it. Other names have no effect."""
    is_update = any(each.name == "NewUpdate" for each in chain)
    for each in chain:
        if each.name in _CONDITIONS or each.name == "Join" or (each.name in _COLUMNS and not is_update):
            is_list = each.name in ("Column", "Order", "Group", "DistinctOn")
            for argument in each.arguments if is_list else each.arguments[:1]:
                yield from reading.columns(argument)
        elif each.name == "WherePK":
            yield "", "id"


def _written(reading: ChainReading, chain: Sequence[Link], statement: str) -> Iterator[str]:
    """Yield the columns that a statement writes: `Set("name = ?", name)`, `Column("name")`, `Value("name", "?", name)`."""
    for each in chain if statement != "select" else ():
        if each.name == "Set" and each.arguments:
            found = _SET.match(reading.text(each.arguments[0]))
            if found is not None:
                yield found[1]
        elif each.name in ("Column", "Value"):
            yield from filter(None, (reading.text(node) for node in each.arguments[: None if each.name == "Column" else 1]))


def _default_name(model: SymbolPlace | str) -> str:
    """Return the name of the table for a struct that has no tags."""
    return default_table(model) if not isinstance(model, str) else ""
