"""Queries for dead code of Python: declarations without uses, and the bases of their classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from ..database import GraphDatabase, shared
from ..symbols.symbol_table import symbols_of
from ..traversal.inherited_members import inherited_overrides


class Unused(msgspec.Struct, frozen=True, gc=False):
    """A declaration that no other symbol uses and no framework runs."""

    id: str
    name: str
    kind: str
    path: str
    #: Id of the enclosing class; "" for a declaration at the root of the file.
    owner: str
    #: First line including comments, first line of the declaration, line of the name, and last line.
    first_line: int
    declaration_line: int
    line: int
    last_line: int
    #: Paths of the files that export or re-export the declaration.
    offered_by: tuple[str, ...]


class ClassBases(msgspec.Struct, frozen=True, gc=False):
    """The bases of a class."""

    signature: str
    #: Ids of base classes in the repository.
    inside: tuple[str, ...]
    #: Ids of base classes outside of the repository.
    outside: tuple[str, ...]


_KINDS = "['function', 'class', 'variable', 'const', 'method', 'getter', 'setter', 'property']"
_PLACE = "s.relativePath = o.relativePath AND o.startLine >= s.startLine AND o.endLine <= s.endLine"


def unused_in(database: GraphDatabase, paths: Collection[str]) -> list[Unused]:
    """Return the declarations of some files that no other symbol uses and no framework runs, by file and line.

    The declarations are at the root of a file, or in a class at the root. Uses inside the declaration do not count. If a file or
    class declares a name several times, a use of the name counts for each of these declarations.
    """
    return [each for each in _all_unused(database) if each.path in paths]


@shared
def _all_unused(database: GraphDatabase) -> list[Unused]:
    statement = f"""
        MATCH (s:Symbol) WHERE s.kind IN {_KINDS} AND s.depth <= 1 AND NOT EXISTS {{
            MATCH (s)<-[:CALLS|REFERENCES|OVERRIDES]-(o:Symbol) WHERE o.id <> s.id AND NOT ({_PLACE})
        }} AND NOT EXISTS {{ MATCH (s)<-[:WIRED]-(:File) }} AND NOT EXISTS {{ MATCH (s)<-[:WIRED]-(:Symbol) }}
        RETURN s.id, s.name, s.kind, s.relativePath, s.depth, s.startLine, s.declarationLine, s.nameLine, s.endLine"""
    rows = database.rows(statement)
    owners = dict(
        database.rows(
            "MATCH (c:Symbol)-[:CONTAINS]->(s:Symbol) WHERE c.kind = 'class' AND c.depth = 0 AND s.depth = 1 RETURN s.id, c.id"
        )
    )
    offers: dict[str, list[str]] = {}
    for id, path in database.rows("MATCH (f:File)-[:EXPORTS]->(s:Symbol) RETURN DISTINCT s.id, f.relativePath"):
        offers.setdefault(id, []).append(path)
    found = [
        Unused(id, name, kind, path, owners.get(id, ""), first, declared, line, last, tuple(sorted(offers.get(id, ()))))
        for id, name, kind, path, depth, first, declared, line, last in rows
        if depth == 0 or id in owners
    ]
    used_again = _used_by_name(database, found)
    left = [each for each in found if (each.path, each.name, each.owner) not in used_again]
    return sorted(left, key=lambda each: (each.path, each.line, each.name))


def _used_by_name(database: GraphDatabase, unused: Collection[Unused]) -> set[tuple[str, str, str]]:
    """Return path, name and class id of each name with an unused and a used declaration: `limits = order(limits)` declares
    `limits` again.
    """
    ids = {each.id for each in unused}
    owners = {each.owner for each in unused if each.owner}
    table = symbols_of(database)
    members = {symbol.id: owner for owner, symbols in table.children(owners).items() for symbol in symbols}
    again = [symbol for symbol in table.named({each.name for each in unused}) if symbol.id not in ids]
    return {
        (symbol.relative_path, symbol.name, members.get(symbol.id, ""))
        for symbol in again
        if symbol.depth == 0 or symbol.id in members
    }


@shared
def overriding_ids(database: GraphDatabase) -> frozenset[str]:
    """Return the ids of all members that override other members, or take their place in a class that inherits both."""
    written = database.rows("MATCH (s:Symbol)-[:OVERRIDES]->() RETURN DISTINCT s.id")
    inherited = symbols_of(database).ids_at([member for member, _ in inherited_overrides(database)])
    return frozenset((*(id for (id,) in written), *inherited))


@shared
def class_bases(database: GraphDatabase) -> dict[str, ClassBases]:
    """Map the ids of classes to their bases."""
    inside = _by_first(database.rows("MATCH (s:Symbol)-[:EXTENDS|IMPLEMENTS]->(b:Symbol) RETURN s.id, b.id"))
    outside = _by_first(database.rows("MATCH (s:Symbol)-[:EXTENDS|IMPLEMENTS]->(b:External) RETURN s.id, b.id"))
    return {
        id: ClassBases(signature, tuple(inside.get(id, ())), tuple(outside.get(id, ())))
        for id, signature in database.rows("MATCH (s:Symbol) WHERE s.kind = 'class' RETURN s.id, s.signature")
    }


@shared
def unresolved_member_names(database: GraphDatabase) -> frozenset[str]:
    """Return the names that are called or read somewhere without a known declaration."""
    statement = "MATCH (n:UnresolvedName)<-[:CALLS_UNRESOLVED|REFERENCES_UNRESOLVED]-(:Symbol) RETURN DISTINCT n.name"
    return frozenset(name for (name,) in database.rows(statement))


@shared
def keeping_classes(database: GraphDatabase) -> frozenset[str]:
    """Return the ids of the classes with `__init_subclass__`, which runs for each derived class."""
    statement = "MATCH (c:Symbol)-[:CONTAINS]->(s:Symbol) WHERE c.kind = 'class' AND s.name = '__init_subclass__' RETURN c.id"
    return frozenset(id for (id,) in database.rows(statement))


@shared
def imported_paths(database: GraphDatabase) -> frozenset[str]:
    """Return the paths of the files that some other file imports."""
    return frozenset(path for (path,) in database.rows("MATCH (:File)-[:IMPORTS]->(f:File) RETURN DISTINCT f.relativePath"))


@shared
def python_packages(database: GraphDatabase) -> frozenset[str]:
    """Return the paths of the files that belong to a package which a manifest of Python declares."""
    statement = "MATCH (m:Module)-[:CONTAINS]->(f:File) WHERE m.kind = 'python' RETURN f.relativePath"
    return frozenset(path for (path,) in database.rows(statement))


def _by_first(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for first, second in rows:
        found.setdefault(first, []).append(second)
    return found
