"""Type hierarchies: the supertypes and subtypes of classes and interfaces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.types import Base, bases
from ...graphdb.symbols.symbol_table import symbols_of
from ...graphdb.traversal.edge_expanders import types_down, types_up
from ...graphdb.traversal.walk import Link, Walk, walk
from ...schema.errors import UsageError
from ...schema.records import SymbolRef
from ...schema.signatures import TypeParameter
from .signature import signature_of
from .subject import Analysis, EmptyReason, Subject, counted, none_of

_TYPES = frozenset(("class", "interface"))


@dataclass(frozen=True, slots=True)
class HeritageClause:
    """One `extends` or `implements` between two types. `line` is in the file of the type that has the clause."""

    kind: Literal["extends", "implements"]
    #: Name of the type that has the clause.
    from_name: str
    #: Name of the type in the clause.
    to_name: str
    line: int


@dataclass(frozen=True, slots=True)
class RelatedType:
    """A supertype or subtype. The type has several clauses if several paths lead to the type, as in a diamond."""

    name: str
    #: None for an external type, which is declared in `package`.
    symbol: SymbolRef | None
    package: str
    #: Number of clauses on the shortest path to this type, from 1.
    distance: int
    #: For a supertype, the clauses that name it. For a subtype, its clauses that name the subject or another subtype.
    clauses: tuple[HeritageClause, ...]

    @property
    def is_abstract(self) -> bool:
        """Whether the type is an abstract class."""
        return self.symbol is not None and self.symbol.is_abstract

    @property
    def kind(self) -> Literal["extends", "implements"]:
        """Relation of the first clause: extends or implements."""
        return self.clauses[0].kind


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedTypes(Analysis):
    """Supertypes or subtypes, nearest first."""

    subject: Subject
    direction: Literal["supertypes", "subtypes"]
    types: tuple[RelatedType, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {counted(len(self.types), self.direction.removesuffix('s'))}"

    def lines(self) -> list[str]:
        return [_line(found) for found in self.types]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeHierarchy(Analysis):
    """The direct parents and children of a class or interface. If there are none, `nothing` is set."""

    subject: Subject
    #: The parent of a class; None for an interface.
    extends: RelatedType | None = None
    #: Interfaces that a class implements, or that an interface extends.
    implements: tuple[RelatedType, ...] = ()
    subtypes: tuple[RelatedType, ...] = ()
    is_abstract: bool = False
    type_parameters: tuple[TypeParameter, ...] = ()

    def lines(self) -> list[str]:
        """Return lines for the parents, then for the children."""
        parents = ([self.extends] if self.extends else []) + list(self.implements)
        lines = [f"  {found.kind} {_named(found)}" for found in parents]
        return lines + [f"  is {_participle(found)} by {_named(found)}" for found in self.subtypes]


def type_hierarchy(graph: GraphDatabase, subject: Subject) -> TypeHierarchy:
    """Return the direct parents and children of a class or interface, and its type parameters."""
    if (nothing := _no_type(subject)) is not None:
        return TypeHierarchy(subject=subject, nothing=nothing)
    above, below = supertypes(graph, subject, 1).types, subtypes(graph, subject, 1).types
    classes = [symbol for symbol in subject.declarations if symbol.kind == "class"]
    parent = next((found for found in above if found.kind == "extends"), None) if classes else None
    return TypeHierarchy(
        subject=subject,
        nothing=None
        if above or below
        else none_of(subject, "It extends and implements nothing, and nothing extends or implements it."),
        extends=parent,
        implements=tuple(found for found in above if found is not parent),
        subtypes=below,
        is_abstract=any("abstract" in symbol.modifiers for symbol in classes),
        type_parameters=next((found for at in signature_of(subject).declarations if (found := at.type_parameters)), ()),
    )


def supertypes(graph: GraphDatabase, subject: Subject, depth: int = -1) -> RelatedTypes:
    """Return the types that a class or interface extends and implements, over `depth` steps (-1: all)."""
    if (nothing := _no_type(subject)) is not None:
        return RelatedTypes(subject=subject, direction="supertypes", nothing=nothing)
    seen, types = _related(graph, subject, depth, "supertypes")
    types += _external_supertypes(graph, subject, seen, depth)
    types.sort(key=_nearest_first)
    empty = none_of(subject, "It extends and implements nothing.")
    return RelatedTypes(subject=subject, direction="supertypes", types=tuple(types), nothing=None if types else empty)


def subtypes(graph: GraphDatabase, subject: Subject, depth: int = -1) -> RelatedTypes:
    """Return the types that extend and implement a class or interface, over `depth` steps (-1: all)."""
    if (nothing := _no_type(subject)) is not None:
        return RelatedTypes(subject=subject, direction="subtypes", nothing=nothing)
    _, types = _related(graph, subject, depth, "subtypes")
    empty = none_of(subject, "Nothing extends or implements it.")
    return RelatedTypes(subject=subject, direction="subtypes", types=tuple(types), nothing=None if types else empty)


def _no_type(subject: Subject) -> EmptyReason | None:
    if subject.nothing is not None or subject.kinds & _TYPES:
        return subject.nothing
    return EmptyReason(
        "notApplicable", f"{subject.name} is a {subject.declarations[0].kind}: only classes and interfaces inherit."
    )


def _related(
    graph: GraphDatabase, subject: Subject, depth: int, direction: Literal["supertypes", "subtypes"]
) -> tuple[Walk, list[RelatedType]]:
    if depth < 1 and depth != -1:
        raise UsageError(f"The depth counts steps from 1; -1 follows all of them. It cannot be {depth}.")
    upwards = direction == "supertypes"
    seeds = symbols_of(graph).offsets(subject.ids)
    seen = walk(graph, (types_up if upwards else types_down)(graph), seeds, depth)
    clauses: dict[int, list[HeritageClause]] = {}
    for source, links in seen.links.items():
        for link in links:
            ends = (seen.symbols[source].name, seen.symbols[link.target].name)
            clauses.setdefault(link.target, []).append(_clause(link, *(ends if upwards else ends[::-1])))
    types = [
        RelatedType(symbol.qualified_name, symbol, "", seen.distances[offset], tuple(clauses[offset]))
        for offset, symbol in seen.symbols.items()
        if offset not in seeds
    ]
    return seen, sorted(types, key=_nearest_first)


def _nearest_first(found: RelatedType) -> tuple[int, str, str, int]:
    place = (found.symbol.relative_path, found.symbol.start_line) if found.symbol else (found.package, 0)
    return found.distance, found.kind, *place


def _clause(link: Link, from_name: str, to_name: str) -> HeritageClause:
    return HeritageClause("extends" if link.label == "EXTENDS" else "implements", from_name, to_name, link.lines[0])


def _external_supertypes(graph: GraphDatabase, subject: Subject, seen: Walk, depth: int) -> list[RelatedType]:
    steps = dict.fromkeys(subject.ids, 0) | {
        symbol.id: seen.distances[offset]
        for offset, symbol in seen.symbols.items()
        if depth < 0 or seen.distances[offset] < depth
    }
    names = {symbol.id: symbol.name for symbol in seen.symbols.values()}
    groups: dict[str, list[Base]] = {}
    for base in bases(graph, steps):
        if base.symbol is None:
            groups.setdefault(base.base_id, []).append(base)
    found = []
    for group in groups.values():
        clauses = tuple(
            HeritageClause(
                "extends" if base.kind == "extends" else "implements",
                names.get(base.symbol_id, subject.name),
                base.name,
                base.line,
            )
            for base in sorted(group, key=lambda base: steps[base.symbol_id])
        )
        found.append(
            RelatedType(group[0].name, None, group[0].package, 1 + min(steps[base.symbol_id] for base in group), clauses)
        )
    return found


def _line(found: RelatedType) -> str:
    ways: Iterable[str] = (f"{clause.from_name} {clause.kind} {clause.to_name} (line {clause.line})" for clause in found.clauses)
    return f"  {found.distance}  {_named(found)}   {', '.join(ways)}"


def _named(found: RelatedType) -> str:
    place = found.symbol.place if found.symbol else found.package
    return f"{'abstract ' if found.is_abstract else ''}{found.name} ({place})"


def _participle(found: RelatedType) -> str:
    return "extended" if found.kind == "extends" else "implemented"
