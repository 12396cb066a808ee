"""Members that override, or are overridden by, the same members as the subject: their uses may concern it."""

from __future__ import annotations

from collections.abc import Sequence

from ...graphdb.database import GraphDatabase
from ...graphdb.symbols.id_batches import rows_for_ids
from ...graphdb.symbols.symbol_table import symbols_of
from ...graphdb.traversal.overrides import overrides
from .subject import Candidate, EmptyReason, Subject, counted

#: Related members that a reason lists.
_MAX_LISTED = 10


def uses_of_related(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return why an empty answer about uses may miss some: members that are related by overriding have uses.

    Returns None if there are no such members, or if they have no uses either.
    """
    table = symbols_of(graph)
    related = overrides(graph).related(table.offsets(subject.ids))
    used = _used(graph, table.ids_at(related)) if related else []
    if not used:
        return None
    message = (
        f"No use is bound to it, but {counted(len(used), 'member')} that it overrides, or that share a base with it, "
        f"{'has' if len(used) == 1 else 'have'} uses:"
    )
    listed = table.symbols(used[:_MAX_LISTED])
    candidates = tuple(Candidate(listed[id].ref, listed[id].breadcrumb) for id in used[:_MAX_LISTED])
    return EmptyReason("related", f"{message} {', '.join(each.symbol.qualified_name for each in candidates)}.", candidates)


def _used(graph: GraphDatabase, ids: Sequence[str]) -> list[str]:
    """Return the ids of the symbols that something refers to, in the same order."""
    statement = "MATCH (o:Symbol)<-[:REFERENCES]-(:Symbol) WHERE o.id IN $ids RETURN DISTINCT o.id"
    used = {row[0] for row in rows_for_ids(graph, statement, ids)}
    return [id for id in ids if id in used]
