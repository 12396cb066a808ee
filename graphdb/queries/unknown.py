"""Gaps in the graph: imports whose target is not known, and calls whose declaration is not known."""

from __future__ import annotations

import msgspec

from ..database import GraphDatabase


class UnresolvedImport(msgspec.Struct, frozen=True, gc=False):
    """An import whose target is not known. `reason`: absent, alias or configuration."""

    file: str
    line: int
    specifier: str
    reason: str


class UnresolvedCalls(msgspec.Struct, frozen=True, gc=False):
    """The number of call sites in one language that are unresolved for one reason.

    `reason`: receiver, local, global, module, dynamic or depth.
    """

    language: str
    reason: str
    count: int


def unresolved_imports(database: GraphDatabase) -> list[UnresolvedImport]:
    """Return the imports whose target is not known, by file and line."""
    statement = """
        MATCH (f:File)-[r:IMPORTS_UNRESOLVED]->(s:UnresolvedSpecifier)
        RETURN f.relativePath, r.line, s.specifier, r.reason ORDER BY f.relativePath, r.line, s.specifier
    """
    return [UnresolvedImport(*row) for row in database.rows(statement)]


def unresolved_calls(database: GraphDatabase) -> list[UnresolvedCalls]:
    """Return the numbers of unresolved calls, by language and reason, the most frequent first."""
    statement = """
        MATCH (o:Symbol)-[r:CALLS_UNRESOLVED]->(:UnresolvedName)
        WITH o.relativePath AS path, r.reason AS reason, sum(r.count) AS sites
        MATCH (f:File {relativePath: path})
        RETURN f.language, reason, CAST(sum(sites), "INT64") AS sites ORDER BY sites DESC, f.language, reason
    """
    return [UnresolvedCalls(*row) for row in database.rows(statement)]
