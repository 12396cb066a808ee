"""Statements of jOOQ: `dsl.selectFrom(USERS).where(USERS.NAME.eq(name))`.

See https://www.jooq.org/doc/latest/manual/sql-building/. The constants of tables and columns are generated from the database, and
are often not in the repository. By default, the names of the constants are the names in the database in upper case.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ....facts.data import TABLE_NAME
from ....facts.model import DeclKind
from ....facts.operations import Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from .annotated import method_calls

_PACKAGE: Final = "org.jooq"
#: Methods whose arguments are tables, with the kind of the statement.
_STATEMENTS: Final = {
    **dict.fromkeys(
        ("selectFrom", "from", "join", "innerJoin", "leftJoin", "leftOuterJoin", "rightJoin", "fullJoin", "crossJoin",
         "fetchCount", "fetchExists", "fetchOne", "fetchAny"),
        "select",
    ),
    **dict.fromkeys(("insertInto", "insert"), "insert"),
    "update": "update",
    **dict.fromkeys(("delete", "deleteFrom"), "delete"),
    **dict.fromkeys(("mergeInto", "truncate"), "merge"),
}  # fmt: skip
#: A generated constant: `USERS`, `USER_ROLES_2`.
_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
#: The method that assigns a column of an update.
_SET: Final = "set"


def jooq_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements that the calls of a file build."""
    facts = file.facts
    if not any(decl.kind == DeclKind.IMPORT and facts.strings[decl.a].startswith(_PACKAGE) for decl in facts.decls):
        return
    columns, written = _columns(file), _written(file)
    for node, callee in method_calls(file):
        statement = _STATEMENTS.get(file.name(callee))
        if statement is None:
            continue
        for argument in file.items(file.code[node + 2]):
            table = _constant(file, argument)
            if table:
                key = (file.owner(node), table)
                yield FoundQuery(node, statement, list(_uses(statement, table, columns[key], written[key])))


def _uses(statement: str, table: str, columns: dict[str, None], written: dict[str, None]) -> Iterator[FoundUse]:
    model = f"{TABLE_NAME}{table.lower()}"
    read = tuple((name.lower(),) for name in columns if name not in written)
    if statement == "select":
        yield FoundUse(model, (), False, tuple((name.lower(),) for name in columns))
        return
    assigned = columns if statement == "insert" else written
    yield FoundUse(model, (), True, tuple((name.lower(),) for name in assigned))
    if statement in ("update", "delete") and read:
        yield FoundUse(model, (), False, read, True)


def _constant(file: QueryFile, node: int) -> str:
    """Return the name of a constant, perhaps in a class: `USERS`, `Tables.USERS`; "" for other expressions."""
    if node < 0 or file.code[node] not in (Op.NAME, Op.LEXICAL, Op.MEMBER):
        return ""
    name = file.name(node) or file.facts.strings[file.code[node + 2]]
    return name if _CONSTANT.fullmatch(name) is not None else ""


def _columns(file: QueryFile) -> defaultdict[tuple[int, str], dict[str, None]]:
    """Return the columns that functions name, by the symbol of the function and the table."""
    found: defaultdict[tuple[int, str], dict[str, None]] = defaultdict(dict)
    for place, op in enumerate(file.code[::5]):
        node = place * 5
        if op == Op.MEMBER and (table := _constant(file, file.code[node + 1])) and (column := _constant(file, node)):
            found[file.owner(node), table][column] = None
    return found


def _written(file: QueryFile) -> defaultdict[tuple[int, str], dict[str, None]]:
    """Return the columns that functions assign by `set(USERS.NAME, value)`."""
    found: defaultdict[tuple[int, str], dict[str, None]] = defaultdict(dict)
    for node, callee in method_calls(file):
        arguments = file.items(file.code[node + 2])
        if file.name(callee) != _SET or not arguments or file.code[arguments[0]] != Op.MEMBER:
            continue
        table, column = _constant(file, file.code[arguments[0] + 1]), _constant(file, arguments[0])
        if table and column:
            found[file.owner(node), table][column] = None
    return found
