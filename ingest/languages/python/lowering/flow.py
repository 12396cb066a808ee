"""The values of names at each place of a function, in time proportional to the number of changes.

A flow has one table, with the values at the current place. Other places, such as the ends of branches, are nodes of a tree whose
edges contain differences. A step along an edge swaps the values in the edge with the values in the table. The time to go to
another place, or to compare two places, therefore depends only on the changes between them. Henry Baker describes the technique
for arrays ("Shallow binding makes functional arrays fast", 1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

#: Nodes that a name or a chain such as `self.x` may hold: nodes of `Op.FLOW`, or `MANY`.
Values = tuple[int, ...]
#: Maximum number of values that are tracked for one name.
_MAX_VALUES: Final = 24
#: Marks a name with too many values. All declarations of the name then count as its values.
MANY: Final[Values] = (-1,)


#: Ending of all chains with items, such as `a["b"]`.
ITEMS: Final = "[]"


class Place:
    """The values of names at one place, as the difference from the parent place."""

    __slots__ = ("changed", "depth", "parent")

    def __init__(self, parent: Place | None) -> None:
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent is not None else 0
        #: The value of each changed name, None for an unknown value: at the parent if the table is at this place or below, else
        #: at this place.
        self.changed: dict[str, Values | None] = {}


class Flow:
    """The values of names and chains at the current place of a function or module."""

    __slots__ = ("_at", "_below", "_ending", "_table", "is_reached")

    def __init__(self) -> None:
        #: Whether the current place can be reached. At an unreachable place, no values are known or recorded.
        self.is_reached = True
        self._table: dict[str, Values] = {}
        #: The current place, to which no caller has a reference yet.
        self._at = Place(None)
        #: Chains by each name or chain with which they begin. Some of these chains may no longer be in the table.
        self._below: dict[str, list[str]] = {}
        #: The same chains by the part after their first name.
        self._ending: dict[str, list[str]] = {}

    @property
    def has_chains(self) -> bool:
        """Whether the value of any chain of attributes may be known here."""
        return self.is_reached and bool(self._below)

    def get(self, key: str) -> Values | None:
        """Return the values of a name or chain here; None if they are not known."""
        return self._table.get(key) if self.is_reached else None

    def hold(self, key: str, values: Values) -> None:
        """Set the values of a name or chain. Known values of chains below it are forgotten."""
        if self.is_reached:
            if key in self._below:
                self._forget(self._below.pop(key))
            self._put(key, values)

    def narrow(self, key: str, values: Values) -> None:
        """Narrow the values of a name or chain. The object is the same, so chains below it stay known."""
        if self.is_reached:
            self._put(key, values)

    def forget_chains(self, names: Iterable[str], endings: Iterable[str]) -> None:
        """Forget the values of chains that begin with one of `names`, or that end in one of `endings`."""
        if self._below and self.is_reached:
            for name in names:
                self._forget(self._below.pop(name, ()))
            for ending in endings:
                self._forget(self._ending.pop(ending, ()))

    def forget_items(self, name: str) -> None:
        """Forget the values of the items of a name or chain."""
        below = self._below.get(name)
        if below and self.is_reached:
            items = [key for key in below if key.startswith("[", len(name) + 1)]
            if items:
                self._below[name] = [key for key in below if not key.startswith("[", len(name) + 1)]
                self._forget(items)

    def _put(self, key: str, values: Values) -> None:
        table, at = self._table, self._at
        before = table.get(key)
        if before is None and "." in key:
            self._note_chain(key)
        if at.parent is not None:
            at.changed.setdefault(key, before)
        table[key] = values

    def _forget(self, keys: Sequence[str]) -> None:
        for key in keys:
            before = self._table.pop(key, None)
            if before is not None and self._at.parent is not None:
                self._at.changed.setdefault(key, before)

    def _note_chain(self, key: str) -> None:
        self._ending.setdefault(key.partition(".")[2], []).append(key)
        if "[" in key:
            self._ending.setdefault(ITEMS, []).append(key)
        above = key.rpartition(".")[0]
        while above:
            self._below.setdefault(above, []).append(key)
            above = above.rpartition(".")[0]

    # ------------------------------------------------------------------ places

    def place(self) -> Place | None:
        """Return the current place, to which `go_to` and `join` can return; None if it cannot be reached."""
        at = self._at
        if not self.is_reached:
            return None
        if not at.changed and at.parent is not None:
            return at.parent
        self._at = Place(at)
        return at

    def leave(self) -> None:
        """Mark the following code as unreachable, as after `return`."""
        self.is_reached = False

    def go_to(self, place: Place | None) -> None:
        """Continue at another place, or as unreachable code for None."""
        self.is_reached = place is not None
        if place is not None:
            self._drop()
            self._walk(place, None)
            self._at = Place(place)

    def join(self, places: Iterable[Place | None]) -> None:
        """Continue where several places meet.

        A name that is unbound at some places has its values from the other places. A chain that is unknown at some places becomes
        unknown.
        """
        reached = [place for place in places if place is not None]
        if len(reached) < 2:
            self.go_to(reached[0] if reached else None)
            return
        merged, root = self._merge(reached)
        left: dict[str, Values | None] = {}
        self._walk(root, left)
        self._at = Place(root)
        self.is_reached = True
        for key, last in left.items():
            merged.setdefault(key, last or ())
        for key, values in merged.items():
            if not values:
                self._forget((key,))
            elif values != self._table.get(key):
                self._put(key, values)

    def merged(self, places: Iterable[Place | None], keys: Iterable[str]) -> dict[str, Values]:
        """Return the combined values of names at several places, () for unknown values, and continue at the last of
        these places.
        """
        reached = [place for place in places if place is not None]
        if not reached:
            return {}
        found = self._merge(reached)[0]
        self._at = Place(self._at)
        return {key: found[key] if key in found else self._table.get(key, ()) for key in keys}

    def _merge(self, places: Sequence[Place]) -> tuple[dict[str, Values], Place]:
        """Visit all places. Return the differing values of names and chains, () for unknown, and the places' common root."""
        self._drop()
        root = places[0]
        self._walk(root, None)
        merged: dict[str, dict[int, None]] = {}
        partial: set[str] = set()
        for place in places[1:]:
            passed: dict[str, Values | None] = {}
            top = self._walk(place, passed)
            root = top if top.depth < root.depth else root
            for key, before in passed.items():
                now = self._table.get(key)
                if now == before:
                    continue
                if key not in merged:
                    merged[key] = dict.fromkeys(before or ())
                if before is None or now is None:
                    partial.add(key)
                known = merged[key]
                if now is not None and len(known) <= _MAX_VALUES:
                    known.update(dict.fromkeys(now))
        return {key: _joined(key, values, key in partial) for key, values in merged.items()}, root

    def _drop(self) -> None:
        """Go back to the parent of the current place, and discard the current place. No caller has a reference to it."""
        at, table = self._at, self._table
        if at.parent is not None:
            for key, values in at.changed.items():
                if values is None:
                    table.pop(key, None)
                else:
                    self._restore(key, values)
            self._at = at.parent

    def _restore(self, key: str, values: Values) -> None:
        if "." in key and key not in self._table:
            self._note_chain(key)
        self._table[key] = values

    def _walk(self, target: Place, passed: dict[str, Values | None] | None) -> Place:
        """Go to another place, record the old values of changed keys in `passed`, and return the common root of both places."""
        down: list[Place] = []
        at, other = self._at, target
        while at is not other:
            if at.depth >= other.depth:
                self._exchange(at, passed)
                assert at.parent is not None
                at = at.parent
            else:
                down.append(other)
                assert other.parent is not None
                other = other.parent
        for place in reversed(down):
            self._exchange(place, passed)
        self._at = target
        return at

    def _exchange(self, place: Place, passed: dict[str, Values | None] | None) -> None:
        changed, table = place.changed, self._table
        for key, values in changed.items():
            now = table.get(key)
            if passed is not None:
                passed.setdefault(key, now)
            changed[key] = now
            if values is None:
                table.pop(key, None)
            else:
                self._restore(key, values)


def _joined(key: str, values: dict[int, None], is_partial: bool) -> Values:
    is_chain = "." in key
    if is_chain and (is_partial or len(values) > _MAX_VALUES):
        return ()
    return MANY if len(values) > _MAX_VALUES or -1 in values else tuple(values)


def with_value(values: Values, value: int) -> Values:
    """Return the values with one more value, or MANY if there are too many."""
    return (*values, value) if values != MANY and len(values) < _MAX_VALUES else MANY
