"""What turns stored rows into new ones, done to the stored ones, gives the new ones; and it is no more than that takes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from astrolabe.graphdb.writing.row_diff import ENDS, NUMBERS, RowChanges, edge_changes, node_changes
from hypothesis import given
from hypothesis import strategies as st

#: Edges between few nodes, of few values, so that many are alike.
EDGES = st.lists(st.tuples(*[st.sampled_from("ab")] * ENDS, st.integers(0, 2), st.tuples(st.integers(0, 2))), max_size=8)

Row = tuple[Any, ...]


def numbered(rows: list[Row]) -> list[Row]:
    return [(*row, 7, number) for number, row in enumerate(rows)]


def applied(stored: list[Row], rows: list[Row], changes: RowChanges) -> Counter[Row]:
    """The stored edges after the changes, without their numbers."""
    by_number = {row[-NUMBERS:]: list(row[:-NUMBERS]) for row in stored}
    for row in changes.gone:
        del by_number[row[-NUMBERS:]]
    for moved in changes.moved:
        for row, position in zip(moved.stored, moved.positions, strict=True):
            for column in moved.columns:
                assert by_number[row[-NUMBERS:]][column] != rows[position][column]
                by_number[row[-NUMBERS:]][column] = rows[position][column]
    return Counter([*map(tuple, by_number.values()), *(rows[position] for position in changes.added)])


@given(EDGES, EDGES)
def test_edges_become_the_new_ones(old: list[Row], new: list[Row]) -> None:
    stored = numbered(old)
    changes = edge_changes(stored, new)
    assert applied(stored, new, changes) == Counter(new)
    same = sum((Counter(old) & Counter(new)).values())
    moved = [column for group in changes.moved for column in group.columns]
    assert min(moved, default=ENDS) >= ENDS, "an edge keeps its ends"
    assert len(changes.gone) + sum(len(group.positions) for group in changes.moved) == len(old) - same
    assert not {row[:ENDS] for row in changes.gone} & {new[position][:ENDS] for position in changes.added}


def test_edges_that_moved_are_told_by_what_differs() -> None:
    stored = numbered([("a", "b", "call", (1,)), ("a", "b", "read", (2,)), ("a", "c", "call", (3,))])
    new = [("a", "b", "call", (2,)), ("a", "b", "read", (3,)), ("a", "c", "call", (3,)), ("a", "d", "call", (9,))]
    changes = edge_changes(stored, new)
    assert changes.gone == []
    assert changes.added == [3]
    assert [(group.columns, group.positions, [row[-1] for row in group.stored]) for group in changes.moved] == [
        ((3,), [0, 1], [0, 1])
    ]


def test_nodes_are_the_same_by_their_keys() -> None:
    stored = {"a": ("a", 1, "x"), "b": ("b", 2, "y"), "c": ("c", 3, "z")}
    changes = node_changes(stored, [("b", 2, "y"), ("c", 4, "z"), ("d", 5, "z")])
    assert changes.gone == [("a", 1, "x")]
    assert changes.added == [2]
    assert [(group.columns, group.positions) for group in changes.moved] == [((1,), [1])]
