"""The types that types of the repository extend and implement, or that extend them, over any number of levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids

#: Maximum number of classes and interfaces that one walk follows.
MAX_TYPES = 1000
_ABOVE = "MATCH (o:Symbol)-[:EXTENDS|IMPLEMENTS]->(s:Symbol) WHERE o.id IN $ids RETURN DISTINCT s.id"
_BELOW = "MATCH (o:Symbol)<-[:EXTENDS]-(s:Symbol) WHERE o.id IN $ids RETURN DISTINCT s.id"


def supertypes(database: GraphDatabase, ids: Iterable[str]) -> list[str]:
    """Return the ids of some types and of the types of the repository that they extend or implement, nearest first."""
    return [id for types in type_levels(database, ids) for id in types]


def type_levels(database: GraphDatabase, ids: Iterable[str], *, below: bool = False) -> Iterator[list[str]]:
    """Yield the ids of some types, then those of the types that they extend or implement, and so on; each type once.

    With `below`, the next types are those that extend the types before. The walk ends with the level at which `MAX_TYPES` types
    are known.
    """
    seen = set(ids)
    pending = sorted(seen)
    while pending:
        yield pending
        if len(seen) >= MAX_TYPES:
            return
        pending = sorted({id for (id,) in rows_for_ids(database, _BELOW if below else _ABOVE, pending)} - seen)
        seen.update(pending)
