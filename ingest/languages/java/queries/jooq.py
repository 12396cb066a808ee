"""Statements of jOOQ: `dsl.selectFrom(USERS).where(USERS.NAME.eq(name))`.

See https://www.jooq.org/doc/latest/manual/sql-building/. The constants of tables and columns are generated from the database, and
are often not in the repository. By default, the names of the constants are the names in the database in upper case. The generated
classes of rows are in the package `tables.records`, and those of data access objects in `tables.daos`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ....facts.data import TABLE_NAME
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op
from ...framework_rules.imported_modules import imported_modules
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...jvm.entity_names import snake_case
from ...jvm.jooq_methods import JOINS, STATEMENTS
from .annotated import method_calls, types_of, variable_of, written_types

_PACKAGE: Final = "org.jooq"
#: Methods whose arguments are tables, with the kind of the statement.
_STATEMENTS: Final = {**STATEMENTS, **dict.fromkeys(JOINS, "select")}
#: Methods of a row, and methods that take rows.
_OF_ROW: Final = {
    **dict.fromkeys(("store", "merge"), "merge"), "insert": "insert", "update": "update", "delete": "delete", "refresh": "select",
}  # fmt: skip
_OF_ROWS: Final = {
    **dict.fromkeys(("executeInsert", "batchInsert"), "insert"),
    **dict.fromkeys(("executeUpdate", "batchUpdate"), "update"),
    **dict.fromkeys(("executeDelete", "batchDelete"), "delete"),
    **dict.fromkeys(("batchStore", "batchMerge"), "merge"),
}
#: Methods whose result is a row of the table in their first argument.
_MAKING: Final = frozenset(("newRecord", "fetchOne", "fetchSingle", "fetchAny", "fetchOptional"))
#: Methods of data access objects, besides those that begin with `fetch` and `find`.
_OF_DAO: Final = {
    "insert": "insert", "update": "update", "merge": "merge", **dict.fromkeys(("delete", "deleteById"), "delete"),
    **dict.fromkeys(("count", "exists", "existsById"), "select"),
}  # fmt: skip
#: A generated class.
_RECORD: Final = re.compile(r"(?:.+\.)?tables\.records\.(\w+)Record")
_DAO: Final = re.compile(r"(?:.+\.)?tables\.daos\.(\w+)Dao")
#: A generated constant: `USERS`, `USER_ROLES_2`.
_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_REFERENCES: Final = any_of(Op.REFERS)
#: Maximum number of steps from an expression to a table.
_MAX_STEPS: Final = 8
#: The method that assigns a column of an update.
_SET: Final = "set"


def jooq_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the statements that the calls of a file build."""
    if not any(module.startswith(_PACKAGE) for module in imported_modules(file.facts)):
        return
    columns, written = _columns(file), _written(file)
    for node, name, callee in _calls(file):
        statement = _STATEMENTS.get(name)
        tables = list(file.items(file.code[node + 2])) if statement is not None else []
        if name in JOINS and file.code[callee] == Op.MEMBER:
            tables.append(file.code[callee + 1])
        for argument in tables:
            table = _constant(file, argument)
            if table and statement is not None:
                key = (file.owner(node), table)
                yield FoundQuery(node, statement, list(_uses(statement, table, columns[key], written[key])))
    for node, statement, table in (*_rows(file), *_of_daos(file)):
        yield FoundQuery(node, statement, [FoundUse(f"{TABLE_NAME}{table.lower()}", (), statement != "select")])


def _calls(file: QueryFile) -> Iterator[tuple[int, str, int]]:
    """Yield the calls of methods, and of functions that may be static methods of `DSL`, each with its name and its callee."""
    code = file.code
    for node, callee in method_calls(file):
        yield node, file.name(callee), callee
    for node in file.facts.calls:
        callee = code[node + 1] if code[node] == Op.CALL else -1
        if callee >= 0 and code[callee] == Op.LEXICAL and file.facts.strings[code[callee + 2]] in _STATEMENTS:
            yield node, file.facts.strings[code[callee + 2]], callee


def _rows(file: QueryFile) -> Iterator[tuple[int, str, str]]:
    """Yield the statements of rows: `row.store()`, `UsersRecord::delete`, `dsl.batchInsert(rows)`."""
    for node, callee in method_calls(file):
        name = file.name(callee)
        if name in _OF_ROW and (table := _row(file, file.code[callee + 1])):
            yield node, _OF_ROW[name], table
        elif name in _OF_ROWS:
            yield from ((node, _OF_ROWS[name], table) for each in file.items(file.code[node + 2]) if (table := _row(file, each)))
    for node in nodes_of(file.facts, _REFERENCES):
        name = file.facts.strings[file.code[node + 2]]
        table = _generated(_RECORD, types_of(file).qualified(file.code[node + 1])) if name in _OF_ROW else ""
        if table:
            yield node, _OF_ROW[name], table


def _of_daos(file: QueryFile) -> Iterator[tuple[int, str, str]]:
    """Yield the statements of data access objects: `usersDao.fetchByName("a")`."""
    for node, callee in method_calls(file):
        table = _generated(_DAO, written_types(file).get(file.name(file.code[callee + 1]), ""))
        name = file.name(callee) if table else ""
        statement = "select" if name.startswith(("fetch", "find")) else _OF_DAO.get(name, "")
        if statement:
            yield node, statement, table


def _generated(pattern: re.Pattern[str], name: str) -> str:
    """Return the constant of the table for which a class is generated: `UserRolesRecord` -> `USER_ROLES`; "" for others."""
    found = pattern.fullmatch(name)
    return snake_case(found[1]).upper() if found is not None else ""


def _row(file: QueryFile, node: int) -> str:
    """Return the constant of the table whose row, or list of rows, a variable holds; "" for other expressions."""
    decl, types = variable_of(file, node), types_of(file)
    if decl is None:
        return ""
    name, arguments = types.type_names(decl.a)
    for each in (name, *(types.type_names(argument)[0] for argument in arguments)):
        if table := _generated(_RECORD, each):
            return table
    made = decl.b
    if made < 0 or file.code[made] != Op.CALL or file.name(file.code[made + 1]) not in _MAKING:
        return ""
    given = file.items(file.code[made + 2])
    return _constant(file, given[0]) if given else ""


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
    """Return the constant of a table: `USERS`, `Tables.USERS`, `USERS.as("u")`, or a variable with one of these values; also the
    name in `table("users")`; "" for other expressions.
    """
    code = file.code
    for _ in range(_MAX_STEPS):
        decl = variable_of(file, node)
        if decl is not None and decl.b >= 0:
            node = decl.b
        elif node >= 0 and code[node] == Op.CALL and code[code[node + 1]] in (Op.MEMBER, Op.LEXICAL):
            callee, given = code[node + 1], file.items(code[node + 2])
            name = file.facts.strings[code[callee + 2]]
            if name == "as" and code[callee] == Op.MEMBER and not (given and code[given[0]] == Op.CALL):
                node = code[callee + 1]  # with a query as the argument, the name is that of the query
            elif name in ("table", "name") and given:
                node = given[-1]
            else:
                return ""
        elif node >= 0 and code[node] == Op.STRING:
            return types_of(file).text(node)
        else:
            break
    if node < 0 or code[node] not in (Op.NAME, Op.LEXICAL, Op.MEMBER):
        return ""
    name = file.facts.strings[code[node + 2]]
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
