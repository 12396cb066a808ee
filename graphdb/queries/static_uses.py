"""Queries for dead code of languages whose types are written: declarations, and which symbol uses which."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..database import GraphDatabase, shared
from ..traversal.reachability import reachable

_GO, _JAVA = ".go", ".java"


class StaticDeclaration(msgspec.Struct, frozen=True, gc=False):
    """A symbol of Go or Java."""

    id: str
    name: str
    #: Dotted name of the type that a method belongs to and of the method: `Cart.Total`.
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


class StaticUses(msgspec.Struct, frozen=True, gc=False):
    """The symbols that become used through a use of another symbol, by ids of symbols."""

    #: The symbols that a symbol calls, names, embeds and, in Java, implements.
    uses: dict[str, list[str]]
    #: The members that methods override, and the methods that override members.
    overridden: dict[str, list[str]]
    overriding: dict[str, list[str]]
    #: The symbols inside of others.
    inside: dict[str, list[str]]


@shared
def go_declarations(database: GraphDatabase) -> list[StaticDeclaration]:
    """Return all symbols of Go, by file and line."""
    return _declarations(database, _GO)


@shared
def java_declarations(database: GraphDatabase) -> list[StaticDeclaration]:
    """Return all symbols of Java, by file and line."""
    return _declarations(database, _JAVA)


@shared
def go_uses(database: GraphDatabase) -> StaticUses:
    """Return which symbols of Go use which."""
    return _uses(database, _GO, "CALLS|REFERENCES|EXTENDS")  # a type implements interfaces without naming them


@shared
def java_uses(database: GraphDatabase) -> StaticUses:
    """Return which symbols of Java use which."""
    return _uses(database, _JAVA, "CALLS|REFERENCES|EXTENDS|IMPLEMENTS")


@shared
def java_open_types(database: GraphDatabase) -> frozenset[str]:
    """Return the types of Java that derive from something outside, by themselves or by a type that they derive from."""
    outside = database.rows(
        f"MATCH (a:Symbol)-[:EXTENDS|IMPLEMENTS]->(:External) WHERE a.relativePath ENDS WITH '{_JAVA}' RETURN DISTINCT a.id"
    )
    derived = _by_first((base, own) for own, base in database.rows(_pairs("EXTENDS|IMPLEMENTS", _JAVA)))
    return frozenset(reachable([id for (id,) in outside], derived))


def _declarations(database: GraphDatabase, extension: str) -> list[StaticDeclaration]:
    rows = database.rows(
        f"""MATCH (s:Symbol) WHERE s.relativePath ENDS WITH '{extension}'
        RETURN s.id, s.name, s.qualifiedName, s.kind, s.relativePath, s.depth, s.startLine, s.nameLine, s.endLine"""
    )
    return sorted((StaticDeclaration(*row) for row in rows), key=lambda each: (each.path, each.first_line, each.depth, each.line))


def _uses(database: GraphDatabase, extension: str, edges: str) -> StaticUses:
    overrides = database.rows(_pairs("OVERRIDES", extension))
    return StaticUses(
        _by_first(database.rows(_pairs(edges, extension))),
        _by_first(overrides),
        _by_first((second, first) for first, second in overrides),
        _by_first(database.rows(_pairs("CONTAINS", extension))),
    )


def _pairs(edges: str, extension: str) -> str:
    return (
        f"MATCH (a:Symbol)-[:{edges}]->(b:Symbol) WHERE a.relativePath ENDS WITH '{extension}' AND a.id <> b.id"
        " RETURN DISTINCT a.id, b.id"
    )


def _by_first(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for first, second in rows:
        found.setdefault(first, []).append(second)
    return found
