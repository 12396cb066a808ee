"""Find the statements that use a table or a column, directly or through views and routines, and the tables that a symbol uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from ...graphdb.database import GraphDatabase
from ...graphdb.symbols.database_names import names_in_database
from ...schema.edges import ROUTINE_CALL
from ..analyses.subject import Subject

#: Kinds of database objects whose users indirectly read or modify tables.
_PASSING: Final = frozenset(("view", "procedure", "trigger", "table"))
_INTO: Final = """
    MATCH (a:Symbol)-[r:{edge}]->(t:Symbol) WHERE t.id IN $ids
    RETURN t.id, a.id, a.kind, a.qualifiedName, a.relativePath, r.lines, r.statement, r.evidence, r.dialect"""
_OUT_OF: Final = """
    MATCH (a:Symbol)-[r:{edge}]->(t:Symbol) WHERE a.id IN $ids
    RETURN a.id, t.id, t.kind, t.qualifiedName, a.relativePath, r.lines, r.statement, r.evidence, r.dialect"""
_SAME: Final = "MATCH (m:Symbol)-[:MAPS_TO]-(t:Symbol) WHERE m.id IN $ids RETURN t.id"


class DataUseSite(NamedTuple):
    """A symbol that reads or modifies the subject. If the subject is code, a table or column that the code reads or modifies."""

    modifies: bool
    kind: str
    name: str
    #: Path of the file with the statements.
    path: str
    #: Lines on which the statements begin.
    lines: Sequence[int]
    #: Kind of the statements: select, insert, update, delete, merge, truncate, or call of a routine.
    statement: str
    evidence: str
    #: Dialect of the statements; "" for calls of object mappers.
    dialect: str
    #: The view or routine between the symbol and the subject; "" if there is none.
    through: str = ""


def users_of(graph: GraphDatabase, subject: Subject, depth: int) -> list[DataUseSite]:
    """Return the symbols that read or modify a table or a column, with its models and migrations, then the users of its views."""
    ids = {symbol.id for symbol in subject.declarations}
    ids |= {row[0] for row in graph.rows(_SAME, {"ids": sorted(ids)})}
    found: list[DataUseSite] = []
    through = dict.fromkeys(ids, "")
    #: Whether routines read and modify the subject. Code that calls a routine does the same.
    effects: dict[str, set[bool]] = defaultdict(set)
    seen = set(ids)
    for _ in range(depth):
        if not ids:
            break
        following: dict[str, str] = {}
        for modifies, row in _rows(graph, _INTO, ids):
            target, user, kind, name, path, lines, statement, evidence, dialect = row
            done = (effects[target] if statement == ROUTINE_CALL else None) or {modifies}
            found += [
                DataUseSite(each, kind, name, path, tuple(lines), statement, evidence, dialect, through[target]) for each in done
            ]
            if kind in _PASSING and user not in seen:
                following[user] = name
                effects[user] |= done
        seen |= following.keys()
        ids, through = set(following), following
    return sorted(dict.fromkeys(found), key=_order)


def used_by(graph: GraphDatabase, subject: Subject) -> list[DataUseSite]:
    """Return the tables and columns that a symbol reads or modifies, by their names in the database."""
    rows = _rows(graph, _OUT_OF, {symbol.id for symbol in subject.declarations})
    names = names_in_database(graph, {row[1] for _, row in rows})
    found = [
        DataUseSite(modifies, kind, names.get(used, name), path, tuple(lines), statement, evidence, dialect)
        for modifies, (_, used, kind, name, path, lines, statement, evidence, dialect) in rows
    ]
    return sorted(found, key=_order)


def _rows(graph: GraphDatabase, pattern: str, ids: Collection[str]) -> list[tuple[bool, tuple[Any, ...]]]:
    given = {"ids": sorted(ids)}
    return [
        (modifies, tuple(row))
        for edge, modifies in (("READS", False), ("MODIFIES", True))
        for row in graph.rows(pattern.format(edge=edge), given)
    ]


def _order(site: DataUseSite) -> tuple[bool, bool, str, Sequence[int], str]:
    return site.modifies, bool(site.through), site.path, site.lines, site.name
