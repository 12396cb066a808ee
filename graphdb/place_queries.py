"""What stands at a place in a file: the symbols that are named there, and those that are declared there."""

from __future__ import annotations

import msgspec

from .database import GraphDatabase
from .symbol_queries import SymbolDetails, property_list


class NamedAt(msgspec.Struct, frozen=True, gc=False):
    """A symbol that a place names. `column` is that of the name, from 1; 0 for a declaration, of which only the line is known."""

    column: int
    symbol: SymbolDetails


_DETAILS = property_list(SymbolDetails, "s")


def named_at(database: GraphDatabase, path: str, line: int) -> list[NamedAt]:
    """Symbols that a line of a file declares or refers to: declarations first, then by column."""
    declared = f"""
        MATCH (s:Symbol) WHERE s.relativePath = $path AND s.nameLine = $line
        AND NOT s.kind IN ['import', 're-export', 'export', 'expression', 'comment'] RETURN {_DETAILS} ORDER BY s.depth"""
    used = f"""
        MATCH (o:Symbol)-[r:REFERENCES]->(s:Symbol)
        WHERE o.relativePath = $path AND o.startLine <= $line AND o.endLine >= $line
            AND list_contains(r.lines, CAST($line AS INT32)) AND NOT s.kind IN ['import', 're-export', 'export']
        RETURN r.lines, r.columns, {_DETAILS}"""
    place = {"path": path, "line": line}
    found = [NamedAt(0, SymbolDetails(*row)) for row in database.rows(declared, place)]
    uses: dict[tuple[int, str], NamedAt] = {}
    for lines, columns, *details in database.rows(used, place):
        symbol = SymbolDetails(*details)
        for at, column in zip(lines, columns, strict=True):
            if at == line:
                uses[column, symbol.id] = NamedAt(column, symbol)
    return found + [uses[key] for key in sorted(uses)]
