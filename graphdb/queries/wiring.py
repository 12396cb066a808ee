"""Symbols that frameworks use because of their declarations, such as tests, routes and commands."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..database import GraphDatabase, shared
from ..symbols.id_batches import rows_for_ids


class FrameworkUse(msgspec.Struct, frozen=True, gc=False):
    """A framework runs or registers a symbol. `WIRED` in `graph.cypher` documents each property."""

    symbol_id: str
    framework: str
    role: str
    evidence: str
    text: str
    path: str
    line: int

    @property
    def sentence(self) -> str:
        """A sentence that says which framework uses the symbol, in which role, and where."""
        return f"{self.framework} uses it as {self.role}: {self.text} ({self.path}:{self.line})"


def framework_uses(database: GraphDatabase, ids: Iterable[str]) -> list[FrameworkUse]:
    """Return how frameworks use some symbols because of the declarations of these symbols, by file and line."""
    statement = """
        MATCH (f:File)-[w:WIRED]->(s:Symbol) WHERE s.id IN $ids
        RETURN s.id, w.framework, w.role, w.evidence, w.text, f.relativePath, w.line"""
    found = [FrameworkUse(*row) for row in rows_for_ids(database, statement, ids)]
    return sorted(found, key=lambda use: (use.path, use.line, use.framework, use.role))


@shared
def wired_ids(database: GraphDatabase) -> frozenset[str]:
    """Return the ids of all symbols that frameworks run or pass to other code."""
    return frozenset(id for (id,) in database.rows("MATCH ()-[:WIRED]->(s:Symbol) RETURN DISTINCT s.id"))
