"""The relation between overriding and overridden members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..database import GraphDatabase, shared
from .inherited_members import inherited_overrides
from .reachability import reachable


class Overrides:
    """The overriding and overridden members, over any number of levels, by internal offsets."""

    def __init__(self, pairs: Iterable[Sequence[int]]) -> None:
        """`pairs` are (overriding member, overridden member) of neighbouring levels."""
        #: Base members of the next level, by overriding member.
        self.bases: dict[int, list[int]] = {}
        self._overriding: dict[int, list[int]] = {}
        for member, base in pairs:
            self.bases.setdefault(member, []).append(base)
            self._overriding.setdefault(base, []).append(member)

    def above(self, member: int) -> list[int]:
        """Return all members that a member overrides, nearest first."""
        return reachable([member], self.bases)[1:]

    def related(self, members: Sequence[int]) -> list[int]:
        """Return the base members of some members, and the other overrides of these base members."""
        own = frozenset(members)
        return [offset for offset in reachable(reachable(members, self.bases), self._overriding) if offset not in own]


@shared
def overrides(graph: GraphDatabase) -> Overrides:
    """Return all pairs of overriding and overridden members, including those that only a class with both as bases joins."""
    written = graph.rows("MATCH (o:Symbol)-[:OVERRIDES]->(s:Symbol) RETURN offset(id(o)), offset(id(s))")
    return Overrides([*written, *inherited_overrides(graph)])
