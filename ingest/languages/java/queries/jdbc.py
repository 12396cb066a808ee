"""Statements without SQL of Spring's JDBC classes: `new SimpleJdbcInsert(source).withTableName("visits")`.

See https://docs.spring.io/spring-framework/reference/data-access/jdbc/simple.html. The insert is usually built once, in a field
or a variable, and other methods run it. A statement with SQL is a string, which is found in all code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....facts.data import TABLE_NAME
from ....facts.model import DeclKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from .annotated import method_calls, types_of

_INSERT: Final = "SimpleJdbcInsert"
_ASSIGNING: Final = any_of(Op.ASSIGN)
#: Methods that run the insert.
_RUNNING: Final = frozenset(("execute", "executeAndReturnKey", "executeAndReturnKeyHolder", "executeBatch"))
#: Maximum number of calls in a chain.
_MAX_CHAIN: Final = 20


def jdbc_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the inserts that the calls of a file run."""
    facts = file.facts
    if _INSERT not in facts.strings:
        return
    code, built, runs = file.code, dict[str, tuple[str, tuple[str, ...]]](), list[tuple[int, int]]()
    for node, callee in method_calls(file):
        if file.name(callee) in _RUNNING:
            runs.append((node, code[callee + 1]))
    for node in nodes_of(facts, _ASSIGNING):
        if (insert := _insert(file, code[node + 2])) is not None:
            built[file.name(code[node + 1])] = insert
    for decl in facts.decls:
        if decl.kind == DeclKind.VARIABLE and decl.b >= 0 and (insert := _insert(file, decl.b)) is not None:
            built[decl.name] = insert
    for shape in facts.shapes:
        for member in shape.members:
            if member.value >= 0 and (insert := _insert(file, member.value)) is not None:
                built[member.name] = insert
    for node, receiver in runs:
        insert = built.get(file.name(receiver)) or _insert(file, receiver)
        if insert is not None:
            table, columns = insert
            yield FoundQuery(node, "insert", [FoundUse(f"{TABLE_NAME}{table}", (), True, tuple((each,) for each in columns))])


def _insert(file: QueryFile, node: int) -> tuple[str, tuple[str, ...]] | None:
    """Return the table and the columns of a chain that builds an insert; None for other expressions."""
    code, types = file.code, types_of(file)
    table, columns = "", tuple[str, ...]()
    for _ in range(_MAX_CHAIN):
        if node < 0 or code[node] not in (Op.CALL, Op.NEW):
            return None
        callee, arguments = code[node + 1], file.items(code[node + 2])
        if code[node] == Op.NEW:
            return (table, columns) if table and file.name(callee) == _INSERT else None
        if code[callee] != Op.MEMBER:
            return None
        if file.name(callee) == "withTableName" and arguments:
            table = types.text(arguments[0])
        elif file.name(callee) == "usingColumns":
            columns = tuple(text for each in arguments if (text := types.text(each)))
        node = code[callee + 1]
    return None
