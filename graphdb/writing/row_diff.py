"""Compare new rows of a table with stored rows: find removed rows, added rows, and changed properties of all other rows.

An inserted line moves all lines below it. Edges that only moved are updated, not created again. For a table with a new edge, the
engine allocates lists of eight megabytes at each commit, and whenever it reads its log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .base_rows import Row

#: Number of values after the properties of a stored edge: its internal id.
NUMBERS = 2
#: Number of values before the properties of an edge: the keys of its ends.
ENDS = 2


class Moved(NamedTuple):
    """Rows that stay, with the properties whose values differ."""

    #: Indices of the properties in a row.
    columns: tuple[int, ...]
    #: Index of each new row.
    positions: list[int]
    #: For each new row, the stored row that the new row replaces.
    stored: list[Row]


class RowChanges(NamedTuple):
    """The changes from stored rows to new rows."""

    #: Stored rows without a successor.
    gone: list[Row]
    #: Indices of the new rows without a stored row.
    added: list[int]
    moved: list[Moved]


def node_changes(stored: Mapping[Any, Row], rows: Sequence[Row]) -> RowChanges:
    """Compare nodes with stored nodes by their key: the first value of a row."""
    new = {row[0] for row in rows}
    gone = [row for key, row in stored.items() if key not in new]
    added = [position for position, row in enumerate(rows) if row[0] not in stored]
    pairs = ((stored[row[0]], position) for position, row in enumerate(rows) if row[0] in stored)
    return RowChanges(gone, added, _moved(pairs, rows))


def edge_changes(stored: Iterable[Row], rows: Sequence[Row]) -> RowChanges:
    """Compare edges with stored edges. If several edges join the same two nodes, equal edges are matched first."""
    same: dict[Row, list[Row]] = defaultdict(list)
    for row in stored:
        same[row[:-NUMBERS]].append(row)
    rest: dict[Row, list[int]] = defaultdict(list)
    for position, row in enumerate(rows):
        if alike := same.get(row):
            alike.pop()
        else:
            rest[row[:ENDS]].append(position)
    left: dict[Row, list[Row]] = defaultdict(list)
    for row in sorted(row for alike in same.values() for row in alike):
        left[row[:ENDS]].append(row)
    pairs: list[tuple[Row, int]] = []
    gone, added = [], []
    for ends in {**left, **rest}:
        old, new = left[ends], sorted(rest[ends], key=lambda position: rows[position])
        pairs += zip(old, new, strict=False)
        gone += old[len(new) :]
        added += new[len(old) :]
    return RowChanges(gone, sorted(added), _moved(pairs, rows))


def _moved(pairs: Iterable[tuple[Row, int]], rows: Sequence[Row]) -> list[Moved]:
    """Group stored rows, with the indices of their new rows, by the properties that differ."""
    moved: dict[tuple[int, ...], Moved] = {}
    for stored, position in pairs:
        row = rows[position]
        columns = tuple(number for number, value in enumerate(row) if value != stored[number])
        if columns:
            group = moved.setdefault(columns, Moved(columns, [], []))
            group.positions.append(position)
            group.stored.append(stored)
    return list(moved.values())
