"""Queries for dead code of Go: its declarations, and which symbol uses which."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..database import GraphDatabase, shared

_SOURCES = ".go"


class GoDeclaration(msgspec.Struct, frozen=True, gc=False):
    """A symbol of Go."""

    id: str
    name: str
    #: The name behind that of the type which a method belongs to: `Cart.Total`.
    qualified_name: str
    kind: str
    path: str
    depth: int
    #: First line with comments, line of the name, last line.
    first_line: int
    line: int
    last_line: int

    @property
    def owner(self) -> str:
        """Name of the type that a method belongs to, "" for other declarations."""
        return self.qualified_name.rpartition(".")[0] if self.kind == "method" and self.depth == 0 else ""


class GoUses(msgspec.Struct, frozen=True, gc=False):
    """What a use of a symbol makes used as well, by the ids of symbols."""

    #: What symbols call, name and embed.
    uses: dict[str, list[str]]
    #: The members that methods override, and the methods that override members.
    overridden: dict[str, list[str]]
    overriding: dict[str, list[str]]
    #: The symbols inside of others.
    inside: dict[str, list[str]]


@shared
def go_declarations(database: GraphDatabase) -> list[GoDeclaration]:
    """Return all symbols of Go, by file and line."""
    rows = database.rows(
        f"""MATCH (s:Symbol) WHERE s.relativePath ENDS WITH '{_SOURCES}'
        RETURN s.id, s.name, s.qualifiedName, s.kind, s.relativePath, s.depth, s.startLine, s.nameLine, s.endLine"""
    )
    return sorted((GoDeclaration(*row) for row in rows), key=lambda each: (each.path, each.first_line, each.depth, each.line))


@shared
def go_uses(database: GraphDatabase) -> GoUses:
    """Return which symbols of Go use which."""
    overrides = database.rows(_pairs("OVERRIDES"))
    return GoUses(
        _by_first(database.rows(_pairs("CALLS|REFERENCES|EXTENDS"))),
        _by_first(overrides),
        _by_first((second, first) for first, second in overrides),
        _by_first(database.rows(_pairs("CONTAINS"))),
    )


def _pairs(edges: str) -> str:
    return (
        f"MATCH (a:Symbol)-[:{edges}]->(b:Symbol) WHERE a.relativePath ENDS WITH '{_SOURCES}' AND a.id <> b.id"
        " RETURN DISTINCT a.id, b.id"
    )


def _by_first(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for first, second in rows:
        found.setdefault(first, []).append(second)
    return found
