"""Tables as an entity relationship diagram of Mermaid: columns with their types and keys, and foreign keys as relations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from ....graphdb.scopes.statement import Statement
from .rows import Row, SymbolRow
from .running import Runner

#: Characters that Mermaid does not allow in a type or a name.
_NO_WORD: Final = re.compile(r"[^\w()\[\]-]+")
_COLUMNS: Final = """
    MATCH (c:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE t.id IN $tables AND o.position >= 0
    OPTIONAL MATCH (:Symbol)-[p:INDEXES {kind: 'primary key'}]->(c) WHERE c.id <> t.id
    OPTIONAL MATCH (c)-[f:FOREIGN_KEY]->(:Symbol) WHERE c.id <> t.id
    RETURN t.id, o.name, o.type, o.position, count(DISTINCT p.name) > 0, count(DISTINCT f.name) > 0 ORDER BY o.position"""
_KEYS: Final = """
    MATCH (t:Symbol)<-[o:COLUMN_OF]-(:Symbol)-[f:FOREIGN_KEY]->(:Symbol)-[:COLUMN_OF]->(u:Symbol)
    WHERE t.id IN $tables AND u.id IN $tables AND o.position >= 0
    RETURN DISTINCT t.id, u.id, o.name, o.nullable ORDER BY o.name"""


class _Column(NamedTuple):
    name: str
    type: str
    is_primary: bool
    is_foreign: bool


def entity_diagram(runner: Runner, tables: Sequence[Row]) -> str:
    """Return the diagram of some tables, in their order."""
    found = [row for row in tables if isinstance(row, SymbolRow)]
    given = {"tables": [row.id for row in found]}
    columns: dict[str, list[_Column]] = defaultdict(list)
    for table, name, kind, _, is_primary, is_foreign in runner.run(lambda _: Statement(_COLUMNS, given)) if found else ():
        columns[table].append(_Column(name, kind, is_primary, is_foreign))
    names = {row.id: f"t{number}" for number, row in enumerate(found)}
    lines = ["erDiagram"] if found else ["erDiagram", "  %% The scope is empty."]
    for row in found:
        lines += [f'  {names[row.id]}["{_NO_WORD.sub(" ", row.qualified_name)}"] {{', *map(_line, columns[row.id]), "  }"]
    for start, end, column, is_nullable in runner.run(lambda _: Statement(_KEYS, given)) if found else ():
        lines.append(f'  {names[start]} }}o--{"o|" if is_nullable else "||"} {names[end]} : "{_NO_WORD.sub(" ", column)}"')
    return "\n".join(lines)


def _line(column: _Column) -> str:
    keys = ", ".join(sign for sign, holds in (("PK", column.is_primary), ("FK", column.is_foreign)) if holds)
    kind, name = (_NO_WORD.sub("_", text).strip("_") for text in (column.type, column.name))
    return f"    {kind or 'unknown'} {name or 'unnamed'} {keys}".rstrip()
