"""The types that types of the repository extend and implement, over any number of levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..database import GraphDatabase
from ..symbols.id_batches import rows_for_ids

#: Maximum number of classes and interfaces that one walk follows.
MAX_TYPES = 1000


def supertypes(database: GraphDatabase, ids: Iterable[str]) -> list[str]:
    """Return the ids of some types and of the types of the repository that they extend or implement, nearest first."""
    return [id for types in type_levels(database, ids) for id in types]


def type_levels(database: GraphDatabase, ids: Iterable[str]) -> Iterator[list[str]]:
    """Yield the ids of some types, then those of the types that they extend or implement, and so on; each type once.

    The walk ends when `MAX_TYPES` types are known.
    """
    seen = set(ids)
    pending = sorted(seen)
    while pending and len(seen) < MAX_TYPES:
        yield pending
        above = "MATCH (o:Symbol)-[:EXTENDS|IMPLEMENTS]->(s:Symbol) WHERE o.id IN $ids RETURN DISTINCT s.id"
        pending = sorted({id for (id,) in rows_for_ids(database, above, pending)} - seen)
        seen.update(pending)
