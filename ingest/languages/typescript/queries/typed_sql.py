"""TypedSQL of Prisma: `prisma.$queryRawTyped(activeUsers(7))` runs the statement of the file `prisma/sql/activeUsers.sql`.

See https://www.prisma.io/docs/orm/prisma-client/using-raw-sql/typedsql.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.data import RunFile
from ....facts.model import DeclKind, FileFacts
from ....facts.operations import Op
from ..resolve.call_targets import unwrapped
from ..resolve.model.unit import Unit

#: The module that Prisma generates for the files: of the package, or of a folder of the repository.
_MODULE: Final = re.compile(r"@prisma/client/sql|.*(?:prisma|generated)(?:/[\w.-]+)*/sql(?:/index)?(?:\.[jt]s)?")
_RUN: Final = "$queryRawTyped"


def add_typed_statements(facts: FileFacts) -> None:
    """Add the files of SQL that the calls of a file run to its facts about data."""
    if any(_MODULE.fullmatch(each.specifier) for each in facts.imports):
        found = list(dict.fromkeys(_run_files(Unit(0, "", facts))))
        if found:
            facts.own_data().run_files += [RunFile(symbol, line, f"prisma/sql/{name}.sql", []) for symbol, line, name in found]


def _run_files(unit: Unit) -> Iterator[tuple[int, int, str]]:
    """Yield the symbols that run statements, each with the line of the call and the name of the file."""
    code = unit.code
    for node in unit.facts.calls:
        callee = unwrapped(unit, code[node + 1]) if code[node] == Op.CALL else -1
        if callee < 0 or code[callee] != Op.MEMBER or unit.strings[code[callee + 2]] != _RUN:
            continue
        arguments = unit.items(code[node + 2]).tolist()
        statement = unwrapped(unit, arguments[0]) if arguments else -1
        name = _imported(unit, unwrapped(unit, code[statement + 1])) if statement >= 0 and code[statement] == Op.CALL else ""
        owner = unit.named_owner(node)
        if name and owner >= 0:
            yield owner, unit.line(code[node + 4]), name


def _imported(unit: Unit, callee: int) -> str:
    """Return the name of a function of the generated module: `activeUsers`, `sql.activeUsers`; "" for other functions."""
    code = unit.code
    holder = unwrapped(unit, code[callee + 1]) if code[callee] == Op.MEMBER else callee
    binding = code[holder + 1] if code[holder] == Op.NAME else -1
    for index in unit.bindings[binding].decls if binding >= 0 else ():
        decl = unit.decls[index]
        if decl.kind == DeclKind.IMPORT and _MODULE.fullmatch(unit.facts.imports[decl.a].specifier):
            return unit.strings[code[callee + 2]] if holder != callee else unit.strings[decl.b]
    return ""
