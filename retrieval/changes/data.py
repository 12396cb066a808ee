"""Find what a change does to tables and columns: the objects that it alters, with their users, and the statements that use other
tables and columns than before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from ...graphdb.database import GraphDatabase
from ...ingest.changes.changed_statements import ChangedUse
from ...ingest.changes.changed_symbols import ChangedSymbol
from .records import AlteredData, StatementChange

#: Changes of tables and columns by some files. The creation of a table is a change of its own symbols.
_EVENTS: Final = """
    MATCH (s:Symbol)-[e:CHANGED_IN]->(f:File) WHERE f.relativePath IN $paths
    OPTIONAL MATCH (s)-[o:COLUMN_OF]->(t:Symbol) WHERE t.id <> s.id
    RETURN DISTINCT s.id, e.name, t.name, e.kind, f.relativePath, e.line"""
#: The columns of migrations whose declarations in models changed.
_MAPPED: Final = """
    MATCH (m:Symbol)-[:MAPS_TO]->(s:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE m.id IN $ids AND t.id <> s.id
    RETURN DISTINCT s.id, o.name, t.name, m.relativePath, m.declarationLine"""
_USERS: Final = "MATCH (user:Symbol)-[:{}]->(s:Symbol) WHERE s.id IN $ids RETURN s.id, count(DISTINCT user.id)"
_COLUMNS: Final = (
    "MATCH (:Symbol)-[o:COLUMN_OF]->(t:Symbol) WHERE lower(t.name) IN $tables RETURN DISTINCT lower(t.name), lower(o.name)"
)
#: Changes of a whole table that every statement on the table may notice.
_OF_TABLES: Final = frozenset(("renamed", "dropped"))


def altered_data(graph: GraphDatabase, changed: Sequence[ChangedSymbol]) -> tuple[list[AlteredData], list[str]]:
    """Return the tables and columns that changed statements alter and changed models describe, with the ids of their symbols.

    A new column alters nothing that existed.
    """
    lines: dict[str, list[tuple[int, int]]] = defaultdict(list)
    ids = []
    for each in changed:
        if (new := each.new) is not None and not each.with_parent:
            lines[new.path].append((new.line, new.end_line))
            ids.append(new.id)
    if not lines:
        return [], []
    found: dict[str, tuple[str, str, str]] = {}
    for id, name, table, kind, path, line in graph.rows(_EVENTS, {"paths": list(lines)}):
        is_told = kind in _OF_TABLES if table is None else kind != "created"
        if is_told and any(start <= line <= end for start, end in lines[path]):
            found.setdefault(id, (name if table is None else f"{table}.{name}", kind, f"{path}:{line}"))
    for id, name, table, path, line in graph.rows(_MAPPED, {"ids": ids}):
        found.setdefault(id, (f"{table}.{name}", "altered", f"{path}:{line}"))
    users = [dict(graph.rows(_USERS.format(kind), {"ids": list(found)})) if found else {} for kind in ("READS", "MODIFIES")]
    told = [
        AlteredData(name=name, change=kind, at=at, readers=users[0].get(id, 0), writers=users[1].get(id, 0))
        for id, (name, kind, at) in found.items()
    ]
    return sorted(told, key=lambda each: (-each.readers - each.writers, each.name)), list(found)


def changed_statements_told(graph: GraphDatabase, uses: Sequence[ChangedUse]) -> list[StatementChange]:
    """Return how the statements of each declaration changed, with the tables and columns that the graph knows."""
    tables = {table.lower() for use in uses for table in use.tables}
    columns: dict[str, set[str]] = defaultdict(set)
    for table, column in graph.rows(_COLUMNS, {"tables": list(tables)}) if tables else ():
        columns[table].add(column)
    groups: dict[str, list[ChangedUse]] = defaultdict(list)
    for use in uses:
        groups[use.symbol_id].append(use)
    told = []
    for each in groups.values():
        reads, modifies = (_names(each, columns, is_new=True, modifies=modifies) for modifies in (False, True))
        gone = [name for modifies in (False, True) for name in _names(each, columns, is_new=False, modifies=modifies)]
        if reads or modifies or gone:
            at = f"{each[0].path}:{min(use.line for use in each if use.is_new or not (reads or modifies))}"
            told.append(
                StatementChange(
                    symbol=each[0].symbol,
                    at=at,
                    reads=tuple(reads),
                    modifies=tuple(modifies),
                    no_longer=tuple(dict.fromkeys(gone)),
                )
            )
    return sorted(told, key=lambda each: each.at)


def _names(uses: Sequence[ChangedUse], columns: dict[str, set[str]], *, is_new: bool, modifies: bool) -> list[str]:
    """Return the names of known tables and columns in uses. A table is left out if some of its columns are told."""
    found: dict[str, None] = {}
    of_columns: set[str] = set()
    for use in uses:
        if (use.is_new, use.modifies) != (is_new, modifies):
            continue
        having = [
            table
            for table in use.tables
            if (use.column.lower() in columns[table.lower()] if use.column else columns[table.lower()])
        ]
        if len(having) == 1:
            found[f"{having[0]}.{use.column}" if use.column else having[0]] = None
            of_columns |= {having[0]} if use.column else set()
    return sorted(name for name in found if name not in of_columns)
