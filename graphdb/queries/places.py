"""The symbols that a line of a file declares or refers to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ...schema.records import Symbol
from ...schema.symbol_kinds import PASSING_ON, STATEMENTS
from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import symbols_of


class NamedAt(msgspec.Struct, frozen=True, gc=False):
    """A symbol that a line declares or refers to.

    `column` is the column of the name, from 1; 0 for a declaration.
    """

    column: int
    symbol: Symbol
    #: How the symbol is used; "" for a declaration.
    role: str = ""


def named_at(database: GraphDatabase, path: str, line: int) -> list[NamedAt]:
    """Return symbols that a line of a file declares or refers to: declarations first, then by column."""
    table = symbols_of(database)
    around = table.around(path, line)
    declared = [symbol for symbol in around if symbol.name_line == line and symbol.kind not in STATEMENTS]
    found = [NamedAt(0, symbol) for symbol in sorted(declared, key=lambda symbol: symbol.depth)]
    ids = [symbol.id for symbol in around]
    references = [row for row in _edges_on(database, "REFERENCES", "r.role", ids, line) if row[3] != "alternative"]
    rows = [*references, *_edges_on(database, "MENTIONS", "'doc'", ids, line)]
    used = table.symbols_at([row[2] for row in rows])
    uses: dict[tuple[int, str], NamedAt] = {}
    for (lines, columns, _, role), symbol in zip(rows, used, strict=True):
        if symbol.kind in PASSING_ON:  # the same name also refers to the imported symbol
            continue
        for at, column in zip(lines, columns, strict=True):
            if at == line:
                uses[column, symbol.id] = NamedAt(column, symbol, role)
    return found + [uses[key] for key in sorted(uses)]


def called_at(database: GraphDatabase, path: str, line: int, column: int) -> list[Symbol]:
    """Return the symbols that a line of a file calls by the name at a column (from 1), also by a name that is local.

    After `const { run } = tasks`, the call `run()` is a reference to the local name only, but a call of the function in `tasks`.
    """
    table = symbols_of(database)
    rows = _edges_on(database, "CALLS", "''", [symbol.id for symbol in table.around(path, line)], line)
    here = [target for lines, columns, target, _ in rows if (line, column) in zip(lines, columns, strict=True)]
    return table.symbols_at(here)


def _edges_on(database: GraphDatabase, table: str, role: str, ids: Sequence[str], line: int) -> list[tuple[Any, ...]]:
    """Return the edges of a table from some symbols at a line: lines, columns, internal offset of the target, and `role`."""
    statement = f"""
        MATCH (o:Symbol)-[r:{table}]->(s:Symbol)
        WHERE o.id IN $ids AND list_contains(r.lines, CAST($line AS INT32))
        RETURN r.lines, r.columns, offset(id(s)), {role}"""
    return rows_for_ids(database, statement, ids, {"line": line})
