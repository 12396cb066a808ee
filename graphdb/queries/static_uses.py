"""Queries for dead code of Go and Java: declarations, and the uses between symbols."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..database import GraphDatabase, shared
from ..symbols.symbol_table import symbols_of
from ..traversal.inherited_members import inherited_overrides
from ..traversal.reachability import reachable

_GO, _JAVA = ".go", ".java"


class StaticDeclaration(msgspec.Struct, frozen=True, gc=False):
    """A symbol of Go or Java."""

    id: str
    name: str
    #: The names of the enclosing types and of the symbol. For a method of Go, the first name is its receiver type:
    #: `Cart.Total`.
    qualified_name: str
    kind: str
    path: str
    depth: int
    #: First line including comments, line of the name, and last line.
    first_line: int
    line: int
    last_line: int

    @property
    def owner(self) -> str:
        """Name of the receiver type of a method of Go; "" for other declarations."""
        return self.qualified_name.rpartition(".")[0] if self.kind == "method" and self.depth == 0 else ""


class StaticUses(msgspec.Struct, frozen=True, gc=False):
    """The symbols that count as used when another symbol is used. Keys and values are ids."""

    #: By symbol: symbols that it calls, names or extends, and in Java also the interfaces that it implements.
    uses: dict[str, list[str]]
    #: By method: the members that it overrides. By member: the methods that override it.
    overridden: dict[str, list[str]]
    overriding: dict[str, list[str]]
    #: By symbol: the symbols directly nested in it.
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
    """Return the uses between the symbols of Go."""
    return _uses(database, _GO, "CALLS|REFERENCES|EXTENDS")  # Go code does not name the interfaces of a type


@shared
def java_uses(database: GraphDatabase) -> StaticUses:
    """Return the uses between the symbols of Java."""
    return _uses(database, _JAVA, "CALLS|REFERENCES|EXTENDS|IMPLEMENTS")


@shared
def java_open_types(database: GraphDatabase) -> frozenset[str]:
    """Return the types of Java that derive, directly or indirectly, from a type outside of the repository."""
    outside = database.rows(
        f"MATCH (a:Symbol)-[:EXTENDS|IMPLEMENTS]->(:External) WHERE a.relativePath ENDS WITH '{_JAVA}' RETURN DISTINCT a.id"
    )
    derived = _by_first((base, own) for own, base in database.rows(_pairs("EXTENDS|IMPLEMENTS", _JAVA)))
    return frozenset(reachable([id for (id,) in outside], derived))


@shared
def java_lending_types(database: GraphDatabase) -> frozenset[str]:
    """Return the types of Java from which the types of `java_open_types` derive.

    Their public methods may implement those of an outer interface, as `A.run` does in `class B extends A implements Runnable`.
    """
    bases = _by_first(database.rows(_pairs("EXTENDS", _JAVA)))
    return frozenset(reachable(sorted(java_open_types(database)), bases))


@shared
def java_test_classes(database: GraphDatabase) -> frozenset[str]:
    """Return the types of Java that declare or inherit a test."""
    declaring = database.rows(
        f"""MATCH (:File)-[w:WIRED]->(:Symbol)<-[:CONTAINS]-(a:Symbol)
        WHERE w.role = 'test' AND a.relativePath ENDS WITH '{_JAVA}' RETURN DISTINCT a.id"""
    )
    derived = _by_first((base, own) for own, base in database.rows(_pairs("EXTENDS|IMPLEMENTS", _JAVA)))
    return frozenset(reachable([id for (id,) in declaring], derived))


def _declarations(database: GraphDatabase, extension: str) -> list[StaticDeclaration]:
    rows = database.rows(
        f"""MATCH (s:Symbol) WHERE s.relativePath ENDS WITH '{extension}'
        RETURN s.id, s.name, s.qualifiedName, s.kind, s.relativePath, s.depth, s.startLine, s.nameLine, s.endLine"""
    )
    return sorted((StaticDeclaration(*row) for row in rows), key=lambda each: (each.path, each.first_line, each.depth, each.line))


def _uses(database: GraphDatabase, extension: str, edges: str) -> StaticUses:
    overrides = [*database.rows(_pairs("OVERRIDES", extension)), *_inherited(database, extension)]
    return StaticUses(
        _by_first(database.rows(_pairs(edges, extension))),
        _by_first(overrides),
        _by_first((second, first) for first, second in overrides),
        _by_first(database.rows(_pairs("CONTAINS", extension))),
    )


def _inherited(database: GraphDatabase, extension: str) -> list[tuple[str, str]]:
    """Return the ids of `inherited_overrides` of a language."""
    table = symbols_of(database)
    pairs = inherited_overrides(database)
    members, bases = (table.refs_at([pair[side] for pair in pairs]) for side in (0, 1))
    return [(own.id, base.id) for own, base in zip(members, bases, strict=True) if own.relative_path.endswith(extension)]


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
